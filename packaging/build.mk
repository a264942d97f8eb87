# build.mk -- installation, packages, and what holds the binary interface: symbols and ABI; docs/install.md
#
#   make install    prefix=/usr/local DESTDIR= libdir= includedir= bindir= mandir= datadir= pythondir=
#   make uninstall  the same words
#   make symbols    src/*.symbols anew: what each shared library exports
#   make check-abi  the shared libraries against tests/abi                make abi-baseline   tests/abi and symbols anew
#   make deb        Debian's packages into build-deb                      make check-deb      built, examined, unpacked, used

prefix        ?= /usr/local
exec_prefix   ?= $(prefix)
bindir        ?= $(exec_prefix)/bin
libdir        ?= $(exec_prefix)/lib
includedir    ?= $(prefix)/include
datarootdir   ?= $(prefix)/share
datadir       ?= $(datarootdir)
mandir        ?= $(datarootdir)/man
docdir        ?= $(datarootdir)/doc/nsmodel
bashcompdir   ?= $(datadir)/bash-completion/completions
pythondir     ?= $(libdir)/python3/dist-packages
zshcompdir    ?= $(datadir)/zsh/site-functions
DESTDIR       ?=
pkgconfigdir   = $(libdir)/pkgconfig
cmakedir       = $(libdir)/cmake/nsmodel

LIBRARIES := libnsmodel libnsmodel-fit
EXAMPLES  := $(wildcard $(addprefix examples/,Makefile *.[ch] *.cpp *.json *.jsonl *.log))

# Folders below the prefix move with it.
below_prefix = $(patsubst $(prefix)/%,$${prefix}/%,$(1))
FILL = sed -e 's|@prefix@|$(prefix)|' -e 's|@libdir@|$(call below_prefix,$(libdir))|' \
  -e 's|@includedir@|$(call below_prefix,$(includedir))|' -e 's|@version@|$(VERSION)|g' -e 's|@major@|$(MAJOR)|g' \
  -e "s|@includes@|$$(realpath -ms --relative-to='$(libdir)' '$(includedir)')|" \
  -e "s|@pointer@|$$(echo __SIZEOF_POINTER__ | $(CC) -E -P -)|g"

install: all
	install -d $(addprefix $(DESTDIR),$(includedir)/nsmodel $(pkgconfigdir) $(cmakedir) $(bindir) $(mandir)/man1 $(docdir) \
	  $(bashcompdir) $(zshcompdir) $(pythondir)/nsmodel)
	install -m 644 include/nsmodel/*.h $(DESTDIR)$(includedir)/nsmodel/
	for library in $(LIBRARIES); do \
	  install -m 644 $(B)/$$library.a $(DESTDIR)$(libdir)/ && \
	  install -m 755 $(B)/$$library.so $(DESTDIR)$(libdir)/$$library.so.$(VERSION) && \
	  ln -sf $$library.so.$(VERSION) $(DESTDIR)$(libdir)/$$library.so.$(MAJOR) && \
	  ln -sf $$library.so.$(MAJOR) $(DESTDIR)$(libdir)/$$library.so || exit 1; done
	for file in nsmodel.pc nsmodel-fit.pc $(if $(wildcard $(MPI_LAYERS)),nsmodel-mpi.pc); do \
	  $(FILL) -e 's|@isal@|$(ISAL_PC)|' packaging/$$file.in > $(DESTDIR)$(pkgconfigdir)/$$file || exit 1; done
	for file in nsmodelConfig.cmake nsmodelConfigVersion.cmake; do \
	  $(FILL) -e 's|@isal@|$(ISAL_PC:lib%=%)|' packaging/$$file.in > $(DESTDIR)$(cmakedir)/$$file || exit 1; done
	install -m 755 $(BIN)/nsmodel $(DESTDIR)$(bindir)/
	for program in $(MPI_PROGRAMS); do [ ! -x $$program ] || install -m 755 $$program $(DESTDIR)$(bindir)/ || exit 1; done
	for layer in $(MPI_LAYERS); do [ ! -f $$layer ] || { install -m 755 $$layer $(DESTDIR)$(libdir)/$${layer##*/}.0 && \
	  ln -sf $${layer##*/}.0 $(DESTDIR)$(libdir)/$${layer##*/}; } || exit 1; done
	[ ! -f $(B)/libnccl-tuner-nsmodel.so ] || install -m 755 $(B)/libnccl-tuner-nsmodel.so $(DESTDIR)$(libdir)/
	[ ! -f $(B)/spank_nsmodel.so ] || { install -d $(DESTDIR)$(libdir)/slurm && \
	  install -m 755 $(B)/spank_nsmodel.so $(DESTDIR)$(libdir)/slurm/; }
	install -m 644 $(B)/pages/*.1 $(DESTDIR)$(mandir)/man1/
	install -m 644 $(B)/pages/nsmodel $(DESTDIR)$(bashcompdir)/
	install -m 644 $(B)/pages/nsmodel $(DESTDIR)$(bashcompdir)/nsmodel-mpi
	install -m 644 $(B)/pages/_nsmodel $(DESTDIR)$(zshcompdir)/
	install -d $(DESTDIR)$(datadir)/nsmodel/schema
	install -m 644 schema/*.schema.json $(DESTDIR)$(datadir)/nsmodel/schema/
	install -m 644 LICENSE LICENSES.md $(DESTDIR)$(docdir)/
	install -m 644 integrations/python/nsmodel/*.py $(DESTDIR)$(pythondir)/nsmodel/
	install -d $(DESTDIR)$(docdir)/examples
	install -m 644 $(EXAMPLES) $(DESTDIR)$(docdir)/examples/
	for folder in catalogue matrices; do install -m 644 params/$$folder/ATTRIBUTION.md $(DESTDIR)$(docdir)/$$folder.md || exit 1; done

# What an installation with the same words would have: its files, and the folders that are nsmodel's alone.
uninstall: all
	@rm -rf $(DESTDIR)$(pythondir)/nsmodel/__pycache__
	@stage=$$(mktemp -d) && trap 'rm -rf "$$stage"' EXIT && $(MAKE) -s install DESTDIR="$$stage" && \
	(cd "$$stage" && find . ! -type d) | while read -r file; do rm -f "$(DESTDIR)/$$file" || exit 1; done && \
	(cd "$$stage" && find . -depth -type d \( -name nsmodel -o -path '*/nsmodel/schema' \)) | while read -r folder; do \
	  rmdir "$(DESTDIR)/$$folder" 2>/dev/null || true; done

dist:
	git archive --prefix=nsmodel-$(VERSION)/ -o nsmodel-$(VERSION).tar.gz HEAD

SHARED_LIBRARIES := $(LIBRARIES:%=$(B)/%.so)

symbols: $(SHARED_LIBRARIES)
	for library in $(LIBRARIES); do \
	  tools/symbols.sh $(B)/$$library.so > $(B)/$$library.symbols && mv $(B)/$$library.symbols src/ || exit 1; done

check-abi: $(SHARED_LIBRARIES)
	for library in $(LIBRARIES); do tools/abi.sh check $(B)/$$library.so tests/abi/$$library.abi.gz || exit 1; done
abi-baseline: symbols
	for library in $(LIBRARIES); do tools/abi.sh baseline $(B)/$$library.so tests/abi/$$library.abi.gz || exit 1; done

deb:
	tools/deb.sh build-deb
check-deb: deb
	tools/check_deb.sh build-deb

.PHONY: install uninstall dist symbols check-abi abi-baseline deb check-deb
