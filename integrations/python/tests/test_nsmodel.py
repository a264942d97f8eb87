"""The package against the command line, which reads the same numbers another way.

NSMODEL_BIN is the program, NSMODEL_LIBRARY the installed library, NSMODEL_SCRATCH a folder.
"""

import gc
import json
import os
import re
import resource
import subprocess
import sys
import threading
import unittest

import numpy as np
import scipy.io
import scipy.sparse as sp

import nsmodel

SCRATCH = os.environ["NSMODEL_SCRATCH"]
RING = [1, 5, 6, 0, 8, 4, 7, 2, 3]


def program(*words):
    """What the command line answers, as JSON."""
    out = subprocess.run([os.environ["NSMODEL_BIN"], *words, "--json"], check=True, capture_output=True, text=True)
    return json.loads(out.stdout)


def ring_messages():
    return np.array([(a, b, 100000) for i, a in enumerate(RING) for b in (RING[i - 1], RING[(i + 1) % len(RING)])])


def banded(rows):
    random = np.random.default_rng(5)
    far = sp.coo_matrix((np.ones(rows), (random.integers(0, rows, rows), random.integers(0, rows, rows))), (rows, rows))
    return (sp.eye(rows) + sp.eye(rows, k=3) + far).tocsr()


class Predictions(unittest.TestCase):
    def compare(self, answer, case):
        """All ways and the decision, to the last bit that JSON has."""
        wanted = {(w["strategy"], w["transport"]): w for w in case["strategies"]}
        self.assertEqual(len(answer.ways), len(wanted))
        for way in answer:
            other = wanted[way.strategy, way.transport]
            self.assertEqual(way.seconds, other["estimate_s"])
            self.assertEqual([way.low, way.high], other["interval_s"])
            self.assertEqual(way.p_best, other["p_best"])
            self.assertEqual(way.published, other["published_s"])
            self.assertEqual(way.corrected, other["corrected_s"])
            self.assertEqual(way.messages_off_node, other["messages_off_node_max"])
        self.assertEqual(answer.best.strategy, case["best"]["strategy"])
        self.assertEqual(answer.decision.verdict, case["best"]["verdict"])
        for key in ("p_best", "loss_q50", "loss_q90", "expected_ln_loss"):
            self.assertEqual(getattr(answer.decision, key), case["decision"][key])
        self.assertEqual(answer.decision.kappa, case["decision"]["basis"]["kappa"])
        for key, value in case["pattern"].items():
            self.assertEqual(answer.pattern[key], value)

    def test_scipy(self):
        matrix, path = banded(2000), os.path.join(SCRATCH, "banded.mtx")
        scipy.io.mmwrite(path, matrix)
        for machine, parts in (("lassen", 32), ("dane", 300)):
            case = program("predict", "--matrix", path, "--machine", machine, "--parts", str(parts))["cases"][0]
            self.compare(nsmodel.predict(matrix, machine, parts=parts), case)
            self.compare(nsmodel.predict(matrix.tocoo(), nsmodel.Machine(machine), parts=parts), case)

    def test_arrays(self):
        matrix = banded(500)
        answers = [
            nsmodel.predict((matrix.indptr.astype(kind), matrix.indices.astype(kind), matrix.shape), parts=16, width=64)
            for kind in (np.int32, np.int64, np.uint16)
        ] + [nsmodel.predict((list(matrix.indptr), list(matrix.indices), matrix.shape), parts=16, width=64)]
        for answer in answers:
            self.assertEqual(answer.ways, answers[0].ways)
        self.assertNotEqual(answers[0].ways, nsmodel.predict(matrix, parts=16).ways)

    def test_name(self):
        case = program("predict", "--matrix", "NotreDame_www", "--machine", "lassen", "--gpus", "64")["cases"][0]
        self.compare(nsmodel.predict("NotreDame_www", "lassen", parts=64), case)

    def test_partition(self):
        matrix = banded(600)
        scipy.io.mmwrite(os.path.join(SCRATCH, "cut.mtx"), matrix)
        part = np.arange(600) % 12
        np.savetxt(os.path.join(SCRATCH, "cut.part"), part, fmt="%d")
        case = program("predict", "--matrix", os.path.join(SCRATCH, "cut.mtx"), "--machine", "dane", "--partition",
                       os.path.join(SCRATCH, "cut.part"), "--per-node", "4")["cases"][0]
        self.compare(nsmodel.predict(matrix, "dane", parts=12, per_node=4, partition=part), case)

    def test_messages(self):
        path = os.path.join(SCRATCH, "ring.csv")
        np.savetxt(path, ring_messages(), fmt="%d", delimiter=",", header="src,dst,bytes", comments="")
        case = program("predict", "--messages", path, "--machine", "dane", "--parts", "9", "--per-node", "3")
        self.compare(nsmodel.predict(ring_messages(), "dane", parts=9, per_node=3), case["cases"][0])

    def test_unequal_nodes(self):
        even = nsmodel.predict(ring_messages(), "dane", parts=9, node_of=[0, 0, 0, 1, 1, 1, 2, 2, 2])
        self.assertEqual(even.ways, nsmodel.predict(ring_messages(), "dane", parts=9, per_node=3).ways)
        given = nsmodel.predict(ring_messages(), "dane", parts=9, node_of=[0, 0, 0, 0, 1, 1, 1, 2, 3])
        self.assertEqual(given.nodes, 4)
        self.assertNotEqual(given.best.seconds, even.best.seconds)

    def test_chosen_ways(self):
        answer = nsmodel.predict("rajat01", "lassen", parts=16, strategies=["standard", "split"], transport="host",
                                 incumbent="standard/host")
        self.assertEqual({way.strategy for way in answer}, {"standard", "split-md", "split-dd"})
        self.assertEqual({way.transport for way in answer}, {"host"})
        self.assertEqual(answer.gain.incumbent.strategy, "standard")
        self.assertTrue(0 <= answer.gain.p_better <= 1 and answer.gain.q10 < answer.gain.q50 < answer.gain.q90)

    def test_words(self):
        answer = nsmodel.predict("rajat01", "lassen", parts=16)
        lines = str(answer).split("\n")
        self.assertEqual(lines[0], "16 parts on 4 nodes of lassen")
        self.assertEqual(len(lines), 1 + len(answer.ways))
        self.assertIn(answer.best.strategy, lines[1])


