#!/bin/sh
# residual-page.sh PROGRAM DATA PAGE -- what measured exchanges teach about those that were left out, as PAGE
set -eu
program=$1 data=$2/end_to_end page=$3
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT

# left_out FILE COLUMN [OPTION...]: a row for each machine and transport
left_out() {
  file=$1 column=$2
  shift 2
  "$program" validate --records "$data/$file" --worst 0 --leave-out "$column" "$@" --json 2> /dev/null |
    python3 -c '
import json, sys
file, column, where = sys.argv[1:]
sums = {}
for row in next(v for v in json.load(sys.stdin).values() if isinstance(v, list) and v and "log2_taught" in v[0]):
    s = sums.setdefault((row["machine"], row["transport"] or "host"), [0, 0, 0, 0, 0, 0])
    n, without, taught = row["exchanges"], row["log2_error"], row["log2_taught"]
    for i, x in enumerate((n, n * without, n * taught, taught < without - 1e-9, taught > without + 1e-9, 1)):
        s[i] += x
for (machine, transport), s in sums.items():
    print("|", " | ".join([file, where.split("=")[-1] or "all", machine, transport, column, "%d" % s[0],
          "%.3f" % (s[1] / s[0]), "%.3f" % (s[2] / s[0]), "%d of %d" % (s[3], s[5]), "%d" % s[4]]), "|")
' "$file" "$column" "$*" >> "$rows"
}

for class in bw_vec bw_tap lassen_full lassen_comm; do
  for column in level processes; do
    left_out records.csv "$column" --where "class=$class"
  done
done
for column in nodes doubles_per_pair; do
  left_out dense_lassen.csv "$column"
done
for column in nodes bytes_per_pair; do
  left_out dense_dane.csv "$column"
done

{
  cat << 'E'
# What measured exchanges teach

`nsmodel fit --records` learns ln(measured / predicted) of a machine's own exchanges over message count and size ([how](../fit.md)). Here each
value of a column is left out in turn, the rest is learnt from, and the left-out exchanges are predicted: |log2(predicted / measured)|, the
median within a value, averaged over exchanges; how many values got better, and how many worse. Equal numbers: nothing was learnt, because
the exchanges that were there did not gain from it when they were left out themselves. Made by `evidence/pages/residual-page.sh`;
`tests/test_residual.c` does the same with ten exchanges against the rest.

| file | class | machine | transport | left out by | exchanges | without | with | better | worse |
|---|---|---|---|---|---:|---:|---:|---:|---:|
E
  cat "$rows"
  cat << 'E'

A left-out number of processes lies outside of what was learnt from: that is where it can lose. Exchanges
have to be measured alike: the two classes of Lassen time different things, and are kept apart here with `--where`. Rows of the other data sets
(dense_tuolumne_deltaai.csv, dense_dane_steps.csv, gpu_dense_*.csv) are of machines that have no file here.
E
} > "$page"
