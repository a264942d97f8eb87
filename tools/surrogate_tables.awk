# surrogate_tables.awk -- the tables of docs/surrogates.md and docs/accuracy.md; see surrogate_tables.sh
#
#   <!-- table: statistics GROUP/NAME -->      the real matrix, the surrogate, the deviation
#   <!-- table: volumes GROUP/NAME -->         values sent by METIS k-way parts, measured and of the surrogate
#   <!-- table: metis -->                      the means of these over all matrices, the surrogate against the measured
#   <!-- table: beside NAME... -->             surrogates and real matrices, lengths and lines scaled by the mean and by the rows
#   <!-- table: published -->                  [NS] Tables 1 and 4
#   <!-- table: cost -->                       seconds and megabytes

# ---- numbers as text ------------------------------------------------------------------------------------------------

function thousands(x,    text, sign) {
    text = sprintf("%.0f", x)
    sign = ""
    if (substr(text, 1, 1) == "-") {
        sign = "-"
        text = substr(text, 2)
    }
    rest = ""
    while (length(text) > 3) {
        rest = "," substr(text, length(text) - 2) rest
        text = substr(text, 1, length(text) - 3)
    }
    return sign text rest
}

# Three or so significant digits; whole numbers of any size in full.
function short(x) {
    if (x == "")
        return "-"
    if (x == int(x) && x < 1e6 && x > -1e6)
        return thousands(x)
    if (x >= 1000 || x <= -1000)
        return thousands(x)
    return sprintf("%.3g", x)
}

function deviation(made, real,    d) {
    if (real == "" || made == "")
        return "-"
    if (made == real)
        return "0"
    if (real == 0)
        return "-"
    d = 100 * (made / real - 1)
    return sprintf((d < 0.095 && d > -0.095) ? "%+.2g %%" : "%+.1f %%", d)
}

function line(name, real, made) {
    printf "| %s | %s | %s | %s |\n", name, short(real), short(made), deviation(made, real)
}

# ---- tables ---------------------------------------------------------------------------------------------------------

function statistics(name) {
    print "| statistic | real | surrogate | deviation |"
    print "|---|---:|---:|---:|"
    line("rows, columns", real[name, "rows"], made[name, "rows"])
    line("entries (expanded)", real[name, "stored_entries"], made[name, "entries"])
    line("on the diagonal", real[name, "nnz_diagonal"], made[name, "diagonal"])
    line("bandwidth, lower", real[name, "lower_bandwidth"], made[name, "lower"])
    line("bandwidth, upper", real[name, "upper_bandwidth"], made[name, "upper"])
    line("entries with their mirror image", real[name, "pattern_symmetry"], made[name, "symmetry"])
    lengths(name, "row", "row")
    if (real[name, "structure"] != "symmetric")
        lengths(name, "col", "column")
    if ((name, "su") in published) {
        line("[NS] Table 1, SU redundant per useful, 128 nodes", published[name, "su"], made[name, "su_128"])
        line("[NS] Table 1, SA", published[name, "sa"], made[name, "sa_128"])
        line("[NS] Table 4, destinations of 64 requests", published[name, "destinations"], made[name, "destinations_128"])
    }
}

function lengths(name, which, word) {
    line(word " length: shortest", real[name, which "_min"], made[name, which "_min"])
    line("first quartile", real[name, which "_q1"], made[name, which "_q1"])
    line("median", real[name, which "_median"], made[name, which "_median"])
    line("third quartile", real[name, which "_q3"], made[name, which "_q3"])
    line("longest", real[name, which "_max"], made[name, which "_max"])
    line("variance", real[name, which "_variance"], made[name, which "_variance"])
    line("skewness", real[name, which "_skewness"], made[name, which "_skewness"])
}

function volumes(name,    i, p) {
    print "| parts | most measured | surrogate | | mean measured | surrogate | |"
    print "|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 1; i <= parted[name]; i++) {
        p = parts[name, i]
        printf "| %d | %s | %s | %s | %s | %s | %s |\n", p, short(measured[name, p, "most"]), short(sent[name, p, "most"]),
            deviation(sent[name, p, "most"], measured[name, p, "most"]), short(measured[name, p, "mean"]),
            short(sent[name, p, "mean"]), deviation(sent[name, p, "mean"], measured[name, p, "mean"])
    }
}

function metis(    i, p, name) {
    print "| matrix | 2 parts | 4 parts | 8 parts | 64 parts |"
    print "|---|---:|---:|---:|---:|"
    for (i = 1; i <= cuts; i++) {
        name = cut[i]
        printf "| %s |", substr(name, index(name, "/") + 1)
        for (p = 2; p <= 64; p *= p == 8 ? 8 : 2)
            printf " %s |", deviation(sent[name, p, "mean"], measured[name, p, "mean"])
        printf "\n"
    }
}

function one(name, what,    rows) {
    rows = made[name, "rows"]
    if (what == "mean")
        return made[name, "entries"] / rows
    if (what ~ /^(row|col)_/)
        return made[name, what] / (made[name, "entries"] / rows)
    if (what == "spread")
        return sqrt(made[name, "row_variance"]) / (made[name, "entries"] / rows)
    if (what == "bandwidth")
        return (made[name, "lower"] > made[name, "upper"] ? made[name, "lower"] : made[name, "upper"]) / rows
    if (what ~ /^messages_/)
        return made[name, what] / substr(what, 10)
    if (what ~ /^unique_[0-9]/)
        return made[name, what] / rows
    if (what ~ /^imbalance_/)
        return made[name, "unique_max_" substr(what, 11)] / (made[name, "unique_" substr(what, 11)] / substr(what, 11))
    return made[name, what]
}

