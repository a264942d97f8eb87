#!/bin/sh
# machines.sh PROGRAM DATA OUT -- fit the shipped machines again: from the logs below DATA, to OUT/NAME.json
#
# Each file says its own command, in its note; tests/test_fit_data.c runs that and compares.
# --no-residual: the measured exchanges judge the cost function in docs/evidence/accuracy.md, which must not know them.
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
    $b/queue_search/socket_queue $b/queue_search/gemini_queue $b/contention/nodecomm_contention_256.out \
    --statistic all --weights none --switch 500,8000 --per-node 16 --sockets 2 --gpus 0 --processes 16 \
    --locality off-node --locality on_node.out=on-node --locality on_socket.out=on-socket \
    --locality node_queue=on-node --locality node_queue_min=on-node --locality socket_queue=on-socket \
    --kind node_queue=reversed --kind node_queue_min=in-order --kind nodecomm_contention_128.out=contention \
    --records ../end_to_end/records.csv --no-residual --where machine=bluewaters \
    --title 'Blue Waters (NCSA): two Interlagos a node, Gemini torus, Cray MPI' \
    --cite 'of bienz2/BlueWatersModel (4ecec3e), with the settings of its authors ([11] of [NA])'
}

# As its authors' scripts fit: minima of the repeats, eager from 256 B and rendezvous from 16 KiB on; device memory knows no short
# protocol ([NA] Section 3).
lassen_spectrum() {
  l=benchpress-bienz2/lassen/spectrum
  fit lassen-spectrum $l/ping_pong.2598271.out $l/ping_pong.2598272.out $l/maxrate.2414771.out $l/maxrate.2598182.out \
    $l/mult_pong.2414769.out $l/mult_pong.2598184.out \
    $l/memcpy.2412719.out $l/memcpy.2598183.out $l/memcpy_mult.2414770.out \
    --statistic min --switch 256,16384 --switch device=16384 \
    --per-node 4 --sockets 2 --gpus 4 --processes 40 --records ../end_to_end/records.csv --no-residual \
    --where class=lassen_comm --rankings evidence/rankings/node-aware.csv \
    --title 'Lassen (LLNL): two Power9 and four V100 a node, EDR InfiniBand, Spectrum MPI, 2021' \
    --cite 'of bienz2/BenchPress (ac2ede1), with the minima and protocols of its authors'
}

summit() {
  s=benchpress-bienz2/summit
  fit summit $s/ping_pong.315486.out $s/ping_pong.315490.out $s/ping_pong.315491.out \
    $s/maxrate.305181.out $s/maxrate.305655.out $s/maxrate.305656.out \
    $s/mult_pong.349997.out $s/mult_pong.350011.out $s/mult_pong.350012.out \
    $s/memcpy.305179.out $s/memcpy.305657.out $s/memcpy.305658.out \
    $s/memcpy_mult.305178.out $s/memcpy_mult.305659.out $s/memcpy_mult.305660.out \
    --sockets 2 --gpus 6 --processes 42 \
    --title 'Summit (ORNL): two Power9 and six V100 a node, EDR InfiniBand, Spectrum MPI 10.3, 2020' \
    --cite 'of bienz2/BenchPress (ac2ede1)'
}

# The tables of GPUs do not say that they are device-aware; their program's name does.
tioga() {
  t=benchpress-bienz2/tioga-amd-branch
  fit tioga $t/ping_pong.0.out $t/ping_pong.2.out $t/mult_pong.0.out $t/mult_pong.2.out $t/memcpy.out $t/memcpy_mult.0.out $t/memcpy_mult.1.out \
    --kind device-aware --per-node 8 --sockets 1 --gpus 8 --processes 64 \
    --title 'Tioga (LLNL): one Trento and four MI250X (eight GPUs) a node, Slingshot, Cray MPI, 2023' \
    --cite 'of bienz2/BenchPress, branch amd (42bd708)'
}

# OSU: ten runs at each locality; bandwidth tells the gap of LogGP.
lcc3() {
  o=osu-lcc3-uibk/task03
  fit lcc3 $o/cores/latency $o/sockets/latency $o/nodes/latency $o/nodes/bandwidth \
    --locality cores/=on-socket --locality sockets/=on-node --locality nodes/=off-node --sockets 2 --gpus 0 --processes 12 \
    --title 'LCC3 (University of Innsbruck): two six-core Westmere a node, InfiniBand, Open MPI, OSU 5.8, 2024' \
    --cite 'of MoritzPerschke/uibk_hpc_24 (1ce423a)'
}

# Intel MPI Benchmarks between two nodes only: their table stands for messages on a node.
csd3() {
  i=excalibur-tests/csd3/cclake-ib-icc19-impi19-ucx/imb
  fit csd3 $i --sockets 2 --gpus 0 --processes 56 \
    --title 'CSD3 (Cambridge): two Cascade Lake a node, HDR InfiniBand, Intel MPI 2019, IMB 2019, 2020' \
    --cite 'of ukri-excalibur/excalibur-tests (f7d6480)'
}

# Clouds, between pairs of nodes only: 28 pairs on AWS, 6 on Azure, there with buffers on the host and on the device.
hpc6a() {
  fit hpc6a osu-converged-computing/aws/parallel-cluster/cpu/size32 --sockets 2 --gpus 0 --processes 96 \
    --title 'AWS hpc6a.48xlarge: two 48-core EPYC a node, EFA, OSU 5.8, 2024' \
    --cite 'of converged-computing/performance-study (6f3df68, MIT)'
}

nd40rs() {
  fit nd40rs osu-converged-computing/azure/cyclecloud/gpu --sockets 2 --gpus 8 --processes 40 \
    --title 'Azure ND40rs_v2: two 20-core Xeon and eight V100 a node, EDR InfiniBand, OSU 5.8, 2024' \
    --cite 'of converged-computing/performance-study (6f3df68, MIT)'
}

# Every process of a node at once, inside it and between two nodes.
dane() {
  fit dane locality-aware-dane/microbench.out --sockets 2 --gpus 0 --processes 112 \
    --records ../end_to_end/dense_dane.csv --no-residual \
    --title 'Dane (LLNL): two 56-core Sapphire Rapids a node, Omni-Path' \
    --cite 'of mpi-advance/locality_aware (benchmark_tests/dane, BSD 3-Clause)'
}

bluewaters
lassen_spectrum
summit
tioga
lcc3
csd3
dane
hpc6a
nd40rs
