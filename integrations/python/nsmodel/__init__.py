"""What an irregular exchange costs on a supercomputer, and which way of doing it is fastest.

    >>> import nsmodel
    >>> answer = nsmodel.predict("NotreDame_www", "lassen", parts=64)
    >>> answer.best.strategy, answer.best.seconds

Matrices come from SciPy, as arrays of CSR, or by name; planned messages as rows of (from, to, bytes). Numbers are SI:
seconds and bytes. What the library refuses is an :class:`Error`, whose text says what was wrong.
"""

import ctypes
from ctypes import c_int32, c_int64, c_uint64
from dataclasses import dataclass, field

import numpy as np

from . import _inputs, _library
from ._library import Error

__version__ = "1.0.0"
__all__ = ["Calculator", "Decision", "Error", "Gain", "Machine", "Placement", "Plan", "PlanWay", "Prediction", "Way", "evaluate",
           "machines", "models", "pattern", "place", "predict"]

DEFAULT_MACHINE = "lassen-spectrum"
_TRANSPORTS = ("host", "device")
_VERDICTS = ("clear", "tie", "extrapolated", "undecided")


def _text(value):
    return value.decode(errors="surrogateescape") if value is not None else None


# ---- machines -------------------------------------------------------------------------------------------------------


class Machine:
    """A machine by the name of a shipped one, or by its file. Read-only; threads may share it.

    Attributes: name, title, source, file, sockets, gpus, host_processes (the last three of a node).
    """

    def __init__(self, name_or_file=DEFAULT_MACHINE):
        self._take(_library.Handle("machine", "ns_machine_load", _library.text(name_or_file, "machine")))

    def _take(self, handle):
        info = _library.MachineInfo()
        _library.call("ns_machine_describe", handle, ctypes.byref(info))
        self._handle = handle
        self.name, self.title, self.source, self.file = (
            _text(getattr(info, key)) for key in ("name", "title", "source", "file"))
        self.sockets, self.gpus, self.host_processes = info.sockets, info.gpus, info.host_processes

    def number(self, path):
        """The number at a path such as "host.off-node.eager.alpha", in SI; KeyError where there is none."""
        value = ctypes.c_double()
        if not _library.library.ns_machine_number(self._handle, _library.text(path, "path"), ctypes.byref(value),
                                                  ctypes.byref(_library.Dim()), None):
            raise KeyError(f"{self.name} has no number {path}")
        return value.value

    def changed(self, assignment):
        """A copy with "PATH=VALUE" changed: changed("host.off-node.eager.alpha=2us")."""
        copy = Machine.__new__(Machine)
        copy._take(_library.Handle("machine", "ns_machine_with", self._handle,
                                   _library.text(assignment, "assignment")))
        return copy

    @property
    def parts(self):
        """Parts of a node where nothing else is said: its GPUs, or its host processes."""
        return self.gpus if self.gpus > 0 else self.host_processes

    def __repr__(self):
        return f"<nsmodel.Machine {self.name}>"


def _machine(machine):
    return machine if isinstance(machine, Machine) else Machine(machine)


def machines():
    """Names of the shipped machines."""
    names = _library.library.ns_machine_names()
    found = []
    while names[len(found)] is not None:
        found.append(names[len(found)].decode())
    return found


# ---- predictions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """A strategy by a transport, and what it costs. Times are in seconds; None: not known."""

    strategy: str
    transport: str
    seconds: float
    low: float  #: of the interval at 90 %
    high: float
    p_best: float  #: probability to be the fastest; of ways that send the same messages the first has it all
    published: float  #: the paper's closed form, as printed
    corrected: float  #: and corrected
    messages_off_node: int  #: most of one process
    shortlisted: bool
    ruled_out: bool
    extrapolated: bool


@dataclass(frozen=True)
class Decision:
    """How sure the best way is. Losses are ratios of times: 1.6 is 60 % slower than the fastest."""

    verdict: str  #: "clear", "tie" or "extrapolated"
    p_best: float
    loss_q50: float
    loss_q90: float
    expected_ln_loss: float
    kappa: float


@dataclass(frozen=True)
class Gain:
    """The best way against the one in use: probability to be faster, and by which factor."""

    incumbent: Way
    p_better: float
    q10: float
    q50: float
    q90: float


