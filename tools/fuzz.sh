#!/bin/sh
# fuzz.sh [SECONDS [SEED]] -- libFuzzer with address and undefined-behaviour sanitizers over tests/fuzz/fuzz_*.c
#
# Every target has the same share of SECONDS, whatever the others do.  Ends within SECONDS + 30 s: what the build takes
# beyond that is taken off the fuzzing.  Any finding ends in exit 1 and stays in build-fuzz/findings/; corpora are kept
# in build-fuzz/corpus/, and what was run is added to build-fuzz/results/fuzz.tsv (evidence/pages/reliability.sh reads it).
# ONLY="name name" runs these targets alone; FUZZ_JOBS of them (2) side by side.
set -eu

seconds=${1:-60}
seed=${2:-$(date +%s)}
jobs=${FUZZ_JOBS:-2}
build='build-fuzz'
corpus=$build/corpus
findings=$build/findings
started=$(date +%s)

case $seconds$seed$jobs in
  '' | *[!0-9]*) echo "usage: fuzz.sh [SECONDS [SEED]]" >&2; exit 2 ;;
esac
if ! echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return !d && n; }' |
  clang -fsanitize=fuzzer -x c -o /dev/null - 2>/dev/null; then
  echo "fuzz.sh: needs clang with libFuzzer (Debian: clang, libclang-rt-14-dev); nothing was fuzzed" >&2
  exit 1
fi

sanitizers='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
# All that a target may ask: the library, the fits, the writers of reports, and the oracle's slow reader.
# shellcheck disable=SC2046 # a list of files
oracle=$(printf "$build/%s.o " tests/oracle/reader tests/oracle/matrix tests/oracle/support)
parts="$build/libcli.a $build/libnsmodel-fit.a $build/libnsmodel.a"
# Assertions stay; -g1 is enough for a stack and builds faster.
# shellcheck disable=SC2086 # a list of files
nice -n 5 make -s -j"$jobs" B=$build CC="${CC:-clang}" OPT='-O1 -g1' EXTRA="-fsanitize=fuzzer-no-link $sanitizers" $parts $oracle
isal=$(pkg-config --libs libisal 2> /dev/null || true)
# shellcheck disable=SC2086,SC2012 # a list of files; their names are ours
newest=$(ls -t $parts $oracle tests/fuzz/*.h | head -n 1)
targets=$(for file in tests/fuzz/fuzz_*.c; do basename "$file" .c; done)
[ -z "${ONLY:-}" ] || targets=$(for name in $ONLY; do echo "fuzz_$name"; done)
for target in $targets; do
  find "$build/$target" -newer "tests/fuzz/$target.c" -newer "$newest" 2>/dev/null |
    grep -q . || echo "$target"
done | xargs -P "$jobs" -I '{}' sh -c "clang -std=c11 -O1 -g1 -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc -Itests -fsanitize=fuzzer \
  $sanitizers tests/fuzz/{}.c $oracle $parts $(pkg-config --libs zlib gsl) $isal -lpthread -lm -o $build/{}"

# seed TARGET: the repository's seeds, and small files of the data directory when there is one
seed() {
  stem=${1#fuzz_}
  mkdir -p "$corpus/$1"
  cp tests/fuzz/seeds/"$stem"/* "$corpus/$1/"
  shared=${NSMODEL_SHARED:-../shared}/data
  case $stem in
    machine | json) cp params/*.json "$corpus/$1/" ;;
    matrix | reader) [ ! -d "$shared/matrices" ] || find "$shared/matrices" -type f -size -9k ! -name '*.md' ! -name '*.csv' \
      -exec cp '{}' "$corpus/$1/" ';' ;;
  esac
}

count=$(echo "$targets" | wc -l)
left=$((seconds + 12 - ($(date +%s) - started)))
[ "$left" -le "$seconds" ] || left=$seconds
each=$((left * jobs / count))
[ "$each" -ge 1 ] || each=1
[ "$each" -le "$seconds" ] || each=$seconds
echo "fuzz.sh: $count targets, $jobs at a time, $each s each, seed $seed"

rm -rf "$findings"
mkdir -p "$findings" $build/results
for target in $targets; do
  seed "$target"
done
# A target that hangs in one input is a finding too (-timeout); one that outlives its time is ended.
echo "$targets" | xargs -P "$jobs" -I '{}' sh -c "
  dict=tests/fuzz/\$(echo {} | sed 's/^fuzz_//').dict
  timeout -k 2 $((each + 9)) $build/{} -seed=$seed -max_total_time=$each -timeout=8 -rss_limit_mb=2048 -max_len=8192 -print_pcs=0 \
    -verbosity=1 -artifact_prefix=$findings/{}- \$([ ! -f \$dict ] || echo -dict=\$dict) $corpus/{} > $build/{}.log 2>&1
  code=\$?
  times > $build/{}.times
  tools/fuzz_result.sh {} $build/{}.log $seed \$code $build/{}.times >> $build/results/fuzz.tsv
  echo \"  {}: \$(grep -Eo '^Done [0-9]+ runs in [0-9]+ second' $build/{}.log || echo ended early)\"
  [ \$code = 0 ] || [ \$code = 124 ] || echo \"{} \$code\" >> $findings/failed"

if [ -e "$findings/failed" ]; then
  while read -r target code; do
    echo "FINDING in $target (exit $code); inputs:" "$findings/$target"-*
    grep -E 'ERROR:|runtime error:|not so:|SUMMARY:' "$build/$target.log" | sed 's/^/    /'
  done < "$findings/failed"
  echo "fuzz.sh: again with $build/<target> <input>; once fixed, the input belongs in tests/fuzz/seeds/"
  exit 1
fi
echo "fuzz.sh: no finding"
