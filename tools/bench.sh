#!/bin/sh
# bench.sh BUILD [BIN] [PAGE] -- nsmodel against public tools on the same file, in one run; nothing is asserted.
#
# What is printed also goes to BUILD/bench/results.json, and to PAGE as tables.  BENCH_ONLY="reading waits" runs these
# parts alone; a part is a function below, a row is one call of row, one line of `waits`, or a line of rates.c.
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
rows=$here/rows.tsv
page=${3:-}
mkdir -p "$here"
: > "$rows"

# What a look at the clock takes, a process of its own; ns.
clock=$(for _ in 1 2 3 4 5 6 7 8 9 10; do
  begin=$(date +%s%N)
  echo $(($(date +%s%N) - begin))
done | sort -n | head -n 1)

# best COMMAND...: seconds of the fastest of three runs
best() {
  for _ in 1 2 3; do
    begin=$(date +%s%N)
    "$@" > "$here/out" || { echo "bench.sh: failed: $*" >&2; return 1; }
    echo $(($(date +%s%N) - begin - clock))
  done | sort -n | awk 'NR == 1 { printf "%.3f", $1 / 1e9 }'
}

# part TITLE: what the rows that follow are about
part() {
  title=$1
  echo "$title"
}

# keep WHAT SECONDS [TIMES [GOAL [PROCESSOR-SECONDS [KB]]]]: a row of the results; "" for what is not known
keep() {
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$title" "$1" "$2" "${3-}" "${4-}" "${5-}" "${6-}" >> "$rows"
}

# cpu COMMAND...: processor seconds, user and system, of the cheapest of three runs
cpu() {
  for _ in 1 2 3; do
    (
      "$@" > "$here/out" || { echo "bench.sh: failed: $*" >&2; exit 1; }
      times
    ) | awk 'NR == 2 { split($1, u, "[ms]"); split($2, s, "[ms]"); print 60 * (u[1] + s[1]) + u[2] + s[2] }'
  done | sort -n | head -n 1
}

# row WHAT SECONDS: and how many times nsmodel's time that is, $mine
row() {
  times=$(awk -v seconds="$2" -v mine="$mine" 'BEGIN { printf "%.2f", seconds / mine }')
  keep "$1" "$2" "$times"
  awk -v what="$1" -v seconds="$2" -v times="$times" -v bytes="$bytes" \
    'BEGIN { printf "  %-44s %9.3f s %8.1f MB/s %8.2f x nsmodel\n", what, seconds, bytes / 1e6 / seconds, times }'
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
  part "Reading $(head -n 3 "$file" | sed -n 3p) from $bytes bytes of Matrix Market"
  mine=$(best "$nsmodel" pattern --matrix "$file" --parts 64 --json)
  row "nsmodel pattern --parts 64 (all counts)" "$mine"
  row "wc -l" "$(best wc -l "$file")"
  cholmod
  scipy
  mine=$(best "$nsmodel" pattern --matrix "$file.gz" --parts 64 --json)
  part "The same as .gz, $(wc -c < "$file.gz") bytes"
  row "nsmodel pattern --parts 64" "$mine"
  row "zcat" "$(best zcat "$file.gz")"
}

