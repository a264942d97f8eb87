#!/bin/sh
# mutate_map.sh BUILD COVERAGE TEST -- how long a test takes without a fault, and which lines of $MUTATED it runs
#
# BUILD/map/TEST.time: seconds and name; TEST.lines: file and line of what it runs; TEST.code: of all lines with code.  No file for a test that fails or takes
# longer than MUTATE_TEST_SECONDS.  Not done again while the test is the same, but for one that had less time before.
set -eu

build=$1
cov=$2
test=$3
map=$build/map
[ ! -e "$map/$test.done" ] || [ -n "$(find "$build/mutate/$test" -newer "$map/$test.done")" ] ||
  { [ ! -e "$map/$test.time" ] && [ "0$(cat "$map/$test.done")" -lt "$MUTATE_TEST_SECONDS" ]; } || exit 0
rm -f "$map/$test".*
here=$(pwd)
NSMODEL_BUILD=$here/$build NSMODEL_BIN=$here/$build/mutate/nsmodel
NSMODEL_TEST_TMP=$(mktemp -d)
TMPDIR=$NSMODEL_TEST_TMP
export NSMODEL_BUILD NSMODEL_BIN NSMODEL_TEST_TMP TMPDIR
trap 'rm -rf "$NSMODEL_TEST_TMP"' EXIT

# Whatever comes of it; a run that is broken off is done again.
finish() {
  echo "$MUTATE_TEST_SECONDS" > "$map/$test.done"
  exit 0
}

from=$(date +%s%N)
LD_LIBRARY_PATH=$here/$build/mutate timeout "$MUTATE_TEST_SECONDS" "$build/mutate/$test" > "$map/$test.log" 2>&1 || finish
to=$(date +%s%N)

NSMODEL_BUILD=$here/$cov NSMODEL_BIN=$here/$cov/bin/nsmodel
counts=$NSMODEL_TEST_TMP/counts
GCOV_PREFIX=$counts timeout $((10 * MUTATE_TEST_SECONDS)) "$cov/tests/bin/$test" > /dev/null 2>&1 || finish
# shellcheck disable=SC2086 # a list of files
for file in $MUTATED; do
  object=$here/$cov/${file%.c}
  [ -e "$counts$object.gcda" ] || continue
  cp "$object.gcno" "$counts$object.gcno"
  echo "$counts$object.gcda"
done > "$NSMODEL_TEST_TMP/list"
[ ! -s "$NSMODEL_TEST_TMP/list" ] || xargs gcov -t < "$NSMODEL_TEST_TMP/list" 2> /dev/null | awk -F: -v OFS='\t' '
  $3 == "Source" { file = $4 }
  $2 + 0 > 0 && $1 !~ /-/ { print ($1 + 0 > 0 ? "run" : "code"), file, $2 + 0 }' | sort -u > "$NSMODEL_TEST_TMP/lines"
sed -n 's/^run\t//p' "$NSMODEL_TEST_TMP/lines" > "$map/$test.lines"
cut -f 2- "$NSMODEL_TEST_TMP/lines" | sort -u > "$map/$test.code"
awk -v ns=$((to - from)) -v name="$test" 'BEGIN { printf "%.2f\t%s\n", ns / 1e9, name }' > "$map/$test.time"
finish
