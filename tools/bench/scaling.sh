# scaling.sh -- parts of bench.sh: time and memory against size, and a simulation of the same exchange
# shellcheck shell=sh disable=SC2034,SC2154 # bench.sh has the variables
# BENCH_FULL=1 goes on to 3 x 10^8 entries (1.5 x 10^8 of them stored: 5.5 GB of text) and 5 x 10^7 messages.

# messages COUNT: a list of so many messages between 16,384 parts, of 1 B to 100 kB
messages() {
  [ -e "$here/messages-$1.csv" ] || awk -v count="$1" 'BEGIN {
    srand(7); print "src,dst,bytes"
    for (i = 0; i < count; i++) {
      from = int(16384 * rand())
      printf "%d,%d,%d\n", from, (from + 1 + int(16383 * rand())) % 16384, 1 + int(100000 * rand())
    } }' > "$here/messages-$1.csv"
}

# size KIND SIZE COMMAND...: processor seconds and memory, as a row and as a point of the plot
size() {
  kind=$1 count=$2
  shift 2
  /usr/bin/time -o "$here/used" -f '%e %U %S %M' "$@" > "$here/out" 2> /dev/null
  read -r elapsed user system kb < "$here/used"
  seconds=$(awk -v u="$user" -v s="$system" 'BEGIN { printf "%.2f", u + s }')
  keep "$kind: $count" "$elapsed" "" "" "$seconds" "$kb"
  printf '  %-12s %12s %9s s %9s processor s %9s kB\n' "$kind" "$count" "$elapsed" "$seconds" "$kb"
  echo "$count $elapsed $seconds $kb" >> "$here/$(echo "$kind" | tr ' ' -).points"
}

# Sides of meshes with three unknowns a node: about 0.2, 0.7, 1.7, 5.4 (and 38, 152) million stored entries.
scaling() {
  [ -x /usr/bin/time ] || { skip "sizes" "no /usr/bin/time"; return; }
  rm -f "$here"/*.points
  part "Time and memory against size"
  [ -x "$here/mesh_mtx" ] || cc -O2 -std=c11 -D_POSIX_C_SOURCE=200809L -o "$here/mesh_mtx" tools/mesh_mtx.c
  for each in 12 18 24 36 ${BENCH_FULL:+68 108}; do
    mesh=$here/mesh-$each.mtx
    [ -e "$mesh" ] || "$here/mesh_mtx" "$each" "$each" "$each" 3 "$mesh"
    cat "$mesh" > /dev/null
    size entries "$(sed -n 3p "$mesh" | awk '{ print $3 }')" "$nsmodel" predict --matrix "$mesh" --gpus 64
  done
  for each in 1000 10000 100000 1000000 ${BENCH_FULL:+10000000 50000000}; do
    messages "$each"
    size messages "$each" "$nsmodel" predict --messages "$here/messages-$each.csv" --gpus 16384
  done
  for each in 100 1000 10000 100000 1000000; do
    size parts "$each" "$nsmodel" pattern --matrix stencil9:3200x3200 --parts "$each"
  done
  draw
}

# The points as a picture beside the page.
draw() {
  if [ -z "$page" ] || ! command -v gnuplot > /dev/null 2>&1; then
    skip "the picture of sizes" "no page is written, or no gnuplot"
    return
  fi
  gnuplot << END
set terminal svg size 900,360 font "sans-serif,12" background rgb "white"
set output "$here/performance.svg"
set logscale xy
set format x "10^{%L}"
set key top left
set grid
set multiplot layout 1,2
set ylabel "processor time (s)"
set yrange [:300]
set xlabel "entries of a .mtx file, messages of a list, or parts of a stencil"
plot "$here/entries.points" using 1:3 with linespoints pt 7 title "predict --matrix FILE, 64 GPUs", \\
     "$here/messages.points" using 1:3 with linespoints pt 5 title "predict --messages, 16,384 GPUs", \\
     "$here/parts.points" using 1:3 with linespoints pt 9 title "pattern of stencil9:3200x3200"
set ylabel "peak memory (MB)"
set autoscale y
plot "$here/entries.points" using 1:(\$4/1000) with linespoints pt 7 notitle, \\
     "$here/messages.points" using 1:(\$4/1000) with linespoints pt 5 notitle, \\
     "$here/parts.points" using 1:(\$4/1000) with linespoints pt 9 notitle
unset multiplot
END
  mv "$here/performance.svg" "${page%.md}.svg"
}

# The same exchange by SimGrid's SMPI, which performs every message of every strategy once.
simulating() {
  smpi=${nsmodel%/nsmodel}/nsmodel-smpi
  if ! command -v smpirun > /dev/null 2>&1 || [ ! -x "$smpi" ]; then
    skip "SimGrid SMPI" "no smpirun, or no $smpi (make mpi)"
    return
  fi
  base=$here/smpi
  "$nsmodel" export --to simgrid --machine lassen --nodes 16 --per-node 4 -o "$base.cpp" > "$here/out"
  g++ -std=c++17 -O2 -fPIC -shared -o "$base.so" "$base.cpp" -lsimgrid
  for node in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    for process in 0 1 2 3; do echo "node$node.$process"; done
  done > "$base.hosts"
  "$nsmodel" pattern --matrix stencil27:24x24x24 --parts 2 -o "$base.nsp" > "$here/out"
  bytes=$(wc -c < "$base.nsp")
  part "Every strategy of one exchange, 64 processes on 16 nodes of lassen (stencil27:24x24x24)"
  mine=$(best "$nsmodel" predict --matrix "$base.nsp" --machine lassen --parts 64 --per-node 4 --transport host --json)
  row "nsmodel predict" "$mine"
  row "SimGrid SMPI, one repetition" "$(best smpirun -np 64 -hostfile "$base.hosts" -platform "$base.so" \
    --cfg=smpi/simulate-computation:no --log=root.thres:critical "$smpi" run --matrix "$base.nsp" --machine lassen \
    --repetitions 1 --format csv 2> /dev/null)"
}
