# CUDA programs to learn from. `make` builds them all; ./bin/add1 runs one.
#
#   make                  all programs: with CUDA if there are nvcc and a GPU, else for the CPU
#   make ch03             the programs of one chapter
#   make add1             one program
#   make test             that all of it works here, in minutes; what has passed is not run again
#   make test-all         both precisions, every size, all documents; PART=1/2, 2/2: halves.
#                         REQUIRE_GPU=1: nothing skipped; ONLY="ch03 hello4": these programs and
#                         chapters, here and below
#   make plant            plant bugs that a seed chooses, one by one; the tests must catch them:
#                         SEED=1, EACH=4 for each program; LEAST=90: fails if fewer percent die
#   make bench            measure: what every table prints, into a file of bench/results; PLAIN=1:
#                         every program once, without arguments; PAGES="ch21_md/devices.md": what
#                         these pages quote
#   make install-cpucc    the CPU backend's compiler for good: PREFIX=/usr/local
#   make bench-cpu        what the CPU backend itself costs: a thread, a barrier, a launch
#   make figures-data     measure what make figures draws, elsewhere by DATA=build/figures/data
#   make clean            remove all that make has made
#   make help             these and the commands of ./suite, as make doctor, make find WHAT=9.5
#
#   BACKEND=cuda or cpu   choose; NVCC=..., CXX=clang++: the compilers
#   RUNNER=...            what runs the programs if CXX compiles for another processor
#   USE_DP=1              `real` is double; the programs are then in bin/dp/
#   ARCH="sm_80 sm_90"    what to compile for, where it is not the GPUs that are there
#   DEBUG=1, CHECKER=1    for a debugger; with the checker. Left in build/, not linked to bin/
#   NVCCFLAGS, CXXFLAGS   flags to add to ours; V=1 shows the commands
#
# Nothing is listed below. A program is a file chNN_topic/NAME.cu or .cpp, and what is special about
# it stands in the comment at its top, which ./suite reads.

all: # the default goal; its rule is further down

COMMANDS := all list find index help report doctor tour learn test test-all run-tests units plant bench bench-cpu sanitize \
    toolkits figures figures-data drawings site roots dist zh build-cpucc build-checker install-cpucc clean
GOALS := $(or $(MAKECMDGOALS),all)
# What builds nothing works without a compiler as well, and most of it in a directory of any name.
BUILDING := $(filter-out list find index help report doctor site roots dist zh units clean,$(GOALS))
IN_ITS_PLACE := $(filter site roots,$(GOALS))$(BUILDING)

# Where LANG or its like says zh, make speaks Chinese, and so does ./suite: make/Language.pm has this
# rule, too.
LOCALE := $(or $(LC_ALL),$(LC_MESSAGES),$(LANG),C)
CHINESE := $(filter zh%,$(firstword $(if $(filter C%,$(LOCALE)),,$(LANGUAGE)) $(LOCALE)))
ifneq ($(CHINESE),)
    include make/words.zh-CN.mk
endif
# $(if $(CHINESE),$(zh.NAME),English): with commas, too, in the English.

ifneq ($(and $(filter clean,$(GOALS)),$(BUILDING)),)
    $(error $(if $(CHINESE),$(zh.clean_alone),make clean goes alone, then make $(BUILDING)))
endif

MAKEFLAGS += --no-builtin-rules
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS))$(if $(BUILDING),,no),0)
    # All cores. A -j on the command line counts more than this one.
    MAKEFLAGS += -j$(shell nproc)
endif
.DELETE_ON_ERROR: # an interrupted compiler leaves no half program

# DEBUG=0 is as good as no DEBUG.
yes = $(filter-out 0,$($1))
# (Perl would complain of a locale that is not installed here. What $(shell ...) runs does not have what
# make exports.)
export PERL_BADLANG := 0
SUITE := env PERL_BADLANG=0 perl suite
# What a user gives to make is no text of the shell's. A recipe has it from the environment. Where it
# is one of several words of a command, or for $(shell ...), it is quoted: as one word, or each word of
# a list, as in CXX="ccache g++".
quoted = '$(subst ','\'',$1)'
words_of = $(foreach w,$1,$(call quoted,$w))
# Where a command is, or nothing: without a process.
on_path = $(if $1,$(firstword $(wildcard $(addsuffix /$1,$(subst :, ,$(PATH))))))
# The value of a variable that asks the machine: it is asked when the value is first needed, once.
once = $(if $(filter undefined,$(origin known.$1)),$(eval known.$1 := $$($1)))$(known.$1)

