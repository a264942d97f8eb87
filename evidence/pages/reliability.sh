#!/bin/sh
# reliability.sh BUILD -- docs/evidence/reliability.md on standard output, from what was really run here
#
# Reads BUILD/tests/run (make check), BUILD/results/faults.tsv (make faults), build-fuzz/results (make fuzz),
# build-mutate/results (make mutate) and build-cov/results (make coverage).  What was not run is said to be so.
# shellcheck disable=SC2016 # backquotes of Markdown
set -eu

build=${1:?usage: reliability.sh BUILD}
tab=$(printf '\t')
# What the head of a file says after its name, up to the first blank line.
first_words() {
  awk '/^ \*$/ { exit } { end = /\*\//; sub(/^\/\* [a-z_.]* -- /, ""); sub(/ *\*\/$/, ""); sub(/^ \* ?/, ""); printf "%s%s", sep, $0; sep = " " } end { exit }' "$1" |
    sed 's/|/\\|/g'
}
day() { date -u -r "$1" +%Y-%m-%d; }

cat << 'EOF'
# What was tried to break it

Made by `make reliability` from the runs of one checkout; every number below was counted by a run, and the command that
makes it again stands beside it. A section without a run says so. Figures differ from machine to machine and grow with time
spent; what has to hold everywhere is that nothing is found.

EOF

echo '## Any input: fuzzing'
echo
if [ -s build-fuzz/results/fuzz.tsv ]; then
  cat << 'EOF'
`make fuzz FUZZ_SECONDS=n FUZZ_SEED=s`: libFuzzer with the address and undefined-behaviour sanitizers; every target has an
equal share of the time. Executions and hours are sums over all runs that this checkout's build folder remembers; *a second* is
of processor time. What a run finds is mended, and its input becomes a seed that `make check` replays; *open* counts the
targets whose last run ended with a finding.

EOF
  awk -F '\t' '
    NR == 1 { first = $1 }
    {
      last = $1
      if (!($3 in seeds)) list = list (n++ ? ", " : "") $3
      if (!($2 in trees)) tree = tree (t++ ? ", " : "") $2
      seeds[$3] = trees[$2] = 1
      all += $5; time += $6; used += $8 }
    END {
      printf "Runs from %s to %s, commits %s, seeds %s: %d executions in %.2f hours by the clock, %.2f hours of processor time, on a machine that did other work, too.\n\n", first, last, tree, list, all, time / 3600, used / 3600
    }' build-fuzz/results/fuzz.tsv
  echo '| target | what | executions | hours | a second | open |'
  echo '| --- | --- | ---: | ---: | ---: | ---: |'
  for file in tests/fuzz/fuzz_*.c; do
    name=$(basename "$file" .c)
    what=$(first_words "$file")
    awk -F '\t' -v name="$name" -v what="$what" '
      $4 == name { runs += $5; s += $6; used += $8 > 0 ? $8 : $6; open = $7 != "none" }
      END {
        sub(/^fuzz_/, "", name)
        if (runs) printf "| %s | %s | %d | %.3f | %s | %d |\n", name, what, runs, s / 3600, used ? sprintf("%d", runs / used) : "-", open
        else printf "| %s | %s | not run | | | |\n", name, what
      }' build-fuzz/results/fuzz.tsv
  done
  echo
  echo 'Slower than 1,000 a second, and why:'
  echo
  for file in tests/fuzz/fuzz_*.c; do
    why=$(awk '/executions a second/ { on = 1 } on && /\*\/$|^ \*$/ { exit } on { sub(/^ \* ?/, ""); printf "%s%s", sep, $0; sep = " " }' "$file")
    [ -z "$why" ] || echo "- $(basename "$file" .c | sed 's/^fuzz_//'): $why"
  done
else
  echo 'Not run in this checkout: `make fuzz FUZZ_SECONDS=3600`.'
fi

echo
echo '## Bad inputs that every check tries'
echo
log=$build/tests/run/test_fuzz.log
if [ -s "$log" ] && grep -q '^replayed' "$log"; then
  awk -v day="$(day "$log")" '
    /^replayed/ { inputs += $3; seeds += $6 }
    END { printf "`tests/test_fuzz.c` (%s): %d inputs, which are %d seeds of the fuzz targets and their beginnings, cut at up to 64 places.\n\n", day, inputs, seeds }' "$log"
fi
echo '| test | what | checks | failed | date |'
echo '| --- | --- | ---: | ---: | --- |'
for name in reader_bad reader_malformed nsp_damage lookup_hostile logs_bad fit_refused calc_errors memory work sizes full_disk fetch_limits \
  plot_names refuse; do
  log=$build/tests/run/test_$name.log
  what=$(first_words "tests/test_$name.c")
  if [ -s "$log" ]; then
    sed -n 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\).*/\1 \2 \3/p' "$log" | tail -n 1 |
      while read -r checks failures errors; do echo "| $name | $what | $checks | $((failures + errors)) | $(day "$log") |"; done
  else
    echo "| $name | $what | not run | | |"
  fi
done

