#!/bin/sh
# placements.sh PROGRAM FOLDER PAGE.md -- the table of docs/place.md: twelve patterns, how fast they are in blocks, round the nodes,
# as Scotch maps them and as `nsmodel place` finds, and how long it looks.  FOLDER: real matrices.
set -eu

program=$1
matrices=$2
page=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A grid of W x H x D points in boxes of A x B x C, numbered along x first: a partition in boxes.
boxes() {
  awk -v w="$1" -v h="$2" -v d="$3" -v a="$4" -v b="$5" -v c="$6" 'BEGIN {
    for (z = 0; z < d; z++) for (y = 0; y < h; y++) for (x = 0; x < w; x++)
      print (int(z / c) * (h / b) + int(y / b)) * (w / a) + int(x / a) }'
}

# A halo on a torus of W x H parts, corners at an eighth of the bytes; parts are numbered at random.
torus() {
  awk -v w="$1" -v h="$2" -v seed="$3" '
    function below(n) { seed = (seed * 1103515245 + 12345) % 2147483648; return int(seed / 2147483648 * n) }
    BEGIN {
      n = w * h
      for (i = 0; i < n; i++) name[i] = i
      for (i = n - 1; i > 0; i--) { j = below(i + 1); t = name[i]; name[i] = name[j]; name[j] = t }
      print "src,dst,bytes"
      for (y = 0; y < h; y++) for (x = 0; x < w; x++) for (v = -1; v <= 1; v++) for (u = -1; u <= 1; u++)
        if (u != 0 || v != 0)
          print name[y * w + x] "," name[(y + v + h) % h * w + (x + u + w) % w] "," (u * v == 0 ? 65536 : 8192) }'
}

# Particles: N parts at random points of a square, each sends to all nearer than R; the nearer, the more.
particles() {
  awk -v n="$1" -v r="$2" -v seed="$3" '
    function share() { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648 }
    BEGIN {
      for (i = 0; i < n; i++) { x[i] = share(); y[i] = share() }
      print "src,dst,bytes"
      for (i = 0; i < n; i++) for (j = 0; j < n; j++) {
        s = (x[i] - x[j]) ^ 2 + (y[i] - y[j]) ^ 2
        if (i != j && s < r * r) print i "," j "," 1024 + int(131072 * (1 - s / (r * r))) } }'
}

boxes 64 64 1 8 8 1 > "$work/64.part"
boxes 96 96 1 8 8 1 > "$work/144.part"
boxes 48 48 48 8 8 8 > "$work/216.part"
boxes 32 32 32 8 8 4 > "$work/128.part"
torus 10 5 7 > "$work/torus.csv"
particles 96 .2 3 > "$work/particles.csv"

# What the page calls it, and the words behind `nsmodel place`.
patterns() {
  cat <<END
stencil9:64x64 in 64 squares|stencil9:64x64 --partition $work/64.part --width 4KiB --machine lassen --nodes 16
stencil5:96x96 in 144 squares|stencil5:96x96 --partition $work/144.part --width 1KiB --machine summit --nodes 24
stencil7:48x48x48 in 216 cubes|stencil7:48x48x48 --partition $work/216.part --machine tioga --nodes 27
stencil27:32x32x32 in 128 boxes|stencil27:32x32x32 --partition $work/128.part --machine dane --nodes 10 --per-node 13
stencil27:32x32x32 in 128 slabs|stencil27:32x32x32 --machine nd40rs --nodes 16
rajat01|rajat01 --machine dane --nodes 4 --per-node 8
bcsstk33|$matrices/bcsstk33.mtx.gz --machine summit --nodes 10
copter2|$matrices/copter2.mtx.gz --machine lassen --nodes 16
cnr-2000|$matrices/cnr-2000.mtx.gz --machine tioga --nodes 8
delaunay_n16|$matrices/delaunay_n16.mtx.gz --machine dane --nodes 13 --per-node 8 --parts 100
a torus of 10 x 5, shuffled|--messages $work/torus.csv --machine lassen-spectrum --nodes 13
96 parts among particles|--messages $work/particles.csv --machine bluewaters --nodes 7 --per-node 16
END
}

# Of a table of placements (CSV): the time of one, us; and what mapped is over found.
time_of() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["name"] == name { printf "%.4g", 1e6 * $at["estimate_s"] }' "$1"; }

rows() {
  patterns | while IFS='|' read -r name words; do
    # shellcheck disable=SC2086 # words of a command line
    "$program" place $words --format csv > "$work/mapped.csv" 2> "$work/said"
    # shellcheck disable=SC2086
    ("$program" place $words --no-scotch --format csv > "$work/found.csv" 2> "$work/said" && times) | tail -n 1 > "$work/times"
    seconds=$(awk '{ split($1, t, /[ms]/); printf "%.1f", 60 * t[1] + t[2] }' "$work/times")
    scotch=$(time_of "$work/mapped.csv" scotch)
    [ -n "$scotch" ] || { echo "placements.sh: no placement of Scotch: libscotch is wanted" >&2; exit 1; }
    found=$(time_of "$work/found.csv" search)
    machine=$(echo "$words" | sed 's/.*--machine \([^ ]*\).*/\1/')
    echo "| $name | $machine | $(time_of "$work/found.csv" block) | $(time_of "$work/found.csv" cyclic) | $scotch | $found | $(
      awk -v s="$scotch" -v f="$found" 'BEGIN { printf "%.3f", s / f }') | $seconds |"
  done
}

rows > "$work/rows"
[ "$(wc -l < "$work/rows")" = 12 ]
awk -v rows="$work/rows" '
  /^<!-- table: placements -->/ {
    print
    print "| pattern | machine | block, us | cyclic, us | Scotch, us | search, us | Scotch / search | processor time, s |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- |"
    while ((getline line < rows) > 0) { print line; split(line, cell, / *\| */); n++; sum += log(cell[8]); worse += cell[8] < 1 }
    printf "| geometric mean; Scotch is faster in | | | | | | %.3f; %d of %d | |\n", exp(sum / n), worse, n
    skip = 1
    next
  }
  /^<!-- end -->/ { skip = 0 }
  !skip' "$page" > "$work/page"
cp "$work/page" "$page"
