#!/usr/bin/env python3
"""ways_page.py SHARED > docs/evidence/ways.md -- ways by groups and staged halos against what was measured.

Nothing is fitted to an exchange here: Dane is the shipped machine, the others come from `nsmodel fit` of their own
ping-pongs."""
import csv
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

SHARED = sys.argv[1]
DATA = os.path.join(SHARED, "data")
WORK = tempfile.mkdtemp()
PROCESSES_MOST = 1200  # of one exchange: a million messages


def nsmodel(*words):
    done = subprocess.run(["bin/nsmodel", *words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("nsmodel " + " ".join(words) + ": " + done.stderr)
    return done.stdout


def estimates(*words):
    case = json.loads(nsmodel("predict", *words, "--json"))["cases"][0]
    return {row["strategy"]: row["estimate_s"] for row in case["strategies"] if row["transport"] == "host"}


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def error(ratios):
    return "%.2f" % statistics.median(abs(r) for r in ratios), "%+.2f" % statistics.median(ratios)


# ---- groups ----------------------------------------------------------------------------------------------------------

def way_of(row):
    if row["algorithm"] != "nonblocking":
        return None
    if row["strategy"] == "standard":
        return "standard"
    if row["strategy"] == "node-aware":
        return "two-step"
    return "two-step:" + row["procs_per_leader"] if row["strategy"] == "locality-aware-groups" else None


def exchanges(path, machine):
    found = {}
    for row in csv.DictReader(open(os.path.join(DATA, "end_to_end", path))):
        way = way_of(row)
        if row["machine"] == machine and way and int(row["processes"]) <= PROCESSES_MOST:
            key = int(row["nodes"]), int(row["ppn"]), int(row["bytes_per_pair"])
            found.setdefault(key, {})[way] = float(row["median_s"])
    return {key: ways for key, ways in sorted(found.items()) if "two-step" in ways and len(ways) > 2}


def loss(chosen, measured):
    return measured[chosen] / min(measured.values()) - 1


def score_groups(title, path, machine, options):
    ratios, with_groups, without, constant = {}, [], [], []
    cases = exchanges(path, machine)
    for (nodes, ppn, size), measured in cases.items():
        times = estimates("--messages", "alltoall:%dB" % size, "--nodes", str(nodes), "--per-node", str(ppn),
                          "--strategy", ",".join(measured), *options)
        for way, seconds in measured.items():
            kind = way if ":" not in way else "two-step:g, g = " + way.split(":")[1]
            ratios.setdefault(kind, []).append(math.log2(times[way] / seconds))
        with_groups.append(loss(min(measured, key=times.get), measured))
        whole = [way for way in measured if ":" not in way]
        without.append(loss(min(whole, key=times.get), measured))
        constant.append(measured)
    common = set.intersection(*(set(m) for m in constant))
    rule = min((statistics.mean(loss(way, m) for m in constant), way) for way in common)
    print("### %s\n" % title)
    print("%d exchanges of up to %d processes, 4 B to 64 KiB a pair as far as they were measured.\n" %
          (len(cases), PROCESSES_MOST))
    table(["way", "exchanges", "median \\|log2(predicted / measured)\\|", "bias, log2"],
          [(way, len(r), *error(r)) for way, r in sorted(ratios.items(), key=lambda one: (len(one[0]), one[0]))])
    table(["choice among the measured ways", "mean loss"],
          [("the fastest by nsmodel, groups among them", "%.3f" % statistics.mean(with_groups)),
           ("the fastest by nsmodel of standard and two-step", "%.3f" % statistics.mean(without)),
           ("always %s, the best constant rule" % rule[1], "%.3f" % rule[0])])


def fitted(name, log, *options):
    path = os.path.join(WORK, name + ".json")
    nsmodel("fit", os.path.join(DATA, "pingpong", log), "-o", path, *options)
    return path


# ---- halos -----------------------------------------------------------------------------------------------------------

def halo_messages(number, schedule):
    script, rows = os.path.join(DATA, "halo", "ghex_messages.py"), os.path.join(DATA, "halo", "ghex_daint.csv")
    out = subprocess.run([sys.executable, script, str(number), rows] + (["--schedule"] if schedule else []),
                         capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    steps = {}
    for line in out:
        cells = line.split(",")
        steps.setdefault(cells[0] if schedule else "all", []).append(cells[-3:])
    return list(steps.values())


def halo_seconds(number, schedule, options):
    total = 0
    for messages in halo_messages(number, schedule):  # steps add up
        path = os.path.join(WORK, "halo.csv")
        with open(path, "w") as out:
            out.write("src,dst,bytes\n" + "\n".join(",".join(m) for m in messages) + "\n")
        total += estimates("--messages", path, "--per-node", "36", "--strategy", "standard", *options)["standard"]
    return total


def score_halos(options):
    rows = list(csv.DictReader(open(os.path.join(DATA, "halo", "ghex_daint.csv"))))
    cases = {}
    for i, row in enumerate(rows):
        if (row["nodes"] in ("27", "64") and row["local"] == "xpmem" and row["packing"] == "all-fields"
                and row["driver"] == "ghex" and row["elem_bytes"] == "8"):
            cases.setdefault((int(row["nodes"]), row["domain"], row["halo"], row["fields"]), {})[row["strategy"]] = i
    ratios, scored = {}, {}
    for (nodes, *_), ways in sorted(cases.items()):
        if len(ways) < 2:
            continue
        measured = {way: float(rows[i]["median_s"]) for way, i in ways.items()}
        times = {way: halo_seconds(i, way == "staged3", options) for way, i in ways.items()}
        for way in ways:
            ratios.setdefault((nodes, way), []).append(math.log2(times[way] / measured[way]))
        scored.setdefault(nodes, []).append((min(times, key=times.get), measured))
    table(["nodes", "way", "cases", "median \\|log2(predicted / measured)\\|", "bias, log2"],
          [(nodes, way, len(r), *error(r)) for (nodes, way), r in sorted(ratios.items())])
    lines = []
    for nodes, list_of in sorted(scored.items()):
        right = sum(chosen == min(m, key=m.get) for chosen, m in list_of)
        rules = {way: statistics.mean(loss(way, m) for _, m in list_of) for way in ("direct26", "staged3")}
        best = min(rules, key=rules.get)
        lines.append((nodes, len(list_of), sum(chosen == "staged3" for chosen, _ in list_of), right,
                      "%.3f" % statistics.mean(loss(c, m) for c, m in list_of), "%.3f (%s)" % (rules[best], best)))
    table(["nodes", "cases", "staged3 chosen", "right", "mean loss of the choice",
           "mean loss of the best constant rule"], lines)


# ---- the page --------------------------------------------------------------------------------------------------------

print("""# Ways by groups and along grids, against measured exchanges

Made by `evidence/pages/ways_page.py ../shared > docs/evidence/ways.md`. A loss of .1 is a way that takes 10 % longer than the
fastest measured one.

## Groups of ranks within a node

MPI Advance's `locality-aware-groups` with `procs_per_leader` g is `two-step:g`: each process sends one message to the
process of its own rank in every other group, which hands it on inside the group. Its `node-aware` is `two-step`. Its
`hierarchical`, `multileader-hierarchical` and `multileader-node-aware` are none of ours: all that a group sends passes
through one leader there, while `three-step:g` deals the pairs of groups to all g ranks. Rows are those of
`nonblocking`; `standard` is the plain exchange of the same algorithm where it was measured, never the library's own
`MPI_Alltoall`.
""")
TITLE = "%s, %d processes a node, machine fitted from its ping-pongs"
LATER = "dense_tuolumne_deltaai.csv"
score_groups("Dane, 112 processes a node", "dense_dane.csv", "dane", ["--machine", "dane"])
for name, machine, log, ppn in (
        ("Tuolumne", "tuolumne", "locality-aware-tuolumne/cpu_microbenchmarks.out", 64),
        ("DeltaAI", "deltaAI", "locality-aware-deltaAI/cpu_microbenchmarks.957494.out", 288)):
    score_groups(TITLE % (name, ppn), LATER, machine,
                 ["--machine", fitted(machine, log, "--processes", str(ppn), "--sockets", "4")])
print("""## Halos: direct or in three steps

GHEX on Piz Daint, 36 processes a node: 26 messages a process at once, or three steps of two messages. Only rows with
XPMEM inside the node, on 27 and 64 nodes, all fields in one message, entries of 8 B: there the network is a third of
the time or more. The machine is fitted from one `osu_latency` between nodes; its rate of a node is set to the 8507 MB/s
that the site accepts of `osu_bw`, and nothing is known of the inside of a node, where the off-node table stands for
stores that cost far less. Staged messages are GHEX's own, each step priced as an exchange; steps add up. The measured
times have packing and unpacking in memory that no parameter here knows.
""")
score_halos(["--machine", fitted("daint", "daint/osu_latency_offnode.out", "--processes", "36", "--sockets", "2",
                                 "--locality", "off-node"),
             "--set", "host.injection.inverse_R_N=%.6g ns/B" % (1 / 8.507)])
print("""The choice is no better than the best constant rule and no worse. Both ways are priced too low, staged ones
more: what they do in memory, where staged halos are copied again in every step, is left out.""")