function row_of(title, what, names, count,    i) {
    printf "| %s |", title
    for (i = 2; i <= count; i++)
        printf " %s |", short(one(names[i], what))
    printf "\n"
}

function beside(words,    count, i, p, names, title) {
    count = split(words, names, " ")
    printf "| |"
    for (i = 2; i <= count; i++) {
        title = names[i]
        sub(/.*\//, "", title)
        printf " %s |", (names[i] in surrogate) ? title : "**" title "**"
    }
    printf "\n|---|"
    for (i = 2; i <= count; i++)
        printf "---:|"
    printf "\n"
    row_of("rows", "rows", names, count)
    row_of("entries a row", "mean", names, count)
    row_of("shortest row / mean", "row_min", names, count)
    row_of("first quartile / mean", "row_q1", names, count)
    row_of("median / mean", "row_median", names, count)
    row_of("third quartile / mean", "row_q3", names, count)
    row_of("longest / mean", "row_max", names, count)
    row_of("standard deviation / mean", "spread", names, count)
    row_of("longest column / mean", "col_max", names, count)
    row_of("bandwidth / rows", "bandwidth", names, count)
    row_of("entries with their mirror image", "symmetry", names, count)
    for (p = 16; p <= 128; p *= 8) {
        row_of(p " parts: neighbours of a part, mean", "messages_" p, names, count)
        row_of("most", "neighbours_" p, names, count)
        row_of("columns needed, all parts / rows", "unique_" p, names, count)
        row_of("most of a part / mean", "imbalance_" p, names, count)
        row_of("requests redundant per useful (SA)", "sa_" p, names, count)
        row_of("destinations of 64 requests", "destinations_" p, names, count)
        row_of("needed by others of the rack too", "rack_shared_" p, names, count)
    }
}

function published_table(    i, name) {
    print "| matrix | Table 1, SU | surrogate | | Table 1, SA | surrogate | | Table 4 | surrogate | |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 1; i <= surrogates; i++) {
        name = listed[i]
        if ((name, "su") in published)
            printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", substr(name, index(name, "/") + 1),
                published[name, "su"], short(made[name, "su_128"]), deviation(made[name, "su_128"], published[name, "su"]),
                published[name, "sa"], short(made[name, "sa_128"]), deviation(made[name, "sa_128"], published[name, "sa"]),
                published[name, "destinations"], short(made[name, "destinations_128"]),
                deviation(made[name, "destinations_128"], published[name, "destinations"])
    }
}

function cost(    i, name) {
    print "| surrogate | entries | one scan | its memory | counts on 128 nodes | their memory |"
    print "|---|---:|---:|---:|---:|---:|"
    for (i = 1; i <= surrogates; i++) {
        name = listed[i]
        printf "| %s | %s | %s s | %s MB | %s s | %s MB |\n", substr(name, index(name, "/") + 1),
            thousands(made[name, "entries"]), short(made[name, "scan_s"]), short(made[name, "scan_MB"]),
            short(made[name, "count_s"]), short(made[name, "count_MB"])
    }
}

function table(words) {
    if (words ~ /^statistics /)
        statistics(substr(words, 12))
    else if (words ~ /^volumes /)
        volumes(substr(words, 9))
    else if (words == "metis")
        metis()
    else if (words ~ /^beside /)
        beside(words)
    else if (words == "published")
        published_table()
    else if (words == "cost")
        cost()
    else
        print "unknown table: " words
}

# ---- what is read ---------------------------------------------------------------------------------------------------

FNR == 1 {
    file++
    split("", column)
    for (i = 1; i <= NF; i++)
        column[i] = $i
    if (file < 5)
        next
}

# the catalogue: columns like the rows are written as "="
file == 1 {
    for (i = 1; i <= NF; i++)
        real[$2 "/" $3, column[i]] = $i
    if (real[$2 "/" $3, "col_min"] == "=")
        for (i = 1; i <= NF; i++)
            if (column[i] ~ /^row_/)
                real[$2 "/" $3, "col_" substr(column[i], 5)] = $i
}

file == 2 && /NetSparse, Table/ {
    published[$1 "/" $2, $3 ~ /unaware/ ? "su" : $3 ~ /aware/ ? "sa" : "destinations"] = $4
}

file == 2 && /^[^\t]*\t[^\t]*\tvalues sent per product/ {
    split($6, word, " ")
    measured[$1 "/" $2, word[1], $3 ~ /most/ ? "most" : "mean"] = $4
}

file == 3 {
    if (!($1 in parted))
        cut[++cuts] = $1
    parts[$1, ++parted[$1]] = $2
    sent[$1, $2, "mean"] = $4
    sent[$1, $2, "most"] = $5
}

file == 4 {
    for (i = 2; i <= NF; i++)
        made[$1, column[i]] = $i
    if (made[$1, "source"] == "surrogate") {
        listed[++surrogates] = $1
        surrogate[$1] = 1
    }
}

file == 5 {
    if (!made_here)
        print
    if ($0 ~ /^<!-- table: .* -->$/) {
        made_here = 1
        words = substr($0, 13, length($0) - 16)
        print ""
        table(words)
        print ""
    }
    if ($0 == "<!-- end -->" && made_here) {
        made_here = 0
        print
    }
}