echo
echo '## Faults: memory and files that fail'
echo
record=$build/results/faults.tsv
if [ -s "$record" ]; then
  # The last row of a line counts; so many lines there are today.
  awk -F '\t' -v lines="$(grep -c '^    {"' tests/test_faults.c || true)" '
    !($7 in row) { order[n++] = $7 }
    { row[$7] = $0 }
    END {
      print "`make faults`: a run whose allocation, open, read, write, close, rename, fsync or mmap fails has to say so, or to"
      print "answer the same, and to leave old files as they were. Every such call of a line fails once alone and once with all"
      print "that come after it, but where a sample is named."
      print "\n| command | faults | not survived | seed | date | commit |\n| --- | ---: | ---: | ---: | --- | --- |"
      for (i = 0; i < n; i++) {
        split(row[order[i]], is, "\t")
        gsub(/\.\.\/in\//, "", is[7]); gsub(/\|/, "\\|", is[7])
        printf "| `%s` | %d%s | %d | %d | %s | %s |\n", is[7], is[5], is[4] ? " (a sample)" : "", is[6], is[3], substr(is[1], 1, 10), is[2]
        faults += is[5]; bad += is[6]
      }
      printf "\n%d faults of %d lines, of %d that there are: %d not survived.\n", faults, n, lines, bad
    }' "$record"
else
  echo 'Not run in this checkout: `make faults`; a check tries a sample.'
fi

echo
echo '## Single faults in the code: mutation'
echo
if [ -s build-mutate/results/mutate.txt ]; then
  value() { sed -n "s/^$1$tab//p" build-mutate/results/mutate.txt; }
  cat << EOF
\`make mutate MUTATE=n MUTATE_SEED=s\`: an operator, a number, a sign or a condition is changed in models, price, pattern,
schedule, strategies, machine, machine files and fit, one at a time, and the tests that run its line are run, the likeliest
first and for some seconds, until one fails. $(value date), commit $(value commit), seed $(value seed): $(value tried) faults tried of a sample of
$(value sample), of $(value all) that there are.

| faults | number |
| --- | ---: |
| noticed by a failing test | $(value killed) |
| noticed by a test that no longer ends | $(value timeout) |
| survived the tests that were run | $(value survived) |
| of these, no answer can tell them from the code (reasons below) | $(value equivalent) |
| on lines that no test asked runs | $(value unreached) |
| left out: the compiler makes the same code | $(value same) |
| left out: does not compile | $(value refused) |

Noticed: $(value could) % of those that an answer can tell, $(value share) % of all. Asked were $(value asked) of $(value programs) test programs:
those that build here, pass, and take less than $(value seconds) s of processor time. So a survivor may still be noticed by another.
EOF
  for other in build-mutate/results/seed-*.txt; do
    if [ ! -e "$other" ] || [ "$other" = "build-mutate/results/seed-$(value seed).txt" ]; then continue; fi
    awk -F '\t' '
      { is[$1] = $2 }
      END {
        printf "\nTests were written with the survivors of this sample in view. Of one with another seed, %d, whose survivors nobody looked at, %s %% of %d faults were noticed (%s).\n",
          is["seed"], is["share"], is["killed"] + is["timeout"] + is["survived"] + is["unreached"], is["date"] }' "$other"
  done
  awk -F '\t' '
    { room = $3; sub(/\/[^\/]*$/, "", room); sub(/^src\//, "", room); n[room]++ }
    $2 == "killed" || $2 == "timeout" { k[room]++ }
    $2 == "same" || $2 == "refused" { n[room]-- }
    END { for (r in n) printf "%s\t%d\t%d\n", r, k[r], n[r] }' build-mutate/last.tsv | sort | awk -F '\t' '
    NR == 1 { print "\n| room | noticed | of | share |\n| --- | ---: | ---: | ---: |" }
    { printf "| %s | %d | %d | %.1f %% |\n", $1, $2, $3, $3 ? 100 * $2 / $3 : 0 }'
  if [ -s build-mutate/results/survivors.tsv ]; then
    echo
    echo '| place | change | tests run | reason why it stays |'
    echo '| --- | --- | --- | --- |'
    awk -F '\t' '{ gsub(/\|/, "\\|"); printf "| %s:%s | `%s` to `%s` | %s | %s |\n", $1, $2, $3, $4, $5 == "unreached" ? "none" : $6, $8 }' \
      build-mutate/results/survivors.tsv
  fi
else
  echo 'Not run in this checkout: `make mutate`.'
fi

echo
echo '## Coverage'
echo
counts='build-cov/results/coverage.tsv'
if [ -s $counts ]; then
  awk -F '\t' '
    function share(a, b) { return b ? sprintf("%.1f %%", 100 * a / b) : "-" }
    /^#/ { split($0, head, /[# \t]+/); printf "`make coverage`, %s, commit %s. A branch counts when it was taken at least once.\n\n", head[2], head[3]; next }
    {
      room = $5; sub(/\/[^\/]*$/, "", room); if (room ~ /^src\//) { sub(/^src\//, "", room); sub(/\/.*/, "", room) }
      if (!(room in lines)) order[n++] = room
      run[room] += $1; lines[room] += $2; taken[room] += $3; branches[room] += $4
      a += $1; b += $2; c += $3; d += $4
      if (room ~ /^(core|io|matrix|pattern)$/) { e += $3; f += $4 }
    }
    END {
      print "| room | lines | branches |\n| --- | ---: | ---: |"
      for (i = 0; i < n; i++) { r = order[i]; printf "| %s | %s of %d | %s of %d |\n", r, share(run[r], lines[r]), lines[r], share(taken[r], branches[r]), branches[r] }
      printf "| the library | %s of %d | %s of %d |\n\n", share(a, b), b, share(c, d), d
      printf "Wanted: 85 %% of the branches of the library, 95 %% of those of core, io, matrix and pattern together, which are %s of %d now.\n", share(e, f), f
    }' $counts
else
  echo 'Not run in this checkout: `make coverage`.'
fi
