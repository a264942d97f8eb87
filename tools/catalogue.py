#!/usr/bin/env python3
"""catalogue.py FOLDER -- params/catalogue/*.csv from the collection's index, row lengths and measured runs

FOLDER holds suitesparse_index.csv, row_distribution.csv, spmv_comm_strategies_measured.csv.gz,
gpu_spmv_comm_measured.csv and papers_matrices.csv; params/catalogue/ATTRIBUTION.md says where each comes from.
Run once per edition of the data, from the repository's root; nothing in the build needs it.
"""
import collections
import csv
import gzip
import sys

SPREAD = ["min", "q1", "median", "q3", "max", "mean", "variance", "skewness"]
KEPT = ["id", "group", "name", "rows", "cols", "nnz", "stored_entries", "field", "structure", "pattern_symmetry",
        "numeric_symmetry", "positive_definite", "problem_2d_or_3d", "kind", "date", "author", "nnz_diagonal",
        "lower_bandwidth", "upper_bandwidth", "connected_components", "description"]


def read(path):
    opened = gzip.open(path, "rt", newline="") if path.endswith(".gz") else open(path, newline="")
    with opened as stream:
        return list(csv.DictReader(stream))


def clean(text):
    """One field of a line cut at tabs: no tabs, no line ends, no unprintable bytes."""
    return " ".join(text.split())


def write(path, header, rows):
    with open(path, "w", newline="\n") as stream:
        for row in [header] + rows:
            stream.write("\t".join(clean(str(field)) for field in row) + "\n")


def lengths(row, which, other):
    """Row or column lengths; columns like the rows are written as one "="."""
    values = [row[which + "_" + s] for s in SPREAD]
    if values[0] == values[4]:  # the source's quartiles of a single row are not its length
        values[1:4] = [values[0]] * 3
    return ["="] + [""] * 7 if other is not None and values == other else values


def catalogue(folder):
    spread = {(r["group"], r["name"]): r for r in read(folder + "/row_distribution.csv")}
    rows = []
    for m in sorted(read(folder + "/suitesparse_index.csv"), key=lambda m: (m["name"].lower(), m["name"], m["group"])):
        s = spread.get((m["group"], m["name"]))
        if s is None:
            extra = [""] * 17
        else:
            row = lengths(s, "row", None)
            counted = round(float(s["row_mean"]) * int(m["rows"]))  # its "nnz" leaves explicit zeros out, its lengths do not
            assert abs(counted - int(m["stored_entries"])) <= 1e-7 * counted, m["name"]
            extra = [m["stored_entries"]] + row + lengths(s, "col", row)
        # the index writes -1 or -2 for what was not computed
        rows.append(["" if m[k].startswith("-") else m[k] for k in KEPT] + extra)
    header = KEPT + ["counted"] + ["row_" + s for s in SPREAD] + ["col_" + s for s in SPREAD]
    write("params/catalogue/suitesparse.tsv", header, rows)
    return {r[2]: r[1] for r in rows}


SORDAL = "kristiansordal/SpMV-Comm-Strats, measured runs on the Simula eX3 cluster"
BIENZ = "bienz2/BenchPress, measured runs on Summit"
NS1 = "[NS] Gerogiannis et al., NetSparse, Table 1"
NS4 = "[NS] Gerogiannis et al., NetSparse, Table 4"
NETSPARSE = {  # SU and SA redundant transfers per useful one, destinations per 64 requests
    "arabic-2005": ("1947", "27", "2.51"), "europe_osm": ("582", "0.02", "7.43"), "Queen_4147": ("74", "25", "1.00"),
    "stokes": ("32", "3.6", "1.85"), "uk-2002": ("966", "4.5", "5.61")}
SAME = {"hugebubbles00010": "hugebubbles-00010", "hugetrace00020": "hugetrace-00020"}


KEPT_PARTS = (2, 4, 8, 64)  # few numbers of each matrix: facts with their source, not a copy of the measurements


def volumes(folder, group):
    """Values that a part sends in one product, METIS k-way parts, only what each neighbour needs."""
    found = {}
    for r in read(folder + "/spmv_comm_strategies_measured.csv.gz"):
        name = SAME.get(r["matrix"], r["matrix"])
        parts = int(r["nodes"]) * int(r["tasks_per_node"])
        if name in group and parts in KEPT_PARTS and r["strategy"] == "1d":
            found[name, parts] = (round(float(r["doubles_per_spmv_max"])), round(float(r["doubles_per_spmv_avg"])))
    rows = []
    for (name, parts), (most, mean) in sorted(found.items()):
        where = "%d METIS k-way parts" % parts
        rows.append([group[name], name, "values sent per product, most of a part", most, "", where, SORDAL])
        rows.append([group[name], name, "values sent per product, mean of a part", mean, "", where, SORDAL])
    return rows


def summit(folder, group):
    rows = []
    for r in read(folder + "/gpu_spmv_comm_measured.csv"):
        if r["job_state"] != "Done" or r["wrong_result"] != "False":
            continue
        name, where = r["matrix"], "%s GPUs on %s Summit nodes, equal blocks of rows" % (r["gpus"], r["nodes"])
        for what, key, unit in (("most neighbours of a GPU", "max_neighbours", ""),
                                ("the same, node-aware", "max_neighbours_node_aware", ""),
                                ("product, GPU-aware", "cuda_aware_s", "s"),
                                ("product, copied to the host", "copy_to_cpu_s", "s"),
                                ("product, node-aware", "node_aware_s", "s"),
                                ("product, node-aware, duplicate device pointers", "dup_devptr_node_aware_s", "s")):
            rows.append([group[name], name, what, "%.6g" % float(r[key]), unit, where, BIENZ])
    return rows


def papers(group):
    rows = []
    where = "128 nodes, equal blocks of rows"
    for name, (su, sa, destinations) in NETSPARSE.items():
        rows.append([group[name], name, "redundant per useful transfer, sparsity-unaware", su, "", where, NS1])
        rows.append([group[name], name, "redundant per useful transfer, sparsity-aware", sa, "", where, NS1])
        rows.append([group[name], name, "destinations of 64 consecutive requests", destinations, "", where, NS4])
    return rows


def main():
    folder = sys.argv[1]
    group = catalogue(folder)
    rows = papers(group) + summit(folder, group) + volumes(folder, group)
    order = collections.OrderedDict(((r[0], r[1]), None) for r in sorted(rows, key=lambda r: (r[1].lower(), r[1], r[0])))
    rows = [r for key in order for r in rows if (r[0], r[1]) == key]
    write("params/catalogue/measured.tsv", ["group", "name", "what", "value", "unit", "where", "source"], rows)


main()