# ---- The backend ----

ifeq ($(origin CXX),default)
    CXX := g++
endif
NVCC ?= $(or $(call on_path,nvcc),$(wildcard /usr/local/cuda/bin/nvcc))
NVCC := $(NVCC)
GPU = $(or $(wildcard /dev/nvidia[0-9]* /dev/dxg),$(if $(call on_path,nvidia-smi), \
    $(findstring GPU,$(shell nvidia-smi -L 2>/dev/null))))

ifeq ($(if $(call yes,REQUIRE_GPU),$(if $(BUILDING),$(or $(GPU),none))),none)
    $(error $(if $(CHINESE),$(zh.require_gpu),REQUIRE_GPU=1, and there is no GPU here: see make doctor))
endif
ifdef BACKEND
    CHOICE := $(BACKEND) $(if $(CHINESE),$(zh.as_asked),as asked)
else ifneq ($(call yes,REQUIRE_GPU),)
    CHOICE := cuda $(if $(CHINESE),$(zh.because_require_gpu),because of REQUIRE_GPU)
else ifneq ($(filter plant,$(GOALS)),)
    CHOICE := cpu $(if $(CHINESE),$(zh.because_plant),because bugs are planted there)
else ifeq ($(NVCC),)
    CHOICE := cpu $(if $(CHINESE),$(zh.because_no_nvcc),because there is no nvcc)
else ifeq ($(GPU),)
    CHOICE := cpu $(if $(CHINESE),$(zh.because_no_gpu),because there is nvcc but no GPU)
else
    CHOICE := cuda $(if $(CHINESE),$(zh.because_both),because there are nvcc and a GPU)
endif
BACKEND := $(firstword $(CHOICE))
WHY := $(wordlist 2,9,$(CHOICE))
OTHER := $(filter-out $(BACKEND),cuda cpu)

ifneq ($(BUILDING),)
    ifneq ($(words $(BACKEND))$(filter-out cuda cpu,$(BACKEND)),1)
        $(error $(if $(CHINESE),$(zh.backend),BACKEND is cuda or cpu, not $(BACKEND)))
    else ifeq ($(BACKEND)$(wildcard $(NVCC))$(call on_path,$(NVCC)),cuda)
        $(error $(if $(CHINESE),$(zh.needs_nvcc),BACKEND=cuda needs nvcc on the PATH or NVCC=/path/to/nvcc: see make doctor))
    else ifeq ($(if $(call yes,REQUIRE_GPU),$(BACKEND)),cpu)
        $(error $(if $(CHINESE),$(zh.no_use_for_gpu),BACKEND=cpu has no use for REQUIRE_GPU=1))
    else ifeq ($(BACKEND)$(call yes,CHECKER),cuda1)
        $(error $(if $(CHINESE),$(zh.checker),CHECKER=1 is of the CPU backend: BACKEND=cpu))
    endif
endif

# Without a GPU make sanitize is the checker.
ifeq ($(BACKEND)$(filter sanitize,$(GOALS)),cpusanitize)
    CHECKER := 1
endif

# ---- The programs: found, not listed ----

# Checks the names of files; before it builds, make also needs build/programs.mk. That has PROGRAMS,
# and of each: .src .in, where it has them .libs .uses .flags .arch; .precision if its text is
# another one with USE_DP.
TROUBLE := $(strip $(if $(call on_path,perl),$(shell $(SUITE) prepare $(if $(IN_ITS_PLACE),--place) \
    $(if $(BUILDING),$(if $(filter cuda,$(BACKEND)),--cuda $(call quoted,$(NVCC))) $(COMMANDS))), \
    $(if $(CHINESE),$(zh.needs_perl),make needs perl: sudo apt-get install perl)))
ifneq ($(TROUBLE),)
    $(error $(TROUBLE))
