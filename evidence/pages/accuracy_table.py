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
from concurrent.futures import ThreadPoolExecutor

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
    ("gpus_tuolumne", "gpus.csv", "tuolumne", "machine=tuolumne", None,
     ("locality-aware-tuolumne/cpu_microbenchmarks.out", "64", "locality-aware-tuolumne/gpu_microbenchmarks.out")),
    ("gpus_deltaAI", "gpus.csv", "deltaAI", "machine=deltaAI", None,
     ("locality-aware-deltaAI/cpu_microbenchmarks.957494.out", "288",
      "locality-aware-deltaAI/gpu_microbenchmarks.956895.out")),
]
SCORED = os.path.join(ROOT, "src", "price", "scored.c")


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
        log, processes, *by_device = other
        logs = [os.path.join(LOGS, one) for one in (log, *by_device)]
        nsmodel("fit", *logs, "--processes", processes, "--sockets", "4", *(["--gpus", "4"] if by_device else []),
                "-o", path)
        return path
    with open(os.path.join(ROOT, "params", shipped + ".json")) as file:
        machine = json.load(file)
    forget(machine)
    with open(path, "w") as file:
        json.dump(machine, file)
    return path


def validated(rows, name, where, machine, *told):
    words = ["validate", "--records", rows, "--machine", name + "=" + machine, "--worst", "1000000",
             "--max-work", "1.5e6", "--json", *told]
    return json.loads(nsmodel(*words, *(["--where", where] if where else [])))


def rows_by_device(path):
    """One process a GPU, from device memory: of the rows by host no log at hand has the copies."""
    with open(os.path.join(ROWS, "gpu_dense_tuolumne8_deltaai8.csv")) as file:
        rows = [row for row in csv.DictReader(file) if row["processes_per_gpu"] == "1"
                and row["variant"] in ("plain", "pmpi") and row["transport"] in ("device", "device-buffer")]
    kept = ["nodes", "gpus_per_node", "processes", "repeats", "min_s", "median_s", "max_s"]
    with open(path, "w") as file:
        out = csv.writer(file)
        out.writerow(["machine", "strategy", "transport", "algorithm", "bytes_per_pair", *kept])
        for row in rows:
            out.writerow([{"deltaai": "deltaAI"}.get(row["machine"], row["machine"]), "standard", "device",
                          {"library": "mpi"}.get(row["algorithm"], row["algorithm"]), row["bytes_per_gpu_pair"],
                          *(row[name] for name in kept)])


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


# ---- the law of src/price/decision.h and src/price/scored.c, one nest a way ------------------------------------------

def read_scored():
    """Machines and scores of src/price/scored.c, and its constants."""
    with open(SCORED) as file:
        text = file.read()
    with open(os.path.join(os.path.dirname(SCORED), "decision.h")) as file:
        constants = dict(re.findall(r"#define (NS_\w+) +([\d.]+)", file.read()))
    number = r"([\d.]+)"
    machines = {key: (name, int(gpus) > 0, *(float(x) for x in numbers)) for key, name, gpus, *numbers in
                re.findall(r'\[(\w+)\] = \{"([^"]+)", (\d+), %s, %s, %s\}' % (number, number, number), text)}
    found = re.findall(r'\{"([^"]+)", NS_VIA_(\w+), (\w+), %s\}' % number, text)
    scores = {(machines[key][0], way + "/" + by.lower()): float(error) for way, by, key, error in found}
    return {m[0]: m[1:] for m in machines.values()}, scores, constants


KIND, SCORES, CONSTANT = read_scored()
KAPPA, UNSCORED, WEIGHT, UNKNOWN = (float(CONSTANT["NS_" + name]) for name in (
    "KAPPA_RIGHT", "DOUBT_UNSCORED", "DOUBT_UNSCORED_WEIGHT", "DOUBT_DEFAULT"))
WRONG_ABOVE = .75


