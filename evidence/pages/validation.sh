#!/bin/sh
# validation.sh RESULTS PAGE -- the generated part of docs/evidence/validation.md, of what evidence/pages/simulate.sh left in RESULTS.  The page's own
# words end with the first line below.
set -eu

results=$1
page=$2
end='<!-- from here on: make validation -->'

# A line a strategy: matrix nodes split strategy measured predicted max-rate.  Copies are not performed, so not priced.
lines() {
  for case in "$results"/*.csv; do
    name=$(basename "$case" .csv)
    split=${name##*.} rest=${name%.*}
    nodes=${rest##*.} rest=${rest%.*}
    matrix=${rest#*.}
    awk -F, -v matrix="$matrix" -v nodes="$nodes" -v split_="$split" '
      FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
      FILENAME == ARGV[1] { rate[$at[FILENAME, "strategy"]] = $at[FILENAME, "estimate_s"] - $at[FILENAME, "copy_s"]; next }
      { s = $at[FILENAME, "strategy"]
        print matrix, nodes, split_, s, $at[FILENAME, "measured_s"], $at[FILENAME, "predicted_s"], rate[s] }
    ' "${case%."$split".csv}.max-rate" "$case"
  done
}

# shellcheck disable=SC2016 # awk's own variables
tables='
    function median(value, n, i, j, kept) {
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && value[j - 1] > value[j]; j--) { kept = value[j]; value[j] = value[j - 1]; value[j - 1] = kept }
        return n % 2 ? value[(n + 1) / 2] : (value[n / 2] + value[n / 2 + 1]) / 2
    }
    function goal(x, most) { return sprintf("%.3f %s", x, x <= most ? "met" : "**missed**") }
    # regrets of a form over the cases of a split, or of all ("")
    function summary(form, split_, c, n, right, differ, right_differ, worst, value, error, ratio) {
        n = right = differ = right_differ = worst = 0
        for (c = 1; c <= cases; c++) {
            if (split_ != "" && of_split[c] != split_) continue
            value[++n] = regret[form, c]
            error[n] = off[form, c]
            worst = regret[form, c] > worst ? regret[form, c] : worst
            right += regret[form, c] <= 1.000001
            if (slowest[c] > 1.1 * fastest[c]) { differ++; right_differ += regret[form, c] <= 1.000001 }
        }
        if (n == 0) return
        printf "| %s | %s | %d | %s | %s | %d | %d of %d | %.2f |\n", form, split_ == "" ? "all" : split_, n, \
            goal(median(value, n), 1.02), goal(worst, 1.15), right, right_differ, differ, median(error, n)
    }
    function finish(i, best, form, s, values, v) {
        cases++
        of_matrix[cases] = matrix; of_nodes[cases] = nodes; of_split[cases] = split_
        best = 1; slowest[cases] = 0
        for (i = 1; i <= n; i++) {
            if (measured[i] < measured[best]) best = i
            if (measured[i] > slowest[cases]) slowest[cases] = measured[i]
        }
        fastest[cases] = measured[best]; winner[cases] = name[best]
        for (form = 1; form <= 2; form++) {
            s = 1
            for (i = 1; i <= n; i++) {
                if (price[form, i] < price[form, s]) s = i
                values[i] = price[form, i] / measured[i] - 1
                if (values[i] < 0) values[i] = -values[i]
            }
            v = forms[form]
            picked[v, cases] = name[s]
            regret[v, cases] = measured[s] / measured[best]
            off[v, cases] = median(values, n)
            over_pick[v, cases] = price[form, s] / measured[s]
            over_best[v, cases] = price[form, best] / measured[best]
        }
        n = 0
    }
    function why(form, c) {
        if (of_split[c] == "network")
            return sprintf("start-ups of a process pass together; the price adds them up: %.1f times what the pick takes, %.1f times what the fastest takes", \
                over_pick[form, c], over_best[form, c])
        if (over_best[form, c] > over_pick[form, c])
            return sprintf("a process does not wait for the slowest one of a step: the fastest is priced at %.1f times what it takes, the pick at %.1f", \
                over_best[form, c], over_pick[form, c])
        return sprintf("bytes on and off the node wait for each other in the links, not in the price: the pick is priced at %.2f times what it takes, the fastest at %.2f", \
            over_pick[form, c], over_best[form, c])
    }
    BEGIN { forms[1] = "full"; forms[2] = "max-rate"; order[1] = "network"; order[2] = "sender"; order[3] = "ends"; order[4] = "thirds" }
    {
        key = $1 " " $2 " " $3
        if (key != last && last != "") finish()
        last = key; matrix = $1; nodes = $2; split_ = $3
        n++; name[n] = $4; measured[n] = $5; price[1, n] = $6; price[2, n] = $7
    }
    END {
        finish()
        printf "\n## Regret\n\n%d cases. The goals are a median of 1.02 and a worst of 1.15.\n\n", cases
        print "| picked by form | start-up | cases | median regret | worst regret | right | right where times differ by 10 % | median error of a price |"
        print "|---|---|---:|---:|---:|---:|---:|---:|"
        for (f = 2; f >= 1; f--) {
            for (k = 1; k <= 4; k++) summary(forms[f], order[k])
            summary(forms[f], "")
        }
        printf "\n## Picks of max-rate that miss\n\nRegret above 1.15, the worst first.\n\n"
        print "| matrix | nodes | start-up | pick | fastest | regret | why |\n|---|---:|---|---|---|---:|---|"
        worst_first = "sort -t\"|\" -k7,7nr"
        for (c = 1; c <= cases; c++)
            if (regret["max-rate", c] > 1.15)
                printf "| %s | %d | %s | %s | %s | %.3f | %s |\n", of_matrix[c], of_nodes[c], of_split[c], picked["max-rate", c], winner[c], \
                    regret["max-rate", c], why("max-rate", c) | worst_first
        close(worst_first)
        printf "\n## Every case\n\n"
        print "| matrix | nodes | start-up | fastest | its time | pick of max-rate | regret | pick of full | regret |"
        print "|---|---:|---|---|---:|---|---:|---|---:|"
        by_name = "sort -t\"|\" -k2,2 -k3,3n -k4,4"
        for (c = 1; c <= cases; c++)
            printf "| %s | %d | %s | %s | %.4g us | %s | %.3f | %s | %.3f |\n", of_matrix[c], of_nodes[c], of_split[c], winner[c], \
                1e6 * fastest[c], picked["max-rate", c], regret["max-rate", c], picked["full", c], regret["full", c] | by_name
        close(by_name)
    }'

{
  sed "/^$end\$/q" "$page"
  lines | LC_ALL=C awk "$tables"
} > "$page.new"
mv "$page.new" "$page"
