# CUDA programs to learn from. `make` builds them all; ./bin/add1 runs one.
#
#   make                  all programs: with CUDA if there are nvcc and a GPU, else for the CPU
#   make ch03             the programs of one chapter
#   make add1             one program
#   make list             every program: chapter, name, what it shows, where it comes from
#   make find WHAT=9.5    which program shows a listing, table, figure, section or file of the book
#   make index            write the tables of programs in the READMEs, docs/map.md and add1.svg
#   make tour             ten commands for a newcomer, with what to see in each
#   make doctor           what this machine has, and what to install
#   make test             build in both precisions and test; REQUIRE_GPU=1: nothing skipped;
#                         ONLY="ch03 hello4": these programs and chapters, here and below
#   make mutants          plant the bugs of tests/mutants one by one; the tests must catch each
#   make plant            the same with bugs that a seed chooses: SEED=1, EACH=4 for each program;
#                         LEAST=90: fails if fewer percent die
#   make sanitize         compute-sanitizer's four tools over every program (needs a GPU)
#   make toolkits         try the programs with other CUDA toolkits, which pip fetches from PyPI
#   make bench            measure: what every table prints, into a file of bench/results
#   make install-cpucc    the CPU backend's compiler for good: PREFIX=/usr/local
#   make bench-cpu        what the CPU backend itself costs: a thread, a barrier, a launch
#   make figures          draw every figure as SVG and PNG, by gnuplot; DATA=DIR draws from data that
#                         make figures-data has measured elsewhere
#   make drawings         the drawings of the READMEs, from the kernels that they show
#   make report           what `make bench` measured last as one page: build/report.html; FILE=...: of that
#   make site             the documents and sources as a site with a search: build/site; needs MkDocs
#   make roots            a newcomer's first minutes on fresh systems, by debootstrap (needs root)
#   make dist             an archive of the commit, and its checksum
#   make clean            remove all that make has made
#
#   BACKEND=cuda or cpu   choose; NVCC=..., CXX=clang++: the compilers
#   RUNNER=...            what runs the programs if CXX compiles for another processor
#   USE_DP=1              `real` is double; the programs are then in bin/dp/
#   ARCH="sm_80 sm_90"    what to compile for, where it is not the GPUs that are there
#   DEBUG=1, CHECKER=1    for a debugger; with the checker. Left in build/, not linked to bin/
#   NVCCFLAGS, CXXFLAGS   flags to add to ours; V=1 shows the commands
#
# Nothing is listed below. A program is a file chNN_topic/NAME.cu or .cpp, and what is special about
# it stands in the comment at its top, which make/header.awk reads.

ODD_NAME := $(shell sh make/names.sh)
ifneq ($(ODD_NAME),)
    $(error $(ODD_NAME))
endif

all: # the default goal; its rule is further down

MAKEFLAGS += --no-builtin-rules
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
    # All cores. A -j on the command line counts more than this one.
    MAKEFLAGS += -j$(shell nproc)
endif
.DELETE_ON_ERROR: # an interrupted compiler leaves no half program

GOALS := $(or $(MAKECMDGOALS),all)
# What builds nothing works without a compiler as well.
BUILDING := $(filter-out list find index help doctor report site roots dist clean,$(GOALS))
ifneq ($(and $(filter clean,$(GOALS)),$(BUILDING)),)
    $(error make clean goes alone, then make $(BUILDING))
endif

COMMANDS := all list find index help doctor tour test mutants plant bench bench-cpu sanitize toolkits \
    figures figures-data drawings report site roots dist build-cpucc install-cpucc clean

# DEBUG=0 is as good as no DEBUG.
yes = $(filter-out 0,$($1))

# ---- The programs: found, not listed ----

FILES := $(sort $(wildcard ch*/*.cu ch*/*.cpp))
READ_COMMENTS := awk -f make/header.awk
ifneq ($(BUILDING),)
    $(shell sh make/update.sh build/programs.mk $(READ_COMMENTS) \
        -v commands='$(COMMANDS)' -f make/programs.awk $(FILES))
    ifneq ($(or $(.SHELLSTATUS),0),0)
        $(error build/programs.mk cannot be written, so make does not know the programs)
    endif
    # PROGRAMS, and of each: .src .in, where it has them .libs .uses .flags .arch; .precision if
    # its text is another one with USE_DP
    include build/programs.mk