else ifneq ($(or $(.SHELLSTATUS),0),0)
    $(error $(if $(CHINESE),$(zh.prepare_fails),./suite prepare fails, as said above))
else ifneq ($(BUILDING),)
    include build/programs.mk
endif
CHAPTERS := $(sort $(foreach p,$(PROGRAMS),$($p.in)))
# Whether program $1 may be built: its name, its chapter or something else is a goal.
asked = $(or $(filter $1 $($1.in),$(GOALS)),$(filter-out $(PROGRAMS) $(CHAPTERS),$(BUILDING)))

# A folder's name would be a goal that is already there.
UNKNOWN := $(filter-out $(COMMANDS) $(CHAPTERS) $(PROGRAMS) build/% $(CURDIR)/build/% \
    compile_commands.json,$(GOALS))
ifneq ($(UNKNOWN),)
    $(error $(if $(CHINESE),$(zh.unknown),there is no program, chapter or goal $(UNKNOWN): see make list and make help))
endif

# ONLY= names programs and chapters (with figures and roots something else).
ifneq ($(filter test test-all run-tests plant bench sanitize toolkits,$(GOALS)),)
    NOT_THERE := $(filter-out $(PROGRAMS) $(foreach p,$(PROGRAMS),$($p.in)),$(ONLY))
    ifneq ($(NOT_THERE),)
        $(error $(if $(CHINESE),$(zh.only_unknown),ONLY=$(NOT_THERE): there is no such program or chapter; see make list))
    endif
endif

# From here to the goals: what only a make that builds has to know.
ifneq ($(BUILDING),)

# ---- The compilers: compile.KIND starts the command for program $1 ----

# A row of a table may leave out its last fields.
WARN_NOT := -Wno-missing-field-initializers
# (common/by_hand.cuh says what is in common/suite.)
HOST_FLAGS := $(if $(call yes,DEBUG),-g -O0,-O2 -g1) -Wall -Wextra $(WARN_NOT) -Icommon/suite \
    $(call words_of,$(CXXFLAGS))
compile.cpp = $(call words_of,$(CXX)) -std=c++17 $(HOST_FLAGS)

# cpucc, the CPU backend's compiler, which programs know as bin/cpucc.
CPU := cpu
include cpu/rules.mk
# The heap that programs have in tests.
FENCE := $(if $(filter test test-all run-tests plant,$(GOALS)),$(if $(FOREIGN),,build/fence.so))

# What a program with `Uses: MPI` takes if it is there, and so on. mpicc may be there without mpi.h.
mpi_flags = $(if $(FOREIGN),,$(filter -I% -L% -l%,$(shell mpicc -show 2>/dev/null)))
optional.MPI = $(call with_nccl,$(call with_mpi,$(mpi_flags)))
with_mpi = $(if $1,$(shell echo '#include <mpi.h>' | \
    $(call words_of,$(CXX)) -x c++ -E $1 -o /dev/null - 2>/dev/null && echo -DHAVE_MPI '$1'))
with_nccl = $(if $1,$1 $(optional.NCCL))

