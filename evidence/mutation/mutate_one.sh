#!/bin/sh
# mutate_one.sh BUILD FAULT -- one fault: compile it, run the tests that run its line, add a line to the results:
# key, outcome, file, line, what was, what is, the test that failed, the seconds of the tests that were run, a sum of them
set -eu

build=$1
map=$build/map
results=$build/results/mutants.tsv
tab=$(printf '\t')
IFS=$tab read -r file line offset length instead text <<EOF
$2
EOF
key=$file:$line:$offset:$text:$instead
known=$(grep -sF "$key$tab" "$results" | tail -n 1 || true)
outcome=$(printf '%s' "$known" | cut -f 2)
case $outcome in killed | timeout | same | refused) exit 0 ;; esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
was=$(tail -c "+$((offset + 1))" "$file" | head -c "$length" | tr '\n\t' '  ')

say() {
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$key" "$1" "$file" "$line" "$was" "$instead" "${2:--}" "${3:-0}" \
    "${asked:-0}" >> "$results"
  exit 0
}

compile() {
  # shellcheck disable=SC2086 # flags
  $CC $CPPFLAGS -I"$(dirname "$file")" -I"$build" -std=c11 -O1 -w -fPIC -fvisibility=default -ffp-contract=off -ftrivial-auto-var-init=pattern \
    -x c -c - -o "$1" 2> /dev/null
}

# Tests that run the line; for a line without code of its own, a table's row or the middle of a statement, those that run
# any line of the file; for a file without code, which is a table, any test.
grep -lxF "$file$tab$line" "$map"/*.lines 2>/dev/null | sed "s|^$map/||; s|\.lines\$||" > "$work/reach" || true
[ -s "$work/reach" ] || grep -qxF "$file$tab$line" "$build/code.lines" 2>/dev/null ||
  grep -l "^$file$tab" "$map"/*.lines 2>/dev/null | sed "s|^$map/||; s|\.lines\$||" > "$work/reach" || true
[ -s "$work/reach" ] || grep -q "^$file$tab" "$build/code.lines" 2>/dev/null ||
  cut -f 2 "$map/times.tsv" > "$work/reach"
# First the test of the same name, then those that are quick, are about this file more than about others, and have
# noticed other faults of it.
awk -F '\t' -v file="$file" -v stem="test_$(basename "$file" .c)" -v OFS='\t' '
  FILENAME == ARGV[1] { reach[$1] = 1; next }
  FILENAME == ARGV[2] { if ($3 == file && $2 == "killed") noticed[$7]++; next }
  FILENAME == ARGV[3] { if ($2 == file) share[$1] = $3; next }
  $2 in reach { print ($2 == stem ? 0 : ($1 + 0.02) / (1 + noticed[$2]) / (share[$2] + 0.01)), $1, $2, $3 }' \
  "$work/reach" "$results" "$map/shares.tsv" "$map/times.tsv" | sort -g |
  awk -v most="$MUTATE_SECONDS" '{ sum += $2; if (NR > 1 && sum > most) exit; print $2, $3, $4 }' > "$work/tests"

# A survivor is tried again when other tests are asked, or the same ones have changed.
asked=$(sort -k 2 "$work/tests" | while read -r _ test _; do
  cat "tests/$test.c" "tests/models/$test.c" 2>/dev/null || true
  echo "$test"
done | cksum | cut -d ' ' -f 1)
[ -z "$outcome" ] || [ "$asked" != "$(printf '%s' "$known" | cut -f 9)" ] || exit 0

"$build/tools/mutate" apply "$file" "$offset" "$length" "$instead" | compile "$work/x.o" || say refused
as_is=$build/as-is/$(printf '%s' "$file" | tr / _).o
if [ -z "$(find "$as_is" -newer "$file" 2> /dev/null)" ]; then
  compile "$work/as-is.o" < "$file"
  mv "$work/as-is.o" "$as_is"
fi
! cmp -s "$work/x.o" "$as_is" || say same
[ -s "$work/tests" ] || say unreached
$CC -shared -Wl,-soname,libslot.so -o "$work/libslot.so" "$work/x.o" || say refused

# A test that let this fault pass, and has not changed since, is not asked again.
passed=$build/results/passed/$(printf '%s' "$key" | cksum | tr -d ' ')
mkdir -p "${passed%/*}" "$work/tmp"
NSMODEL_BUILD=$(pwd)/$build NSMODEL_BIN=$(pwd)/$build/mutate/nsmodel NSMODEL_TEST_TMP=$work/tmp TMPDIR=$work/tmp
# Memory that was never written holds no zeros, so that a read behind an end shows.
CK_TIMEOUT_MULTIPLIER=5 MALLOC_PERTURB_=165
export NSMODEL_BUILD NSMODEL_BIN NSMODEL_TEST_TMP TMPDIR CK_TIMEOUT_MULTIPLIER MALLOC_PERTURB_
# shellcheck disable=SC3045 # dash and bash have it
ulimit -v 8000000
spent=0
while read -r seconds test alone; do
  stamp=$test/$(stat -c %Y "$build/mutate/$test")
  spent=$(awk -v a="$spent" -v b="$seconds" 'BEGIN { print a + b }')
  ! grep -qsxF "$stamp" "$passed" || continue
  most=$(awk -v s="$seconds" 'BEGIN { printf "%d", 10 * s + 6 }')
  code=0
  [ "$alone" = yes ] && fork='no' || fork='yes'
  # So much processor time that no busy machine is taken for a fault; the clock only ends what sleeps.
  { (
    # shellcheck disable=SC3045 # dash and bash have it
    ulimit -t "$most"
    CK_FORK=$fork LD_LIBRARY_PATH=$work:$(pwd)/$build/mutate timeout -k 2 $((10 * most)) "$build/mutate/$test" \
      > /dev/null 2>&1 < /dev/null
  ); } 2> /dev/null || code=$? # what a shell says of a test that was killed
  case $code in
    0) echo "$stamp" >> "$passed" ;;
    124 | 137 | 152) say timeout "$test" "$spent" ;;
    *) say killed "$test" "$spent" ;;
  esac
done < "$work/tests"
say survived "$(wc -l < "$work/tests") tests" "$spent"
