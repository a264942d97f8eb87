#!/bin/sh
# exchanges.sh DATA OUT -- the logs of whole exchanges below DATA as rows of docs/evidence/accuracy.md: OUT/alltoallv_MACHINE.csv
set -eu

here=$(cd "$(dirname "$0")" && pwd)
b=$1/benchpress-bienz2
awk -f "$here/exchanges.awk" machine=summit gpus=6 "$b"/summit/all_to_all_v_*.out > "$2/alltoallv_summit.csv"
awk -f "$here/exchanges.awk" machine=lassen gpus=4 "$b"/lassen/spectrum/all_to_all_v_*.out \
  "$b"/lassen/spectrum/single_rs/*/all_to_all_v_*.out > "$2/alltoallv_lassen.csv"
awk -f "$here/exchanges.awk" machine=tioga gpus=8 "$b"/tioga-amd-branch/all_to_all_v_*.out > "$2/alltoallv_tioga.csv"
