#!/bin/sh
# machines.sh PROGRAM DATA OUT -- fit the shipped machines again: from the logs below DATA, to OUT/NAME.json
#
# Each file says its own command, in its note; tests/test_fit_machines.c runs that and compares.
set -eu

program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$3"
out=$(cd "$3" && pwd)
cd "$2"

# fit NAME ARGUMENTS...
fit() {
  name=$1
  shift
  "$program" fit "$@" --name "$name" -o "$out/$name.json" > /dev/null
}

bluewaters() {
  b=bluewaters-bienz2
  fit bluewaters $b/orig/max_rate $b/on_node/on_node.out $b/on_node/on_socket.out $b/queue_search/node_queue \
    $b/queue_search/node_queue_min $b/contention/nodecomm_contention_128.out \
    --statistic all --weights none --switch 500,8000 --per-node 16 --sockets 2 --gpus 0 --processes 16 \
    --locality off-node --locality on_node.out=on-node --locality on_socket.out=on-socket \
    --locality node_queue=on-node --locality node_queue_min=on-node \
    --kind node_queue=reversed --kind node_queue_min=in-order --kind nodecomm_contention_128.out=contention \
    --title 'Blue Waters (NCSA): two Interlagos a node, Gemini torus, Cray MPI' \
    --cite 'bienz2/BlueWatersModel, commit 4ecec3e, with the settings of its authors (Bienz, Gropp, Olson, EuroMPI 2018, [11] of [NA])'
}

benchpress='bienz2/BenchPress, commit ac2ede1'

lassen_spectrum() {
  l=benchpress-bienz2/lassen/spectrum
  fit lassen-spectrum $l/ping_pong.2598271.out $l/ping_pong.2598272.out $l/maxrate.2414771.out $l/maxrate.2598182.out \
    $l/memcpy.2412719.out $l/memcpy.2598183.out $l/memcpy_mult.2414770.out \
    --per-node 4 --sockets 2 --gpus 4 --processes 40 \
    --title 'Lassen (LLNL): two Power9 and four V100 a node, EDR InfiniBand, Spectrum MPI, April to June 2021' --cite "$benchpress"
}

bluewaters
lassen_spectrum