# Processor time, which another load does not change much.
structure() {
  nsp=$here/mesh-$side.nsp
  bytes=$(wc -c < "$file")
  "$nsmodel" pattern --matrix "$file" --parts 64 -o "$nsp" > "$here/out"
  part "Processor seconds on the same matrix: as text, as gzip, as .nsp ($(wc -c < "$nsp") bytes)"
  mine=$(cpu "$nsmodel" pattern --matrix "$file.gz" --parts 64 --json)
  row "nsmodel pattern of .mtx.gz" "$mine"
  row "zcat of it, writing no file" "$(cpu zcat "$file.gz")"
  mine=$(cpu "$nsmodel" pattern --matrix "$file" --parts 64 --json)
  row "nsmodel pattern of .mtx" "$mine"
  row "nsmodel predict of .mtx, one strategy" "$(cpu "$nsmodel" predict --matrix "$file" --gpus 64 --strategy standard --json)"
  row "wc -l" "$(cpu wc -l "$file")"
  mine=$(cpu "$nsmodel" predict --matrix "$nsp" --gpus 64 --strategy standard --json)
  row "nsmodel predict of .nsp, one strategy" "$mine"
  row "wc -l of the text" "$(cpu wc -l "$file")"
  mine=$(cpu "$nsmodel" pattern --matrix "$file" --parts 64 --json -o "$nsp")
  row "nsmodel pattern of .mtx, writing .nsp" "$mine"
  row "gzip -1" "$(cpu gzip -1 -c "$file")"
  part "Column ranges instead of entries: processor time of all that is sent, and to whom"
  program ranges
  kept "$here/ranges" stencil9:3200x3200 1000000 2
  kept "$here/ranges" stencil5:31623x31623 64 .05
  kept "$here/ranges" stencil27:400x400x400 256 .05
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
  echo "  64 parts of .mtx.gz: $(peak "$nsmodel" pattern --matrix "$file.gz" --parts 64 --json) kB"
  echo "  64 parts, writing .nsp: $(peak "$nsmodel" pattern --matrix "$file" --parts 64 --json -o "$here/mesh-$side.nsp") kB"
}

# program NAME: tools/bench/NAME.c with the library
program() {
  # shellcheck disable=SC2046,SC2086 # lists of options
  cc -O2 -std=c11 -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc -o "$here/$1" "tools/bench/$1.c" "$build/libnsmodel.a" \
    $(pkg-config --libs zlib ${ISAL_PC-}) -lpthread -lm
}

# kept PROGRAM ARGUMENTS: what it prints; lines of tabs are rows: what, number, goal, unit
kept() {
  "$@" > "$here/said"
  awk -F '\t' -v OFS='\t' -v title="$title" -v rows="$rows" '
    NF > 1 { print title, $1, $2, "", $3, "", "", $4 >> rows; next }
    { print }' "$here/said"
}

answering() {
  program rates
  program quote
  part "Calls of the library, us each"
  kept "$here/rates"
  part "All strategies priced without their schedules, ns a route and strategy"
  kept "$here/quote"
}

# What a person waits for: a name of the catalogue, whose stand-in is generated, and a file that was kept as .nsp.
asking() {
  make_files
  part "nsmodel predict, three cases of 16, 64 and 256 GPUs, from the start of the process"
  "$nsmodel" pattern --matrix "$file" --parts 64 -o "$here/kept.nsp" > "$here/out"
  for name in audikw_1 ldoor stencil7:100x100x100 "$here/kept.nsp"; do
    for call in first second; do
      begin=$(date +%s%N)
      "$nsmodel" predict "$name" --gpus 16,64,256 > "$here/out"
      seconds=$(awk -v ns=$(($(date +%s%N) - begin - clock)) 'BEGIN { printf "%.3f", ns / 1e9 }')
      keep "$(basename "$name"), $call call" "$seconds"
      echo "  $(basename "$name"), $call call: $seconds s"
    done
  done
}

# exchanges HOW THREADS VARIABLES...: microseconds of each kind of exchange between two ranks, a line each
exchanges() {
  how=$1 threads=$2
  shift 2
  # shellcheck disable=SC2086 # a command line, and a word or none
  $launcher -n 2 env "$@" "$here/layer" $threads | awk -v how="$how" -v threads="$threads" -v OFS='\t' '
    { sub(/\t/, (threads == "" ? "" : ", MPI_THREAD_MULTIPLE") "\t"); print how, $0 }'
}

