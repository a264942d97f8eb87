#!/bin/sh
# bench.sh BUILD [BIN] -- nsmodel against public tools on the same file, in one run; nothing is asserted.
#
# The file is a made mesh of 0.2 GB; BENCH_FULL=1 takes one of 1.36 GB, about audikw_1.  It stays in BUILD/bench.  Each
# time is the best of three, the file being in memory.  A tool that is not installed is named and skipped.
set -eu

build=${1:?usage: bench.sh BUILD [BIN]}
nsmodel=${2:-bin}/nsmodel
here=$build/bench
side=36
[ -z "${BENCH_FULL-}" ] || side=68
file=$here/mesh-$side.mtx
mkdir -p "$here"

# best COMMAND...: seconds of the fastest of three runs
best() {
  for _ in 1 2 3; do
    begin=$(date +%s%N)
    "$@" > "$here/out" || { echo "bench.sh: failed: $*" >&2; return 1; }
    echo $(($(date +%s%N) - begin))
  done | sort -n | awk 'NR == 1 { printf "%.3f", $1 / 1e9 }'
}

# row WHAT SECONDS: and how many times nsmodel's time that is, $mine
row() {
  awk -v what="$1" -v seconds="$2" -v mine="$mine" -v bytes="$bytes" \
    'BEGIN { printf "  %-44s %9.3f s %8.1f MB/s %8.2f x nsmodel\n",
             what, seconds, bytes / 1e6 / seconds, seconds / mine }'
}

skip() {
  echo "  $1: skipped, $2"
}

make_files() {
  if [ ! -e "$file" ]; then
    cc -O2 -std=c11 -D_POSIX_C_SOURCE=200809L -o "$here/mesh_mtx" tools/mesh_mtx.c
    "$here/mesh_mtx" $side $side $side 3 "$file.new" && mv "$file.new" "$file"
  fi
  [ -e "$file.gz" ] || { gzip -1 -c "$file" > "$here/new.gz" && mv "$here/new.gz" "$file.gz"; }
  cat "$file" "$file.gz" > /dev/null
}

python_with_scipy() {
  for python in python3 /usr/bin/python3; do
    if $python -c 'import scipy.io' 2> /dev/null; then
      echo $python
      return
    fi
  done
}

scipy() {
  python=$(python_with_scipy)
  if [ -z "$python" ]; then
    skip "scipy.io.mmread" "no python3-scipy"
    return
  fi
  version=$($python -c 'import scipy; print(scipy.__version__)')
  row "scipy $version mmread (without its imports)" "$($python -c '
import sys, time, scipy.io
begin = time.perf_counter()
scipy.io.mmread(sys.argv[1])
print(time.perf_counter() - begin)' "$file")"
}

cholmod() {
  include=/usr/include/suitesparse
  if ! cc -O2 -I$include -o "$here/cholmod_read" tools/bench/cholmod_read.c -lcholmod 2> /dev/null; then
    skip "CHOLMOD cholmod_read_triplet" "no libsuitesparse-dev"
    return
  fi
  version=$(dpkg-query -W -f '${Version}' libsuitesparse-dev 2> /dev/null || echo '')
  row "CHOLMOD read_triplet, SuiteSparse ${version%%+*}" "$("$here/cholmod_read" "$file")"
}

reading() {
  bytes=$(wc -c < "$file")
  echo "Reading $(head -n 3 "$file" | sed -n 3p) from $bytes bytes of Matrix Market"
  mine=$(best "$nsmodel" pattern --matrix "$file" --parts 64 --json)
  row "nsmodel pattern --parts 64 (all counts)" "$mine"
  row "wc -l" "$(best wc -l "$file")"
  cholmod
  scipy
  mine=$(best "$nsmodel" pattern --matrix "$file.gz" --parts 64 --json)
  echo "The same as .gz, $(wc -c < "$file.gz") bytes"
  row "nsmodel pattern --parts 64" "$mine"
  row "zcat" "$(best zcat "$file.gz")"
}

# peak COMMAND...: most anonymous memory, by looking every hundredth of a second
peak() {
  "$@" > "$here/out" &
  process=$!
  while kill -0 $process 2> /dev/null; do
    sed -n 's/^RssAnon:[[:space:]]*\([0-9]*\) kB/\1/p' /proc/$process/status 2> /dev/null || true
    sleep 0.01
  done | sort -n | tail -n 1
  wait $process
}

memory() {
  echo "Most anonymous memory of nsmodel pattern (looked at every 10 ms)"
  for parts in 1 16 64 256; do
    echo "  $parts parts: $(peak "$nsmodel" pattern --matrix "$file" --parts $parts --json) kB"
  done
}

answering() {
  echo "Answers"
  printf '  %-58s %10.3f s\n' "predict --matrix audikw_1, 6 layouts, all strategies" \
    "$(best "$nsmodel" predict --matrix audikw_1 --json)"
  for program in rates quote; do
    # shellcheck disable=SC2046 # a list of options
    cc -O2 -std=c11 -D_POSIX_C_SOURCE=200809L -Iinclude -o "$here/$program" "tools/bench/$program.c" "$build/libnsmodel.a" \
      $(pkg-config --libs libcjson zlib) -lpthread -lm
    "$here/$program"
  done
}

# Least squares of numpy, a line through each row of at least six times, reading the same files.
polyfit() {
  python=$(for python in python3 /usr/bin/python3; do $python -c 'import numpy' 2> /dev/null && echo $python && break; done)
  if [ -z "$python" ]; then
    skip "numpy.polyfit" "no python3-numpy"
    return
  fi
  version=$($python -c 'import numpy; print(numpy.__version__)')
  row "numpy $version polyfit of each row" "$($python -c '
import os, sys, time, numpy
begin = time.perf_counter()
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        for line in open(os.path.join(folder, name), errors="replace"):
            try:
                times = [float(t) for t in line.split(":")[-1].split("\t") if t.strip()]
            except ValueError:
                continue
            if len(times) >= 6:
                numpy.polyfit(4.0 * 2.0 ** numpy.arange(len(times)), times, 1)
print(time.perf_counter() - begin)' "$1")"
}

fitting() {
  logs=${NSMODEL_SHARED:-../shared}/data/pingpong/benchpress-bienz2
  if [ ! -d "$logs" ]; then
    echo "Fitting: skipped, no data folder (NSMODEL_SHARED names it)"
    return
  fi
  files=$(find "$logs" -type f | wc -l)
  bytes=$(find "$logs" -type f -exec cat {} + | wc -c)
  echo "Fitting one machine to a folder of BenchPress logs: $files files, $bytes bytes"
  mine=$(best "$nsmodel" fit "$logs" --json 2> /dev/null)
  row "nsmodel fit" "$mine"
  row "nsmodel fit --each (a fit a file)" "$(best "$nsmodel" fit --each "$logs" --json)"
  row "wc -l" "$(best find "$logs" -type f -exec wc -l {} +)"
  # shellcheck disable=SC2016 # awk's own variables
  row "awk, sum of the numbers" "$(best find "$logs" -type f -exec awk '{ for (i = 1; i <= NF; i++) sum += $i } END { print sum }' {} +)"
  polyfit "$logs"
}

make_files
reading
memory
answering
fitting
