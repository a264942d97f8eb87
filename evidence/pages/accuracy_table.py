#!/usr/bin/env python3
"""accuracy_table.py PROGRAM SHARED PAGE -- PAGE with its tables of machines and ways made anew.

Each set of measured exchanges is scored twice: with the shipped machine, whose file learnt from these exchanges (in
sample), and with the same file without all that its exchanges taught, or with a machine fitted from its ping-pongs
alone (left out)."""
import csv
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

PROGRAM, SHARED, PAGE = sys.argv[1:]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROWS, LOGS = os.path.join(SHARED, "data", "end_to_end"), os.path.join(SHARED, "data", "pingpong")
WORK = tempfile.mkdtemp()
KAPPA_WRONG = math.pi / math.sqrt(6) / 1.3
APART = 1.1  # the fastest way is clear when the second takes so many times longer

# name, rows, machine in the file, rows that count, shipped machine with its own exchanges, other machine file or a log
SETS = [
    ("Blue Waters", "records.csv", "bluewaters", "machine=bluewaters", "bluewaters", None),
    ("lassen_comm", "records.csv", "lassen", "class=lassen_comm", "lassen-spectrum", None),
    ("dense_lassen", "dense_lassen.csv", "lassen", None, "lassen-spectrum", None),
    ("dense_dane", "dense_dane.csv", "dane", None, "dane", None),
    ("alltoallv_lassen", "alltoallv_lassen.csv", "lassen", None, "lassen-spectrum", None),
    ("alltoallv_summit", "alltoallv_summit.csv", "summit", None, None, "summit"),
    ("alltoallv_tioga", "alltoallv_tioga.csv", "tioga", None, None, "tioga"),
    ("dense_tuolumne", "dense_tuolumne_deltaai.csv", "tuolumne", "machine=tuolumne", None,
     ("locality-aware-tuolumne/cpu_microbenchmarks.out", "64")),
    ("dense_deltaAI", "dense_tuolumne_deltaai.csv", "deltaAI", "machine=deltaAI", None,
     ("locality-aware-deltaAI/cpu_microbenchmarks.957494.out", "288")),
]


def nsmodel(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("nsmodel " + " ".join(words) + ": " + done.stderr)
    return done.stdout


def forget(node):
    """Take what measured exchanges taught out of a machine file."""
    for key, value in list(node.items()):
        if isinstance(value, dict):
            if value.get("calibrated") or key in ("choice", "model_error", "residual"):
                del node[key]
            else:
                forget(value)


def left_out(shipped, other):
    path = os.path.join(WORK, "left_out.json")
    if isinstance(other, str):
        return other
    if shipped is None:
        nsmodel("fit", os.path.join(LOGS, other[0]), "--processes", other[1], "--sockets", "4", "-o", path)
        return path
    with open(os.path.join(ROOT, "params", shipped + ".json")) as file:
        machine = json.load(file)
    forget(machine)
    with open(path, "w") as file:
        json.dump(machine, file)
    return path


def validated(rows, name, where, machine):
    words = ["validate", "--records", rows, "--machine", name + "=" + machine, "--worst", "1000000",
             "--max-work", "1.5e6", "--json"]
    return json.loads(nsmodel(*words, *(["--where", where] if where else [])))


# ---- cases: the ways that did one exchange ---------------------------------------------------------------------------

def way_of(row):
    name, transport = row["strategy"], row.get("transport") or "host"
    if "bytes_per_pair" in row and name == "standard":
        name = {"mpi": "library", "pairwise": "standard/pairwise"}.get(row.get("algorithm"), name)
    return ("two-step" if name == "node-aware" else name) + "/" + \
        ("host" if transport == "staged-with-copies" else transport)


SHAPE = ("nodes", "ppn", "gpus_per_node", "processes", "bytes_per_pair", "doubles_per_pair", "random_extra_max")


def key_of(row):
    if "class" not in row:
        return tuple(row.get(column) for column in SHAPE)
    if row["class"] == "lassen_comm":
        return row["level"], row["processes"]
    return (row["set"], row["file"], row["level"], row["run"], row["operation"], row["processes"])


def cases_of(rows, answer):
    with open(rows) as file:
        lines = {row.get("id") or "line %d" % (i + 2): row for i, row in enumerate(csv.DictReader(file))}
    cases = {}
    for one in answer["worst"]:
        row = lines[one["id"]]
        cases.setdefault(key_of(row), {}).setdefault(way_of(row), (one["predicted_s"], one["measured_s"]))
    return cases


def with_plain(cases):
    """Each level of lassen_comm: bundling by so many helpers stands beside the plain exchange, which has none."""
    plain = {key[0]: ways for key, ways in cases.items() if "standard/host" in ways}
    return {key: {**plain.get(key[0], {}), **ways} for key, ways in cases.items()}


# ---- the law of src/price/decision.h, one nest a way -----------------------------------------------------------------

def decide(times, kappa, doubt):
    best, least = min(range(len(times)), key=times.__getitem__), min(times)
    laws = [(weight, k, [(t / least) ** -k for t in times])
            for weight, k in ((1 - doubt, kappa), (doubt, KAPPA_WRONG)) if weight > 0]
    p = [sum(w * a[i] / sum(a) for w, _, a in laws) for i in range(len(times))]

    def within(log_loss):
        return sum(w / (1 + (sum(a) - 1) * math.exp(-k * log_loss)) for w, k, a in laws)

    low, high = 0, 20
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle) < .9 else (low, middle)
    return best, p, high


