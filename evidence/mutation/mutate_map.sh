#!/bin/sh
# mutate_map.sh BUILD TEST -- how long a test takes without a fault, and which lines of $MUTATED it runs
#
# It is run with the library that counts its lines.  BUILD/map/TEST.time: seconds of processor time, name, and yes or
# no: does it pass in one process, which is quicker; TEST.lines: file and line of what it runs; TEST.code: of all lines
# with code; TEST.why: why it is not asked.  Not done again while the test is the same, but for one that had less time
# before.
set -eu

build=$1
test=$2
map=$build/map
[ ! -e "$map/$test.done" ] || [ -n "$(find "$build/mutate/$test" -newer "$map/$test.done")" ] ||
  { [ ! -e "$map/$test.time" ] && [ "0$(cat "$map/$test.done")" -lt "$MUTATE_TEST_SECONDS" ]; } || exit 0
rm -f "$map/$test".*
here=$(pwd)
work=$(mktemp -d)
mkdir "$work/tmp"
NSMODEL_TEST_TMP=$work/tmp TMPDIR=$work/tmp CK_TIMEOUT_MULTIPLIER=10
NSMODEL_BUILD=$here/$build NSMODEL_BIN=$here/$build/mutate/nsmodel
LD_LIBRARY_PATH=$here/$build/mutate/counted:$here/$build/mutate
counts=$work/counts
GCOV_PREFIX=$counts
export NSMODEL_TEST_TMP TMPDIR CK_TIMEOUT_MULTIPLIER NSMODEL_BUILD NSMODEL_BIN LD_LIBRARY_PATH CK_FORK GCOV_PREFIX
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

# Run the test; its processor time, children and all, in $used.
run() {
  code=0
  # shellcheck disable=SC2016 # the inner shell's words
  sh -c 'ulimit -t "$4"; timeout -k 2 "$1" "$2" > "$3" 2>&1 < /dev/null; code=$?; times; exit $code' - "$most" \
    "$build/mutate/$test" "$map/$test.log" $((MUTATE_TEST_SECONDS + 1)) > "$work/times" || code=$?
  used=$(sed -n 2p "$work/times" | tr 'ms' '  ' | awk '{ printf "%.2f", 60 * $1 + $2 + 60 * $3 + $4 }')
  return $code
}

alone=yes
CK_FORK='no'
too_long() { awk -v used="$used" -v most="$MUTATE_TEST_SECONDS" 'BEGIN { exit !(used > most) }'; }
run || {
  too_long && finish "takes more than $MUTATE_TEST_SECONDS s"
  alone=no
  rm -rf "$counts" "$work/tmp"
  mkdir "$work/tmp"
  CK_FORK='yes'
  run || finish "$([ $code = 124 ] && echo "takes longer than $most s" || echo 'fails here')"
}
! too_long || finish "takes more than $MUTATE_TEST_SECONDS s"
# shellcheck disable=SC2086 # a list of files
for file in $MUTATED; do
  object=$here/$build/counted/${file%.c}
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
printf '%s\t%s\t%s\n' "$used" "$test" "$alone" > "$map/$test.time"
finish