class Placements(unittest.TestCase):
    def test_ring_on_unequal_nodes(self):
        found = nsmodel.place(ring_messages(), "dane", parts=9, nodes=4, room=[4, 3, 1, 1])
        self.assertEqual(list(np.bincount(found.node_of)), [4, 3, 1, 1])
        self.assertEqual(sum(found.node_of[a] != found.node_of[RING[i - 1]] for i, a in enumerate(RING)), 4)
        self.assertLess(found.seconds, found.blocks)
        self.assertEqual(found.seconds,
                         nsmodel.predict(ring_messages(), "dane", parts=9, node_of=found.node_of).best.seconds)

    def test_never_slower(self):
        found = nsmodel.place(banded(400), "lassen", parts=16, nodes=4, tries=50)
        self.assertLessEqual(found.seconds, found.blocks)
        again = nsmodel.place(banded(400), "lassen", parts=16, nodes=4, tries=50)
        self.assertEqual(list(found.node_of), list(again.node_of))


class Plans(unittest.TestCase):
    def test_learns(self):
        seconds = {"library": 90e-6, "two-step": 61e-6, "groups": 43e-6}
        plan = nsmodel.Plan({"library": 80e-6, "two-step": 50e-6, "groups": None}, like={"groups": "two-step"},
                            incumbent="library")
        self.assertEqual(plan.next(), ("two-step", 1))
        made = 0
        while made < 3000:
            way, calls = plan.next()
            plan.tell(way, calls, [seconds[way]] * min(calls, 20))
            made += calls
        best = plan.describe("groups")
        self.assertGreater(best.p_best, 0.99)
        self.assertGreater(best.calls, 2900)
        self.assertAlmostEqual(best.measured_s, 43e-6, delta=1e-12)
        self.assertEqual(plan.describe().way, "groups")

    def test_refuses(self):
        with self.assertRaisesRegex(nsmodel.Error, 'no way "x"; there are a, b'):
            nsmodel.Plan({"a": 1, "b": 2}, incumbent="x")
        with self.assertRaisesRegex(nsmodel.Error, "predicted to take -1 s"):
            nsmodel.Plan({"a": -1})
        with self.assertRaisesRegex(nsmodel.Error, "took 0 s; wanted a time greater than 0"):
            nsmodel.Plan({"a": 1}).tell("a", 1, [0.0])


