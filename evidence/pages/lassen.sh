#!/bin/sh
# lassen.sh PROGRAM DATA -- docs/evidence/lassen.md on standard output: what the evidence of Lassen says together
#
# DATA holds end_to_end/ and pingpong/, as evidence/pages/machines.sh has them.
# shellcheck disable=SC2016 # backquotes of Markdown
set -eu

program=$1 data=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$0")/exchanges.sh" "$data/pingpong" "$work"
rankings=evidence/rankings/node-aware.csv
no_wait='--set copy.4.d2h.wait=0us --set copy.4.h2d.wait=0us'
no_ratio='--set host.ranking.two-step.ratio=1 --set host.ranking.split-md.ratio=1 --set device.ranking.three-step.ratio=1
  --set device.ranking.two-step.ratio=1'

# number MACHINE PATH -> its value, in us or ns/B where it has a unit
number() {
  "$program" machines "$1" --format csv 2> /dev/null | sed -n "s/.*,$2,\([^,]*\),\([^,]*\),.*/\1 \2/p" |
    awk 'NR == 1 { if ($2 == "s") printf "%.1f us", 1e6 * $1; else if ($2 == "s/B") printf "%.3f ns/B", 1e9 * $1; else print $1 }'
}
# winners ARGUMENTS... -> matrix,parts,winner,predicted,ratio,p_winner,predicted_without_matrix,p_without_matrix
winners() { "$program" validate --records $rankings --format csv "$@" | tail -n +2; }
# summary FIELD FILE ARGUMENTS...
field() {
  name=$1 file=$2
  shift 2
  "$program" validate --records "$file" --worst 0 --json "$@" 2> /dev/null |
    sed -n "s/^ *\"$name\": \([0-9.e+-]*\),*\$/\1/p" | head -n 1
}
round() { awk -v x="$1" -v d="$2" 'BEGIN { printf "%.*f", d, x }'; }

cat << 'EOF'
# Lassen: which evidence agrees

Made by `make lassen-evidence`. Two machine files say what Lassen is: `lassen`, Tables 2 to 4 of the node-aware paper, and `lassen-spectrum`, the
default, fitted to its authors' benchmark logs and 108 measured exchanges. The paper's Section 5 names the fastest of eight ways in 16 cases;
these are evidence too (`evidence/rankings/node-aware.csv`; `validate --records` scores them), on stand-ins of the matrices.

## The 16 winners

P of the named winner by `lassen-spectrum`. *First*: copies that wait for their turn at a GPU were left out of the fit. *Before*: they are
priced. *After*: `fit --rankings` learns from the winners, too. *Left out*: what it learns from the winners of the three other matrices alone.

EOF
# shellcheck disable=SC2086 # options
{
  winners $no_ratio $no_wait > "$work/first"
  winners $no_ratio > "$work/before"
}
winners > "$work/after"
winners --machine lassen=lassen > "$work/paper"
echo '| matrix | GPUs | winner in the paper | predicted before | predicted, left out | P, first | P, before | P, after | P, left out | P by `lassen` |'
echo '| --- | ---: | --- | --- | --- | ---: | ---: | ---: | ---: | ---: |'
paste -d, "$work/first" "$work/before" "$work/after" "$work/paper" | awk -F, '
  { f += $6; b += $14; a += $22; o += $24; l += $30; rf += $3 == $4; rb += $3 == $12; ra += $3 == $20; ro += $3 == $23; rl += $3 == $28; n++
    printf "| %s | %d | %s | %s | %s | %.3f | %.3f | %.3f | %.3f | %.3f |\n", $1, $2, $3, $12, $23, $6, $14, $22, $24, $30 }
  END { printf "| mean | | | | | %.3f | %.3f | %.3f | %.3f | %.3f |\n| winners met | | | | | %d | %d | %d | %d | %d |\n", f / n, b / n, a / n, o / n, l / n, rf, rb, ra, ro, rl }'
cat << 'EOF'

Guessing gives .125; the goal was a mean above .4, and what is left out reaches it. No exchange of Lassen was measured by two-step, by
split-md or by three-step in device memory, so that nothing but the machine's lines spoke for their times; the winners say how much longer
or shorter than predicted these take, at the kappa of the measured exchanges and with the machine's own error as the scale beforehand:
EOF
for memory in host device; do
  for way in two-step three-step split-md; do
    r=$(number params/lassen-spectrum.json $memory.ranking.$way.ratio)
    [ -z "$r" ] || echo "$way/$memory $r times,"
  done
