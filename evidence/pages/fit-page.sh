#!/bin/sh
# fit-page.sh PROGRAM DATA PAGE -- bring the generated part of docs/evidence/fit.md up to date: the machines' commands, and how well each log of
# DATA predicts itself.  The page's own words end with the first line below.
set -eu

program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
page=$3
here=$(cd "$(dirname "$0")/../.." && pwd)
end='The command of each, in the folder of the logs:'

commands() {
  for file in "$here"/params/*.json; do
    sed -n 's/^  "note": "\(nsmodel fit .*\)",$/\n    \1/p' "$file"
  done
}

# CSV of fit --each: nine columns without commas, then the remark.
logs() {
  (cd "$2" && "$1" fit --each . --format csv)
}

# shellcheck disable=SC2016 # awk's own variables
table='
    function remark(line, i) {
        for (i = 1; i <= 9; i++)
            sub(/^[^,]*,/, "", line)
        gsub(/^"|"$/, "", line)
        gsub(/""/, "\"", line)
        gsub(/\|/, "\\|", line)
        return line
    }
    function percent(x) { return x == "" ? "" : sprintf("%.1f %%", 100 * x) }
    function median(value, n, i, j, kept) {
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && value[j - 1] > value[j]; j--) {
                kept = value[j]; value[j] = value[j - 1]; value[j - 1] = kept
            }
        return n % 2 ? value[(n + 1) / 2] : (value[n / 2] + value[n / 2 + 1]) / 2
    }
    NR == 1 { next }
    { line = $0; name = $1; sub(/^\.\//, "", name); kinds[$4]++ }
    $4 == "refused" { why = remark(line); sub(/^line [0-9]*: /, "", why); sub(/ \([0-9]* (times|tables?)\)$/, "", why); reasons[why]++; next }
    $4 != "ping-pong" || $8 == "" { next }
    {
        n++
        medians[n] = $8; p95s[n] = $9
        within += $8 <= 0.05 && $9 <= 0.15
        rows[n] = "| " name " | " $5 " | " percent($8) " | " percent($9) " | " remark(line) " |"
    }
    END {
        printf "\n## How well logs predict themselves\n\n"
        printf "Of %d files, %d hold ping-pong (with enough sizes for a held-out error), %d windows of messages only, %d copies, %d collectives,\n", \
            NR - 1, n, kinds["other"], kinds["copies"], kinds["collectives"]
        printf "%d only parameters of another kind; %d are refused. Over the ping-pong logs, fitted one by one with the defaults, the median of\n", \
            kinds["none"], kinds["refused"]
        printf "the held-out median relative errors is %s, that of the 95th percentiles %s; %d keep both 5 %% and 15 %%. The remark\n", \
            percent(median(medians, n)), percent(median(p95s, n)), within
        printf "says where one that does not is worst, and why: most are ends of protocols, predicted from one side, where real curves bend.\n\n"
        printf "| log | classes | median | 95th percentile | where it misses, and why |\n|---|---:|---:|---:|---|\n"
        for (i = 1; i <= n; i++)
            print rows[i]
        printf "\n## Refused\n\n| files | reason |\n|---:|---|\n"
        for (why in reasons)
            printf "| %d | %s |\n", reasons[why], why | "sort -t\"|\" -k3"
        close("sort -t\"|\" -k3")
    }'

{
  sed "/^$end\$/q" "$page"
  commands
  logs "$program" "$2" | LC_ALL=C awk -F, "$table"
} > "$page.new"
mv "$page.new" "$page"
