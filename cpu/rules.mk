# How cpucc is built, tested and installed. cpu/Makefile includes this file, and so may the Makefile
# of a project that has the folder cpu/ within it. That one says before it:
#
#   CPU        the folder: cpu
#   CXX        the compiler of the programs: g++, clang++, aarch64-linux-gnu-g++
#   V          1 shows the commands
#
# Then it has
#
#   CPUCC      the command
#   CPU_TOOLS  what the command needs: a program compiled by it depends on these
#   $(call cpu_libraries,-lcublas -lm)   what else, to link with these
#   the goals build-cpucc (all of it but the checker), build-checker, install-cpucc, test-cpucc and bench-cpucc

# A value that a user gives is no text of the shell's: one word of a command, and each word of a list.
# (The Makefile above has these two as well.)
quoted = '$(subst ','\'',$1)'
words_of = $(foreach w,$1,$(call quoted,$w))
# What of a name no name of a file here may have, as nothing below is quoted.
NAME_HAS := a b c d e f g h i j k l m n o p q r s t u v w x y z A B C D E F G H I J K L M N O P Q R S T U V \
    W X Y Z 0 1 2 3 4 5 6 7 8 9 _ . + -
without = $(if $2,$(call without,$(subst $(firstword $2),,$1),$(wordlist 2,99,$2)),$1)
odd_name = $(call without,$1,$(NAME_HAS))

CPU_COMPILER := $(notdir $(lastword $(CXX)))
ifneq ($(call odd_name,$(CPU_COMPILER)),)
    $(error a compiler has letters, digits and _ . + - in its name only, not $(CPU_COMPILER))
endif
CPUCC := $(CPU)/cpucc
REWRITE := $(CPU)/build/rewrite
RUNTIME := $(CPU)/build/libcudacpu-$(CPU_COMPILER).a
RUN_CPUCC := CPUCC_CXX=$(call quoted,$(CXX)) $(CPUCC)
PREFIX ?= /usr/local

# CXX may compile for another processor. The rewriter runs on this one.
# Asked for once, and only where it matters.
FOREIGN = $(eval FOREIGN := $$(filter-out $$(shell uname -m)-%,$$(shell $$(call words_of,$$(CXX)) -dumpmachine 2>/dev/null)))$(FOREIGN)
HOST_CXX ?= $(if $(FOREIGN),g++,$(CXX))