done
cat << 'EOF'
and ways that were measured stay as they are: no score of [Accuracy](accuracy.md) changes. The ratios hold for the bytes of these exchanges and fade with
each doubling beyond. Section 4.6 of the paper, which they never saw, agrees in part ([claims](claims.md)).

A ratio that may also change with the number of nodes was tried: Section 5.1 of the paper has Split+MD the fastest "except for smaller counts of participating GPUs". Winners of a left-out
matrix became more probable (mean P .541, ten met), but Split+MD came to take .22 of its predicted time on 80 nodes and 1.45 times that on ten, so that audikw_1 on 320 GPUs was 5.4 times as fast
by it as by standard communication, over 99 % sure, and Split+DD was behind Split+MD in 44 of 60 cases where the paper has it behind in all. All sixteen winners are one sentence, which names
the same GPUs for four matrices, so that a matrix left out is no stranger; and winners tell ratios of times only. It was not taken.

## Bytes of Table 3: a share, and the wait that it leaves out

The logs of the authors' benchmark (`memcpy_mult`: each of several processes copies as many bytes as the row says) give for four processes 14.1 us + .0535 ns/B of
a *share*, from 32 KiB on; Table 3 prints 15.2 us + .552 ns/B to the device and 14.7 us + .150 ns/B to the host. Read as a share, the printed times
per byte are 10.3 and 2.8 times the measured ones; read as a total, 41 and 11 times. The start-ups agree with the sizes from 32 KiB on. So *share* is
the reading that the measurements support, though no reading makes the table agree with them; .0552 to the device would (3 %), a digit's place.

What puts Split+DD behind Split+MD is not in the table. Below 32 KiB the same logs have 161, 327 and 652 us for two, four and eight
processes, the same for three runs of another MPI. Whole products on the same machine, which nothing was fitted to, show the
same twice (out and in): the extra time of duplicated device pointers over one copying process, medians over 36 exchanges (12 for five processes):

| processes a GPU | measured in products, us | two waits of the benchmark, us |
| ---: | ---: | ---: |
| 2 | 322 | 323 |
| 3 | 624 | 487 |
| 4 | 717 | 654 |
| 5 | 787 | 816 |

(`laplacian_32.3285024` of BenchPress, `Dup Devptr Node Aware` minus `Node Aware`.) With the wait, Split+MD comes before Split+DD where any GPU's share is short:
EOF
for state in first before after; do
  # shellcheck disable=SC2086 # options
  case $state in
    first) set -- $no_ratio $no_wait ;;
    before) set -- $no_ratio ;;
    *) set -- ;;
  esac
  for m in audikw_1 Serena ldoor thermal2 bone010 Geo_1438; do
    "$program" predict --matrix $m --gpus 8,16,32,40,64,80,128,160,256,320 --strategy split-md,split-dd --transport host "$@" --format csv 2> /dev/null
  done | awk -F, -v state=$state '$7 == "split-md" { md[$1, $4] = $9 } $7 == "split-dd" { dd[$1, $4] = $9 }
    END { for (k in md) { n++; less += md[k] < dd[k] } printf "%s, in %d of the 60 cases; ", state, less }'
done
cat << 'EOF'
the paper has it "consistently". The cases left are those of large volumes, whose shares are longer than any that waits in the benchmark.

## One Lassen for all?

Without what is learnt from them, the paper's winners want device memory slower than the benchmarks have it. `device.exchange.inverse_R`, the time per byte of all of a node's bytes
by device, is measured as .0355 ns/B. Mean log-loss of P (smaller is better), and how often the advice is right where two ways differ by more than 10 %:

