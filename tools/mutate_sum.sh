#!/bin/sh
# mutate_sum.sh BUILD SEED SECONDS -- the results of a sample: counts, and the survivors with their reasons
#
# tests/mutants.tsv gives reasons: file, what was, what is, a text of its line, reason.
set -eu

build=$1
seed=$2
seconds=$3
programs=$(find tests tests/models -maxdepth 1 -name 'test_*.c' | wc -l)
results=$build/results
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
# The last word about each fault that was tried.
last() {
  awk -F '\t' '{ last[$1] = $0 } END { for (k in last) print last[k] }' "$results/mutants.tsv"
}
last | awk -F '\t' -v OFS='\t' '$2 == "survived" || $2 == "unreached" { print $3, $4, $5, $6, $2, $7 }' |
  sort -t "$(printf '\t')" -k1,1 -k2,2n | while IFS="$(printf '\t')" read -r file line was is outcome tests; do
    text=$(sed -n "${line}p" "$file" | sed 's/^ *//')
    reason=$(awk -F '\t' -v file="$file" -v was="$was" -v is="$is" -v text="$text" '
      $1 == file && $2 == was && $3 == is && index(text, $4) { print $5; exit }' tests/mutants.tsv)
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$file" "$line" "$was" "$is" "$outcome" "$tests" "$text" "${reason:-}"
  done > "$results/survivors.tsv"
last | awk -F '\t' -v date="$(date -u +%Y-%m-%dT%H:%MZ)" -v commit="$commit" -v seed="$seed" -v asked="$(wc -l < "$build/map/times.tsv")" -v programs="$programs" -v seconds="$seconds" '
  { n[$2]++ }
  END {
    ran = n["killed"] + n["timeout"] + n["survived"] + n["unreached"]
    killed = n["killed"] + n["timeout"]
    printf "date\t%s\ncommit\t%s\nseed\t%s\nkilled\t%d\ntimeout\t%d\nsurvived\t%d\nunreached\t%d\nsame\t%d\nrefused\t%d\nshare\t%.1f\n" \
      "asked\t%d\nprograms\t%d\nseconds\t%d\n",
      date, commit, seed, n["killed"], n["timeout"], n["survived"], n["unreached"], n["same"], n["refused"],
      ran ? 100 * killed / ran : 0, asked, programs, seconds
  }' | tee "$results/mutate.txt"
echo "mutate.sh: survivors in $results/survivors.tsv"
