#!/bin/sh
# mutate_map.sh BUILD COVERAGE TEST -- how long a test takes without a fault, and which lines of $MUTATED it runs
#
# BUILD/map/TEST.time: seconds of processor time, name, and yes or no: does it pass in one process, which is quicker;
# TEST.lines: file and line of what it runs; TEST.code: of all lines with code; TEST.why: why it is not asked.  Not done
# again while the test is the same, but for one that had less time before.
set -eu

build=$1
cov=$2
test=$3
map=$build/map
[ ! -e "$map/$test.done" ] || [ -n "$(find "$build/mutate/$test" -newer "$map/$test.done")" ] ||
  { [ ! -e "$map/$test.time" ] && [ "0$(cat "$map/$test.done")" -lt "$MUTATE_TEST_SECONDS" ]; } || exit 0
rm -f "$map/$test".*
here=$(pwd)
work=$(mktemp -d)
mkdir "$work/tmp"
NSMODEL_TEST_TMP=$work/tmp TMPDIR=$work/tmp CK_TIMEOUT_MULTIPLIER=10
export NSMODEL_TEST_TMP TMPDIR CK_TIMEOUT_MULTIPLIER NSMODEL_BUILD NSMODEL_BIN LD_LIBRARY_PATH CK_FORK
trap 'rm -rf "$work"' EXIT
most=$((10 * MUTATE_TEST_SECONDS + 20))

# Whatever comes of it; a run that is broken off is done again.
finish() {
  [ -z "${1:-}" ] || echo "$1" > "$map/$test.why"
  echo "$MUTATE_TEST_SECONDS" > "$map/$test.done"
  exit 0
}

# It fails when a busy machine keeps the browser waiting, which would pass for a fault that was noticed.
case $test in test_browser*) finish 'waits for a browser' ;; esac

# Run a program; its processor time, children and all, in $used.
run() {
  code=0
  # shellcheck disable=SC2016 # the inner shell's words
  sh -c 'timeout -k 2 "$1" "$2" > "$3" 2>&1 < /dev/null; code=$?; times; exit $code' - "$most" "$1" "$map/$test.log" \
    > "$work/times" || code=$?
  used=$(sed -n 2p "$work/times" | tr 'ms' '  ' | awk '{ printf "%.2f", 60 * $1 + $2 + 60 * $3 + $4 }')
  return $code
}

NSMODEL_BUILD=$here/$build NSMODEL_BIN=$here/$build/mutate/nsmodel LD_LIBRARY_PATH=$here/$build/mutate
alone=yes
CK_FORK='no'
run "$build/mutate/$test" || {
  alone=no
  CK_FORK='yes'
  run "$build/mutate/$test" || finish "$([ $code = 124 ] && echo "takes longer than $most s" || echo 'fails here')"
}
awk -v used="$used" -v most="$MUTATE_TEST_SECONDS" 'BEGIN { exit !(used > most) }' && finish "takes $used s"
took=$used

unset LD_LIBRARY_PATH
NSMODEL_BUILD=$here/$cov NSMODEL_BIN=$here/$cov/bin/nsmodel
counts=$work/counts
GCOV_PREFIX=$counts run "$cov/tests/bin/$test" || finish 'fails with --coverage'
# shellcheck disable=SC2086 # a list of files
for file in $MUTATED; do
  object=$here/$cov/${file%.c}
  [ -e "$counts$object.gcda" ] || continue
  cp "$object.gcno" "$counts$object.gcno"
  echo "$counts$object.gcda"
done > "$work/list"
[ ! -s "$work/list" ] || xargs gcov -t < "$work/list" 2> /dev/null | awk -F: -v OFS='\t' '
  $3 == "Source" { file = $4 }
  $2 + 0 > 0 && $1 !~ /-/ { print ($1 + 0 > 0 ? "run" : "code"), file, $2 + 0 }' | sort -u > "$work/lines"
[ -e "$work/lines" ] || : > "$work/lines"
sed -n 's/^run\t//p' "$work/lines" > "$map/$test.lines"
cut -f 2- "$work/lines" | sort -u > "$map/$test.code"
printf '%s\t%s\t%s\n' "$took" "$test" "$alone" > "$map/$test.time"
finish