| ns/B | 16 winners: P, log-loss | dense_lassen: right, log-loss | MPI_Alltoallv: right, log-loss | all: sum of log-loss |
| ---: | --- | --- | --- | ---: |
EOF
dense=$data/end_to_end/dense_lassen.csv allv=$work/alltoallv_lassen.csv
for r in 0.0355 0.040 0.045 0.055 0.07 0.09; do
  # shellcheck disable=SC2086 # options
  set -- $no_ratio --set "device.exchange.inverse_R=$r ns/B"
  p=$(field p_mean $rankings "$@") l=$(field log_loss $rankings "$@")
  dr=$(field right "$dense" "$@") dl=$(field log_loss "$dense" "$@") dn=$(field all_cases "$dense" "$@")
  ar=$(field right "$allv" "$@") al=$(field log_loss "$allv" "$@") an=$(field all_cases "$allv" "$@")
  sum=$(awk -v l="$l" -v dl="$dl" -v dn="$dn" -v al="$al" -v an="$an" 'BEGIN { print 16 * l + dn * dl + an * al }')
  echo "| $r | $(round "$p" 3), $(round "$l" 2) | $(round "$dr" 3), $(round "$dl" 3) | $(round "$ar" 3), $(round "$al" 3) | $(round "$sum" 1) |"
done
cat << 'EOF'

lassen_comm (120 distinct exchanges) does not change: its exchanges are too short for that rate. **No one Lassen satisfies all.** The named winners get likelier
with every slowdown up to more than twice the measured time; dense_lassen follows for the first eighth to quarter, `MPI_Alltoallv` not at all. What suits them together
differs from the measured number by less than they can tell (.4 of log-loss), so that stays: 234 measured cases by two programs against 16 names. What the winners of
Serena and ldoor on 160 and 320 GPUs want, no number gives: their stand-ins have 4 to 7 messages a process to other nodes, for which splitting is slower whatever a copy costs.

The in-sample numbers of `lassen-spectrum` and the 16 winners, without ratios: mean P and log-loss:

| changed | mean P | log-loss |
| --- | ---: | ---: |
EOF
no_floor='--set host.exchange.floor=0us --set host.exchange.floor_step=0us --set device.exchange.floor=0us'
start='--set device.exchange.off-node.alpha=6.08us'
# change TITLE ARGUMENTS...
change() {
  title=$1
  shift
  p=$(field p_mean $rankings "$@")
  l=$(field log_loss $rankings "$@")
  echo "| $title | $(round "$p" 3) | $(round "$l" 2) |"
}
# shellcheck disable=SC2086 # options
{
  change 'nothing' $no_ratio
  change 'no floor' $no_ratio $no_floor
  change 'start-up by device as of a message alone, 6.08 us' $no_ratio $start
  change 'both' $no_ratio $no_floor $start
}
cat << 'EOF'

## A floor belongs to a setup

Three sets measured exchanges of Lassen, each with a program and jobs of its own: lassen_comm with helper processes that share GPUs, the two others with
one process a GPU. The same logs with floors found in each: median |log2(predicted / measured)|, and how often the advice is right. A set whose own
floors a row has stands in brackets.

| floors of | host, device | lassen_comm | dense_lassen: \|log2\|, right | MPI_Alltoallv: \|log2\|, right |
| --- | --- | ---: | ---: | ---: |
EOF
logs=$(sed -n 's/^ *"note": "nsmodel fit \(.*\) --records.*/\1/p' params/lassen-spectrum.json)
program_at=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
# floors NAME RECORDS ARGUMENTS... -> $work/NAME.json
floors() {
  name=$1 records=$2
  shift 2
  # shellcheck disable=SC2086 # words
  (cd "$data/pingpong" && "$program_at" fit $logs --no-residual --records "$records" "$@" --name "$name" -o "$work/$name.json" > /dev/null 2>&1)
}
floors comm ../end_to_end/records.csv --where class=lassen_comm
floors dense ../end_to_end/dense_lassen.csv
floors allv "$work/alltoallv_lassen.csv"
for set in comm dense allv; do
  m=$work/$set.json
  set -- --machine "lassen=$m"
  c=$(round "$(field log2_error "$data/end_to_end/records.csv" --where class=lassen_comm "$@")" 3)
  d="$(round "$(field log2_error "$dense" "$@")" 3), $(round "$(field right "$dense" "$@")" 3)"
  a="$(round "$(field log2_error "$allv" "$@")" 3), $(round "$(field right "$allv" "$@")" 3)"
  case $set in
    comm) title=lassen_comm c="($c)" ;;
    dense) title=dense_lassen d="($d)" ;;
    *) title=MPI_Alltoallv a="($a)" ;;
  esac
  echo "| $title | $(number "$m" host.exchange.floor), $(number "$m" device.exchange.floor) | $c | $d | $a |"