class Formulas(unittest.TestCase):
    def test_model(self):
        inputs = {"m": 10, "s": "1MiB", "ppn": 40}
        answer = nsmodel.evaluate("max-rate", "lassen", **inputs)
        wanted = program("eval", "max-rate", "--machine", "lassen", *(f"{k}={v}" for k, v in inputs.items()))
        for name, output in {**wanted["outputs"], **wanted["terms"]}.items():
            self.assertEqual(answer[name], output["value"] if isinstance(output, dict) else output)
        self.assertIn("max-rate", nsmodel.models())

    def test_calculator(self):
        calculate = nsmodel.Calculator("lassen")
        self.assertAlmostEqual(calculate("x = 4 KiB / 23.9 GB/s + 2.44 us"), 4096 / 23.9e9 + 2.44e-6, delta=1e-18)
        self.assertEqual(calculate("2 * x"), 2 * calculate("x"))
        alpha = "host.off-node.eager.alpha"
        self.assertEqual(calculate(alpha), nsmodel.Machine("lassen").number(alpha))


class Machines(unittest.TestCase):
    def test_numbers(self):
        machine = nsmodel.Machine("lassen")
        self.assertEqual((machine.name, machine.gpus), ("lassen", 4))
        alpha = machine.number("host.off-node.eager.alpha")
        slower = machine.changed("host.off-node.eager.alpha=9us")
        self.assertEqual((slower.number("host.off-node.eager.alpha"), machine.number("host.off-node.eager.alpha")),
                         (9e-6, alpha))
        self.assertIn("lassen", nsmodel.machines())
        with self.assertRaises(KeyError):
            machine.number("host.off-node.eager.gamma")