def likeness(a, b):
    differs = [x > 2 * y or y > 2 * x for x, y in zip(a[1:], b[1:])]
    return .5 ** ((a[0] != b[0]) + differs[0] + (differs[1] or differs[2]))


def doubt_of(machine, way, without):
    """How likely a way's prediction is wrong altogether, by the scores of the machines that are not of a site."""
    weight, wrong = WEIGHT, WEIGHT * UNSCORED
    for (other, scored), error in SCORES.items():
        if scored == way and (without is None or other.split(",")[0] != without.split(",")[0]):
            s = likeness(KIND[machine], KIND[other])
            weight, wrong = weight + s, wrong + s * (error > WRONG_ABOVE)
    return max(wrong / weight, UNKNOWN if way.startswith("library") else 0)


def decide(times, doubts):
    best, least = min(range(len(times)), key=times.__getitem__), min(times)

    def law(kappa):
        a = [(t / least) ** -kappa for t in times]
        return kappa, [x / sum(a) for x in a], a

    doubt = sum(x * y for x, y in zip(law(KAPPA)[1], doubts))
    laws = [(1 - doubt, *law(KAPPA)), (doubt, *law(KAPPA_WRONG))]
    p = [sum(w * q[i] for w, _, q, _ in laws) for i in range(len(times))]

    def within(log_loss):
        return sum(w / (1 + (sum(a) - 1) * math.exp(-k * log_loss)) for w, k, _, a in laws)

    low, high = 0, 20
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle) < .9 else (low, middle)
    return best, p, high


def calibration(cases, doubt):
    brier = uniform = covered = sure = right = 0
    for ways in cases:
        predicted, measured = zip(*ways.values())
        chosen, p, q90 = decide(predicted, [doubt(way) for way in ways])
        fastest = min(range(len(measured)), key=measured.__getitem__)
        brier += sum((x - (i == fastest)) ** 2 for i, x in enumerate(p))
        uniform += 1 - 1 / len(p)
        covered += math.log(measured[chosen] / measured[fastest]) <= q90 + 1e-12
        if p[chosen] >= .9:
            sure += 1
            right += chosen == fastest
    n = len(cases)
    return {"brier": brier / n, "uniform": uniform / n, "covered": covered / n, "sure": sure, "right": right,
            "cases": n}


def check_scores(found):
    """Every score of src/price/scored.c that these exchanges tell is what they tell."""
    wrong = ["%s on %s is %.2f, the exchanges say %.2f" % (key[1], key[0], SCORES.get(key, 0), error)
             for key, error in ((key, math.sqrt(statistics.mean(x * x for x in logs))) for key, logs in found.items())
             if abs(SCORES.get(key, 0) - error) > .006]
    if wrong:
        sys.exit("src/price/scored.c: " + "; ".join(wrong))


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


# ---- the bars of single machines ------------------------------------------------------------------------------------

def score(cases, ways, least=0):
    """Of the clear cases among some ways, from so many bytes a pair on: cases, right, mean loss, that of the best rule."""
    right, lost, rules = 0, [], {way: [] for way in ways}
    for key, case in cases.items():
        case = {way: times for way, times in case.items() if way in ways}
        measured = sorted(m for _, m in case.values())
        if float(key[SHAPE.index("bytes_per_pair")]) < least or len(case) < 2 or measured[1] < APART * measured[0]:
            continue
        chosen = min(case, key=lambda way: case[way][0])
        right += case[chosen][1] == measured[0]
        lost.append(case[chosen][1] / measured[0] - 1)
        for way in case:
            rules[way].append(case[way][1] / measured[0] - 1)
    rule = min((statistics.mean(r), way) for way, r in rules.items() if len(r) == len(lost))
    return len(lost), right, statistics.mean(lost), rule


def long_ones(cases, least=512):
    return {key: case for key, case in cases.items() if float(key[SHAPE.index("bytes_per_pair")]) >= least}