# layered NAME COMPILER LAUNCHER LIBRARY: what libnsmodel-mpi leaves to MPI and what it performs itself, as ratios to MPI
# alone in the run just before; the median of seven, as the two ranks may come nearer each other or further apart.
layered() {
  library=$(cd "$build" && pwd)/$4 launcher=$3
  if ! command -v "$2" > /dev/null || [ ! -e "$library" ]; then
    skip "$1" "no $2, or no $4 (make mpi)"
    return
  fi
  "$2" -O2 -w -o "$here/layer" tools/bench/layer.c
  with="LD_PRELOAD=$library NSMODEL_EMULATE_PPN=1"
  for _ in 1 2 3 4 5 6 7; do
    for threads in '' threads; do
      exchanges alone "$threads" NSMODEL_STRATEGY=off
      # shellcheck disable=SC2086
      exchanges "left to MPI" "$threads" $with NSMODEL_PLAN=wisdom
      # shellcheck disable=SC2086
      exchanges performed "$threads" $with NSMODEL_STRATEGY=standard
      # shellcheck disable=SC2086
      exchanges "as the planner finds" "$threads" $with
    done
  done > "$here/times"
  awk -F '\t' -v OFS='\t' -v name="$1" -v title="$title" -v rows="$rows" '
    function median(list, n,   i, k, x) {
      for (i = 2; i <= n; i++)
        for (k = i; k > 1 && list[k - 1] > list[k]; k--) { x = list[k]; list[k] = list[k - 1]; list[k - 1] = x }
      return list[int((n + 1) / 2)]
    }
    $1 == "alone" { alone[$2] = $3; next }
    $1 == "left to MPI" || $2 ~ /^blocking/ || $2 ~ /^(nonblocking|persistent), MPI_THREAD/ {
      what = $2 ", " $1
      if (!(what in runs)) kind[++kinds] = what
      ratio[what, ++runs[what]] = $3 / alone[$2]
    }
    END {
      for (i = 1; i <= kinds; i++) {
        what = kind[i]
        for (k = 1; k <= runs[what]; k++) list[k] = ratio[what, k]
        value = median(list, runs[what])
        goal = what ~ /left/ ? 1.1 : what ~ /^nonblocking/ ? "" : 1.5
        printf "  %-70s %5.2f%s\n", name ", " what, value, goal == "" ? "" : " of " goal
        print title, name ", " what, sprintf("%.2f", value), "", goal, "", "", "times MPI alone" >> rows
      }
    }' "$here/times"
}

neighbours() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  part "Exchanges of 8 B between two ranks with libnsmodel-mpi in front"
  layered "Open MPI" mpicc.openmpi "mpirun.openmpi --oversubscribe" libnsmodel-mpi.so
  layered MPICH mpicc.mpich mpirun.mpich libnsmodel-mpi.mpich.so
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
  part "Fitting one machine to a folder of BenchPress logs: $files files, $bytes bytes"
  mine=$(best "$nsmodel" fit "$logs" --json 2> /dev/null)
  row "nsmodel fit" "$mine"
  row "nsmodel fit --each (a fit a file)" "$(best "$nsmodel" fit --each "$logs" --json)"
  row "wc -l" "$(best find "$logs" -type f -exec wc -l {} +)"
  # shellcheck disable=SC2016 # awk's own variables
  row "awk, sum of the numbers" "$(best find "$logs" -type f -exec awk '{ for (i = 1; i <= NF; i++) sum += $i } END { print sum }' {} +)"
  polyfit "$logs"
}

# Commands that a person waits for: the most seconds that each should take, then the words.  One line is one row.
waits() {
  messages 1000000
  part "Waits"
  while read -r goal words; do
    # shellcheck disable=SC2086 # a command line
    seconds=$(best "$nsmodel" $words)
    used=
    if [ -x /usr/bin/time ]; then
      # shellcheck disable=SC2086
      /usr/bin/time -o "$here/used" -f '%U %S %M' "$nsmodel" $words > "$here/out" 2> /dev/null
      used=$(awk '{ printf "%.3f %d", $1 + $2, $3 }' "$here/used")
    fi
    keep "$words" "$seconds" "" "$goal" "${used% *}" "${used#* }"
    printf '  %8.3f s of %6s  %-18s %s\n' "$seconds" "$goal" "${used:+$used kB}" "$words"
  done << END
0.003 eval max-rate --machine lassen s=1KiB
1 predict --matrix audikw_1
1.5 predict --messages $here/messages-1000000.csv --gpus 16384
1.5 netsparse --matrix audikw_1 --nodes 128
4 report --matrix audikw_1 -o $here/report.html
6 sweep max-rate --machine lassen --over s=1B:1MB:3163lin --over ppn=1:40:3163lin --format csv
END
}

