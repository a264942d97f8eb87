#!/bin/sh
# mutate.sh COUNT SEED -- put single faults into the files of $MUTATED, and see which tests notice them
#
# COUNT faults (or all) of those that evidence/mutation/mutate.c finds, in an order that SEED gives; of these, with MUTATE_ONLY="models
# src/fit/queue.c", those whose paths begin so.  A fault is compiled as one shared object, which stands before the
# library's where tests are linked; tests that run its line are run, the likeliest first, until one fails.  Which tests
# run a line, gcov says of a library with --coverage; only tests that pass, and in less than MUTATE_TEST_SECONDS (12) of
# processor time, are asked: first so many that they take MUTATE_FIRST (6) without a fault; then, of faults that survive
# these and have no reason in tests/mutants.tsv, so many that they take MUTATE_SECONDS (30).  MUTATE_JOBS (2) at a time.
#
# What was found stays in build-mutate/results/mutants.tsv, and is not run again while line and tests are the same; so a
# run that was broken off goes on where it was.  Outcomes: killed, timeout (killed by it), survived, unreached (no test
# runs the line), same (the compiler makes the same code of it), refused (does not compile).  Survivors:
# build-mutate/results/survivors.tsv, with the reasons that tests/mutants.tsv has for them.
set -eu

count=${1:-1500}
seed=${2:-1}
: "${MUTATED:?files}" "${CPPFLAGS:?}"
jobs=${MUTATE_JOBS:-2}
build='build-mutate'
map=$build/map
results=$build/results
[ "$count" != all ] || count=0
mkdir -p $map $results $build/tools $build/as-is
${CC:=cc} -std=c11 -O1 -o $build/tools/mutate evidence/mutation/mutate.c

# The tests as they are (those that do not build are not asked), each run once with the library that counts.
${MAKE:-make} -s -k -j"$jobs" B=$build BIN=$build/bin CC="$CC" OPT=-O1 HARDEN= EXTRA=-fvisibility=default mutate-programs \
  > $build/build.log 2>&1 || echo "mutate.sh: not every test builds, see $build/build.log"
for program in "$build"/mutate/test_*; do basename "$program"; done |
  MUTATE_TEST_SECONDS=${MUTATE_TEST_SECONDS:-12} xargs -P "$jobs" -n 1 evidence/mutation/mutate_map.sh $build
cat $map/*.time 2>/dev/null | sort -n > $map/times.tsv
# Test, file, and which share of the lines that the test runs is the file's.
awk -v OFS='\t' '
  { test = FILENAME; sub(/.*\//, "", test); sub(/\.lines$/, "", test); n[test]++; of[test OFS $1]++ }
  END { for (k in of) { split(k, at, OFS); print k, of[k] / n[at[1]] } }' $map/*.lines > $map/shares.tsv
cat $map/*.code 2>/dev/null | sort -u > $build/code.lines
(cd $map && grep -H . ./*.why 2>/dev/null | sed 's|^\./||; s|\.why:|\t|' > "../results/not-asked.tsv") || true
echo "mutate.sh: $(wc -l < $map/times.tsv) tests are asked, not asked $(wc -l < $results/not-asked.tsv): $results/not-asked.tsv"

# shellcheck disable=SC2086 # a list of files
$build/tools/mutate list $MUTATED > $build/all.tsv
$build/tools/mutate sample "$seed" "$count" < $build/all.tsv > $build/sample.tsv
awk -F '\t' -v only="${MUTATE_ONLY:-}" '
  BEGIN { n = split(only, path, " ") }
  { for (i = 1; i <= n && index($1, path[i]) != 1; i++); if (n == 0 || i <= n) print }' $build/sample.tsv > $build/now.tsv
echo "mutate.sh: $(wc -l < $build/now.tsv) of a sample of $(wc -l < $build/sample.tsv) of $(wc -l < $build/all.tsv) faults, seed $seed"
started=$(date +%s)
touch $results/mutants.tsv
export CC CPPFLAGS MUTATE_SECONDS
most=${MUTATE_SECONDS:-30}
# try SECONDS < FAULTS
try() { MUTATE_SECONDS=$1; tr '\n' '\0' | xargs -0 -r -P "$jobs" -n 1 evidence/mutation/mutate_one.sh $build; }
sum_up() { evidence/mutation/mutate_sum.sh $build "$seed" "${MUTATE_TEST_SECONDS:-12}"; }
try "${MUTATE_FIRST:-6}" < $build/now.tsv
sum_up > /dev/null
# File, line and what stands there instead tell a survivor without a reason.
awk -F '\t' '
  FILENAME == ARGV[1] { if ($8 == "") again[$1, $2, $4] = 1; next }
  ($1, $2, $5) in again' $results/survivors.tsv $build/now.tsv | try "$most"
echo "mutate.sh: $(($(date +%s) - started)) s"
sum_up