def with_groups(rows, name, machine, cases):
    """The long cases with their two-step exchanges by groups; each is priced by `predict`."""
    groups = {}
    with open(rows) as file:
        for row in csv.DictReader(file):
            if (row["machine"], row["strategy"], row["algorithm"]) == (name, "locality-aware-groups", "nonblocking"):
                way = "two-step:" + row["procs_per_leader"]
                groups.setdefault(key_of(row), {})[way] = float(row["median_s"])

    def priced(key):
        shape = dict(zip(SHAPE, key))
        answer = json.loads(nsmodel("predict", "--messages", "alltoall:%sB" % shape["bytes_per_pair"], "--nodes",
                                    shape["nodes"], "--per-node", shape["ppn"], "--strategy", ",".join(groups[key]),
                                    "--machine", machine, "--transport", "host", "--json"))
        times = {row["strategy"]: row["estimate_s"] for row in answer["cases"][0]["strategies"]}
        return {way + "/host": (times[way], groups[key][way]) for way in groups[key]}

    keys = [key for key in long_ones(cases) if key in groups]
    with ThreadPoolExecutor(2) as pool:
        return {key: {**cases[key], **more} for key, more in zip(keys, pool.map(priced, keys))}


def timeout_left_out(rows):
    """Dane's exchanges of all messages at once, each process count with the timeout that the others taught."""
    with open(rows) as file:
        reader = csv.DictReader(file)
        lines = list(reader)
    path, machine, found = os.path.join(WORK, "others.csv"), os.path.join(WORK, "others.json"), {}
    for processes in sorted({row["processes"] for row in lines if int(row["processes"]) <= 1000}):
        with open(path, "w") as file:
            out = csv.DictWriter(file, reader.fieldnames)
            out.writeheader()
            out.writerows(row for row in lines if row["processes"] != processes)
        nsmodel("fit", os.path.join(LOGS, "locality-aware-dane/microbench.out"), "--sockets", "2", "--gpus", "0",
                "--processes", "112", "--records", path, "--no-residual", "--max-work", "1e6", "-o", machine)
        answer = validated(rows, "dane", "processes=" + processes, machine)
        found.update(cases_of(rows, answer))
    return found


BARS = []


def bar(what, value, least=None, most=None, shown=None):
    wanted = "at most %g" % most if most is not None else "at least %g" % least
    met = value <= most if most is not None else value >= least
    BARS.append([what, wanted, shown or "%.3f" % value, "yes" if met else "**no**"])


def bars_of_dane(rows, inside):
    plain = ("standard/pairwise/host", "two-step/host")
    for way, most in zip(plain, (.144, .1095)):
        bar("Dane, %s, 512 B and more: median \\|log2\\|" % way, float(error(long_ones(inside), way)), most=most)
    for ways in (plain, ("standard/host", "two-step/host")):
        cases, right, _, _ = score(inside, ways)
        bar("Dane, the faster of %s and %s" % ways, right / cases, least=.938,
            shown="%.3f (%d of %d)" % (right / cases, right, cases))
    bar("Dane, standard/host, all at once: median \\|log2\\|", float(error(inside, "standard/host")), most=.4)
    bar("the same with the timeout of other process counts", float(error(timeout_left_out(rows), "standard/host")),
        most=.4)


def bars_of_slingshot(name, rows, out, machine, right_wanted, loss, group_loss):
    ways = ("library/host", "two-step/host")
    bar("%s, library, 512 B and more: median \\|log2\\|" % name, float(error(long_ones(out), ways[0])), most=.35)
    cases, right, lost, _ = score(out, ways, 512)
    bar("%s, library or two-step: right" % name, right / cases, least=right_wanted,
        shown="%.3f (%d of %d)" % (right / cases, right, cases))
    bar("%s, library or two-step: loss" % name, lost, most=loss)
    grouped = with_groups(rows, name, machine, out)
    all_ways = {way for case in grouped.values() for way in case}
    _, _, lost, rule = score(grouped, all_ways)
    bar("%s, groups offered: loss" % name, lost, most=group_loss)
    bar("%s, groups offered: loss, against always %s" % (name, rule[1]), lost, most=rule[0])
    told = cases_of(rows, validated(rows, name, "machine=" + name, machine, "--set", "host.exchange.bruck.to=512B"))
    bar("%s, the library's limit told, library or two-step: loss" % name, score(told, ways, 512)[2], most=loss)
    bar("the same, groups offered", score({k: {**case, **told[k]} for k, case in grouped.items()}, all_ways)[2],
        most=group_loss)
    return grouped


