#!/bin/sh
# simulate.sh PROGRAMS MATRICES RESULTS -- the study of docs/evidence/validation.md: exchanges of real matrices by every strategy on SimGrid
# platforms of a machine.  Each case is a CSV file of `nsmodel-smpi run` in RESULTS, its prices in form max-rate another one; what is
# there is not made again.  Exit code 77: SimGrid is not installed.
set -eu

programs=$(cd "$1" && pwd)
matrices=$(cd "$2" && pwd)
mkdir -p "$3"
results=$(cd "$3" && pwd)
machine=lassen
per_node=4
names='bcsstk17 bcsstk33 Ill_Stokes rajat01 vibrobox cage10 xenon1 copter2 delaunay_n16 brack2 luxembourg_osm wave ckt11752_dc_1'

for tool in smpirun g++; do
  command -v $tool >/dev/null 2>&1 || { echo "simulate.sh: skipped: there is no $tool (./setup.sh mpi)" >&2; exit 77; }
done

# platform NODES START_UP: a library and its hosts
platform() {
  base=$results/$machine-$1-$2
  [ ! -e "$base.so" ] || return 0
  "$programs/nsmodel" export --to simgrid --machine "$machine" --nodes "$1" --per-node "$per_node" --start-up "$2" -o "$base.cpp" > /dev/null
  g++ -std=c++17 -O2 -fPIC -shared -o "$base.so.new" "$base.cpp" -lsimgrid
  for node in $(seq 0 $(($1 - 1))); do
    for process in $(seq 0 $((per_node - 1))); do echo "node$node.$process"; done
  done > "$base.hosts"
  mv "$base.so.new" "$base.so"
}

# one MATRIX NODES START_UP
one() {
  case=$results/$machine.$1.$2.$3.csv
  [ ! -e "$case" ] || return 0
  platform "$2" "$3"
  smpirun -np $(($2 * per_node)) -hostfile "$base.hosts" -platform "$base.so" --cfg=smpi/simulate-computation:no \
    --log=root.thres:critical "$programs/nsmodel-smpi" run --matrix "$results/$1.nsp" --machine "$machine" --repetitions 1 \
    --format csv > "$case.new" 2> "$case.err" || { cat "$case.err" >&2; exit 1; }
  mv "$case.new" "$case"
}

# prices MATRIX NODES: of the form whose terms the platform has
prices() {
  priced=$results/$machine.$1.$2.max-rate
  [ -e "$priced" ] || "$programs/nsmodel" predict --matrix "$results/$1.nsp" --machine "$machine" --parts $(($2 * per_node)) \
    --per-node "$per_node" --transport host --set topology.host_processes="$per_node" --model max-rate --format csv > "$priced" 2> /dev/null
}

# all NODES MATRIX...
all() {
  nodes=$1
  shift
  for name; do
    file=$(find "$matrices" -maxdepth 1 -name "$name.*" | head -n 1)
    [ -e "$results/$name.nsp" ] || "$programs/nsmodel" pattern --matrix "$file" --parts 2 -o "$results/$name.nsp" > /dev/null
    prices "$name" "$nodes"
    for start_up in network sender ends thirds; do one "$name" "$nodes" "$start_up"; done
  done
}

for nodes in 4 8 16; do
  # shellcheck disable=SC2086 # a list of names
  all $nodes $names
done
all 32 bcsstk17 bcsstk33 rajat01 vibrobox
