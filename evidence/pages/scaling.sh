#!/bin/sh
# scaling.sh BIN -- the table of docs/evidence/scaling.md: nsmodel-mpi predict by 1, 2 and 4 ranks, beside a model of itself
#
# T(P) = T0(P) + S + (T(1) - T0(1) - S) / P + postal(16 B x entries / P x (1 - 1/P)), where T0 is the same job with a
# small stencil, S is what rank 0 does alone (predict less pattern, which only counts, by one rank), and postal is our model
# with this machine's numbers, measured and fitted here.
set -eu
bin=$(realpath "$1")
page=$(realpath docs/evidence/scaling.md)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
rows=400000 each=20
awk -v n=$rows -v e=$each 'BEGIN { srand(1); print "%%MatrixMarket matrix coordinate pattern general"; print n, n, e * n
  for (i = 0; i < e * n; i++) print int(i / e) + 1, int(rand() * n) + 1 }' > m.mtx
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # in containers
launch="mpirun --oversubscribe"

# The least of three: processor time of rank 0; memory of rank 0 and the most of the others, MB.
job() { # RANKS COMMAND... -> "seconds MB MB"
  ranks_of_job=$1
  shift
  for _ in 1 2 3; do
    rm -f peak.*
    # shellcheck disable=SC2016 # of the job's shell
    $launch -n "$ranks_of_job" sh -c 'exec /usr/bin/time -o peak.$OMPI_COMM_WORLD_RANK -f "%U %S %M" "$@"' sh \
      "$bin/nsmodel-mpi" "$@" > /dev/null 2>&1
    awk 'FILENAME == "peak.0" { t = $1 + $2; own = $3; next } $3 > most { most = $3 }
      END { print t, own * 1024e-6, most * 1024e-6 }' peak.*
  done | sort -n | head -1
}
$launch -n 2 "$bin/nsmodel-mpi" measure --per-node 2 --sockets 1 --most 4MiB --seconds 0.02 -o own.log > /dev/null 2>&1
"$bin/nsmodel" fit own.log --per-node 2 --name own -o own.json > /dev/null 2>&1
postal() { # BYTES -> seconds
  "$bin/nsmodel" eval postal --machine ./own.json "s=${1}B" memory=host locality=on-socket --json |
    awk '/"time"/ { found = 1 } found && /"value"/ { print $2 + 0; exit }'
}
{
  echo '<!-- table: predict -->'
  echo '| ranks | processor time of rank 0 | by our model | memory of rank 0 | the most of the others |'
  echo '|---:|---:|---:|---:|---:|'
  counted=$(job 1 pattern --matrix m.mtx --parts 64 --per-node 4)
  for ranks in 1 2 4; do
    small=$(job $ranks predict stencil5:512x512 --gpus 64)
    large=$(job $ranks predict m.mtx --gpus 64)
    sent=0
    if [ $ranks -eq 1 ]; then
      first=${large%% *} first0=${small%% *} serial=$(awk "BEGIN { print ${large%% *} - ${counted%% *} }")
    else
      sent=$(postal "$(awk "BEGIN { printf \"%d\", 16 * $rows * $each / $ranks * (1 - 1 / $ranks) }")")
    fi
    echo "$ranks $large" | awk -v t0="${small%% *}" -v s="$serial" -v f="$first" -v f0="$first0" -v sent="$sent" '{
      printf "| %d | %.2f s | %.2f s | %.0f MB | %s |\n", $1, $2, t0 + s + (f - f0 - s) / $1 + sent, $3,
        ($1 > 1 ? sprintf("%.0f MB", $4) : "") }'
  done
  echo '<!-- end -->'
} > table
awk '/^<!-- table: predict -->/ { while ((getline line < "table") > 0) print line; skip = 1 } !skip { print } /^<!-- end -->/ { skip = 0 }' \
  "$page" > made
cat made > "$page"
