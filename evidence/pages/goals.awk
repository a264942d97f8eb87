# goals.awk -- the table of goals of docs/evidence/accuracy.md, from what the page's own commands print; call with the page twice:
#     awk -f evidence/pages/goals.awk PAGE.md PAGE.md
# A goal names the command (a part of it, its first block on the page counts), the list, the row's cells, the column.

function goal(what, before, low, high, command, list, row, column) {
    n++
    g_what[n] = what; g_before[n] = before; g_low[n] = low; g_high[n] = high
    g_key[n] = list SUBSEP row SUBSEP column
    g_command[n] = command
}

function about(x) { # at most three digits
    return sprintf("%.3g", x)
}

function show(i,    k, value, range, met) {
    value = ""
    for (k = 1; k <= commands; k++)
        if (index(command[k], g_command[i]) > 0 && (k SUBSEP g_key[i]) in cell) {
            value = cell[k SUBSEP g_key[i]]
            break
        }
    if (value == "") {
        print "goals.awk: nothing on the page for " g_what[i] > "/dev/stderr"
        failed = 1
    }
    range = g_low[i] == "" ? "at most " g_high[i] : g_high[i] == "" ? "at least " g_low[i] : g_low[i] " to " g_high[i]
    met = (g_low[i] == "" || value + 0 >= g_low[i] + 0) && (g_high[i] == "" || value + 0 <= g_high[i] + 0)
    printf "| %s | %s | %s | %s | %s |\n", g_what[i], g_before[i], range, about(value), met ? "yes" : "**no**"
}

BEGIN {
    bw = "--where machine=bluewaters --by operation"; lassen = "--where class=lassen_comm --by operation"
    dense = "--records dense_lassen.csv --by"; dane = "--records dense_dane.csv --where bytes_per_pair=512:"
    goal("Blue Waters, standard: median \\|log2\\|", ".22", "", ".17", bw, "scores", "class bw_vec", "log2_error")
    goal("Blue Waters, three-step: median \\|log2\\|", ".20", "", ".15", bw, "scores", "class bw_tap", "log2_error")
    goal("Blue Waters: right", ".92", ".95", "", bw, "rules", "bluewaters the advice", "right")
    goal("Blue Waters: loss of the advice", ".033", "", ".015", bw, "rules", "bluewaters the advice", "lost_mean")
    goal("Lassen (lassen_comm), by device: median \\|log2\\|", ".28", "", ".25", lassen, "scores", "operation Cuda Aware", "log2_error")
    goal("Lassen, by host", ".89", "", ".25", lassen, "scores", "operation Copy To CPU", "log2_error")
    goal("Lassen, node-aware", ".54", "", ".50", lassen, "scores", "operation Node Aware", "log2_error")
    goal("Lassen, node-aware by duplicated pointers", "1.83", "", ".60", lassen, "scores", "operation Dup Devptr Node Aware", "log2_error")
    goal("Lassen: loss of the advice", ".25 (lassen: .30)", "", ".10", lassen, "rules", "lassen the advice", "lost_mean")
    goal("dense_lassen, by device: median \\|log2\\|", "not tried", "", ".4", dense, "scores", "transport device", "log2_error")
    goal("dense_lassen, staged", "not tried", "", ".4", dense, "scores", "transport staged-with-copies", "log2_error")
    goal("dense_lassen: right", "not tried", ".85", "", dense, "rules", "lassen the advice", "right")
    goal("dense_dane, 512 B and more, standard/pairwise: median \\|log2\\|", "1.3", "", ".4", dane, "scores", "strategy standard/pairwise", "log2_error")
    goal("dense_dane, two-step", "1.0", "", ".4", dane, "scores", "strategy node-aware", "log2_error")
    goal("dense_dane: right", "not tried", ".8", "", dane, "rules", "dane the advice", "right")
    split("Blue Waters,Lassen,dense_lassen,dense_dane", set, ",")
    split("bluewaters,lassen,lassen,dane", machine, ",")
    of[1] = bw; of[2] = lassen; of[3] = dense; of[4] = "--records dense_dane.csv --by strategy --by bytes"
    for (k = 1; k <= 4; k++) {
        goal(set[k] ": intervals of 90 % cover", k == 1 ? ".91" : k == 2 ? ".89" : "not tried", ".85", ".97", of[k], "scores", "machine " machine[k], "covered")
        goal(set[k] ": those of a ratio cover", "not tried", ".85", ".97", of[k], "calibration", machine[k] " machine", "ratio_covers")
    }
}

# First reading: the cells of every table below a command.
NR == FNR && /^\$ nsmodel / { command[++commands] = $0; list = ""; next }
NR == FNR && /^```/ { list = ""; next }
NR == FNR && /^[a-z_]+$/ { list = $0; header = 1; next }
NR == FNR && list != "" && NF > 0 {
    words = split($0, part, /  +/)
    if (header) {
        columns = words
        for (k = 1; k <= words; k++)
            name[k] = part[k]
        header = 0
    } else
        for (k = 3; k <= columns; k++)
            if (!((commands SUBSEP list SUBSEP part[1] " " part[2] SUBSEP name[k]) in cell))
                cell[commands SUBSEP list SUBSEP part[1] " " part[2] SUBSEP name[k]] = part[k]
    next
}
NR == FNR && NF == 0 { list = ""; next }
NR == FNR { next }

# Second reading: the page with the table.
/^<!-- goals/ {
    print
    print ""
    print "| what | before | goal | now | met |"
    print "|---|---:|---:|---:|---|"
    for (i = 1; i <= n; i++)
        show(i)
    print ""
    skip = 1
    next
}
/^<!-- end of goals/ { skip = 0 }
!skip { print }
END { exit failed }
