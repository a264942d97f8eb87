#!/bin/sh
# surrogate_tables.sh PAGE.md -- the page with its tables made anew, on standard output
#
# What stands between "<!-- table: WHAT -->" and "<!-- end -->" is made from tests/data/likeness.tsv and volumes.tsv
# (measured) and params/catalogue/*.tsv (the real matrices); the rest of the page is copied.  tests/test_likeness.c says
# when a page is not current.  make builds the program that does it.
set -eu

exec "${NSMODEL_BUILD:-build}/tools/surrogate_tables" \
  params/catalogue/suitesparse.tsv params/catalogue/measured.tsv tests/data/volumes.tsv tests/data/likeness.tsv "$1"