class Refusals(unittest.TestCase):
    def refused(self, words, code, function, *arguments, **named):
        with self.assertRaises(nsmodel.Error) as caught:
            function(*arguments, **named)
        self.assertIn(words, str(caught.exception))
        self.assertEqual(caught.exception.code, code)

    def test_refusals(self):
        matrix = banded(100)
        self.refused('did you mean "lassen"?', "name", nsmodel.predict, matrix, "lasen", parts=4)
        self.refused("three-stp", "name", nsmodel.predict, matrix, parts=4, strategies="three-stp")
        start, col, shape = matrix.indptr, matrix.indices, matrix.shape
        self.refused("whole numbers", "data", nsmodel.predict, (start * 1.0, col, shape), parts=4)
        self.refused("rising", "data", nsmodel.predict, (start[1:], col, shape), parts=4)
        self.refused("indices", "data", nsmodel.predict, (start, col[1:], shape), parts=4)
        self.refused("", "range", nsmodel.predict, (start, col + 1000, shape), parts=4)
        self.refused("", "range", nsmodel.predict, matrix, parts=0)
        self.refused("node_of", "data", nsmodel.predict, matrix, parts=4, node_of=[0, 1])
        self.refused("beyond", "range", nsmodel.predict, matrix, parts=4, node_of=[0, 1, 2, 1 << 40])
        self.refused("three whole numbers", "data", nsmodel.predict, [[1, 2]], parts=4)
        self.refused("there is no transport", "name", nsmodel.predict, matrix, parts=4, transport="air")
        self.refused("do not fit", "data", nsmodel.place, matrix, parts=9, nodes=2, room=4)
        self.refused("", "name", nsmodel.evaluate, "max-rat")
        self.refused("", "unit", nsmodel.evaluate, "postal", alpha="1GB/s", beta="1ns/B", s="1B")
        self.refused("", "syntax", nsmodel.Calculator(), "1 +")


    def test_whole_numbers(self):
        """Numbers beyond 32 or 64 bits and fractions are not cut to what fits."""
        matrix, ring = banded(100), ring_messages()
        start, col, shape = matrix.indptr, matrix.indices, matrix.shape
        for bad in (2**32 + 4, -2**32 + 4, 2**64 + 4, 2**31):
            self.refused(f"parts is {bad}, beyond what 32 bits hold", "range", nsmodel.predict, matrix, parts=bad)
            self.refused("parts is", "range", nsmodel.pattern, ring, bad)
            self.refused("parts is", "range", nsmodel.place, matrix, parts=bad, nodes=2)
            self.refused("nodes is", "range", nsmodel.place, matrix, parts=4, nodes=bad)
            self.refused("per_node is", "range", nsmodel.predict, matrix, parts=4, per_node=bad)
        for bad in (2**64 + 8, 2**63, -2**63 - 1):
            self.refused(f"width is {bad}, beyond what 64 bits hold", "range", nsmodel.predict, matrix, parts=4,
                         width=bad)
            self.refused("tries is", "range", nsmodel.place, matrix, parts=4, nodes=2, tries=bad)
            self.refused("shape is", "range", nsmodel.predict, (start, col, (100, bad)), parts=4)
        self.refused("seed is -1", "range", nsmodel.place, matrix, parts=4, nodes=2, seed=-1)
        self.refused("seed is", "range", nsmodel.place, matrix, parts=4, nodes=2, seed=2**64 + 1)
        self.refused("the number of nodes is", "range", nsmodel.predict, matrix, parts=2, node_of=[0, 2**31 - 1])
        self.refused("", "range", nsmodel.predict, matrix, parts=4, per_node=0)
        for bad in (2**31, -2**32 + 4, 2**63):
            self.refused("room has numbers beyond int32", "range", nsmodel.place, matrix, parts=4, nodes=2, room=bad)
        self.refused("at least 0", "range", nsmodel.place, matrix, parts=4, nodes=2, room=[-1, 8])
        self.refused("one for each of 2 nodes", "data", nsmodel.place, matrix, parts=4, nodes=2, room=[4, 4, 4])
        for named in ({"parts": 4.0}, {"parts": "4"}, {"parts": 4, "width": 8.9}, {"parts": 4, "per_node": 2.5},
                      {"parts": np.float64(4)}):
            with self.assertRaisesRegex(TypeError, "wants a whole number, got"):
                nsmodel.predict(matrix, **named)
        for named in ({"parts": 4.5}, {"nodes": 2.0}, {"seed": 1.5}, {"tries": 10.0}, {"width": 8.9}):
            with self.assertRaisesRegex(TypeError, "wants a whole number, got"):
                nsmodel.place(matrix, **{"parts": 4, "nodes": 2, **named})
        with self.assertRaisesRegex(TypeError, "shape wants a whole number, got 100.5"):
            nsmodel.predict((start, col, (100, 100.5)), parts=4)
        self.refused("whole numbers", "data", nsmodel.place, matrix, parts=4, nodes=2, room=2.5)
        self.assertEqual(nsmodel.predict(matrix, parts=np.int16(4), width=np.uint8(8), per_node=np.int64(4)).ways,
                         nsmodel.predict(matrix, parts=4).ways)
        self.assertEqual(nsmodel.place(matrix, parts=np.int64(4), nodes=np.uint8(2), seed=np.int8(1)).node_of.size, 4)

    def test_texts(self):
        """C ends a text at its first NUL; what stands before it is not what was meant."""
        matrix = banded(100)
        machine = nsmodel.Machine("lassen")
        alpha = "host.off-node.eager.alpha"
        for function, *arguments in (
                (nsmodel.Machine, "lassen\0x"), (nsmodel.predict, matrix, "lassen\0x"),
                (machine.changed, alpha + "=2us\0"), (machine.number, alpha + "\0x"),
                (nsmodel.evaluate, "postal\0x"), (nsmodel.Calculator("lassen"), "1 + 1\0+ 1"),
                (nsmodel.predict, "rajat01\0x")):
            self.refused("NUL", "data", function, *arguments, **({"parts": 4} if function is nsmodel.predict else {}))
        postal = {"alpha": "1us", "beta": "1ns/B", "s": "1B"}
        self.refused("NUL", "data", nsmodel.evaluate, "postal", **{**postal, "alpha": "1us\0x"})
        self.refused("NUL", "data", nsmodel.evaluate, "postal", **{**postal, "alpha\0x": 1e-6})
        self.refused("NUL", "data", nsmodel.predict, matrix, parts=4, strategies=["standard\0x"])
        self.refused("NUL", "data", nsmodel.predict, matrix, parts=4, incumbent="standard\0x/host")
        self.refused("NUL", "data", nsmodel.predict, matrix, parts=4, incumbent="standard/host\0x")
        for function, argument in ((nsmodel.Machine, 5), (machine.number, 5), (machine.changed, None),
                                   (nsmodel.evaluate, 5), (nsmodel.Calculator(), 5)):
            with self.assertRaisesRegex(TypeError, "wants a text, got"):
                function(argument)

    def test_partitions(self):
        """A part for each row; none for messages."""
        matrix = banded(600)
        for length in range(0, 700, 7):
            self.refused(f"each of 600 rows, got {length}", "data", nsmodel.predict, matrix, parts=4,
                         partition=np.zeros(length, dtype=np.int32))
        self.refused("each of 6833 rows, got 6832", "data", nsmodel.pattern, "rajat01", 4, partition=[0] * 6832)
        self.refused("each of 600 rows, got 599", "data", nsmodel.place, matrix, parts=4, nodes=2, partition=[0] * 599)
        self.refused("each of 6833 rows", "data", nsmodel.place, "rajat01", parts=4, nodes=2, partition=[0] * 599)
        self.refused("", "range", nsmodel.predict, matrix, parts=4, partition=np.full(600, 4))
        for function, named in ((nsmodel.predict, {"parts": 9}), (nsmodel.pattern, {"parts": 9}),
                                (nsmodel.place, {"parts": 9, "nodes": 3})):
            self.refused("partition is of a matrix", "usage", function, ring_messages(), partition=[0] * 9, **named)
            self.refused("width is of a matrix", "usage", function, ring_messages(), width=8, **named)