endif
CHAPTERS := $(sort $(foreach p,$(PROGRAMS),$($p.in)))

# A folder's name would be a goal that is already there.
UNKNOWN := $(filter-out $(COMMANDS) $(CHAPTERS) $(PROGRAMS) build/% $(CURDIR)/build/% compile_commands.json,$(GOALS))
ifneq ($(UNKNOWN),)
    $(error there is no program, chapter or goal $(UNKNOWN): see make list and make help)
endif

# ---- The backend ----

ifeq ($(origin CXX),default)
    CXX := g++
endif
# (The redirection is not idle: without it make would look for a program called `command`.)
NVCC ?= $(or $(shell command -v nvcc 2>/dev/null),$(wildcard /usr/local/cuda/bin/nvcc))
NVCC := $(NVCC)
GPU := $(or $(wildcard /dev/nvidia[0-9]* /dev/dxg),$(shell nvidia-smi -L 2>/dev/null | grep GPU))

ifdef BACKEND
    CHOICE := $(BACKEND) as asked
else ifneq ($(call yes,REQUIRE_GPU),)
    CHOICE := cuda because of REQUIRE_GPU
else ifneq ($(filter mutants plant,$(GOALS)),)
    CHOICE := cpu because mutants are tried there
else ifeq ($(NVCC),)
    CHOICE := cpu because there is no nvcc
else ifeq ($(GPU),)
    CHOICE := cpu because there is nvcc but no GPU
else
    CHOICE := cuda because there are nvcc and a GPU
endif
BACKEND := $(firstword $(CHOICE))
WHY := $(wordlist 2,9,$(CHOICE))
OTHER := $(filter-out $(BACKEND),cuda cpu)

ifneq ($(BUILDING),)
    ifeq ($(filter cuda cpu,$(BACKEND)),)
        $(error BACKEND is cuda or cpu, not $(BACKEND))
    else ifeq ($(BACKEND)$(if $(filter cuda,$(BACKEND)),$(shell command -v '$(NVCC)')),cuda)
        $(error BACKEND=cuda needs nvcc on the PATH or NVCC=/path/to/nvcc: see make doctor)
    else ifeq ($(if $(call yes,REQUIRE_GPU),$(BACKEND)),cpu)
        $(error BACKEND=cpu has no use for REQUIRE_GPU=1)
    else ifneq ($(call yes,CHECKER),)
        $(error CHECKER=1: the checker of the CPU backend is not there yet)
    endif
endif

# ---- The compilers: compile.KIND starts the command for program $1 ----

# A row of a table may leave out its last fields.
WARN_NOT := -Wno-missing-field-initializers
HOST_FLAGS := $(if $(call yes,DEBUG),-g -O0,-O2 -g1) -Wall -Wextra $(WARN_NOT) $(CXXFLAGS)
compile.cpp = $(CXX) -std=c++17 $(HOST_FLAGS)

# cpucc, the CPU backend's compiler, which programs know as bin/cpucc.
CPU := cpu
ifneq ($(BUILDING),)
    include cpu/rules.mk
endif
# The heap that programs have in tests.
FENCE = $(if $(FOREIGN),,build/fence.so)

# What a program with `Uses: MPI` takes if it is there. mpicc may be there without mpi.h.
ifneq ($(BUILDING),)
    MPI := $(if $(FOREIGN),,$(filter -I% -L% -l%,$(shell mpicc -show 2>/dev/null)))
    optional.MPI := $(if $(MPI),$(shell echo '#include <mpi.h>' | \
        $(CXX) -x c++ -E $(MPI) -o /dev/null - 2>/dev/null && echo -DHAVE_MPI '$(MPI)'))
endif