def calibration(cases, kappa, doubt):
    brier = uniform = likelihood = covered = sure = right = 0
    for ways in cases:
        predicted, measured = zip(*ways.values())
        chosen, p, q90 = decide(predicted, kappa, doubt)
        fastest = min(range(len(measured)), key=measured.__getitem__)
        brier += sum((x - (i == fastest)) ** 2 for i, x in enumerate(p))
        uniform += 1 - 1 / len(p)
        likelihood += math.log(p[fastest])
        covered += math.log(measured[chosen] / measured[fastest]) <= q90 + 1e-12
        if p[chosen] >= .9:
            sure += 1
            right += chosen == fastest
    n = len(cases)
    return {"brier": brier / n, "uniform": uniform / n, "likelihood": likelihood / n, "covered": covered / n,
            "sure": sure, "right": right, "cases": n}


LAWS = [(kappa, doubt / 10) for kappa in (1.5, 2, 3, 4) for doubt in range(1, 10)]


def meets(scores):
    sure, right = sum(s["sure"] for s in scores), sum(s["right"] for s in scores)
    return right >= .95 * sure and all(
        s["brier"] < s["uniform"] and s["right"] >= .85 * s["sure"] and s["covered"] >= .85 for s in scores)


def chosen_law(scores):
    """The likeliest law that meets the aims; each machine weighs the same, however many exchanges it has."""
    good = [law for law in LAWS if meets(scores[law])]
    return max(good or LAWS, key=lambda law: sum(s["likelihood"] for s in scores[law]))


# ---- tables ----------------------------------------------------------------------------------------------------------

def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def error(answer_cases, way):
    logs = [abs(math.log2(p / m)) for case in answer_cases.values() for w, (p, m) in case.items() if w == way]
    return logs and "%.3f" % statistics.median(logs)


def advice(answer):
    one, sure = answer["advice"][0], answer["calibration"][0]
    rules = [r for r in answer["rules"] if r["rule"] != "the advice" and r["cases"] == one["cases"]]
    rule = min(rules, key=lambda r: r["lost_mean"])
    return one, rule, sure


def pair(now, then, form):
    return [form % now if now is not None else "-", form % then]


