#!/bin/sh
# mutate_sum.sh BUILD SEED SECONDS -- the results of a sample: counts, and the survivors with their reasons
#
# tests/mutants.tsv gives reasons: file, what was, what is, a text of its line, reason; "equivalent: ..." where no answer
# can tell the fault from the code.
set -eu

build=$1
seed=$2
seconds=$3
programs=$(find tests tests/models -maxdepth 1 -name 'test_*.c' | wc -l)
results=$build/results
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
# The last word about each fault of the sample that was tried.
awk -F '\t' '
  FILENAME == ARGV[1] { wanted[$1 ":" $2 ":" $3 ":" $6 ":" $5] = 1; next }
  $1 in wanted { last[$1] = $0 }
  END { for (k in last) print last[k] }' "$build/sample.tsv" "$results/mutants.tsv" > "$build/last.tsv"
awk -F '\t' -v OFS='\t' '$2 == "survived" || $2 == "unreached" { print $3, $4, $5, $6, $2, $7 }' "$build/last.tsv" |
  sort -t "$(printf '\t')" -k1,1 -k2,2n | while IFS="$(printf '\t')" read -r file line was is outcome tests; do
    text=$(sed -n "${line}p" "$file" | sed 's/^ *//')
    reason=$(awk -F '\t' -v file="$file" -v was="$was" -v is="$is" -v text="$text" '
      $1 == file && $2 == was && $3 == is && index(text, $4) { print $5; exit }' tests/mutants.tsv)
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$file" "$line" "$was" "$is" "$outcome" "$tests" "$text" "${reason:-}"
  done > "$results/survivors.tsv"
awk -F '\t' -v date="$(date -u +%Y-%m-%dT%H:%MZ)" -v commit="$commit" -v seed="$seed" \
  -v asked="$(wc -l < "$build/map/times.tsv")" -v programs="$programs" -v seconds="$seconds" \
  -v sample="$(wc -l < "$build/sample.tsv")" -v all="$(wc -l < "$build/all.tsv")" \
  -v same_answer="$(awk -F '\t' '$8 ~ /^equivalent: /' "$results/survivors.tsv" | wc -l)" '
  { n[$2]++ }
  END {
    ran = n["killed"] + n["timeout"] + n["survived"] + n["unreached"]
    killed = n["killed"] + n["timeout"]
    printf "date\t%s\ncommit\t%s\nseed\t%s\nkilled\t%d\ntimeout\t%d\nsurvived\t%d\nunreached\t%d\nsame\t%d\nrefused\t%d\nshare\t%.1f\n" \
      "asked\t%d\nprograms\t%d\nseconds\t%d\nall\t%d\nsample\t%d\ntried\t%d\nequivalent\t%d\ncould\t%.1f\n",
      date, commit, seed, n["killed"], n["timeout"], n["survived"], n["unreached"], n["same"], n["refused"],
      ran ? 100 * killed / ran : 0, asked, programs, seconds, all, sample, NR, same_answer,
      (ran > same_answer) ? 100 * killed / (ran - same_answer) : 0
  }' "$build/last.tsv" | tee "$results/mutate.txt" "$results/seed-$seed.txt"
echo "mutate.sh: survivors in $results/survivors.tsv"
