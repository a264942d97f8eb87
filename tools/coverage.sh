#!/bin/sh
# coverage.sh BUILD [MIN] -- lines and branches of libnsmodel that the tests run, per file and in all; exit 1 below MIN
# percent of the lines.
# BUILD was compiled with --coverage and its tests have run.  A file that no test touched counts with all its lines.  A
# branch counts when it was taken at least once.  BUILD/results/coverage.tsv keeps the counts for docs/evidence/reliability.md.
set -eu

build=${1:?usage: coverage.sh BUILD [MIN]}
least=${2:-0}
folders=${FOLDERS:?the folders of libnsmodel, LIB_DIRS in the Makefile}
counts=$build/results/coverage.tsv
mkdir -p "$build/results"

# One row per file: lines run, lines, branches taken, branches, path.  gcov answers for headers too; they belong to no
# folder of objects.
files() {
  { for folder in $folders; do find "$build/$folder" -maxdepth 1 -name '*.gcno' 2>/dev/null; done
    find "$build/models" -name '*.gcno' 2>/dev/null; } | sort -u | while read -r notes; do
    stem=${notes#"$build"/}
    source=${stem%.gcno}.c
    [ ! -f "$source" ] || ${GCOV:-gcov} -b -n "$notes" 2>/dev/null | awk -v source="$source" -v quote="'" '
      /^File / { wanted = index($0, quote source quote); if (wanted) seen = 1 }
      wanted && /^Lines executed:/ { split($2, part, /[:%]/); run = part[2] * $4 / 100; lines = $4 }
      wanted && /^Taken at least once:/ { split($4, part, /[:%]/); taken = part[2] * $6 / 100; branches = $6 }
      END { if (seen) printf "%d\t%d\t%d\t%d\t%s\n", run + 0.5, lines, taken + 0.5, branches, source }'
  done
}

{ printf '# %s\t%s\n' "$(date -u +%Y-%m-%dT%H:%MZ)" "$(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
  files; } > "$counts"
awk -F '\t' -v least="$least" '
  function share(a, b) { return b ? 100 * a / b : 100 }
  /^#/ { next }
  {
    printf "%6.1f %%  %5d of %5d   %6.1f %%  %5d of %5d  %s\n", share($1, $2), $1, $2, share($3, $4), $3, $4, $5
    run += $1; lines += $2; taken += $3; branches += $4
    room = $5 ~ /^src\// ? $5 : ""
    sub(/^src\//, "", room); sub(/\/.*/, "", room)
    if (room ~ /^(core|io|matrix|pattern)$/) { deep_taken += $3; deep += $4 }
  }
  END {
    if (!lines) { print "coverage.sh: no counts here; make coverage builds and runs first"; exit 1 }
    printf "%6.1f %%  %5d of %5d  lines of libnsmodel (wanted: %s %%)\n", share(run, lines), run, lines, least
    printf "%6.1f %%  %5d of %5d  branches of libnsmodel (wanted: 85 %%)\n", share(taken, branches), taken, branches
    printf "%6.1f %%  %5d of %5d  branches of core, io, matrix, pattern (wanted: 95 %%)\n", share(deep_taken, deep), deep_taken, deep
    exit 100 * run < least * lines
  }' "$counts"
