# nsmodel -- one readable Makefile.  Objects mirror the tree under $(B); lists of models, strategies, commands,
# surrogates and embedded data are made from the directories.
#
#   make            libnsmodel (static, shared) and bin/nsmodel     make demo      the main job on embedded data
#   make check      every test                                      make asan      the same under sanitizers
#   make check-without   the same, all that is optional being hidden     make check-bare     the same in a Debian that has nothing else
#   make lint       compilers' and analysers' warnings              make layers    who may know whom, from the objects
#   make tsan       threads at once, under ThreadSanitizer
#   make coverage   lines and branches of libnsmodel                    make bench     speed against public tools, docs/evidence/performance.md
#   make beside     NetSparse beside the strategies, docs/evidence/netsparse-beside.md, minutes
#   make surrogates-report                                          surrogates against the real matrices, anew
#   make web        web/nsmodel.html, the calculator in a browser       make check-web   its tests in Chromium
#   make mpi        bin/nsmodel-mpi with each MPI whose compiler is found    make check-mpi   its tests
#   make slurm nccl   plugins: docs/slurm.md; a tuner of NCCL, docs/decision-files.md
#   make check-hosts   inside PETSc, hypre, Slurm and others, where they are installed
#   make check-planner   which way exchanges take: the rule, wisdom, and programs of MPI
#   make validation the picks against SimGrid, docs/evidence/validation.md
#   make validate   the cost function against measured exchanges    make docs      pages that the program writes
#   make fuzz FUZZ_SECONDS=60                                       make install   prefix=/usr/local DESTDIR=  (packaging/build.mk:
#                                                                   uninstall, symbols, check-abi, deb, check-deb)
#   make mutate     single faults in what decides: do the tests notice them?  MUTATE=1500 (or all) MUTATE_SEED=1
#   make relations  what must hold of every answer, CASES=5000 random cases from SEED=n on
#   make faults     every call for memory or files of every command made to fail, minutes (NS_FAULTS_ONLY="predict ...")

B          ?= build
BIN        ?= bin
CC         ?= cc
AR         ?= ar
PKG_CONFIG ?= pkg-config
# The soname's number is the first of the version: a break of the binary interface needs the next one.
VERSION    := $(shell sed -n 's/.*NS_VERSION "\(.*\)".*/\1/p' include/nsmodel/version.h)
MAJOR      := $(firstword $(subst ., ,$(VERSION)))

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
            -Wno-missing-field-initializers