# What tests/test_budgets.c found, if it has run.
instructions() {
  log=$build/tests/run/test_budgets.log
  part "Instructions a unit, and the budget"
  [ -e "$log" ] || { skip "callgrind's counts" "make $build/tests/run/test_budgets has not run"; return; }
  sed -n 's/^[a-z_]*: \([0-9.]*\) instructions a \(.*\), of \([0-9.]*\)$/\1\t\3\t\2/p' "$log" > "$here/counts"
  while IFS="$(printf '\t')" read -r count budget unit; do
    printf '  %10s of %8s  %s\n' "$count" "$budget" "$unit"
    printf '%s\t%s\t%s\t\t%s\t\t\tinstructions\n' "$title" "$unit" "$count" "$budget" >> "$rows"
  done < "$here/counts"
}

# The rows as JSON.
write_json() {
  awk -F '\t' -v version="$("$nsmodel" --version)" -v processor="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" '
    function text(s) { gsub(/\\/, "\\\\", s); gsub(/"/, "\\\"", s); return "\"" s "\"" }
    function number(name, value) { return value == "" ? "" : ",\"" name "\":" value + 0 }
    BEGIN { printf "{\"schema\":\"nsmodel/bench/1\",\"version\":%s,\"processor\":%s,\"rows\":[", text(version), text(processor) }
    { printf "%s\n{\"part\":%s,\"what\":%s%s%s%s%s%s}", (NR > 1) ? "," : "", text($1), text($2),
             number($8 == "" ? "seconds" : $8, $3), number("times_nsmodel", $4), number("goal", $5),
             number("processor_seconds", $6), number("peak_kB", $7) }
    END { print "\n]}" }' "$rows"
}

# The rows as tables, a part each, columns as far as any row of the part has them.
write_page() {
  # shellcheck disable=SC2016 # a command's name, as Markdown has it
  printf '# Performance\n\nMade by `make bench`: %s on %s, %s. Ratios were measured in one run; seconds are the best of three.\n' \
    "$("$nsmodel" --version)" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(date +%Y-%m-%d)"
  [ ! -e "${page%.md}.svg" ] || printf '\n![Processor time and memory against size](%s.svg)\n' "$(basename "${page%.md}")"
  awk -F '\t' '
    function cells(r,  c, line) { line = "| " what[r] " |"; for (c = 3; c <= 7; c++) if (has[part, c]) line = line " " cell[r, c] " |"; return line }
    function close_part(  r, c, head, rule) {
      head = "| what |"; rule = "|---|"
      for (c = 3; c <= 7; c++) if (has[part, c]) { head = head " " name[c] " |"; rule = rule "---:|" }
      print "\n## " part "\n\n" head "\n" rule
      for (r = 1; r <= count; r++) print cells(r)
    }
    BEGIN { split(",,s,times nsmodel,goal,processor s,peak kB", name, ",") }
    $1 != part && NR > 1 { close_part(); count = 0 }
    { part = $1; what[++count] = $2; gsub(/\|/, "\\|", what[count]); name[3] = $8 == "" ? "s" : $8
      for (c = 3; c <= 7; c++) { cell[count, c] = $c; if ($c != "") has[part, c] = 1 } }
    END { if (NR > 0) close_part() }' "$rows"
  cat "$(dirname "$0")/bench/falls_short.md"
}

# shellcheck source=tools/bench/scaling.sh
. "$(dirname "$0")/bench/scaling.sh"

parts=${BENCH_ONLY-reading structure memory answering asking fitting neighbours waits instructions scaling simulating}
case " $parts " in *" reading "* | *" structure "* | *" memory "*) make_files ;; esac
for each in $parts; do $each; done
write_json > "$here/results.json"
[ -z "$page" ] || { write_page > "$here/page.md" && mv "$here/page.md" "$page"; }
