# build.mk -- web/nsmodel.html: the calculator as one page, by Debian's emscripten.  No part of `all`; docs/web.md
#
# The library and the program are compiled as they are.  Left out is what wants GSL, readline, libcurl or other programs:
# the commands fit, repl (the page has its own line) and doctor, fetching, and gnuplot, whose place page_plot.c takes.

WEB      := build-web
EMCC     ?= emcc
EMAR     ?= emar
WEB_SOURCES ?= $(WEB)/sources
WEB_PAGE := web/nsmodel.html
WEB_COMMANDS := $(filter-out fit repl doctor,$(COMMANDS))
WEB_LEFT := src/report/plot.c src/fetch/% src/cli/show/matrix_get.c src/cli/show/fit_% \
  src/cli/repl/terminal.c src/cli/program/main.c \
  $(patsubst %,src/cli/commands/%.c,$(filter-out $(WEB_COMMANDS),$(COMMANDS)))
WEB_SRC  := $(LIB_SRC) $(filter-out $(WEB_LEFT),$(CLI_SRC)) $(sort $(wildcard integrations/web/*.c))
WEB_ZLIB := adler32 compress crc32 deflate inffast inflate inftrees trees uncompr zutil
WEB_OBJ  := $(WEB_SRC:%.c=$(WEB)/objects/%.o) $(WEB)/objects/embedded.o $(WEB)/objects/page_files.o $(WEB)/objects/evidence_files.o \
  $(WEB_ZLIB:%=$(WEB)/objects/zlib/%.o)
WEB_OPT  ?= -O2
WEB_FLAGS = -std=c11 $(WEB_OPT) $(WARNINGS) -ffp-contract=off -D_POSIX_C_SOURCE=200809L \
  -I$(WEB)/objects -I$(B) -Iinclude -Isrc -Iintegrations -Ievidence -isystem $(WEB_SOURCES)/zlib
WEB_LINK  = $(WEB_OPT) -sMODULARIZE=1 -sEXPORT_NAME=nsmodel -sENVIRONMENT=worker,node -sALLOW_MEMORY_GROWTH=1 \
  -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=5MB -sINVOKE_RUN=0 -sFORCE_FILESYSTEM=1 -lworkerfs.js \
  -sEXPORTED_FUNCTIONS=_web_run,_web_line -sEXPORTED_RUNTIME_METHODS=ccall,FS,WORKERFS

$(WEB)/objects/commands.def: FORCE
	@mkdir -p $(@D); for name in $(WEB_COMMANDS); do echo "NS_COMMAND($$name)"; done > $@.new; \
	   cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(WEB)/objects/%.o: %.c | $(DEFS) $(WEB)/objects/commands.def
	@mkdir -p $(@D)
	$(EMCC) $(WEB_FLAGS) -MMD -MP -c $< -o $@
$(WEB)/objects/embedded.o $(WEB)/objects/page_files.o $(WEB)/objects/evidence_files.o: $(WEB)/objects/%.o: $(B)/%.c
	$(EMCC) $(WEB_FLAGS) -c $< -o $@
$(WEB)/objects/zlib/%.o: $(WEB_SOURCES)/zlib/%.c
	@mkdir -p $(@D)
	$(EMCC) $(WEB_OPT) -c $< -o $@
# Debian keeps node-acorn where its own node looks; others are told.
$(WEB)/nsmodel.js: $(WEB_OBJ)
	@rm -f $(WEB)/libweb.a
	@$(EMAR) rcs $(WEB)/libweb.a $(filter-out $(WEB)/objects/integrations/web/%,$(WEB_OBJ))
	NODE_PATH=/usr/share/nodejs $(EMCC) $(WEB_LINK) -o $@ $(filter $(WEB)/objects/integrations/web/%,$(WEB_OBJ)) $(WEB)/libweb.a

WEB_PARTS := $(addprefix integrations/web/,page.sh page.html app.css engine.js app.js worker.js EMSCRIPTEN-LICENSE) \
  tools/policy.sh $(PAGE)
$(WEB_PAGE): $(WEB)/nsmodel.js $(WEB_PARTS)
	@mkdir -p $(@D)
	integrations/web/page.sh $(WEB) $(WEB_SOURCES) > $@.new && mv $@.new $@

web:
	@command -v $(EMCC) > /dev/null || { \
	  echo "make web: there is no $(EMCC); ./setup.sh web installs it (Debian: emscripten node-acorn)" >&2; exit 1; }
	@[ -f $(WEB_SOURCES)/zlib/zlib.h ] || { \
	  echo "make web: $(WEB_SOURCES) lacks the sources of zlib; ./setup.sh web gets them from Debian" >&2; exit 1; }
	@$(MAKE) $(WEB_PAGE)

# In a real Chromium, against the program of the same sources.
WEB_TESTS := $(filter test_web%,$(TESTS))
check-web: web $(BIN)/nsmodel
	@for test in $(WEB_TESTS); do $(MAKE) -s -j1 TEST_ENV="NSMODEL_WEB=yes $(TEST_ENV)" $(B)/tests/run/$$test || exit 1; done
	@tools/summary.sh $(B)/tests/run $(WEB_TESTS)

.PHONY: web check-web
ifneq ($(filter web check-web $(WEB_PAGE) $(WEB)/%,$(MAKECMDGOALS)),)
-include $(WEB_SRC:%.c=$(WEB)/objects/%.d)
endif