@dataclass(frozen=True)
class Prediction:
    """All ways that a machine runs, the fastest first."""

    machine: Machine
    parts: int
    nodes: int
    ways: tuple
    decision: Decision  #: None with one way only
    gain: Gain  #: None where no incumbent was named
    pattern: dict = field(repr=False)  #: messages, bytes and maxima of the exchange
    says: str = ""  #: the answer in words: switch, keep or measure, and how good such advice was where it was measured

    @property
    def best(self):
        return self.ways[0]

    def __iter__(self):
        return iter(self.ways)

    def __str__(self):
        lines = [f"{self.parts} parts on {self.nodes} nodes of {self.machine.name}"]
        for way in self.ways:
            sure = "" if way.p_best is None else f"  best with {100 * way.p_best:.0f} %"
            lines.append(f"  {way.strategy + '/' + way.transport:18} {1e6 * way.seconds:12.2f} us{sure}")
        return "\n".join([self.says] * bool(self.says) + lines)

    __repr__ = __str__


def _known(number):
    return number if number >= 0 else None


def _way(info):
    return Way(strategy=_text(info.name), transport=_TRANSPORTS[info.transport], seconds=info.estimate_s,
               low=info.lo_s, high=info.hi_s, p_best=_known(info.p_best), published=_known(info.published_s),
               corrected=_known(info.corrected_s), messages_off_node=info.messages_off_node_max,
               shortlisted=info.shortlisted, ruled_out=info.ruled_out, extrapolated=info.extrapolated)


def _info(struct, name, *arguments):
    info = struct()
    _library.call(name, *arguments, ctypes.byref(info))
    return info


def _selection(strategies, transport, incumbent):
    selection = _library.Handle("selection", "ns_selection_open")
    for name in [strategies] if isinstance(strategies, str) else strategies or ():
        _library.call("ns_selection_add", selection, _library.text(name, "strategies"))
    if transport is not None:
        _library.call("ns_selection_transports", selection, 1 << _transport(transport))
    if incumbent is not None:
        name, _, by = _library.text(incumbent, "incumbent").partition(b"/")
        _library.call("ns_selection_incumbent", selection, name, _transport(by.decode(errors="replace") or "host"))
    return selection


def _transport(word):
    if word not in _TRANSPORTS:
        raise Error(f'there is no transport "{word}"; it is one of host, device', "name")
    return _TRANSPORTS.index(word)


def _counts(exchange):
    counts = _info(_library.Pattern, "ns_exchange_counts", exchange)
    return {name: getattr(counts, name) for name, *_ in counts._fields_ if name != "size"}


def _exchange(what, parts, per_node, width, partition, node_of):
    layout = _library.Layout(_library.whole(parts, c_int32, "parts"), _library.whole(per_node, c_int32, "per_node"))
    options = _inputs.Options(layout.parts, width, partition, node_of)
    return _inputs.read(what).exchange(layout, options)


def pattern(what, parts, per_node=1, *, width=None, partition=None, node_of=None):
    """Messages, bytes and maxima of an exchange, as a dictionary. Arguments as in :func:`predict`."""
    return _counts(_exchange(what, parts, per_node, width, partition, node_of))