CPU_HEADERS := $(wildcard $(addprefix $(CPU)/include/,* */* */*/* */*/*/*))
# Precompiled cuda_runtime.h for cpucc's flags -O2 and -O3, which only g++ takes.
PRECOMPILED := $(if $(findstring clang,$(CPU_COMPILER)),, \
    $(foreach o,-O2 -O3,$(CPU)/build/cuda_runtime-$(CPU_COMPILER)-std=gnu++17$o-g1))
# (That for -O3 is for readers' own programs: `make` and `make build-cpucc` make it.)
CPU_TOOLS := $(CPUCC) $(REWRITE) $(RUNTIME) $(filter %-O2-g1,$(PRECOMPILED)) $(CPU_HEADERS)
# The GPU's libraries as far as they are there: libraries/NAME/*.cu.
CPU_LIBRARIES := $(notdir $(wildcard $(CPU)/libraries/cu*))
cpu_libraries = $(patsubst -l%,$(CPU)/build/lib%-$(CPU_COMPILER).a,$(filter $(CPU_LIBRARIES:%=-l%),$1))
check_libraries = $(patsubst -l%,$(CPU)/build/lib%-check-$(CPU_COMPILER).a,$(filter $(CPU_LIBRARIES:%=-l%),$1))
CPU_ARCHIVES := $(call cpu_libraries,$(CPU_LIBRARIES:%=-l%))

# Rewriter and runtime are C; the compiler of the programs can do that too. In what a debugger is
# told of the runtime its folder is called /cpucc: so a report knows which lines are not the
# program's.
CPU_AT := $(abspath $(CPU))
CPU_C := -x c -std=gnu11 -O2 -g1 -Wall -Wextra -I$(CPU_AT)/include -fdebug-prefix-map=$(CPU_AT)=/cpucc
# Where a function begins within a cache line changes the time of its loops. It should not depend on
# the functions before it.
ALIGNED := -falign-functions=64 -falign-loops=32
# A report names the call that it is about: each must be on the stack.
ON_STACK := -fno-optimize-sibling-calls
# Most of the runtime runs once a call of CUDA's, or when something is wrong: -O1 is as good there, and
# compiles in two thirds of the time. These files are for each block, thread or element.
HOT := barrier block copy cooperative fiber grid grid_barrier heap lockstep memory queue sample schedule shared \
    special_registers surface texel texture thread_places turns warp activemask worker
optimized = $(if $(filter $(HOT),$(basename $(notdir $1))),,-O1)

$(REWRITE): $(wildcard $(CPU)/rewriter/*)
	@mkdir -p $(@D)
	$(if $(V),,@echo '  $@';) $(call words_of,$(HOST_CXX)) $(CPU_C) -O1 -o $@.$$$$ $(addprefix -x c ,$(filter %.c,$^)) && mv $@.$$$$ $@

RUNTIME_OBJECTS := $(patsubst $(CPU)/runtime/%.c,$(CPU)/build/$(CPU_COMPILER)/%.o,$(wildcard $(CPU)/runtime/*.c))
$(RUNTIME_OBJECTS): $(wildcard $(CPU)/runtime/*.h $(CPU)/include/*.h)
$(RUNTIME_OBJECTS): $(CPU)/build/$(CPU_COMPILER)/%.o: $(CPU)/runtime/%.c | $(CPU)/build/$(CPU_COMPILER)
	$(if $(V),,@echo '  $@';) $(call words_of,$(CXX)) $(CPU_C) $(call optimized,$@) $(ALIGNED) $(if $(findstring /api_,$@),$(ON_STACK)) \
	    -c -o $@ $(abspath $<)
$(RUNTIME): $(RUNTIME_OBJECTS)
	@ar rcs $@.$$$$ $^ && mv $@.$$$$ $@

# The folders of these objects: they are made once, and not by each of a hundred commands.
$(CPU)/build/$(CPU_COMPILER) $(CPU)/build/$(CPU_COMPILER)-check/runtime $(CPU)/build/$(CPU_COMPILER)-check/checker \
    $(CPU)/build/$(CPU_COMPILER)-count/runtime $(CPU)/build/$(CPU_COMPILER)-count/counter:
	@mkdir -p $@

# The objcopy of the compiler: that of this machine may not know the objects, and says so for an archive with
# status 0.
OBJCOPY = "$$($(call words_of,$(CXX)) -print-prog-name=objcopy)"

# The checker's runtime: the same files with what the checker adds. All its code is in the section
# cudacpu_text: the watch takes no turn away from a thread there, and checker/libc.c knows who calls.
ONE_SECTION := $(if $(findstring clang,$(CPU_COMPILER)),,-fno-reorder-functions -fno-reorder-blocks-and-partition)
CHECK_RUNTIME := $(CPU)/build/libcudacpu-check-$(CPU_COMPILER).a
CHECK_OBJECTS := $(patsubst $(CPU)/%.c,$(CPU)/build/$(CPU_COMPILER)-check/%.o,\
    $(wildcard $(CPU)/runtime/*.c $(CPU)/checker/*.c))
$(CHECK_OBJECTS): $(wildcard $(CPU)/runtime/*.h $(CPU)/checker/*.h $(CPU)/include/*.h)
$(CHECK_OBJECTS): | $(CPU)/build/$(CPU_COMPILER)-check/runtime $(CPU)/build/$(CPU_COMPILER)-check/checker
$(CHECK_OBJECTS): $(CPU)/build/$(CPU_COMPILER)-check/%.o: $(CPU)/%.c
	$(if $(V),,@echo '  $@';) $(call words_of,$(CXX)) $(CPU_C) $(ALIGNED) -DCUDACPU_CHECKER $(ONE_SECTION) $(if $(findstring /api_,$@),$(ON_STACK)) \
	    -c -o $@ $(abspath $<)
$(CHECK_RUNTIME): $(CHECK_OBJECTS)
	@rm -f $@ && ar rcs $@.$$$$ $^ && $(OBJCOPY) --rename-section .text=cudacpu_text $@.$$$$ && mv $@.$$$$ $@
# The counter's runtime: the same files with what the counter adds, in that section, too. Files that the
# counter is not told anything by are those of the plain runtime.
COUNT_RUNTIME := $(CPU)/build/libcudacpu-count-$(CPU_COMPILER).a
COUNT_SOURCES := $(shell grep -lE 'schedule\.h"|count\.h"|CUDACPU_(IN_TURN|COUNTS)' $(CPU)/runtime/*.c) $(wildcard $(CPU)/counter/*.c)
COUNT_OBJECTS := $(patsubst $(CPU)/%.c,$(CPU)/build/$(CPU_COMPILER)-count/%.o,$(COUNT_SOURCES))
COUNT_SHARED := $(patsubst $(CPU)/runtime/%.c,$(CPU)/build/$(CPU_COMPILER)/%.o,\
    $(filter-out $(COUNT_SOURCES),$(wildcard $(CPU)/runtime/*.c)))
$(COUNT_OBJECTS): $(wildcard $(CPU)/runtime/*.h $(CPU)/counter/*.h $(CPU)/include/*.h)
$(COUNT_OBJECTS): | $(CPU)/build/$(CPU_COMPILER)-count/runtime $(CPU)/build/$(CPU_COMPILER)-count/counter
$(COUNT_OBJECTS): $(CPU)/build/$(CPU_COMPILER)-count/%.o: $(CPU)/%.c
	$(if $(V),,@echo '  $@';) $(call words_of,$(CXX)) $(CPU_C) $(ALIGNED) -DCUDACPU_COUNTER $(ONE_SECTION) -c -o $@ $(abspath $<)
$(COUNT_RUNTIME): $(COUNT_OBJECTS) $(COUNT_SHARED)
	@rm -f $@ && ar rcs $@.$$$$ $^ && $(OBJCOPY) --rename-section .text=cudacpu_text $@.$$$$ && mv $@.$$$$ $@
COUNT_TOOLS := $(CPUCC) $(REWRITE) $(COUNT_RUNTIME) $(CPU_HEADERS)

CHECK_PRECOMPILED := $(if $(PRECOMPILED),$(CPU)/build/cuda_runtime-check-$(CPU_COMPILER)-std=gnu++17-O1-g1)
$(CHECK_PRECOMPILED): $(CPUCC) $(REWRITE) $(CHECK_RUNTIME) $(CPU_HEADERS)
	$(if $(V),,@echo '  $@';) $(RUN_CPUCC) --check -precompile
CHECK_TOOLS := $(CPUCC) $(REWRITE) $(CHECK_RUNTIME) $(CPU_HEADERS) $(CHECK_PRECOMPILED)

$(PRECOMPILED): $(CPUCC) $(REWRITE) $(RUNTIME) $(CPU_HEADERS)
	$(if $(V),,@echo '  $@';) $(RUN_CPUCC) $(filter -O%,$(subst -, -,$@)) -precompile

# A library is CUDA, too: kernels, compiled by cpucc.
LIBRARY_OBJECTS := $(patsubst $(CPU)/libraries/%.cu,$(CPU)/build/$(CPU_COMPILER)/%.o,\
    $(wildcard $(CPU)/libraries/*/*.cu))