ALLREDUCES = {"recursive_doubling": "recursive-doubling", "rabenseifner": "rabenseifner", "ring": "ring"}
# On host buffers, by one code: LUMI's of pico itself, Leonardo's of Open MPI.  No ping-pong of either is public: a
# machine with the same network stands for it.
ALLREDUCE_SETS = (("lumi", "_over", "dense_tuolumne"), ("leonardo", "_ompi", "csd3"))


def allreduce_cases(name, ending):
    cases = {}
    with open(os.path.join(SHARED, "data", "collectives", "pico_lumi_leonardo.csv")) as file:
        for row in csv.DictReader(file):
            way = ALLREDUCES.get(row["algorithm"].removesuffix(ending))
            if (row["machine"], row["collective"]) != (name, "allreduce") or row["gpu_buffers"] == "yes" or way is None \
                    or not row["algorithm"].endswith(ending):
                continue
            key = row["run"], row["nodes"], row["ranks_per_node"], row["buffer_B"]
            cases.setdefault(key, {}).setdefault(way, []).append(float(row["median_s"]))
    return {key: {way: statistics.median(t) for way, t in ways.items()} for key, ways in cases.items() if len(ways) > 1}


def allreduces(name, ending, machine, shown):
    """A row: how often and how well `predict --collective` names the algorithm that wins."""
    def predicted(job):
        answer = json.loads(nsmodel("predict", "--collective", "allreduce:%sB" % job[2], "--machine", machine,
                                    "--nodes", job[0], "--per-node", job[1], "--json"))
        return {row["strategy"]: row["estimate_s"] for row in answer["cases"][0]["strategies"]
                if row["transport"] == "host"}

    cases = allreduce_cases(name, ending)
    jobs = sorted({key[1:] for key in cases})
    with ThreadPoolExecutor(2) as pool:
        times = dict(zip(jobs, pool.map(predicted, jobs)))
    clear = right = 0
    lost, rules = [], {way: [] for way in ALLREDUCES.values()}
    for key, ways in cases.items():
        fastest, second = sorted(ways.values())[:2]
        chosen = min(ways, key=times[key[1:]].get)
        lost.append(ways[chosen] / fastest - 1)
        clear += second > APART * fastest
        right += second > APART * fastest and ways[chosen] == fastest
        for way, seconds in ways.items():
            rules[way].append(seconds / fastest - 1)
    rule = min((statistics.mean(r), way) for way, r in rules.items() if r)
    return [name, shown, str(len(cases)), "%d of %d" % (right, clear), "%.3f" % statistics.mean(lost),
            "%.3f (%s, measured in %d)" % (*rule, len(rules[rule[1]]))]


def allreduce_table(slingshot):
    return table(["machine", "priced as", "cases", "right where clear", "mean loss", "best constant rule"],
                 [allreduces(name, ending, *((slingshot, "Tuolumne, fitted") if other == "dense_tuolumne" else
                                             (other, other))) for name, ending, other in ALLREDUCE_SETS])


def halos():
    """The tables of docs/evidence/ways.md, which are slow to make."""
    with open(os.path.join(os.path.dirname(os.path.abspath(PAGE)), "ways.md")) as file:
        text = file.read()
    tables = re.findall(r"(?:^\|.*\n)+", text[text.index("## Halos"):], re.M)
    return "\n".join(tables).strip()


def pair(now, then, form):
    return [form % now if now is not None else "-", form % then]


