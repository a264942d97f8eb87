#!/bin/sh
# fuzz.sh [SECONDS] -- libFuzzer with address and undefined-behaviour sanitizers over tests/fuzz/fuzz_*.c, two at a time
#
# Ends within SECONDS + 30 s: what the build takes beyond that is taken off the fuzzing.  Any finding ends in exit 1 and
# stays in build-fuzz/findings/; corpora are kept in build-fuzz/corpus/.
set -eu

seconds=${1:-60}
build='build-fuzz'
corpus=$build/corpus
findings=$build/findings
started=$(date +%s)

case $seconds in
  '' | *[!0-9]*) echo "usage: fuzz.sh [SECONDS]" >&2; exit 2 ;;
esac
if ! echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return !d && n; }' |
  clang -fsanitize=fuzzer -x c -o /dev/null - 2>/dev/null; then
  echo "fuzz.sh: needs clang with libFuzzer (Debian: clang, libclang-rt-14-dev); nothing was fuzzed" >&2
  exit 1
fi

sanitizers='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
# The log readers, which stand beside the library and need no more than it.
logs=$(for file in src/logs/*.c; do printf '%s ' "$build/${file%.c}.o"; done)
# Assertions stay; -g1 is enough for a stack and builds faster.
# shellcheck disable=SC2086 # a list of files
make -s -j2 B=$build CC=clang OPT='-O1 -g1' EXTRA="-fsanitize=fuzzer-no-link $sanitizers" $build/libnsmodel.a $logs
# shellcheck disable=SC2086,SC2012 # a list of files; their names are ours
newest=$(ls -t $build/libnsmodel.a $logs | head -n 1)
targets=$(for file in tests/fuzz/fuzz_*.c; do basename "$file" .c; done)
for target in $targets; do
  find "$build/$target" -newer "tests/fuzz/$target.c" -newer tests/fuzz/fuzz.h -newer "$newest" 2>/dev/null |
    grep -q . || echo "$target"
done | xargs -P 2 -I '{}' sh -c "clang -std=c11 -O1 -g1 -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc -fsanitize=fuzzer $sanitizers \
  tests/fuzz/{}.c $logs $build/libnsmodel.a $(pkg-config --libs libcjson zlib) -lpthread -lm -o $build/{}"

# seed TARGET: the repository's seeds, and small files of the data directory when there is one
seed() {
  stem=${1#fuzz_}
  mkdir -p "$corpus/$1"
  cp tests/fuzz/seeds/"$stem"/* "$corpus/$1/"
  shared=${NSMODEL_SHARED:-../shared}/data
  case $stem in
    machine | json) cp params/*.json "$corpus/$1/" ;;
    matrix) [ ! -d "$shared/matrices" ] || find "$shared/matrices" -type f -size -9k ! -name '*.md' ! -name '*.csv' \
      -exec cp '{}' "$corpus/$1/" ';' ;;
  esac
}

count=$(echo "$targets" | wc -l)
left=$((seconds + 12 - ($(date +%s) - started)))
[ "$left" -le "$seconds" ] || left=$seconds
each=$((left * 2 / count))
[ "$each" -ge 1 ] || each=1
echo "fuzz.sh: $count targets, two at a time, $each s each"

rm -rf "$findings"
mkdir -p "$findings"
for target in $targets; do
  seed "$target"
done
# A target that hangs in one input is a finding too (-timeout); one that outlives its time is ended.
echo "$targets" | xargs -P 2 -I '{}' sh -c "
  dict=tests/fuzz/\$(echo {} | sed 's/^fuzz_//').dict
  timeout -k 2 $((each + 9)) $build/{} -max_total_time=$each -timeout=8 -rss_limit_mb=2048 -max_len=8192 -print_pcs=0 \
    -verbosity=1 -artifact_prefix=$findings/{}- \$([ ! -f \$dict ] || echo -dict=\$dict) $corpus/{} > $build/{}.log 2>&1
  code=\$?
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