$(LIBRARY_OBJECTS): $(wildcard $(CPU)/libraries/*/*.*h)
$(LIBRARY_OBJECTS): $(CPU)/build/$(CPU_COMPILER)/%.o: $(CPU)/libraries/%.cu $(CPU_TOOLS)
	@mkdir -p $(@D)
	$(if $(V),,@echo '  $@';) $(RUN_CPUCC) -O3 -Wall -Wextra -DCUDACPU_LIBRARY -c -o $@ $(abspath $<)
CHECK_LIBRARY_OBJECTS := $(patsubst $(CPU)/libraries/%.cu,$(CPU)/build/$(CPU_COMPILER)-check/libraries/%.o,\
    $(wildcard $(CPU)/libraries/*/*.cu))
$(CHECK_LIBRARY_OBJECTS): $(wildcard $(CPU)/libraries/*/*.*h)
$(CHECK_LIBRARY_OBJECTS): $(CPU)/build/$(CPU_COMPILER)-check/libraries/%.o: $(CPU)/libraries/%.cu $(CHECK_TOOLS)
	@mkdir -p $(@D)
	$(if $(V),,@echo '  $@';) $(RUN_CPUCC) --check -Wall -Wextra -DCUDACPU_LIBRARY -c -o $@ $(abspath $<)
define CPU_ARCHIVE
$(call check_libraries,-l$1): $(filter $(CPU)/build/$(CPU_COMPILER)-check/libraries/$1/%,$(CHECK_LIBRARY_OBJECTS))
	@rm -f $$@ && ar rcs $$@.$$$$$$$$ $$^ && mv $$@.$$$$$$$$ $$@
$(call cpu_libraries,-l$1): $(filter $(CPU)/build/$(CPU_COMPILER)/$1/%,$(LIBRARY_OBJECTS))
	@rm -f $$@ && ar rcs $$@.$$$$$$$$ $$^ && mv $$@.$$$$$$$$ $$@
endef
$(foreach name,$(CPU_LIBRARIES),$(eval $(call CPU_ARCHIVE,$(name))))

.PHONY: build-cpucc build-checker install-cpucc test-cpucc bench-cpucc
build-cpucc: $(CPU_TOOLS) $(PRECOMPILED) $(CPU_ARCHIVES)
# The checker's libraries are built when a program first links with them, and the counter's runtime when
# one first counts. From then on they follow their sources.
build-checker: $(CHECK_TOOLS) $(wildcard $(COUNT_RUNTIME)) $(wildcard $(call check_libraries,$(CPU_LIBRARIES:%=-l%)))

# All of it lies in PREFIX/lib/cpucc, and PREFIX/bin/cpucc is a link to it. A precompiled header
# names the place where it is used, so with DESTDIR, where that place is not there yet, there is
# none.
PREFIX_AT = $(abspath $(PREFIX))
INSTALLED = $(DESTDIR)$(PREFIX_AT)/lib/cpucc
install-cpucc: export CPUCC_CXX := $(CXX)
install-cpucc: export CPUCC_BIN := $(DESTDIR)$(PREFIX_AT)/bin
install-cpucc: export CPUCC_AT := $(INSTALLED)
install-cpucc: export CPUCC_LATER := $(PREFIX_AT)/bin/cpucc
install-cpucc: build-cpucc build-checker $(COUNT_RUNTIME)
	@$(if $(word 2,$(PREFIX)),echo 'make install: PREFIX has no blanks' >&2; exit 1)
	@for there in "$$CPUCC_AT"/* "$$CPUCC_AT"/.[!.]*; do case $$there in \
	    "$$CPUCC_AT"/cpucc | "$$CPUCC_AT"/include | "$$CPUCC_AT"/build) ;; \
	    *) [ ! -e "$$there" ] || \
	        { echo "make install: $$there is not cpucc's, and would be lost; another PREFIX?" >&2; exit 1; } ;; \
	    esac; done
	@[ ! -e "$$CPUCC_AT.part" ] || \
	    { echo "make install: remove $$CPUCC_AT.part first; an interrupted install leaves it" >&2; exit 1; }
	@mkdir -p "$$CPUCC_BIN" "$$CPUCC_AT.part/build"
	@cp -R $(CPUCC) $(CPU)/include "$$CPUCC_AT.part"
	@cp $(REWRITE) $(wildcard $(CPU)/build/*.a) "$$CPUCC_AT.part/build"
	@rm -rf "$$CPUCC_AT" && mv "$$CPUCC_AT.part" "$$CPUCC_AT"
	@ln -sf ../lib/cpucc/cpucc "$$CPUCC_BIN/cpucc"
	@$(if $(DESTDIR),,for level in $(if $(PRECOMPILED),-O2 -O3 --check); \
	    do "$$CPUCC_LATER" $$level -precompile || exit 1; done)
	@echo "$$CPUCC_BIN/cpucc compiles CUDA for the CPU, by $$CPUCC_CXX"

test-cpucc: export CPUCC_CXX := $(CXX)
test-cpucc: export RUNNER := $(RUNNER)
test-cpucc: build-cpucc build-checker
	@prove --timer -j"$$(nproc)" $(CPU)/tests/*.t

bench-cpucc: $(CPU)/build/bench-$(CPU_COMPILER)
	@CUDACPU_THREADS=1 $(call words_of,$(RUNNER)) $<
$(CPU)/build/bench-$(CPU_COMPILER): $(CPU)/bench/backend.cu $(CPU_TOOLS)
	@$(RUN_CPUCC) -o $@ $<