ifeq ($(BACKEND),cuda)
    COMPILER := $(notdir $(NVCC))
    ifndef ARCH # the GPUs that are there, or one of each generation that the toolkit knows
        ARCH := $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | \
            grep -x '[0-9]*\.[0-9]*' | sort -u | sed 's/^/sm_/; s/\.//')
        # (Not all-major: with CUDA 12 that is also GPUs before 7.0, which lack what the programs need.)
        ARCH := $(or $(ARCH),$(filter sm_75 sm_80 sm_90 sm_100 sm_110 sm_120, \
            $(shell '$(NVCC)' --list-gpu-code 2>/dev/null)),all-major)
    endif
    # A table of lines costs nothing at run time, and profilers and sanitizers then name lines.
    CUDA_FLAGS := $(if $(call yes,DEBUG),-g -G,-O3 -lineinfo) -Xcompiler -Wall,-Wextra,$(WARN_NOT) \
        -Wno-deprecated-gpu-targets $(NVCCFLAGS)
    # What a program takes if it is there: NCCL beside the toolkit, or where Debian has it.
    TOOLKIT := $(patsubst %/bin/nvcc,%,$(realpath $(shell command -v '$(NVCC)' 2>/dev/null)))
    ifneq ($(and $(wildcard $(TOOLKIT)/include/nccl.h /usr/include/nccl.h), \
            $(wildcard $(TOOLKIT)/lib64/libnccl.so /usr/lib/*/libnccl.so /usr/lib64/libnccl.so)),)
        optional.NCCL := -DHAVE_NCCL -lnccl
        optional.MPI += $(if $(optional.MPI),$(optional.NCCL))
    endif
    optional.OpenMP := -Xcompiler -fopenmp
    compile.cuda = $(NVCC) $(CUDA_FLAGS) $(call gencode,$($1.arch))
else
    COMPILER := $(notdir $(lastword $(CXX)))
    compile.cpu = CPUCC_CXX='$(CXX)' bin/cpucc $(HOST_FLAGS) $(if $(call yes,DEBUG),-G)
    # clang++ has OpenMP only with libomp-dev.
    ifneq ($(BUILDING),)
        optional.OpenMP := $(shell echo 'int main() {}' | \
            $(CXX) -x c++ -fopenmp -o /dev/null - 2>/dev/null && echo -fopenmp)
    endif
    # Programs with `Uses: Thrust` are left out where there is none.
    ifneq ($(BUILDING),)
        LEFT_OUT := $(strip $(foreach p,$(PROGRAMS),$(if $(filter Thrust,$($p.uses)),$p)))
        LEFT_OUT := $(if $(LEFT_OUT),$(if $(shell cpu/cpucc -print-thrust),,$(LEFT_OUT)))
        PROGRAMS := $(filter-out $(LEFT_OUT),$(PROGRAMS))
    endif
    get_thrust := the CUDA toolkit has it (CUDA_HOME names it), and so has Debian's libthrust-dev
    ifneq ($(filter $(LEFT_OUT),$(GOALS)),)
        $(error $(filter $(LEFT_OUT),$(GOALS)): there is no Thrust here; $(get_thrust))
    else ifneq ($(filter all test mutants plant $(foreach p,$(LEFT_OUT),$($p.in)),$(GOALS)),)
        $(if $(LEFT_OUT),$(info There is no Thrust here, so make leaves out $(LEFT_OUT); $(get_thrust)))
    endif
endif

# For each sm_NN of ARCH machine code and PTX. A program's own Arch: comes on top; sm_90a replaces
# sm_90, which would be the same code again.
gencode = $(foreach n,$(filter-out $(1:sm_%a=%),$(patsubst sm_%,%,$(filter sm_%,$(ARCH)))), \
    -gencode 'arch=compute_$n,code=[sm_$n,compute_$n]') \
    $(patsubst %,-arch=%,$(filter-out sm_%,$(ARCH))) \
    $(foreach n,$(1:sm_%=%),-gencode arch=compute_$n,code=sm_$n)

kind = $(if $(filter %.cpp,$(firstword $($1.src))),cpp,$(BACKEND))
# Of a program's Libs: and Flags:, what means something to a compiler that is not nvcc.
for_host = $(filter-out $(filter-out $(CPU_LIBRARIES:%=-l%),$(filter -lcu% -lnv% -lnccl%,$1)), \
    $(filter -l% -D% -U% -I% -std=% -Xcompiler -fno-%,$1))
for_kind = $(if $(filter cuda,$(call kind,$1)),$2,$(call for_host,$2) \
    $(if $(filter cpu,$(call kind,$1)),$(filter -rdc=%,$2)))

# ---- Building: one command compiles and links a program ----

SUFFIX := $(if $(call yes,DEBUG),-debug)$(if $(call yes,CHECKER),-checker)
DIR.float := build/$(BACKEND)-$(COMPILER)-float$(SUFFIX)
DIR.double := build/$(BACKEND)-$(COMPILER)-double$(SUFFIX)
DIR := $(if $(call yes,USE_DP),$(DIR.double),$(DIR.float))
BIN := $(if $(call yes,USE_DP),bin/dp,bin)
# The last chapters take longest to compile. They come first, so that no core waits for them at the end.
reverse = $(if $1,$(call reverse,$(wordlist 2,$(words $1),$1)) $(firstword $1))
LONG_FIRST := $(call reverse,$(PROGRAMS))
ALL.float := $(LONG_FIRST:%=$(DIR.float)/%)
ALL.double := $(LONG_FIRST:%=$(DIR.double)/%)
# Where nothing is `real`, the program in double is the one in float.
COPIED := $(foreach p,$(PROGRAMS),$(if $($p.precision),,$(DIR.double)/$p))

# A changed flag changes the file `flags`, on which everything in its directory depends.
ifneq ($(BUILDING),)
    FLAGS := $(call compile.$(BACKEND)), $(compile.cpp)$(optional.NCCL:%= %)$(optional.OpenMP:%= %)$(optional.MPI:%= %)
    # (strip: make 4.3 does not take the end of a long line away when it reads.)
    $(foreach d,$(DIR.float) $(DIR.double),$(if $(findstring <$(strip $(FLAGS))>,<$(strip $(file <$d/flags))>),, \
        $(shell mkdir -p $d)$(file >$d/flags,$(FLAGS))))
endif

$(filter-out $(COPIED),$(ALL.double)): DEFINES := -DUSE_DP

.SECONDEXPANSION: # what stands after $$ is worked out for each target: $(@F) is the program's name
$(ALL.float) $(filter-out $(COPIED),$(ALL.double)): $$($$(@F).src) $$(@D)/flags $$(call headers,$$($$(@F).src)) \
        $(if $(filter cpu,$(BACKEND)),bin/cpucc $(CPU_TOOLS) $$(call cpu_libraries,$$($$(@F).libs)))
	$(if $(V),,@echo '  $@';) $(call compile.$(call kind,$(@F)),$(@F)) $(DEFINES) \
	    $(call for_kind,$(@F),$($(@F).flags)) $(call depfile,$($(@F).src)) \
	    -o $@ $($(@F).src) $(call for_kind,$(@F),$($(@F).libs)) $(optional.$($(@F).uses))

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
build/fence.so: tests/fence.c
	@mkdir -p $(@D)
	$(if $(V),,@echo '  $@';) $(CXX) -x c -std=gnu11 -O2 -g -Wall -Wextra -shared -fPIC -o $@.$$$$ $< && \
	    mv $@.$$$$ $@

# ---- The goals ----

.PHONY: $(COMMANDS) FORCE $(CHAPTERS) $(PROGRAMS)

PLACE := $(if $(SUFFIX),$(DIR),$(BIN))/
wanted = $(foreach p,$(LONG_FIRST),$(if $(filter all $p $($p.in),$1),$(DIR)/$p))
all $(CHAPTERS) $(PROGRAMS): $$(call wanted,$$@) | compile_commands.json
	@$(if $(SUFFIX),,mkdir -p $(BIN) && ln -sfr $^ -t $(BIN))
	@echo '$(if $(word 2,$^),$(words $^) programs in $(PLACE),$(PLACE)$(notdir $^))' \
	    'for $(patsubst cpu,the CPU,$(BACKEND:cuda=CUDA)), $(WHY); BACKEND=$(OTHER) forces the other'

compile_commands.json: FORCE
	@sh make/update.sh $@ $(READ_COMMENTS) -v directory='$(CURDIR)' \
	    -v toolkit='$(if $(filter cuda,$(BACKEND)),$(NVCC:/bin/nvcc=))' \
	    -f make/compile_commands.awk $(FILES) \
	    $(wildcard common/*.cuh ch*/*.cuh cpu/*.c cpu/*/*.c)

list:
	@$(READ_COMMENTS) -f make/list.awk $(FILES)

find:
	@$(READ_COMMENTS) -f make/references.awk -f make/find.awk $(FILES)

index:
	@sh make/index.sh write $(FILES)

help: # the comment above
	@sed -n '/^#/!q; s/^# \{0,1\}//; p' Makefile

# What the tests know of the build.
export SUITE_BACKEND := $(BACKEND)
export CPUCC_CXX := $(CXX)
export RUNNER
export SUITE_BUILD_FLOAT := $(CURDIR)/$(DIR.float)
export SUITE_BUILD_DOUBLE := $(CURDIR)/$(DIR.double)

doctor:
	@sh make/doctor.sh '$(BACKEND), $(WHY)' '$(CXX)' '$(NVCC)'

TOUR = $(shell sed -n "s/^stop [0-9]* '\{0,1\}\([a-z0-9-]*\).*/\1/p" make/tour.sh)
tour: $$(TOUR)
	@sh make/tour.sh $(BACKEND) $(BIN)

chosen = $(if $(ONLY),$(foreach p,$(PROGRAMS),$(if $(filter $(ONLY),$p $($p.in)),$1/$p)),$2)
test mutants plant bench: export SUITE_ONLY := $(ONLY)
test: $$(call chosen,$(DIR.float),$(ALL.float)) $$(call chosen,$(DIR.double),$(ALL.double)) bin/cpucc build-cpucc $$(FENCE)
	@sh make/test.sh

mutants: bin/cpucc build-cpucc $$(FENCE)
	@perl tests/mutants.pl

plant: bin/cpucc build-cpucc $$(FENCE)
	@perl tests/planter.pl --seed "$${SEED:-1}" --each "$${EACH:-4}" --least "$${LEAST:-0}"

bench: $$(call chosen,$(DIR.float),$(ALL.float)) $$(call chosen,$(DIR.double),$(ALL.double))
	@perl bench/bench.pl

bench-cpu: bench-cpucc

# What figures/measure.pl runs. make bench runs the programs of its tables in double, too.
ifneq ($(filter figures figures-data,$(GOALS)),)
    TABLES := $(shell sed -n 's/^my @TABLES = qw(\(.*\));/\1/p' figures/measure.pl)
    MEASURED := $(TABLES) $(shell sed -n 's/^my @PROGRAMS = qw(\(.*\));/\1/p' figures/measure.pl)
endif
ifneq ($(filter figures,$(GOALS)),)
    ifeq ($(shell command -v gnuplot 2>/dev/null),)
        $(error there is no gnuplot, which draws the figures: sudo apt-get install gnuplot-nox)
    endif
endif
figures: $(if $(DATA),,figures-data)
	@perl figures/figures.pl '$(or $(DATA),build/figures/data)' build/figures '$(RESULTS)' $(ONLY)
figures-data: $(MEASURED:%=$(DIR.float)/%) $(TABLES:%=$(DIR.double)/%)
	@perl figures/measure.pl build/figures/data

drawings: bin/cpucc build-cpucc
	@sh figures/drawings.sh figures/drawings env CPUCC_CXX='$(CXX)' bin/cpucc

sanitize: $(if $(filter cuda,$(BACKEND)),$$(call chosen,$(DIR.float),$(ALL.float)))
	@NVCC='$(NVCC)' sh make/sanitize.sh $(BACKEND) $(DIR.float) \
	    $(if $(ONLY),$(foreach p,$(PROGRAMS),$(if $(filter $(ONLY),$p $($p.in)),$($p.src))),$(FILES))

toolkits:
	@sh make/toolkits.sh \
	    $(if $(ONLY),$(foreach p,$(PROGRAMS),$(if $(filter $(ONLY),$p $($p.in)),$($p.src))),$(FILES))

report:
	@perl bench/report.pl $(if $(FILE),'$(FILE)')

site:
	@sh make/site/site.sh

roots:
	@sh make/roots.sh

dist:
	@sh make/dist.sh

clean:
	@rm -rf build bin cpu/build compile_commands.json