done
cat << 'EOF'

Each of the two sets without helpers predicts the other better than lassen_comm predicts either, and the other way round: no floor suits all
three. `lassen-spectrum` keeps that of lassen_comm, whose exchanges are sparse ones of 128 GPUs; for a program of one process a GPU,
`fit --records` with a few of its own exchanges is worth more than any of these.

## Minima and protocols of the authors

The machine is fitted as the scripts of the logs' authors do in two things: of the repeats of a size the minimum counts, and messages are eager from 256 B and
rendezvous from 16 KiB on, wherever they go (by device there is no short protocol, [NA] Section 3). Before, the median counted, and each locality had the ends that its own curve
suggested, 256 to 1,404 B and 7 to 16 KiB by host. Minima were chosen on the two sets of exchanges without helpers, whose advice they make better by either ends; the given ends because a library has one
limit for all localities, and on |log2| of these sets (the found ones advise as well, or a case better). No cell of Tables 2 to 4, no winner and no exchange of lassen_comm took part in the choice, and
these judge it. Median |log2(predicted / measured)| of all ways, how often the advice is right and what it loses, and how many of the 39 cells of Tables 2
to 4 are met within 15 %:

| repeats, protocols, residuals | dense_lassen: \|log2\|, right, loss | MPI_Alltoallv: \|log2\|, right, loss | lassen_comm: \|log2\|, loss | 16 winners: P, left out | cells |
| --- | --- | --- | --- | --- | ---: |
EOF
plain=$(echo "$logs" | sed 's/--statistic min --switch 256,16384 --switch device=16384 //')
# cells MACHINE -> how many of the printed numbers of Tables 2 to 4 it has within 15 %
cells() {
  "$program" machines "$1" --format csv 2> /dev/null | awk -F, '
    NR == FNR { printed[$1] = $2; next }
    { for (i = 1; i < NF; i++) if ($i in printed) { x = $(i + 1) / printed[$i] - 1; met += x < .15 && x > -.15 } }
    END { print met + 0 }' "$work/cells" -
}
# lines MEMORY PROTOCOL NUMBERS...: alpha and beta on-socket, on-node, off-node
lines() {
  memory=$1 protocol=$2
  shift 2
  for place in on-socket on-node off-node; do
    echo "$memory.$place.$protocol.alpha,$1"
    echo "$memory.$place.$protocol.beta,$2"
    shift 2
  done
}
{
  lines host short 3.67e-07 1.32e-10 9.25e-07 1.19e-09 1.89e-06 6.88e-10
  lines host eager 4.61e-07 7.12e-11 1.17e-06 2.18e-10 2.44e-06 3.79e-10
  lines host rendezvous 3.15e-06 3.40e-11 6.77e-06 1.49e-10 7.76e-06 7.97e-11
  lines device eager 1.87e-06 5.79e-11 2.02e-05 2.15e-10 8.95e-06 1.72e-10
  lines device rendezvous 1.82e-05 1.46e-11 1.93e-05 2.39e-11 1.10e-05 1.72e-10
  printf '%s\n' copy.1.h2d.alpha,1.30e-05 copy.1.h2d.beta,1.85e-11 copy.1.d2h.alpha,1.27e-05 copy.1.d2h.beta,1.96e-11 \
    copy.4.h2d.alpha,1.52e-05 copy.4.h2d.beta,5.52e-10 copy.4.d2h.alpha,1.47e-05 copy.4.d2h.beta,1.50e-10 \
    host.injection.inverse_R_N,4.19e-11
} > "$work/cells"
# fitted TITLE ARGUMENTS... -> a row
fitted() {
  title=$1 m=$work/fitted.json
  shift
  # shellcheck disable=SC2086 # words
  (cd "$data/pingpong" && "$program_at" fit $plain "$@" --no-residual --records ../end_to_end/records.csv --where class=lassen_comm \
    --rankings evidence/rankings/node-aware.csv --name lassen-spectrum -o "$m" > /dev/null 2>&1)
  row="| $title |"
  for file in "$dense" "$allv"; do
    row="$row $(round "$(field log2_error "$file" --machine "lassen=$m")" 3), $(round "$(field right "$file" --machine "lassen=$m")" 3), $(
      round "$(field lost_mean "$file" --machine "lassen=$m")" 3) |"
  done
  comm="$data/end_to_end/records.csv --where class=lassen_comm"
  # shellcheck disable=SC2086 # words
  echo "$row $(round "$(field log2_error $comm --machine "lassen=$m")" 3), $(round "$(field lost_mean $comm --machine "lassen=$m")" 3) | $(
    round "$(field p_mean $rankings --machine "lassen=$m")" 3), $(round "$(field p_mean_without_matrix $rankings --machine "lassen=$m")" 3) | $(cells "$m") |"
}
fitted 'median, found, relative: before'
fitted 'median, given, relative' --switch 256,16384 --switch device=16384
fitted 'minimum, found, relative' --statistic min
fitted 'minimum, given, relative: taken' --statistic min --switch 256,16384 --switch device=16384
fitted 'minimum, given, in seconds: as their scripts' --statistic min --weights none --switch 256,16384 --switch device=16384
cat << 'EOF'