def put(page, name, text):
    begin, end = "<!-- %s: made by `make docs` -->" % name, "<!-- end of %s -->" % name
    found = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
    if not found.search(page):
        sys.exit("%s has no line %s" % (PAGE, begin))
    return found.sub(lambda _: "%s\n%s\n%s" % (begin, text, end), page)


ways, sets, losers, of_machine = [], [], [], {}
subprocess.run([os.path.join(ROOT, "evidence", "pages", "exchanges.sh"), LOGS, WORK], check=True)
for name, rows, machine, where, shipped, other in SETS:
    rows = os.path.join(ROWS if os.path.exists(os.path.join(ROWS, rows)) else WORK, rows)
    out = validated(rows, machine, where, left_out(shipped, other))
    inside = validated(rows, machine, where, shipped) if shipped else None
    cases, inside_cases = cases_of(rows, out), cases_of(rows, inside) if inside else {}
    for way in sorted({w for case in cases.values() for w in case}):
        count = sum(way in case for case in cases.values())
        ways.append([name, way, str(count), error(inside_cases, way) or "-", error(cases, way)])
    one, rule, sure = advice(out)
    before = advice(inside) if inside else (None, None, None)
    get = lambda at, key: before[at][key] if inside else None
    sets.append([name, str(one["cases"]), *pair(get(0, "right"), one["right"], "%.2f"),
                 *pair(get(0, "lost_mean"), one["lost_mean"], "%.3f"), "%.3f" % rule["lost_mean"],
                 *pair(get(2, "brier"), sure["brier"], "%.2f"), "%.2f" % sure["brier_uniform"],
                 *pair(get(2, "q90_covers"), sure["q90_covers"], "%.2f"),
                 *pair(inside and inside["scores"][0]["covered"], out["scores"][0]["covered"], "%.2f")])
    for what, said in (("in sample", before), ("left out", (one, rule, sure))):
        if said[0] and said[0]["lost_mean"] > said[1]["lost_mean"]:
            losers.append("`%s`, %s (%.3f against %.3f)" %
                          (name, what, said[0]["lost_mean"], said[1]["lost_mean"]))
    joined = with_plain(cases) if name == "lassen_comm" else cases
    several = [case for case in joined.values() if len(case) > 1]
    of_machine.setdefault(machine, []).extend(several)

scores = {m: {law: calibration(cases, *law) for law in LAWS} for m, cases in of_machine.items()}
doubts, sure, right = [], 0, 0
for machine in scores:
    law = chosen_law({law: [s[law] for m, s in scores.items() if m != machine] for law in LAWS})
    s = scores[machine][law]
    sure, right = sure + s["sure"], right + s["right"]
    doubts.append([machine, "%g" % law[0], "%g" % law[1], str(s["cases"]), "%.2f" % s["brier"],
                   "%.2f" % s["uniform"], "%d of %d" % (s["right"], s["sure"]) if s["sure"] else "-",
                   "%.2f" % s["covered"]])
doubts.append(["all", "", "", str(sum(len(c) for c in of_machine.values())), "", "",
               "%d of %d" % (right, sure) if sure else "-", ""])

with open(PAGE) as file:
    page = file.read()
page = put(page, "sets that lose", "The advice loses more than the best constant rule in " +
           (", ".join(losers) if losers else "no set") + ".")
page = put(page, "sets", table(
    ["set", "clear cases", "right, in sample", "left out", "loss, in sample", "left out", "best constant rule",
     "Brier, in sample", "left out", "equal chances", "90 % loss bounds hold, in sample", "left out",
     "90 % intervals hold, in sample", "left out"], sets))
page = put(page, "ways", table(["set", "way", "exchanges", "median \\|log2\\|, in sample", "left out"], ways))
page = put(page, "doubt", table(
    ["machine left out", "kappa of the others", "doubt", "cases", "Brier", "equal chances", "right where P >= .9",
     "90 % loss bounds hold"], doubts))
with open(PAGE, "w") as file:
    file.write(page)