def predict(what, machine=DEFAULT_MACHINE, *, parts, per_node=None, width=None, partition=None, node_of=None,
            strategies=None, transport=None, incumbent=None):
    """Price every way to do an exchange, and decide.

    what: a SciPy sparse matrix; (indptr, indices, shape); the file, name or stencil of a matrix; or rows of
        (from, to, bytes), planned messages.
    machine: a :class:`Machine`, or what it is made of.
    parts: processes or GPUs; a matrix is cut into equal blocks of rows, or as `partition` says, a part for each row.
    per_node: parts of a node [the machine's GPUs, or host processes]; or node_of, the node of each part.
    width: bytes of a vector's entry [8].
    strategies, transport: only these ("three-step", "split"; "host", "device").
    incumbent: what is in use, "standard/host"; then `gain` says what changing gains.
    """
    machine = _machine(machine)
    per_node = machine.parts if per_node is None else per_node
    exchange = _exchange(what, parts, per_node, width, partition, node_of)
    selection = _selection(strategies, transport, incumbent)
    comparison = _library.Handle("comparison", "ns_compare", exchange, machine._handle, selection)
    ways = [_way(_info(_library.ChoiceInfo, "ns_comparison_choice", comparison, i))
            for i in range(_library.library.ns_comparison_choices(comparison))]
    nodes = int(np.max(node_of)) + 1 if node_of is not None else -(-parts // per_node)
    return Prediction(machine=machine, parts=parts, nodes=nodes, ways=tuple(sorted(ways, key=lambda way: way.seconds)),
                      decision=_decision(comparison), gain=_gain(comparison, ways) if incumbent is not None else None,
                      pattern=_counts(exchange), says=_says(comparison, machine, exchange))


def _says(comparison, machine, exchange):
    text = ctypes.create_string_buffer(4000)
    _library.call("ns_comparison_say", comparison, machine._handle, exchange, text, len(text))
    return _text(text.value)


def _decision(comparison):
    info = _info(_library.DecisionInfo, "ns_comparison_decision", comparison)
    if info.best < 0:
        return None
    return Decision(verdict=_VERDICTS[info.verdict], p_best=info.p_best, loss_q50=info.loss_q50,
                    loss_q90=info.loss_q90, expected_ln_loss=info.expected_ln_loss, kappa=info.kappa)


def _gain(comparison, ways):
    info = _info(_library.GainInfo, "ns_comparison_gain", comparison)
    return Gain(incumbent=ways[info.incumbent], p_better=info.p_better, q10=info.q10, q50=info.q50, q90=info.q90)


# ---- placements -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Placement:
    """Where parts stand: node_of[part]; the fastest way's time there, and in blocks."""

    node_of: np.ndarray
    seconds: float
    blocks: float


def _least(placer, node_of):
    seconds = (ctypes.c_double * _library.library.ns_placer_choices(placer))()
    _library.call("ns_placer_batch", placer, _inputs.pointer(node_of), 1, seconds)
    return min(seconds)


def place(what, machine=DEFAULT_MACHINE, *, parts, nodes, room=None, width=None, partition=None, seed=1, tries=0):
    """Look for the fastest placement of parts on nodes: bisection of their graph, then swaps; never slower than blocks.

    room: most parts of a node, one number for all or one for each [the machine's].
    tries: moves and swaps to price [by the size of the exchange]. The same seed gives the same answer.
    """
    machine = _machine(machine)
    parts, nodes = _library.whole(parts, c_int32, "parts"), _library.whole(nodes, c_int32, "nodes")
    seed, tries = _library.whole(seed, c_uint64, "seed"), _library.whole(tries, c_int64, "tries")
    room = np.asarray(machine.parts if room is None else room)
    if nodes < 1 or room.shape not in ((), (nodes,)):
        raise Error(f"room wants one number, or one for each of {nodes} nodes", "data")
    room = _inputs.int_array(np.broadcast_to(room, nodes), np.int32, "room")
    if room.min() < 0:
        raise Error(f"room has {room.min()}; it wants numbers of at least 0", "range")
    if parts > room.sum():
        raise Error(f"{parts} parts do not fit into {room.sum()} places", "data")
    blocks = _fill(parts, room)
    graph = _inputs.read(what).graph(parts, _inputs.Options(parts, width, partition, None))
    whole = _library.Handle("placer", "ns_placer_open", graph, nodes, machine._handle, None, None)
    options = _library.SearchOptions(seed=seed, tries=tries, room=_inputs.pointer(room))
    found = blocks.copy()
    _library.call("ns_place_search", graph, nodes, machine._handle, None, None, ctypes.byref(options),
                  _inputs.pointer(found))
    before, after = _least(whole, blocks), _least(whole, found)
    return Placement(found, after, before) if after < before else Placement(blocks, before, before)


def _fill(parts, room):
    """Consecutive parts together, as even as the nodes' room allows."""
    taken = np.zeros(len(room), dtype=np.int64)
    while taken.sum() < parts:
        level = taken[taken < room].min()
        for node in np.flatnonzero((taken == level) & (taken < room))[:parts - taken.sum()]:
            taken[node] += 1
    return np.repeat(np.arange(len(room), dtype=np.int32), taken)


# ---- models and expressions -----------------------------------------------------------------------------------------


def _model(name):
    model = ctypes.c_void_p()
    _library.call("ns_model_get", _library.text(name, "model"), ctypes.byref(model))
    return model


def models():
    """Names of the closed forms, with their titles."""
    found, list_of = {}, _library.library.ns_models()
    while list_of[len(found)]:
        info = _info(_library.ModelInfo, "ns_model_describe", list_of[len(found)])
        found[_text(info.name)] = _text(info.title)
    return found


def evaluate(model, machine=None, **inputs):
    """Evaluate a closed form: its outputs by name, in SI.

    Inputs are numbers in SI, or texts with units: evaluate("max-rate", "lassen", m=10, s="1 MiB", ppn=40).
    """
    machine = _machine(machine) if machine is not None else None
    found = _model(model)
    binding = _library.Handle("binding", "ns_binding_open", found, machine._handle if machine is not None else None)
    for name, value in inputs.items():
        if isinstance(value, str):
            _library.call("ns_bind_text", binding, _library.text(f"{name}={value}", name))
        else:
            _library.call("ns_bind_number", binding, _library.text(name, "an input"), float(value))
    _library.call("ns_bind_close", binding)
    outputs = _info(_library.ModelInfo, "ns_model_describe", found).outputs
    values = (ctypes.c_double * outputs)()
    _library.call("ns_binding_eval", binding, values)
    return {_text(_info(_library.FieldInfo, "ns_model_output", found, i).name): values[i] for i in range(outputs)}


class Calculator:
    """Expressions with units, variables and models: Calculator("lassen")("4 KiB / 23.9 GB/s + 2.44 us")."""

    def __init__(self, machine=None):
        self._machine = _machine(machine) if machine is not None else None
        self._handle = _library.Handle("calc", "ns_calc_open")
        if self._machine is not None:
            _library.library.ns_calc_use_machine(self._handle, self._machine._handle)

    def __call__(self, text):
        """The value of a statement, in SI. Variables stay for the next."""
        return _info(_library.Answer, "ns_calc_eval", self._handle, _library.text(text, "a statement")).quantity.value


# ---- plans ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlanWay:
    """What a :class:`Plan` believes of a way. Times are seconds, 0 where nothing is known; spread is of ln time."""

    way: object
    p_best: float
    expected_ln_loss: float
    expected_s: float
    measured_s: float
    spread: float
    calls: int
    trials: int
    trial_s: float
    why: str


class Plan:
    """Which of several correct ways the next calls of an exchange should take, learnt from the calls themselves.

        >>> plan = nsmodel.Plan({"library": 80e-6, "two-step": 50e-6, "groups": None}, incumbent="library")
        >>> way, calls = plan.next()
        >>> plan.tell(way, calls, [61e-6])

    Ways are names with predicted seconds, None where there is no prediction; doubt is the standard deviation of
    ln(time / predicted), one for all or by name. like: for a way without a prediction, the name of a similar one.
    calls: how many the program makes, None where unknown. foreign: no exchange of this machine was ever measured.
    effort: "measure", "estimate" or "patient". agreement_s: what an agreement of all ranks costs.
    """

    _EFFORTS = ("measure", "estimate", "patient")
    MOST_TOLD = 8

    def __init__(self, predicted, doubt=0.85, like=None, incumbent=None, calls=None, foreign=False, effort="measure",
                 agreement_s=0.0):
        self.ways = list(predicted)
        ways = (_library.PlanWay * len(self.ways))()
        for place, name in zip(ways, self.ways):
            place.predicted_s = predicted[name] or 0
            place.doubt = doubt[name] if isinstance(doubt, dict) else doubt
            place.like = self._index((like or {}).get(name))
        if effort not in self._EFFORTS:
            raise Error(f'no effort "{effort}"; there are {", ".join(self._EFFORTS)}', "name")
        options = _library.PlanOptions(incumbent=self._index(incumbent), foreign=foreign, calls=calls or 0,
                                       effort=self._EFFORTS.index(effort), agreement_s=agreement_s)
        self._handle = _library.Handle("plan", "ns_plan_open", ways, len(self.ways), ctypes.byref(options))

    def _index(self, way):
        if way is None:
            return -1
        if way not in self.ways:
            raise Error(f'no way "{way}"; there are {", ".join(map(str, self.ways))}', "name")
        return self.ways.index(way)

    def next(self):
        """The way of the next run and its number of calls."""
        way, calls = ctypes.c_int(), ctypes.c_int()
        _library.call("ns_plan_next", self._handle, ctypes.byref(way), ctypes.byref(calls))
        return self.ways[way.value], calls.value

    def tell(self, way, calls, seconds):
        """`calls` calls took that way; how long the last of them took, each the maximum over ranks, at most 8 count."""
        last = list(seconds)[-self.MOST_TOLD:]
        _library.call("ns_plan_tell", self._handle, self._index(way), calls, (ctypes.c_double * len(last))(*last),
                      len(last))

    def describe(self, way=None):
        """What is believed of a way, None for the one that next() says."""
        info = _info(_library.PlanInfo, "ns_plan_describe", self._handle, self._index(way))
        values = {name: getattr(info, name) for name, _ in info._fields_[2:-1]}
        return PlanWay(way=self.ways[info.way], why=_text(info.why), **values)
