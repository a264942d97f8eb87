#!/bin/sh
# coverage.sh BUILD [MIN] -- lines of libnsmodel that the tests run, per file and in all; exit 1 below MIN percent.
# BUILD was compiled with --coverage and its tests have run.  A file that no test touched counts with all its lines.
set -eu

build=${1:?usage: coverage.sh BUILD [MIN]}
least=${2:-0}
folders=${FOLDERS:?the folders of libnsmodel, LIB_DIRS in the Makefile}

# One row per file: lines run, lines, path.  gcov answers for headers too; they belong to no folder of objects.
files() {
  { for folder in $folders; do find "$build/$folder" -name '*.gcno' 2>/dev/null; done
    find "$build/models" -name '*.gcno' 2>/dev/null; } | sort | while read -r notes; do
    stem=${notes#"$build"/}
    source=${stem%.gcno}.c
    [ ! -f "$source" ] || ${GCOV:-gcov} -n "$notes" 2>/dev/null | awk -v source="$source" -v quote="'" '
      /^File / { wanted = index($0, quote source quote) }
      /^Lines executed:/ && wanted {
        split($2, part, /[:%]/)
        printf "%d %d %s\n", part[2] * $4 / 100 + 0.5, $4, source
        exit
      }'
  done
}

files | awk -v least="$least" '
  { printf "%6.1f %%  %5d of %5d  %s\n", 100 * $1 / $2, $1, $2, $3; run += $1; lines += $2 }
  END {
    if (!lines) { print "coverage.sh: no counts here; make coverage builds and runs first"; exit 1 }
    printf "%6.1f %%  %5d of %5d  libnsmodel (wanted: %s %%)\n", 100 * run / lines, run, lines, least
    exit 100 * run < least * lines
  }'