def put(page, name, text):
    begin, end = "<!-- %s: made by `make docs` -->" % name, "<!-- end of %s -->" % name
    found = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
    if not found.search(page):
        sys.exit("%s has no line %s" % (PAGE, begin))
    return found.sub(lambda _: "%s\n%s\n%s" % (begin, text, end), page)


ways, sets, losers, of_machine, logs_of = [], [], [], {}, {}
rows_by_device(os.path.join(WORK, "gpus.csv"))
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
    grouped = {}
    if name == "dense_dane":
        bars_of_dane(rows, inside_cases)
        grouped = with_groups(rows, "dane", left_out(shipped, other), cases)
    elif name == "dense_tuolumne":
        grouped = bars_of_slingshot("tuolumne", rows, cases, left_out(shipped, other), 22 / 24, .05, .1)
        collectives = allreduce_table(left_out(shipped, other))
    elif name == "dense_deltaAI":
        grouped = bars_of_slingshot("deltaAI", rows, cases, left_out(shipped, other), 9 / 12, .1, .2)
    elif name == "Blue Waters":
        for way, most in (("standard/host", .1335), ("three-step/host", .1245)):
            bar("Blue Waters, %s: median \\|log2\\|" % way, float(error(inside_cases, way)), most=most)
    key = machine + (", GPUs" if name.startswith("gpus_") else "")
    of_machine.setdefault(key, []).extend(case for case in joined.values() if len(case) > 1)
    by_groups = [{way: times for way, times in case.items() if ":" in way} for case in grouped.values()]
    for case in [*(case for case in joined.values() if len(case) > 1), *by_groups]:
        for way, times in case.items():
            way = re.sub(r":\d+", ":", way)
            logs_of.setdefault((key, way), []).append(math.log(times[0] / times[1]))

check_scores(logs_of)
shipped = {machine: calibration(cases, lambda way: doubt_of(machine, way, None))
           for machine, cases in of_machine.items()}


def shipped_of(s):
    return ["%.2f" % s["brier"], "%d of %d" % (s["right"], s["sure"]) if s["sure"] else "-", "%.2f" % s["covered"]]


doubts, all_of = [], {"out": [0, 0], "in": [0, 0]}
for machine, cases in of_machine.items():
    out = calibration(cases, lambda way: doubt_of(machine, way, machine))
    for which, one in (("out", out), ("in", shipped[machine])):
        all_of[which] = [all_of[which][0] + one["right"], all_of[which][1] + one["sure"]]
    likely = {way: doubt_of(machine, way, machine) for case in cases for way in case}
    doubts.append([machine, ", ".join("%s %.2f" % one for one in sorted(likely.items())), str(out["cases"]),
                   "%.2f" % out["uniform"], *shipped_of(out), *shipped_of(shipped[machine])])
doubts.append(["all", "", str(sum(len(c) for c in of_machine.values())), "", "", "%d of %d" % tuple(all_of["out"]),
               "", "", "%d of %d" % tuple(all_of["in"]), ""])

with open(PAGE) as file:
    page = file.read()
page = put(page, "sets that lose", "The advice loses more than the best constant rule in " +
           (", ".join(losers) if losers else "no set") + ".")
page = put(page, "bars", table(["what", "wanted", "found", "met"], BARS))
page = put(page, "halos", halos())
page = put(page, "allreduce", collectives)
page = put(page, "sets", table(
    ["set", "clear cases", "right, in sample", "left out", "loss, in sample", "left out", "best constant rule",
     "Brier, in sample", "left out", "equal chances", "90 % loss bounds hold, in sample", "left out",
     "90 % intervals hold, in sample", "left out"], sets))
page = put(page, "ways", table(["set", "way", "exchanges", "median \\|log2\\|, in sample", "left out"], ways))
page = put(page, "doubt", table(
    ["machine left out", "doubt of each way", "cases", "Brier of equal chances", "Brier", "right where P >= .9",
     "90 % loss bounds hold", "Brier with its own scores", "right where P >= .9", "bounds hold"], doubts))
with open(PAGE, "w") as file:
    file.write(page)