OPT      ?= -O2 -g
CFLAGS   ?=
LDFLAGS  ?=
# Release builds notice an overrun of the stack or of a libc call, lie at an address that nobody can foretell, and seal
# their tables after loading.  _FORTIFY_SOURCE needs optimisation, and the sanitizers do its work better.
FORTIFY      := $(if $(findstring -fsanitize,$(EXTRA) $(CFLAGS) $(OPT)),,$(if $(filter -O1 -O2 -O3 -Os,$(OPT)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
# A library that others depend on ends no process of theirs: assert is for the sanitizers' and the unoptimised builds.
RELEASE      := $(if $(FORTIFY),-DNDEBUG)
HARDEN       ?= -fstack-protector-strong $(FORTIFY)
HARDEN_LINK  ?= -Wl,-z,relro -Wl,-z,now
HARDEN_PROGRAM ?= -pie $(HARDEN_LINK)
ALL_CFLAGS := -std=c11 $(OPT) $(WARNINGS) -fPIC -fvisibility=hidden -ffp-contract=off $(HARDEN) $(EXTRA) $(CFLAGS)
# ISA-L unpacks gzip where it is installed; ISAL=no leaves it to zlib alone.  Use another B for each.
ISAL     ?= $(if $(shell $(PKG_CONFIG) --exists libisal 2>/dev/null && echo yes),yes,no)
ISAL_PC  := $(if $(filter yes,$(ISAL)),libisal)
# Matrix Market text is read with AVX2 on processors that have it; AVX2=no leaves that out.
AVX2     ?= yes
CPPFLAGS := $(if $(ISAL_PC),-DNS_HAVE_ISAL) $(if $(filter no,$(AVX2)),-DNS_NO_AVX2) -Iinclude -Isrc -Iintegrations -Ievidence -Itests -D_POSIX_C_SOURCE=200809L $(shell $(PKG_CONFIG) --cflags-only-I zlib gsl libcurl 2>/dev/null)

LIB_LIBS   := $(shell $(PKG_CONFIG) --libs zlib $(ISAL_PC) 2>/dev/null) -lpthread -lm
FIT_LIBS   := $(shell $(PKG_CONFIG) --libs gsl 2>/dev/null)
# libcurl is loaded by the program when it fetches (src/fetch/fetch.c); tests link it.
CLI_LIBS   := $(FIT_LIBS) $(shell $(PKG_CONFIG) --libs readline 2>/dev/null) $(LIB_LIBS) -ldl
CHECK_LIBS := $(shell $(PKG_CONFIG) --libs check libcurl 2>/dev/null)

# A line a product; V=1 shows the commands.
quiet = $(if $(filter 1,$(V)),,@printf '  %-5s %s\n' '$(1)' '$@';)

# ---- what there is ------------------------------------------------------------------------------------------------
# Rooms of the library, low to high; tools/layers.sh has what each may know.
LIB_DIRS := src/core src/bytes src/io src/machine src/model src/model/parts models src/price/forms src/registry src/machine_file \
  src/matrix src/matrix/market src/matrix/nsp src/surrogate src/surrogate/named src/collection \
  src/pattern src/schedule strategies src/strategy src/price src/place src/plan src/records src/netsparse src/network src/study src/calc src/api
MODELS     := $(sort $(basename $(notdir $(wildcard models/*.c))))
STRATEGIES := $(sort $(basename $(notdir $(wildcard strategies/*.c))))
FORMS      := $(sort $(basename $(notdir $(wildcard src/price/forms/*.c))))
SURROGATES := $(sort $(basename $(notdir $(wildcard src/surrogate/named/*.c))))
COMMANDS   := $(sort $(basename $(notdir $(wildcard src/cli/commands/*.c))))
LOGS       := $(sort $(patsubst tool_%.c,%,$(notdir $(wildcard src/logs/tool_*.c))))
MACHINES   := $(sort $(basename $(notdir $(wildcard params/*.json))))
DATA       := $(sort $(wildcard evidence/rankings/*.csv params/*.json params/catalogue/*.tsv params/matrices/*.nsp))
EVIDENCE   := $(sort $(wildcard evidence/claims/*.json evidence/tables/*.json))
PAGE       := src/report/page/page.css src/report/page/page.js $(addprefix third_party/uplot/,uPlot.min.css uPlot.iife.min.js LICENSE)

LIB_SRC := $(sort $(wildcard $(addsuffix /*.c,$(LIB_DIRS))))
FIT_SRC := $(sort $(wildcard src/logs/*.c src/num/*.c src/fit/*.c))
CLI_SRC := $(sort $(wildcard src/report/*.c src/fetch/*.c integrations/scotch/*.c evidence/published/*.c evidence/ledger/*.c src/cli/*/*.c))
LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o) $(B)/embedded.o
FIT_OBJ := $(FIT_SRC:%.c=$(B)/%.o)
CLI_OBJ := $(CLI_SRC:%.c=$(B)/%.o) $(B)/page_files.o $(B)/evidence_files.o
TESTS   := $(sort $(basename $(notdir $(wildcard tests/test_*.c tests/models/test_*.c))))
TEST_COMMON := $(B)/tests/main.o $(B)/evidence/pages/likeness_counts.o $(patsubst %.c,$(B)/%.o,$(wildcard tests/support/*.c tests/oracle/*.c))

all: $(BIN)/nsmodel $(B)/libnsmodel.so $(B)/libnsmodel-fit.so $(B)/pages/nsmodel.1 compile_commands.json

# ---- generated lists: rewritten only when a directory changes ------------------------------------------------------
FORCE:
define list_rule
$(B)/$(1).def: FORCE
	@mkdir -p $$(@D); : > $$@.new; for name in $(3); do echo "$(2)($$$$name)" >> $$@.new; done; \
	   cmp -s $$@.new $$@ && rm $$@.new || mv $$@.new $$@
endef
$(eval $(call list_rule,models,NS_MODEL,$(MODELS)))
$(eval $(call list_rule,forms,NS_FORM,$(FORMS)))
$(eval $(call list_rule,strategies,NS_STRATEGY,$(STRATEGIES)))
$(eval $(call list_rule,surrogates,NS_SURROGATE_ENTRY,$(SURROGATES)))
$(eval $(call list_rule,commands,NS_COMMAND,$(COMMANDS)))
$(eval $(call list_rule,logs,NS_LOG_TOOL,$(LOGS)))
$(eval $(call list_rule,machines,NS_MACHINE,$(MACHINES)))
# A library is made anew when its list of objects changes: those of sources that are gone would stay in it.
$(eval $(call list_rule,library_objects,,$(LIB_OBJ)))
$(eval $(call list_rule,fit_objects,,$(FIT_OBJ)))
$(eval $(call list_rule,program_objects,,$(CLI_OBJ)))
DEFS := $(B)/models.def $(B)/forms.def $(B)/logs.def $(B)/machines.def $(B)/strategies.def $(B)/surrogates.def $(B)/commands.def

$(B)/tools/embed: tools/embed.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) -std=c11 -O1 $(CPPFLAGS) -o $@ $< $(shell $(PKG_CONFIG) --libs zlib 2>/dev/null)
$(B)/embedded.c: $(B)/tools/embed $(DATA) $(B)/data.def
	$(call quiet,EMBED)$(B)/tools/embed ns_embedded_files $(DATA) > $@.new && mv $@.new $@
$(eval $(call list_rule,data,,$(DATA)))
# What every page of `nsmodel report` holds; in the program only.
$(B)/policy.txt: tools/policy.sh $(PAGE)
	@mkdir -p $(@D)
	$(call quiet,GEN)tools/policy.sh $(PAGE) > $@.new && mv $@.new $@
$(B)/page_files.c: $(B)/tools/embed $(PAGE) $(B)/policy.txt
	$(call quiet,EMBED)$(B)/tools/embed ns_page_files $(PAGE) $(B)/policy.txt > $@.new && mv $@.new $@
# What the papers print and claim, for `nsmodel reproduce`; in the program only.
$(B)/evidence_files.c: $(B)/tools/embed $(EVIDENCE)
	$(call quiet,EMBED)$(B)/tools/embed ns_evidence_files $(EVIDENCE) > $@.new && mv $@.new $@
$(B)/embedded.o $(B)/page_files.o $(B)/evidence_files.o: $(B)/%.o: $(B)/%.c
	$(call quiet,CC)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c $< -o $@

$(LIB_OBJ) $(FIT_OBJ): ALL_CFLAGS += $(RELEASE)

# ---- objects, libraries, programs ----------------------------------------------------------------------------------
$(B)/%.o: %.c | $(DEFS)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(CPPFLAGS) -I$(B) -MMD -MP $(ALL_CFLAGS) -c $< -o $@
$(B)/src/cli/commands/doctor.o: CPPFLAGS += -DNS_MULTIARCH='"$(shell $(CC) -print-multiarch 2>/dev/null)"'

$(B)/libnsmodel.a: $(LIB_OBJ) $(B)/library_objects.def
	@rm -f $@
	$(call quiet,AR)$(AR) rcs $@ $(LIB_OBJ)
# A shared library exports what its map says and leaves nothing to be found by luck; sanitizers leave their own calls.
SHARED_LINK = $(CC) -shared -Wl,-soname,$(@F).$(MAJOR) -Wl,--version-script=src/$(@F:.so=.map) $(HARDEN_LINK) \
  $(if $(findstring -fsanitize,$(EXTRA) $(CFLAGS) $(OPT)),,-Wl,-z,defs) $(EXTRA) $(LDFLAGS)
$(B)/libnsmodel.so: $(LIB_OBJ) $(B)/library_objects.def src/libnsmodel.map
	$(call quiet,LINK)$(SHARED_LINK) -o $@ $(LIB_OBJ) $(LIB_LIBS) && ln -sf $(@F) $@.$(MAJOR)
# What it needs of libnsmodel beyond the public functions (checked sums of sizes, refusals) is copied into it, hidden.
$(B)/libnsmodel-fit.so: $(FIT_OBJ) $(B)/fit_objects.def src/libnsmodel-fit.map $(B)/libnsmodel.so $(B)/libnsmodel.a
	$(call quiet,LINK)$(SHARED_LINK) -o $@ $(FIT_OBJ) $(B)/libnsmodel.so -Wl,--exclude-libs,libnsmodel.a $(B)/libnsmodel.a \
	  -Wl,--as-needed $(FIT_LIBS) $(LIB_LIBS) && ln -sf $(@F) $@.$(MAJOR)
$(B)/libnsmodel-fit.a: $(FIT_OBJ) $(B)/fit_objects.def
	@rm -f $@
	$(call quiet,AR)$(AR) rcs $@ $(FIT_OBJ)
$(B)/libcli.a: $(CLI_OBJ) $(B)/program_objects.def
	@rm -f $@
	$(call quiet,AR)$(AR) rcs $@ $(CLI_OBJ)
$(BIN)/nsmodel: $(CLI_OBJ) $(B)/libnsmodel-fit.a $(B)/libnsmodel.a
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(OPT) $(HARDEN_PROGRAM) $(EXTRA) $(LDFLAGS) -o $@ $(CLI_OBJ) $(B)/libnsmodel-fit.a $(B)/libnsmodel.a $(CLI_LIBS)

# nsmodel-mpi performs on a cluster what the library prices: one source, a program for each MPI whose compiler is found
# (MPICC_OPENMPI, MPICC_MPICH and SMPICC say where).  `all` has the first MPI's, but for builds in other folders.
first_of = $(firstword $(foreach c,$(1),$(shell command -v $(c) 2>/dev/null)))
MPICC_OPENMPI ?= $(call first_of,mpicc.openmpi mpicc)
MPICC_MPICH   ?= $(call first_of,mpicc.mpich)
SMPICC        ?= $(call first_of,smpicc)
MPI_SRC := $(sort $(wildcard integrations/mpi/*.c))
MPI_PROGRAMS := $(if $(MPICC_OPENMPI),$(BIN)/nsmodel-mpi) $(if $(MPICC_MPICH),$(BIN)/nsmodel-mpi.mpich) $(if $(SMPICC),$(BIN)/nsmodel-smpi)
# MPI_UNWEIGHTED and MPI_STATUSES_IGNORE are addresses that stand for no array, which compilers take for one of no size.
MPI_CFLAGS := -Wno-stringop-overread -Wno-stringop-overflow
# Name of the program, its objects' folder, the compiler, flags for compiling, flags for linking.
define mpi_rule
$(B)/$(2)/%.o: integrations/mpi/%.c | $$(DEFS)
	@mkdir -p $$(@D)
	$$(call quiet,MPICC)$(3) $$(CPPFLAGS) -I$$(B) -MMD -MP $$(ALL_CFLAGS) $$(MPI_CFLAGS) $(4) -c $$< -o $$@
$$(BIN)/$(1): $$(MPI_SRC:integrations/mpi/%.c=$(B)/$(2)/%.o) $$(B)/libcli.a $$(B)/libnsmodel-fit.a $$(B)/libnsmodel.a
	@mkdir -p $$(@D)
	$$(call quiet,LINK)$(3) $$(OPT) $(5) $$(EXTRA) $$(LDFLAGS) -o $$@ $$^ $$(CLI_LIBS)
-include $$(MPI_SRC:integrations/mpi/%.c=$(B)/$(2)/%.d)
endef
$(eval $(call mpi_rule,nsmodel-mpi,mpi,$(MPICC_OPENMPI),,$(HARDEN_PROGRAM)))
$(eval $(call mpi_rule,nsmodel-mpi.mpich,mpi-mpich,$(MPICC_MPICH),,$(HARDEN_PROGRAM)))
$(eval $(call mpi_rule,nsmodel-smpi,mpi-simulated,$(SMPICC),-DNS_SIMULATED -fvisibility=default,)) # SimGrid looks main up

# libnsmodel-mpi.so, preloaded into or linked to MPI programs: the library is inside, and only MPI's names are exported.
LAYER_SRC := $(sort $(wildcard integrations/mpi_layer/*.c))
MPI_LAYERS := $(if $(MPICC_OPENMPI),$(B)/libnsmodel-mpi.so) $(if $(MPICC_MPICH),$(B)/libnsmodel-mpi.mpich.so)
# Name of the library, its objects' folder, the compiler.
define layer_rule
$(B)/$(2)/%.o: integrations/mpi_layer/%.c | $$(DEFS)
	@mkdir -p $$(@D)
	$$(call quiet,MPICC)$(3) $$(CPPFLAGS) -I$$(B) -MMD -MP $$(ALL_CFLAGS) $$(MPI_CFLAGS) -c $$< -o $$@
$(B)/$(1): $$(LAYER_SRC:integrations/mpi_layer/%.c=$(B)/$(2)/%.o) $$(B)/libnsmodel.a
	$$(call quiet,LINK)$(3) -shared -Wl,-soname,$(1).0 -Wl,--exclude-libs,ALL $$(HARDEN_LINK) $$(EXTRA) $$(LDFLAGS) -o $$@ $$^ $$(LIB_LIBS) -ldl
-include $$(LAYER_SRC:integrations/mpi_layer/%.c=$(B)/$(2)/%.d)
endef
$(eval $(call layer_rule,libnsmodel-mpi.so,layer,$(MPICC_OPENMPI)))
$(eval $(call layer_rule,libnsmodel-mpi.mpich.so,layer-mpich,$(MPICC_MPICH)))
$(B)/pages/nsmodel-mpi.1: $(BIN)/nsmodel-mpi $(B)/pages/nsmodel.1
	$(call quiet,PAGES)$(BIN)/nsmodel-mpi --man > $@.new && mv $@.new $@
ifeq ($(B),build)
all: $(if $(MPICC_OPENMPI),$(BIN)/nsmodel-mpi $(B)/libnsmodel-mpi.so $(B)/pages/nsmodel-mpi.1,without-mpi)
all: slurm-if-any nccl
endif
without-mpi:
	@echo "  without nsmodel-mpi: no mpicc is found; ./setup.sh mpi installs one"
mpi: all $(MPI_PROGRAMS) $(MPI_LAYERS)
	@$(if $(strip $(MPI_PROGRAMS)),:,echo "make mpi: no compiler of an MPI is found; ./setup.sh mpi installs them" >&2; exit 1)

# Slurm's plugin, where its headers are installed (SLURM_PREFIX where they are elsewhere); docs/slurm.md.
SLURM_PREFIX  ?= /usr
# libnsmodel is inside a plugin, and seen by nobody else.
PLUGIN_LINK   := -shared -Wl,-Bsymbolic -Wl,--exclude-libs,ALL $(HARDEN_LINK)
SLURM_PLUGIN  := $(if $(wildcard $(SLURM_PREFIX)/include/slurm/spank.h),$(B)/spank_nsmodel.so)
SLURM_OBJ     := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard integrations/slurm/*.c)))
$(SLURM_OBJ): CPPFLAGS += -isystem $(SLURM_PREFIX)/include
$(B)/spank_nsmodel.so: $(SLURM_OBJ) $(B)/libnsmodel.a
	$(call quiet,LINK)$(CC) $(PLUGIN_LINK) $(LDFLAGS) -o $@ $^ $(LIB_LIBS)
slurm-if-any: $(SLURM_PLUGIN)
slurm: $(SLURM_PLUGIN)
	@$(if $(SLURM_PLUGIN),:,echo "make slurm: there is no $(SLURM_PREFIX)/include/slurm/spank.h; Debian has it in libslurm-dev" >&2; exit 1)

# A tuner plugin of NCCL, docs/decision-files.md; nothing of NCCL is needed to build it.
NCCL_OBJ := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard integrations/nccl/*.c)))
$(B)/libnccl-tuner-nsmodel.so: $(NCCL_OBJ) $(B)/libnsmodel.a
	$(call quiet,LINK)$(CC) $(PLUGIN_LINK) $(LDFLAGS) -o $@ $^ $(LIB_LIBS)
nccl: $(B)/libnccl-tuner-nsmodel.so

# The study of docs/evidence/validation.md on SimGrid platforms: an hour of simulations, each of them once (build/results/simgrid).
validation: all $(if $(SMPICC),$(BIN)/nsmodel-smpi)
	@evidence/pages/simulate.sh $(BIN) $(or $(NSMODEL_SHARED),../shared)/data/matrices $(B)/results/simgrid; code=$$?; \
	  [ $$code != 77 ] || exit 0; [ $$code = 0 ] || exit $$code; \
	  evidence/pages/validation.sh $(B)/results/simgrid docs/evidence/validation.md

# Manual pages and completion, made by the program.
$(B)/pages/nsmodel.1: $(BIN)/nsmodel tools/pages.sh
	$(call quiet,PAGES)tools/pages.sh $(BIN)/nsmodel $(@D)

# ---- tests: one program per file, run side by side under make -j, their summary lines printed last ------------------
define test_rule
$(B)/tests/bin/%: $(B)/$(1)/%.o $$(TEST_COMMON) $(B)/libcli.a $(B)/libnsmodel-fit.a $(B)/libnsmodel.a
	@mkdir -p $$(@D)
	$$(call quiet,LINK)$$(CC) $$(OPT) $$(EXTRA) $$(LDFLAGS) -o $$@ $$< $$(TEST_COMMON) -Wl,--start-group $(B)/libcli.a $(B)/libnsmodel-fit.a $(B)/libnsmodel.a -Wl,--end-group $$(CHECK_LIBS) $$(CLI_LIBS)
endef
$(foreach folder,tests tests/models tests/hosts,$(eval $(call test_rule,$(folder))))
TEST_RUNS := $(TESTS:%=$(B)/tests/run/%)
# For tests that build: the compiler, and this very make without a share in its jobs.
TEST_SITE = NSMODEL_BUILD='$(abspath $(B))' NSMODEL_LIBS='$(CLI_LIBS)' NSMODEL_BIN='$(abspath $(BIN)/nsmodel)' \
  NSMODEL_FAULTS='$(abspath $(B)/tests/faults.so)' NSMODEL_CC='$(CC)' NSMODEL_EXTRA='$(EXTRA)' NSMODEL_OPT='$(OPT)' \
  NSMODEL_MAKE="$(MAKE_COMMAND) B='$(B)' BIN='$(BIN)' CC='$(CC)' OPT='$(OPT)' EXTRA='$(EXTRA)' LDFLAGS='$(LDFLAGS)' ISAL='$(ISAL)' AVX2='$(AVX2)'"
# Each program writes its files into a folder of its own: others run at the same time.  Made by name, a run that fails
# fails its make; `check` goes on and sums up.
$(B)/tests/run/%: $(B)/tests/bin/% $(BIN)/nsmodel FORCE
	@rm -rf $(B)/tests/tmp/$*; mkdir -p $(@D) $(B)/tests/tmp/$*
	@$(TEST_SITE) NSMODEL_TEST_TMP=$(B)/tests/tmp/$* $(TEST_ENV) $(B)/tests/bin/$* > $@.log 2>&1; echo $$? > $@.rc; \
	  echo "  test $*: $$(tail -n 1 $@.log)"$(if $(filter $@,$(MAKECMDGOALS)),; exit $$(cat $@.rc))
# Preloaded into the program by tests/test_faults.c; never with sanitizers, which have their own memory.
$(B)/tests/faults.so: $(wildcard tests/faults/*.c tests/faults/*.h)
	@mkdir -p $(@D)
	$(CC) -std=c11 -O1 -g $(WARNINGS) -D_POSIX_C_SOURCE=200809L -fPIC -shared -o $@ $(filter %.c,$^) -ldl
$(B)/tests/run/test_faults: $(B)/tests/faults.so
$(B)/tests/run/test_hardening $(B)/tests/run/test_examples $(B)/tests/run/test_relations: $(B)/libnsmodel.so
$(B)/tests/run/test_install $(B)/tests/run/test_consumers $(B)/tests/run/test_kept: all
$(B)/tests/run/test_imports $(B)/tests/run/test_symbols $(B)/tests/run/test_abi: $(B)/libnsmodel.so $(B)/libnsmodel-fit.so
check: $(TEST_RUNS)
	@tools/summary.sh $(B)/tests/run $(TESTS)
# The same where nothing optional is to be had: no library, program, instruction set or data that NSMODEL_WITHOUT names.
check-without:
	$(MAKE) B=build-without BIN=build-without/bin ISAL=no AVX2=no TEST_ENV="NSMODEL_WITHOUT=all $(TEST_ENV)" check

# What must hold of every answer, on so many random cases from a seed on; docs/evidence/relations.md.  `check` tries 200.
relations: $(B)/tests/bin/test_relations $(B)/libnsmodel.so $(BIN)/nsmodel
	@$(TEST_SITE) NSMODEL_TEST_TMP=$(B)/tests/tmp/relations RELATIONS_CASES=$(or $(CASES),5000) RELATIONS_SEED=$(or $(SEED),$$(date +%s)) \
	  $(B)/tests/bin/test_relations

# Jobs of several processes: one test after another, since their processes fill the cores.
define run_jobs
	@for test in $(1); do \
	  $(MAKE) -s -j1 TEST_ENV="NSMODEL_MPI_BIN='$(abspath $(BIN))' $(TEST_ENV)" $(B)/tests/run/$$test || [ -e $(B)/tests/run/$$test.rc ] || exit 1; done
	@tools/summary.sh $(B)/tests/run $(1)
endef
MPI_TESTS := $(filter test_mpi_%,$(TESTS))
check-mpi: mpi $(MPI_TESTS:%=$(B)/tests/bin/%)
	$(call run_jobs,$(MPI_TESTS))
# Inside other people's programs: solvers, runtimes, batch systems.  Where one is not installed its suite says so.
HOST_TESTS := $(sort $(basename $(notdir $(wildcard tests/hosts/test_*.c))))
check-hosts: all $(MPI_PROGRAMS) $(MPI_LAYERS) $(SLURM_PLUGIN) nccl $(HOST_TESTS:%=$(B)/tests/bin/%)
	$(call run_jobs,$(HOST_TESTS))

# The planner: its rule and its wisdom, and the programs of MPI that it decides for.
PLANNER_TESTS := test_plan test_wisdom test_mpi_plan test_exchanges test_neighbours test_petsc
check-planner: all $(MPI_PROGRAMS) $(MPI_LAYERS) $(PLANNER_TESTS:%=$(B)/tests/bin/%)
	$(call run_jobs,$(PLANNER_TESTS))

# The outputs that tests/test_golden.c compares with, written anew.
golden: $(B)/tests/bin/test_golden
	rm -f $(filter-out tests/golden/commands.txt,$(wildcard tests/golden/*.txt))
	NS_GOLDEN_WRITE=1 $<

# A run that was broken off goes on where it was, unless something was built since.
FAULTS_DONE = $(B)/results/faults.$(or $(NS_FAULTS_SAMPLE),all).done
$(B)/results/faults.%.done: $(B)/tests/bin/test_faults $(B)/tests/faults.so $(BIN)/nsmodel
	@mkdir -p $(@D) && : > $@
faults: $(FAULTS_DONE)
	@echo "faults of each line: $(or $(NS_FAULTS_SAMPLE),all)" > $(B)/results/faults.log
	@$(TEST_SITE) $(TEST_ENV) NS_FAULTS_SAMPLE=$(or $(NS_FAULTS_SAMPLE),0) NS_FAULTS_DONE=$(FAULTS_DONE) \
	  NS_FAULTS_RECORD=$(B)/results/faults.tsv NS_FAULTS_TREE=$$(git rev-parse --short HEAD 2> /dev/null || echo unknown) \
	  $(B)/tests/bin/test_faults >> $(B)/results/faults.log 2>&1; \
	  code=$$?; cat $(B)/results/faults.log; exit $$code

# The README's commands in a Debian with nothing but its smallest system, in some ten minutes; as root.
check-bare:
	tools/bare_check.sh

demo: all
	$(BIN)/nsmodel predict --matrix audikw_1 --gpus 16,64,256

# Single faults in what decides, and which tests notice them: MUTATE=n of them or all, MUTATE_SEED, MUTATE_ONLY=paths of it.
# Tests are linked to the library as shared objects, of which the first is empty: a fault is one object in its place.
MUTATED := $(foreach d,models src/model/parts src/price src/price/forms src/pattern src/schedule strategies src/machine \
  src/machine_file src/fit,$(wildcard $(d)/*.c))
$(B)/mutate/libmutate.so: $(LIB_OBJ) $(FIT_OBJ) $(CLI_OBJ)
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,libmutate.so -o $@ $^ $(CLI_LIBS)
# The same, but what is $(MUTATED) counts its lines: a test that is linked to the one is run with the other.
$(B)/counted/%.o: %.c | $(DEFS)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(CPPFLAGS) -I$(B) -MMD -MP $(ALL_CFLAGS) --coverage -c $< -o $@
$(B)/mutate/counted/libmutate.so: $(filter-out $(MUTATED:%.c=$(B)/%.o),$(LIB_OBJ) $(FIT_OBJ) $(CLI_OBJ)) $(MUTATED:%.c=$(B)/counted/%.o)
	@mkdir -p $(@D)
	$(CC) -shared --coverage -Wl,-soname,libmutate.so -o $@ $^ $(CLI_LIBS)
-include $(MUTATED:%.c=$(B)/counted/%.d)
$(B)/mutate/libslot.so:
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,libslot.so -o $@ -x c /dev/null
MUTATE_LINK = $(CC) -o $@ $(filter %.o,$^) -L$(B)/mutate -Wl,--no-as-needed -lslot -lmutate -Wl,--as-needed $(CHECK_LIBS) $(CLI_LIBS)
$(B)/mutate/nsmodel: $(B)/src/cli/program/main.o $(B)/mutate/libmutate.so $(B)/mutate/libslot.so
	$(MUTATE_LINK)
$(B)/mutate/test_%: $(B)/tests/test_%.o $(TEST_COMMON) $(B)/mutate/libmutate.so $(B)/mutate/libslot.so
	$(MUTATE_LINK)
$(B)/mutate/test_%: $(B)/tests/models/test_%.o $(TEST_COMMON) $(B)/mutate/libmutate.so $(B)/mutate/libslot.so
	$(MUTATE_LINK)
mutate-programs: $(B)/mutate/counted/libmutate.so $(B)/mutate/nsmodel $(TESTS:%=$(B)/mutate/%)
mutate:
	@MUTATED="$(MUTATED)" MUTATE_ONLY="$(MUTATE_ONLY)" CPPFLAGS="$(CPPFLAGS)" MAKE="$(MAKE)" \
	  evidence/mutation/mutate.sh $(or $(MUTATE),1500) $(or $(MUTATE_SEED),1)

# docs/evidence/reliability.md anew, from what fuzz, faults, mutate, coverage and check left in the build folders.
reliability:
	evidence/pages/reliability.sh $(B) > $(B)/reliability.md && mv $(B)/reliability.md docs/evidence/reliability.md

asan:
	$(MAKE) B=build-asan BIN=build-asan/bin OPT="-O1 -g" EXTRA="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer" \
	  TEST_ENV="NS_TEST_SLOWDOWN=4 ASAN_OPTIONS=detect_leaks=1" check

# What threads do at once, under ThreadSanitizer: a report ends it.
$(B)/tests/bin/threads: $(B)/tests/tsan/threads.o $(B)/libcli.a $(B)/libnsmodel-fit.a $(B)/libnsmodel.a
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(OPT) $(EXTRA) $(LDFLAGS) -Wl,--wrap=sysconf,--wrap=pthread_create -o $@ $^ $(CLI_LIBS)
tsan:
	$(MAKE) B=build-tsan BIN=build-tsan/bin OPT="-O1 -g" EXTRA="-fsanitize=thread" build-tsan/tests/bin/threads
	@rm -rf build-tsan/threads && mkdir -p build-tsan/threads
	TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1" build-tsan/tests/bin/threads build-tsan/threads

coverage:
	$(MAKE) B=build-cov BIN=build-cov/bin OPT="-O0 -g" EXTRA="--coverage" check
	FOLDERS="$(LIB_DIRS)" tools/coverage.sh build-cov 90

layers: $(B)/libnsmodel.so $(B)/libnsmodel-fit.so $(CLI_OBJ)
	tools/layers.sh $(B)

# What the surrogates have in common with the real matrices: minutes of scans, so never part of a check.
$(B)/tools/likeness: evidence/pages/likeness.c $(B)/evidence/pages/likeness_counts.o $(B)/libnsmodel.a
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIB_LIBS)
# Tables of the pages about surrogates and accuracy.
$(B)/tools/surrogate_tables: evidence/pages/surrogate_tables.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -O1 $(WARNINGS) -o $@ $< -lm
$(B)/tests/run/test_likeness: $(B)/tools/surrogate_tables
surrogates-report: $(B)/tools/likeness
	evidence/pages/likeness.sh $< $(or $(NSMODEL_SHARED),../shared)
	$(MAKE) $(B)/tests/bin/test_surrogates && NS_TEST_HEAVY=1 $(B)/tests/bin/test_surrogates
	$(MAKE) docs

TRANSCRIPTS := tutorial calculator commands point-to-point node-aware netsparse-models report sweep
# Pages made by the program itself; tests/test_docs.c says when one is not current.
docs: all $(B)/tools/surrogate_tables
	$(BIN)/nsmodel reproduce -o docs/evidence/reproduction.md > /dev/null
	for page in evidence/surrogates evidence/accuracy; do \
	  NSMODEL_BUILD=$(B) evidence/pages/surrogate_tables.sh docs/$$page.md > $(B)/page.md && mv $(B)/page.md docs/$$page.md || exit 1; done
	$(BIN)/nsmodel --reference > docs/commands.md
	for page in README.md $(TRANSCRIPTS:%=docs/%.md) docs/evidence/accuracy.md; do tools/transcript.sh $(BIN)/nsmodel $$page || exit 1; done
	[ ! -d ../shared/data/end_to_end ] || evidence/pages/accuracy_table.py $(BIN)/nsmodel ../shared docs/evidence/accuracy.md
	awk -f evidence/pages/goals.awk docs/evidence/accuracy.md docs/evidence/accuracy.md > $(B)/accuracy.md && mv $(B)/accuracy.md docs/evidence/accuracy.md
	[ ! -d ../shared/data/pingpong ] || evidence/pages/fit-page.sh $(BIN)/nsmodel ../shared/data/pingpong docs/evidence/fit.md
	[ ! -d ../shared/data/end_to_end ] || evidence/pages/residual-page.sh $(BIN)/nsmodel ../shared/data docs/evidence/residual.md

# Schemas of JSON output anew, from what the commands of schema/calls.txt answer: read the difference.
$(B)/tools/units: $(B)/tools/units.o $(B)/libcli.a $(B)/libnsmodel-fit.a $(B)/libnsmodel.a
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(OPT) $(EXTRA) $(LDFLAGS) -o $@ $< -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(CLI_LIBS)
schema: all $(B)/tools/units
	python3 tools/schema.py make $(BIN)/nsmodel $(B)/tools/units

# Every claim of the papers asked of the program, some two minutes; tests/test_claims.c says when the page is not current.
claims: all
	$(BIN)/nsmodel reproduce --claims -o docs/evidence/claims.md > /dev/null

# docs/evidence/lassen.md anew: what the evidence of one machine says together; needs the data folder, some three minutes.
lassen-evidence: all
	evidence/pages/lassen.sh $(BIN)/nsmodel ../shared/data > $(B)/lassen.md && mv $(B)/lassen.md docs/evidence/lassen.md

# One picture for each question, docs/gallery.md.
gallery: all
	tools/gallery.sh $(BIN)/nsmodel docs/gallery.md screens

# Placements found and mapped by Scotch for twelve patterns, some minutes.
placements: all
	evidence/pages/placements.sh $(BIN)/nsmodel $(or $(NSMODEL_SHARED),../shared)/data/matrices docs/place.md

# The table of docs/evidence/scaling.md, some minutes.
scaling: all
	evidence/pages/scaling.sh $(BIN)

# NetSparse beside the strategies for the paper's five matrices, some ten minutes.
beside: all
	evidence/pages/netsparse_beside.sh $(BIN)/nsmodel docs/evidence/netsparse-beside.md

lint: $(DEFS) compile_commands.json
	tools/lint.sh $(B)

# The cost function against the measured exchanges, from RECORDS or the shared data.
validate: all
	$(BIN)/nsmodel validate --records $(or $(RECORDS),$(or $(NSMODEL_SHARED),../shared)/data/end_to_end/records.csv)

bench: all $(MPI_LAYERS)
	ISAL_PC='$(ISAL_PC)' tools/bench.sh $(B) $(BIN) docs/evidence/performance.md

fuzz:
	tools/fuzz.sh $(or $(FUZZ_SECONDS),60) $(FUZZ_SEED)

compile_commands.json: $(B)/models.def $(LIB_SRC) $(FIT_SRC) $(CLI_SRC)
	@{ echo '['; sep=''; for f in $(LIB_SRC) $(FIT_SRC) $(CLI_SRC); do \
	  printf '%s{"directory":"%s","file":"%s","command":"%s"}' "$$sep" "$(CURDIR)" "$$f" "$(CC) $(CPPFLAGS) -I$(B) $(ALL_CFLAGS) -c $$f"; sep=','; \
	  done; echo ']'; } > $@

clean:
	rm -rf $(WEB)/objects $(WEB)/nsmodel.* $(WEB)/libweb.a $(WEB_PAGE)
	rm -rf build build-without build-asan build-tsan build-cov build-deb build-fuzz build-mutate bin compile_commands.json

include integrations/web/build.mk
include packaging/build.mk

.PHONY: all mpi without-mpi slurm slurm-if-any nccl check-mpi check-hosts relations check-without check-bare validation demo golden docs schema claims lassen-evidence beside placements scaling gallery surrogates-report check asan tsan lint layers coverage bench validate fuzz faults reliability mutate mutate-programs clean check-planner FORCE
.SECONDARY:
-include $(LIB_OBJ:.o=.d) $(SLURM_OBJ:.o=.d) $(NCCL_OBJ:.o=.d) $(FIT_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(patsubst %.c,$(B)/%.d,$(wildcard tests/*.c tests/tsan/*.c tests/models/*.c tests/hosts/*.c tests/support/*.c tests/oracle/*.c))