Residuals in seconds would meet more cells, but price `MPI_Alltoallv` through the host worse, so relative ones stay.

## Protocol limits

`protocol-limits` was chosen on Table 2 (252 B and 17.8 kB; the library changes at 256 B and 16 KiB) and judged on lines fitted the same way from logs of Lassen (2020: 258 B, 15.7 kB;
2021: 235 B, 16.4 kB) and Summit (211 B, 15.3 kB), where the crossings of single localities lie up to 8 times beyond. Cray MPI on Blue Waters, with limits of its own inside a node,
has 500 B and 8 kB where the model says 354 B and 0 B.

## Which Lassen Tables 2 and 3 are of

The logs of the authors' repository are of 2019 to 2022, and the machine's software changed in between. With their script's way of fitting (least
squares of minima, protocols from 256 B and 16 KiB on) the logs of September 2020 and those of April to June 2021 give:

| number | table | 2020 | 2021 |
| --- | ---: | ---: | ---: |
EOF
single=benchpress-bienz2/lassen/spectrum/single_rs/09_15_20 spectrum=benchpress-bienz2/lassen/spectrum
# authors NAME LOGS... -> $work/NAME.json
authors() {
  name=$1
  shift
  (cd "$data/pingpong" && "$program_at" fit "$@" --per-node 4 --sockets 2 --gpus 4 --processes 40 --statistic min --weights none --switch 256,16384 \
    --name "$name" -o "$work/$name.json" > /dev/null 2>&1)
}
authors y2020 $single/ping_pong.1396758.out $single/ping_pong.1396782.out $single/ping_pong.1396783.out $single/memcpy_mult.1389390.out
authors y2021 $spectrum/ping_pong.2598271.out $spectrum/ping_pong.2598272.out $spectrum/memcpy_mult.2414770.out
# number FILE PATH -> as the file has it
row() {
  old=$(number "$work/y2020.json" "$3") new=$(number "$work/y2021.json" "$3")
  echo "| $1 | $2 | ${old:--} | ${new:--} |"
}
row 'host, off node, eager: per byte' '0.379 ns/B' host.off-node.eager.beta
row 'device, off node, rendezvous: per byte' '0.172 ns/B' device.off-node.rendezvous.beta
row 'copy by four processes to the device: start-up' '15.2 us' copy.4.h2d.alpha
row 'the same to the host' '14.7 us' copy.4.d2h.alpha
row 'wait of such copies below 32 KiB' - copy.4.d2h.wait
cat << 'EOF'

So the paper's Tables 2 and 3 are the Lassen of 2020: there copies by several processes did not wait, and its device line is that of messages up to 256 KiB
with one of 512 KiB that took 2.2 times as long. Section 5's "Split+DD consistently worse", which the tables do not give, is the Lassen of 2021.

The default stays `lassen-spectrum`. `lassen` is the paper's own tables, for its closed forms (Figure 4.3) and `reproduce`; its copies are read as
a total there, the one reading by which the tables alone give Section 5's order of the split ways.
EOF
