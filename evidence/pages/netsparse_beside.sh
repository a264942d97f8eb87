#!/bin/sh
# netsparse_beside.sh PROGRAM PAGE.md -- the generated part of docs/evidence/netsparse-beside.md: NetSparse's gathering beside the strategies for
# the paper's five matrices on its 128 nodes.  Takes some ten minutes.  The page's own words end with the line below.
set -eu

program=$1
page=$2
end='<!-- from here on: make beside -->'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
matrices='arabic-2005 europe_osm Queen_4147 stokes uk-2002'

# Rows of CSV as a table for people: way, time and range in the unit of the time, ratio, P(best), where the time goes.
table() {
  awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    function us(x) { return x < 1e-3 ? sprintf("%.3g us", 1e6 * x) : sprintf("%.3g ms", 1e3 * x) }
    { print "| " $at["strategy"] "/" $at["transport"] " | " us($at["estimate_s"]) " | " us($at["interval_s_lo"]) " .. " \
            us($at["interval_s_hi"]) " | " sprintf("%.3g", $at["ratio"]) " | " sprintf("%.2g", 100 * $at["p_best"]) " % | " \
            us($at["off_node_s"]) " | " us($at["on_node_s"]) " | " us($at["copy_s"]) " |" }' "$1"
}

beside() {
  "$program" predict --matrix "$1" --nodes 128 --width 64B --network netsparse --format csv > "$work/here.csv"
  "$program" predict --matrix "$1" --nodes 128 --width 64B --network netsparse --strategy in-network-gather \
    --set models.rig-batch.rate=400Gbit/s --format csv > "$work/own.csv"
  printf '\n### %s\n\n| way | time | 90 %% | x best | P(best) | off node | on node | copies |\n|---|---|---|---|---|---|---|---|\n' "$1"
  table "$work/here.csv"
  awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { printf "\nOn links of 400 Gbit/s, the paper'\''s own, gathering takes %.0f us, of which %.0f us between nodes.\n",
             1e6 * $at["estimate_s"], 1e6 * $at["off_node_s"] }' "$work/own.csv"
}

# What [NS] prints: matrix K speedup.  Table 8; queen, stokes and uk are traffic x line utilisation of Table 7.
printed() {
  cat <<'END'
arabic-2005 1 13.7
arabic-2005 16 184.1
arabic-2005 128 250.4
europe_osm 1 15.1
europe_osm 16 132.1
europe_osm 128 202.8
Queen_4147 16 27.72
stokes 16 10.88
uk-2002 16 135.5
END
}

errors() {
  printf '\n## How far off gathering may be\n\n| matrix | K | speedup over SUOpt, [NS] | here, on the stand-in | log2 of the ratio |\n|---|---|---|---|---|\n'
  printed | while read -r matrix k speedup; do
    "$program" netsparse --matrix "$matrix" --nodes 128 --k "$k" --format csv > "$work/run.csv"
    awk -F, -v matrix="$matrix" -v k="$k" -v printed="$speedup" '
      FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
      $at["step"] == "switch" { printf "| %s | %s | %s | %.4g | %.2f |\n", matrix, k, printed, $at["speedup"], log($at["speedup"] / printed) / log(2) }
    ' "$work/run.csv"
  done > "$work/errors"
  cat "$work/errors"
  awk -F'|' '{ s += $6 * $6; n++ } END { printf "\nThe root of the mean square, %.2f, is the error that `params/netsparse.json` states and every answer uses.\n", sqrt(s / n) }' "$work/errors"
}

{
  sed "/^$end\$/q" "$page"
  for matrix in $matrices; do beside "$matrix"; done
  errors
} > "$work/page"
cat "$work/page" > "$page"