class Lifetimes(unittest.TestCase):
    def test_arrays_live_as_long_as_calls(self):
        """Arrays that have to be converted are the package's own; the library looks at them while it is called."""
        matrix = banded(3000)
        part = np.arange(3000) % 16
        wanted = nsmodel.place(matrix, "lassen", parts=16, nodes=4, tries=50, partition=part.astype(np.int32))
        for kind in (list, np.int64, np.uint16, ">i4"):
            given = part.tolist() if kind is list else part.astype(kind)
            found = nsmodel.place(matrix, "lassen", parts=16, nodes=4, tries=50, partition=given)
            self.assertEqual((found.seconds, list(found.node_of)), (wanted.seconds, list(wanted.node_of)))
        room = np.array([8, 4, 3, 1], dtype=np.int64)
        found = nsmodel.place(matrix, "lassen", parts=16, nodes=4, room=room, tries=50, partition=part[::-1])
        self.assertTrue((np.bincount(found.node_of, minlength=4) <= room).all())

    def test_memory_comes_back(self):
        matrix = banded(4000)

        def work(times):
            for _ in range(times):
                nsmodel.predict(matrix, "lassen", parts=64)
            gc.collect()
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        before = work(20)
        self.assertLess(work(300), before + 20000)  # KiB; 300 exchanges would be far more

    def test_threads(self):
        machine, matrix = nsmodel.Machine("lassen"), banded(1000)
        wanted, answers = nsmodel.predict(matrix, machine, parts=32).ways, []
        threads = [threading.Thread(target=lambda: answers.append(nsmodel.predict(matrix, machine, parts=32).ways))
                   for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [wanted] * 8)


class Examples(unittest.TestCase):
    """Of at most ten lines each, as the pages have them."""

    def run_example(self, page):
        here = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(here, "..", page), encoding="utf-8") as file:
            code = re.search(r"```python\n(.*?)```", file.read(), re.S).group(1)
        self.assertLessEqual(len(code.strip().split("\n")), 10)
        out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        return out.strip().split("\n")

    def test_readme(self):
        lines = self.run_example("README.md")
        self.assertEqual(lines[0], "64 parts on 16 nodes of lassen")
        self.assertRegex(lines[-1], r"^[a-z-]+ [0-9.e-]+ 0\.[0-9]+$")

    def test_tutorial(self):
        lines = self.run_example("../../docs/python.md")
        case = program("predict", "--matrix", "NotreDame_www", "--machine", "lassen", "--gpus", "256")["cases"][0]
        self.assertEqual(lines[4].split()[:3], ["256", case["best"]["strategy"], case["best"]["transport"]])
        self.assertEqual(float(lines[4].split()[4]), case["decision"]["p_best"])
        self.assertEqual(lines[6], "64 parts on 16 nodes of lassen")


if __name__ == "__main__":
    unittest.main()