ifeq ($(BACKEND),cuda)
    COMPILER := $(notdir $(NVCC))
    ifndef ARCH # the GPUs that are there, or one of each generation that the toolkit knows
        ARCH := $(if $(call on_path,nvidia-smi),$(sort $(shell nvidia-smi \
            --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | \
            sed -n 's/^\([0-9]*\)\.\([0-9]*\)$$/sm_\1\2/p')))
        # (Not all-major: with CUDA 12 that is also GPUs before 7.0, which lack what programs need.)
        ARCH := $(or $(ARCH),$(filter sm_75 sm_80 sm_90 sm_100 sm_110 sm_120, \
            $(shell $(call words_of,$(NVCC)) --list-gpu-code 2>/dev/null)),all-major)
    endif
    # A table of lines costs nothing at run time, and profilers and sanitizers then name lines.
    CUDA_FLAGS := $(if $(call yes,DEBUG),-g -G,-O3 -lineinfo) -Xcompiler -Wall,-Wextra,$(WARN_NOT) \
        -Icommon/suite \
        -Wno-deprecated-gpu-targets $(call words_of,$(NVCCFLAGS))
    # NCCL is beside the toolkit, or where Debian has it.
    TOOLKIT = $(patsubst %/bin/nvcc,%,$(realpath $(or $(wildcard $(NVCC)),$(call on_path,$(NVCC)))))
    optional.NCCL = $(if $(and $(wildcard $(TOOLKIT)/include/nccl.h /usr/include/nccl.h), \
        $(wildcard $(TOOLKIT)/lib64/libnccl.so /usr/lib/*/libnccl.so /usr/lib64/libnccl.so)), \
        -DHAVE_NCCL -lnccl)
    optional.OpenMP = -Xcompiler -fopenmp
    compile.cuda = $(call words_of,$(NVCC)) $(CUDA_FLAGS) $(call words_of,$(call gencode,$($1.arch)))
else
    COMPILER := $(notdir $(lastword $(CXX)))
    compile.cpu = CPUCC_CXX=$(call quoted,$(CXX)) bin/cpucc $(HOST_FLAGS) $(if $(call yes,DEBUG),-G) \
        $(if $(call yes,CHECKER),--check)
    # clang++ has OpenMP only with libomp-dev.
    optional.OpenMP = $(shell echo 'int main() {}' | \
        $(call words_of,$(CXX)) -x c++ -fopenmp -o /dev/null - 2>/dev/null && echo -fopenmp)
    # Programs with `Uses: Thrust` are left out where there is none.
    WITH_THRUST := $(strip $(foreach p,$(PROGRAMS),$(if $(filter Thrust,$($p.uses)),$p)))
    get_thrust := $(if $(CHINESE),$(zh.get_thrust),the CUDA toolkit has it (CUDA_HOME names it), and so has \
        Debian's libthrust-dev)
    ifneq ($(strip $(foreach p,$(WITH_THRUST),$(call asked,$p))),)
        LEFT_OUT := $(if $(shell cpu/cpucc -print-thrust),,$(WITH_THRUST))
    endif
    PROGRAMS := $(filter-out $(LEFT_OUT),$(PROGRAMS))
    ifneq ($(filter $(LEFT_OUT),$(GOALS)),)
        $(error $(if $(CHINESE),$(zh.no_thrust_for),$(filter $(LEFT_OUT),$(GOALS)): there is no Thrust here; $(get_thrust)))
    else ifneq ($(filter all test test-all plant $(foreach p,$(LEFT_OUT),$($p.in)),$(GOALS)),)
        $(if $(LEFT_OUT),$(info $(if $(CHINESE),$(zh.left_out),There is no Thrust here, so make leaves out \
            $(LEFT_OUT); $(get_thrust))))
    endif
endif

# For each sm_NN of ARCH machine code and PTX. A program's own Arch: comes on top; sm_90a replaces
# sm_90, which would be the same code again.
gencode = $(foreach n,$(filter-out $(1:sm_%a=%),$(patsubst sm_%,%,$(filter sm_%,$(ARCH)))), \
    -gencode arch=compute_$n,code=[sm_$n,compute_$n]) \
    $(patsubst %,-arch=%,$(filter-out sm_%,$(ARCH))) \
    $(foreach n,$(1:sm_%=%),-gencode arch=compute_$n,code=sm_$n)

kind = $(if $(filter %.cpp,$(firstword $($1.src))),cpp,$(BACKEND))
# Of a program's Libs: and Flags:, what means something to a compiler that is not nvcc.
for_host = $(filter-out $(filter-out $(CPU_LIBRARIES:%=-l%),$(filter -lcu% -lnv% -lnccl%,$1)), \
    $(filter -l% -D% -U% -I% -std=% -Xcompiler -fno-%,$1))
for_kind = $(if $(filter cuda,$(call kind,$1)),$2,$(call for_host,$2) \
    $(if $(filter cpu,$(call kind,$1)),$(filter -rdc=%,$2)))

# ---- Building: one command compiles and links a program ----

ifneq ($(call odd_name,$(COMPILER)),)
    $(error $(if $(CHINESE),$(zh.compiler),a compiler has letters, digits and _ . + - in its name only, not $(COMPILER)))
endif
SUFFIX := $(if $(call yes,DEBUG),-debug)$(if $(call yes,CHECKER),-checker)
DIR.float := build/$(BACKEND)-$(COMPILER)-float$(SUFFIX)
DIR.double := build/$(BACKEND)-$(COMPILER)-double$(SUFFIX)
DIR := $(if $(call yes,USE_DP),$(DIR.double),$(DIR.float))
BIN := $(if $(call yes,USE_DP),bin/dp,bin)
# The last chapters take longest to compile. They come first, so that no core waits for them.
reverse = $(if $1,$(call reverse,$(wordlist 2,$(words $1),$1)) $(firstword $1))
LONG_FIRST := $(call reverse,$(PROGRAMS))
ALL.float := $(LONG_FIRST:%=$(DIR.float)/%)
ALL.double := $(LONG_FIRST:%=$(DIR.double)/%)
# Where nothing is `real`, the program in double is the one in float.
COPIED := $(foreach p,$(PROGRAMS),$(if $($p.precision),,$(DIR.double)/$p))

# A changed flag changes the file `flags`, on which everything in its directory depends. What only
# some programs take has a file of its own, and is asked for when one of them is to be built.
# (strip: make 4.3 does not take the end of a long line away when it reads.)
keep = $(if $(findstring <$(strip $2)>,<$(strip $(file <$1))>),, \
    $(shell mkdir -p $(dir $1))$(file >$1,$2))
$(foreach d,$(DIR.float) $(DIR.double), \
    $(call keep,$d/flags,$(call compile.$(BACKEND)); $(compile.cpp)))
taken = $(foreach u,$($1.uses),$(call once,optional.$u))
flags_taken = $(foreach u,$($1.uses),$2/flags-$u$(if $(asked), \
    $(call keep,$2/flags-$u,$u: $(taken))))

$(filter-out $(COPIED),$(ALL.double)): DEFINES := -DUSE_DP

.SECONDEXPANSION: # what stands after $$ is worked out for each target: $(@F) is the program's name
$(ALL.float) $(filter-out $(COPIED),$(ALL.double)): $$($$(@F).src) $$(@D)/flags \
        $$(call flags_taken,$$(@F),$$(@D)) $$(call headers,$$($$(@F).src)) \
        $(if $(filter cpu,$(BACKEND)),bin/cpucc $(if $(call yes,CHECKER),$(CHECK_TOOLS),$(CPU_TOOLS)) \
        $$(call $(if $(call yes,CHECKER),check_libraries,cpu_libraries),$$($$(@F).libs)))
	$(if $(V),,@echo '  $@';) $(call compile.$(call kind,$(@F)),$(@F)) $(DEFINES) \
	    $(call for_kind,$(@F),$($(@F).flags)) $(call depfile,$($(@F).src)) \
	    -o $@ $($(@F).src) $(call for_kind,$(@F),$($(@F).libs)) $(call taken,$(@F))

# Without a GPU a table shows what its rows cost on one. That is counted by the same program, built by
# cpucc --count: common/counts.cuh.
ifeq ($(BACKEND)$(SUFFIX),cpu)
COUNTED := $(filter $(COUNTED),$(PROGRAMS))
COUNTED.float := $(COUNTED:%=$(DIR.float)/counted/%)
COUNTED.double := $(COUNTED:%=$(DIR.double)/counted/%)
$(COUNTED.double): DEFINES := -DUSE_DP
$(COUNTED.float) $(COUNTED.double): $$($$(@F).src) $$(dir $$(@D))flags $$(call flags_taken,$$(@F),$$(dir $$(@D))) \
        $$(call headers,$$($$(@F).src)) bin/cpucc $(COUNT_TOOLS) $$(call cpu_libraries,$$($$(@F).libs))
	@mkdir -p $(@D)
	$(if $(V),,@echo '  $@';) $(compile.cpu) --count $(DEFINES) \
	    $(call for_kind,$(@F),$($(@F).flags)) $(call depfile,$($(@F).src)) \
	    -o $@ $($(@F).src) $(call for_kind,$(@F),$($(@F).libs)) $(call taken,$(@F))
-include $(wildcard $(DIR.float)/counted/*.d $(DIR.double)/counted/*.d)
endif

# (With what it depends on, so that a header that becomes `real` is seen without the one in float.)
$(COPIED): $(DIR.double)/%: $(DIR.float)/%
	$(if $(V),,@echo '  $@';) cp -f $< $@
	@if [ -f $<.d ]; then sed 's|$(DIR.float)/|$(DIR.double)/|' $<.d >$@.d; fi

# The compiler writes down what a program includes, but for one source at a time. A program of
# several depends on every header it could include.
depfile = $(if $(word 2,$1),,-MMD -MP -MF $@.d -MT $@)
headers = $(if $(word 2,$1),$(wildcard common/*.cuh $(dir $(firstword $1))*.cuh))
-include $(wildcard $(DIR.float)/*.d $(DIR.double)/*.d)
# A source that has moved or gone is still named there. What came from it is built again.
%.c: ;
%.cu: ;
%.cpp: ;

bin/cpucc: | cpu/cpucc
	@mkdir -p bin && ln -sfr $| bin
build-cpucc: | bin/cpucc build/zh/messages
# By this file --help speaks Chinese.
build/zh/messages: $(wildcard ch*/*.cu ch*/*.cpp ch*/zh/*.po common/zh/*.po)
	@$(SUITE) zh --messages
# What tables show as measured where there is no GPU: a run of every program without arguments, of a clean
# commit, as make bench PLAIN=1 makes. Without this file they show no such times.
CARD := bench/results/2026-11-28-nvidia-h200.txt
build/card: $(CARD)
	@mkdir -p $(@D) && cp $< $@.$$$$ && mv $@.$$$$ $@
build/fence.so: tests/fence.c
	@mkdir -p $(@D)
	$(if $(V),,@echo '  $@';) $(call words_of,$(CXX)) -x c -std=gnu11 -O2 -g -Wall -Wextra -shared -fPIC \
	    -o $@.$$$$ $< && mv $@.$$$$ $@

endif

# ---- The goals ----

.PHONY: $(COMMANDS) $(CHAPTERS) $(PROGRAMS)

PLACE := $(if $(SUFFIX),$(DIR),$(BIN))/
wanted = $(foreach p,$(LONG_FIRST),$(if $(filter all $p $($p.in),$1),$(DIR)/$p))
# Those of the programs $1 that bin/ does not link to: none in a tree that is built and cannot be written.
not_linked = $(strip $(if $(SUFFIX),, \
    $(foreach p,$1,$(if $(filter $(realpath $p),$(realpath $(BIN)/$(notdir $p))),,$p))))
built = $(if $(word 2,$^),$(words $^) programs in $(PLACE),$(PLACE)$(notdir $^)) for \
    $(patsubst cpu,the CPU,$(BACKEND:cuda=CUDA)), $(WHY); BACKEND=$(OTHER) forces the other
counted = $(filter $(if $(call yes,USE_DP),$(COUNTED.double),$(COUNTED.float)), \
    $(foreach p,$(wanted),$(dir $p)counted/$(notdir $p)))
all: | $(if $(filter cpu,$(BACKEND)),$(PRECOMPILED))
all $(CHAPTERS) $(PROGRAMS): $$(call wanted,$$@) | $$(call counted,$$@) build/zh/messages $(if $(wildcard $(CARD)),build/card)
	@$(if $(call not_linked,$^),mkdir -p $(BIN) && ln -sfr $(call not_linked,$^) -t $(BIN) &&) \
	    echo '$(strip $(if $(CHINESE),$(zh.built),$(built)))'

list index help report site roots dist zh units:
	@$(SUITE) $@

find: # It has WHAT in the environment. That nothing is found is said by it, and is no error of make.
	@$(SUITE) find || true

doctor: export SUITE_PLAN := $(BACKEND)$(if $(CHINESE),，,, )$(WHY)
doctor: export SUITE_CXX := $(CXX)
doctor sanitize: export SUITE_NVCC := $(NVCC)
doctor:
	@$(SUITE) doctor "$$SUITE_PLAN" "$$SUITE_CXX" "$$SUITE_NVCC"

# What the tests know of the build.
export SUITE_BACKEND := $(BACKEND)
export CPUCC_CXX := $(CXX)
export RUNNER
export SUITE_BUILD_FLOAT := $(CURDIR)/$(DIR.float)
export SUITE_BUILD_DOUBLE := $(CURDIR)/$(DIR.double)

# The tour's programs are built by another make, without a word of each: a newcomer reads the tour.
TOUR := $(if $(filter tour,$(GOALS)),$(shell $(SUITE) tour --programs))
tour:
	@$(if $(filter-out $(notdir $(wildcard $(BIN)/*)),$(TOUR)),$(SUITE) tour --builds;) \
	    $(MAKE) --no-print-directory $(TOUR) $(if $(V),,>/dev/null)
	@$(SUITE) tour $(BACKEND) $(BIN)

# Only what judging needs is built. Checker and counter are built meanwhile, by cpucc; here only if they are
# old. What a reader gives to make is given on as words: N=12.
LEARN := N LIST HINT SOLUTION RESET SAVE LOAD FROM LANGUAGE CHECK CSV
$(if $(and $(filter learn,$(GOALS)),$(if $(wildcard $(RUNTIME)),,no)),$(info $(shell $(SUITE) learn --builds)))
learn: $(CPU_TOOLS) $(if $(wildcard $(CHECK_RUNTIME)),$(CHECK_TOOLS)) $(wildcard $(COUNT_RUNTIME)) bin/cpucc
	@exec $(SUITE) learn go $(foreach v,$(LEARN),$(if $(filter command,$(origin $v)),$(call quoted,$v=$($v))))

only = $(foreach p,$(PROGRAMS),$(if $(filter $(ONLY),$p $($p.in)),$p))
chosen = $(if $(ONLY),$(addprefix $1/,$(only)),$2)
plant bench: export SUITE_ONLY := $(ONLY)
in_both = $(call chosen,$(DIR.float),$(ALL.float)) $(call chosen,$(DIR.double),$(ALL.double))

# make test: a goal for each program and for some tests. Its file has what the test said, if it has
# passed, so a second make test runs what is new. ./suite test starts this make again and counts.
TRIED := $(DIR.float)/tried
TRIED_PROGRAMS := $(patsubst %,$(TRIED)/%,$(if $(ONLY),$(filter $(only),$(LONG_FIRST)),$(LONG_FIRST)))
TRIED_TESTS := $(patsubst %,$(TRIED)/%.t,$(if $(ONLY),headers,$(filter-out $(if $(filter cuda,$(BACKEND)), \
    runtime),runtime conformance first-commands wrong headers learn)))
HARNESS := $(wildcard tests/*.pm cpu/tests/*.pm) $(FENCE)
# That the Chinese of a text is missing is told, and is an error of test-all only.
test run-tests: export SUITE_CHINESE := note
test:
	@+exec $(SUITE) test $(call quoted,$(MAKE)) $(TRIED_PROGRAMS) $(TRIED_TESTS)
run-tests: $(TRIED_TESTS) $(TRIED_PROGRAMS) $(TRIED)/chinese
$(TRIED)/chinese: $(wildcard ch*/*.c* common/* ch*/zh/* common/zh/* make/*.pm) | $(TRIED)/places
	@$(SUITE) zh --check >$@ 2>&1 || true
$(TRIED_PROGRAMS) $(TRIED_TESTS): export SUITE_PLACES := $(CURDIR)/$(TRIED)/places
$(TRIED_PROGRAMS): $(TRIED)/%: $(DIR.float)/% $$(wildcard build/for-tests/$$* tests/golden/$$*.*) \
        tests/quick.t $(HARNESS) | build/zh/messages $(TRIED)/places
	@exec $(SUITE) try $@ tests/quick.t $*
$(TRIED)/learn.t: $(CPU_TOOLS) $(CHECK_TOOLS) $(COUNT_RUNTIME) $(wildcard exercises/* make/*.pm)
$(TRIED)/wrong.t: $(ALL.float)
$(TRIED)/headers.t: $(wildcard ch*/*.cu* ch*/*.cpp common/* tests/programs.txt) make/Programs.pm
$(TRIED)/first-commands.t: README.md Makefile suite $(wildcard make/*.pm) $(DIR.float)/add1 $(DIR.float)/reduce
$(TRIED)/runtime.t $(TRIED)/conformance.t: $(if $(filter cpu,$(BACKEND)),$(CPU_TOOLS))
$(TRIED)/conformance.t: $(wildcard cpu/tests/conformance/* cpu/tests/conformance/*/*)
# (The libraries are for test-all: their code is long.)
$(TRIED)/conformance.t: export TEST_LIBRARIES := 0
ifeq ($(BACKEND),cuda)
$(TRIED)/conformance.t: export TEST_BY := nvcc
endif
$(TRIED_TESTS): $(TRIED)/%.t: $$(wildcard tests/$$*.t cpu/tests/$$*.t) $(HARNESS) | $(TRIED)/places
	@exec $(SUITE) try $@ $(firstword $(wildcard tests/$*.t cpu/tests/$*.t)) $(if $(ONLY),$(call quoted,$(ONLY)))
$(TRIED)/places:
	@mkdir -p $@

test-all: export ONLY := $(ONLY)
# (The counted programs are for one file of them.)
test-all: $(if $(or $(if $(FILES),,all),$(findstring counted,$(FILES))),$$(if $$(FILES),$$(COUNTED.float),$$(if $$(ONLY),$$(filter $$(addprefix $$(DIR.float)/counted/,$$(only)),$$(COUNTED.float)),$$(COUNTED.float))) $(if $(wildcard $(CARD)),build/card))
test-all: $$(if $$(FILES),$$(ALL.float) $$(ALL.double),$$(in_both)) bin/cpucc build-cpucc build-checker $(FENCE) build/zh/messages
	@exec $(SUITE) test-all $(BACKEND)

plant: bin/cpucc build-cpucc $(FENCE)
	@perl tests/planter.pl --seed "$${SEED:-1}" --each "$${EACH:-4}" --least "$${LEAST:-0}"

bench: $$(if $$(PLAIN),$$(call chosen,$$(DIR.float),$$(ALL.float)),$$(in_both))
	@perl bench/bench.pl

bench-cpu: bench-cpucc

# What figures/measure.pl runs. make bench runs the programs of its tables in double, too.
ifneq ($(filter figures figures-data,$(GOALS)),)
    TABLES := $(shell sed -n 's/^my @TABLES = qw(\(.*\));/\1/p' figures/measure.pl)
    MEASURED := $(TABLES) $(shell sed -n 's/^my @PROGRAMS = qw(\(.*\));/\1/p' figures/measure.pl)
endif
ifeq ($(filter figures,$(GOALS))$(call on_path,gnuplot),figures)
    $(error $(if $(CHINESE),$(zh.no_gnuplot),there is no gnuplot, which draws the figures: sudo apt-get install gnuplot-nox))
endif
figures: export DATA := $(or $(DATA),build/figures/data)
figures: export RESULTS := $(RESULTS)
figures: $(if $(DATA),,figures-data)
	@perl figures/figures.pl "$$DATA" build/figures "$$RESULTS" $(call words_of,$(ONLY))
figures-data: $(MEASURED:%=$(DIR.float)/%) $(TABLES:%=$(DIR.double)/%)
	@perl figures/measure.pl build/figures/data

drawings: bin/cpucc build-cpucc
	@sh figures/drawings.sh figures/drawings bin/cpucc

sanitize: $$(call chosen,$(DIR.float),$(ALL.float))
	@$(SUITE) sanitize $(BACKEND) "$$SUITE_NVCC" $(DIR.float) $(if $(ONLY),$(or $(only),none))

toolkits:
	@$(SUITE) toolkits $(if $(ONLY),$(or $(only),none))

# Of bin/ what make has put there: links to programs and to cpucc. Other files there are the reader's.
clean:
	@rm -rf build cpu/build compile_commands.json
	@[ ! -d bin ] || find bin -type l \( -lname '../build/*' -o -lname '../../build/*' \
	    -o -lname '../cpu/cpucc' \) -exec rm {} +
	@rmdir bin/dp bin 2>/dev/null || true
