"""The C library: where it is, its structs and functions, and its errors as exceptions.

Handles are opaque; every struct that the library fills or reads begins with its size, so that newer libraries go on
working with this module.
"""

import ctypes
import operator
import os
import weakref
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint, c_uint64, c_void_p

TERMS = 16


class Error(ValueError):
    """What the library refuses. `code` is a short word: "name", "file", "range", "unit", ..."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


# ---- structs --------------------------------------------------------------------------------------------------------


class Sized(ctypes.Structure):
    """A struct that begins with its size."""

    def __init__(self, **values):
        super().__init__(size=ctypes.sizeof(type(self)), **values)


class Dim(ctypes.Structure):
    _fields_ = [("second", ctypes.c_byte), ("byte", ctypes.c_byte), ("flop", ctypes.c_byte)]


class Quantity(ctypes.Structure):
    _fields_ = [("value", c_double), ("dim", Dim)]


class Layout(ctypes.Structure):
    _fields_ = [("parts", c_int32), ("per_node", c_int32)]


class Planned(ctypes.Structure):
    _fields_ = [("from_", c_int32), ("to", c_int32), ("bytes", c_int64)]


class ExchangeOptions(Sized):
    _fields_ = [
        ("size", c_size_t), ("width", c_int64), ("part", c_void_p), ("max_memory", c_int64), ("view", c_void_p),
        ("rack", c_int32), ("site", c_void_p),
    ]


class Pattern(Sized):
    _fields_ = [("size", c_size_t)] + [
        (name, c_int64)
        for name in (
            "messages_total", "messages_off_node", "bytes_total", "bytes_off_node", "s_proc", "s_node", "s_node_node",
            "s_recv", "m_proc", "m_proc_node", "m_node_node", "recv_nodes", "send_nodes", "unique_bytes_off_node",
            "unique_s_proc", "unique_s_node", "unique_s_node_node",
        )
    ] + [("duplicate_fraction", c_double)]


class MatrixInfo(Sized):
    _fields_ = [
        ("size", c_size_t), ("name", c_char_p), ("rows", c_int64), ("cols", c_int64), ("stored", c_int64),
        ("symmetry", c_int), ("source", c_int), ("note", c_char_p), ("stands_for", c_char_p),
    ]


class MachineInfo(Sized):
    _fields_ = [
        ("size", c_size_t), ("name", c_char_p), ("title", c_char_p), ("source", c_char_p), ("file", c_char_p),
        ("sockets", c_int), ("gpus", c_int), ("host_processes", c_int), ("parameters", c_size_t),
    ]


class ChoiceInfo(Sized):
    _fields_ = [
        ("size", c_size_t), ("strategy", c_void_p), ("name", c_char_p), ("transport", c_int), ("form", c_void_p),
        ("estimate_s", c_double), ("lo_s", c_double), ("hi_s", c_double), ("term_s", c_double * TERMS),
        ("copy_s", c_double), ("published_s", c_double), ("corrected_s", c_double), ("messages_off_node_max", c_int64),
        ("p_best", c_double), ("best", c_bool), ("incumbent", c_bool), ("shortlisted", c_bool), ("ruled_out", c_bool),
        ("extrapolated", c_bool),
    ]


class DecisionInfo(Sized):
    _fields_ = [
        ("size", c_size_t), ("verdict", c_int), ("best", c_int), ("p_best", c_double), ("loss_q50", c_double),
        ("loss_q90", c_double), ("expected_ln_loss", c_double), ("shortlisted", c_int), ("shortlist_p", c_double),
        ("kappa", c_double), ("lambda_", c_double),
    ]


class GainInfo(Sized):
    _fields_ = [
        ("size", c_size_t), ("incumbent", c_int), ("p_better", c_double), ("q10", c_double), ("q50", c_double),
        ("q90", c_double), ("regret", c_double),
    ]


class ModelInfo(Sized):
    _fields_ = [
        ("size", c_size_t), ("name", c_char_p), ("title", c_char_p), ("source", c_char_p), ("notes", c_char_p),
        ("inputs", c_size_t), ("outputs", c_size_t), ("wants_machine", c_bool),
    ]


class FieldInfo(Sized):
    _fields_ = [
        ("size", c_size_t), ("name", c_char_p), ("unit", c_char_p), ("doc", c_char_p), ("kind", c_int),
        ("words", POINTER(c_char_p)), ("least", c_double), ("most", c_double), ("has_default", c_bool),
        ("neutral", c_double),
    ]


class Answer(Sized):
    _fields_ = [("size", c_size_t), ("quantity", Quantity), ("unit", ctypes.c_char * 64), ("assigned", c_bool)]


class SearchOptions(Sized):
    _fields_ = [
        ("size", c_size_t), ("seed", c_uint64), ("tries", c_int64), ("per_node", c_int32), ("watch", c_void_p),
        ("context", c_void_p), ("room", c_void_p),
    ]


class PlanWay(ctypes.Structure):
    _fields_ = [
        ("predicted_s", c_double), ("doubt", c_double), ("like", c_int), ("measured", c_int), ("measured_s", c_double),
    ]


class PlanOptions(Sized):
    _fields_ = [
        ("size", c_size_t), ("incumbent", c_int), ("foreign", c_bool), ("calls", c_int64), ("effort", c_int),
        ("agreement_s", c_double),
    ]


class PlanInfo(Sized):
    _fields_ = [
        ("size", c_size_t), ("way", c_int), ("p_best", c_double), ("expected_ln_loss", c_double),
        ("expected_s", c_double), ("measured_s", c_double), ("spread", c_double), ("calls", c_int64),
        ("trials", c_int64), ("trial_s", c_double), ("why", c_char_p),
    ]


# The name that the headers give each of them. A field that Python cannot call so has an underscore at its end.
C_NAMES = {
    Dim: "ns_dim", Quantity: "ns_quantity", Layout: "ns_layout", Planned: "ns_planned",
    ExchangeOptions: "ns_exchange_options", Pattern: "ns_pattern",
    MatrixInfo: "ns_matrix_info", MachineInfo: "ns_machine_info",
    ChoiceInfo: "ns_choice_info", DecisionInfo: "ns_decision_info", GainInfo: "ns_gain_info",
    ModelInfo: "ns_model_info", FieldInfo: "ns_field_info", Answer: "ns_answer",
    SearchOptions: "ns_search_options",
    PlanWay: "ns_plan_way", PlanOptions: "ns_plan_options", PlanInfo: "ns_plan_info",
}


def layout_check():
    """A C source that compiles only where the headers lay these structs out as this module does."""
    lines = ["#include <nsmodel/nsmodel.h>", "#include <stddef.h>"]
    for struct, name in C_NAMES.items():
        for field, _ in struct._fields_:
            lines.append(
                f'_Static_assert(offsetof({name}, {field.rstrip("_")}) == {getattr(struct, field).offset}, '
                f'"{name}.{field}");'
            )
        lines.append(f'_Static_assert(sizeof({name}) == {ctypes.sizeof(struct)}, "{name}");')
    lines.append(f'_Static_assert(NS_TERMS == {TERMS}, "NS_TERMS");')
    return "\n".join(lines) + "\n"


# ---- functions ------------------------------------------------------------------------------------------------------

_OUT = POINTER(c_void_p)
_ERR = c_void_p

# Those that return a status and take an error last: their other arguments.
_CALLS = {
    "ns_machine_load": [c_char_p, _OUT],
    "ns_machine_parse": [c_char_p, c_char_p, _OUT],
    "ns_machine_with": [c_void_p, c_char_p, _OUT],
    "ns_machine_describe": [c_void_p, POINTER(MachineInfo)],
    "ns_matrix_open": [c_char_p, _OUT],
    "ns_site_from_map": [c_int32, c_int32, c_void_p, c_int32, c_void_p, _OUT],
    "ns_exchange_from_matrix": [c_void_p, POINTER(Layout), c_size_t, POINTER(ExchangeOptions), _OUT, c_void_p],
    "ns_exchange_from_csr": [
        c_int64, c_int64, c_void_p, c_void_p, Layout, POINTER(ExchangeOptions), _OUT,
    ],
    "ns_exchange_from_messages": [c_void_p, c_size_t, Layout, c_void_p, _OUT],
    "ns_exchange_from_messages_on": [c_void_p, c_size_t, c_void_p, _OUT],
    "ns_exchange_counts": [c_void_p, POINTER(Pattern)],
    "ns_selection_open": [_OUT],
    "ns_selection_add": [c_void_p, c_char_p],
    "ns_selection_transports": [c_void_p, c_uint],
    "ns_selection_incumbent": [c_void_p, c_char_p, c_int],
    "ns_compare": [c_void_p, c_void_p, c_void_p, _OUT],
    "ns_comparison_choice": [c_void_p, c_int, POINTER(ChoiceInfo)],
    "ns_comparison_say": [c_void_p, c_void_p, c_void_p, c_char_p, c_size_t],
    "ns_comparison_decision": [c_void_p, POINTER(DecisionInfo)],
    "ns_comparison_gain": [c_void_p, POINTER(GainInfo)],
    "ns_model_get": [c_char_p, _OUT],
    "ns_model_describe": [c_void_p, POINTER(ModelInfo)],
    "ns_model_input": [c_void_p, c_size_t, POINTER(FieldInfo)],
    "ns_model_output": [c_void_p, c_size_t, POINTER(FieldInfo)],
    "ns_binding_open": [c_void_p, c_void_p, _OUT],
    "ns_bind_text": [c_void_p, c_char_p],
    "ns_bind_number": [c_void_p, c_char_p, c_double],
    "ns_bind_close": [c_void_p],
    "ns_binding_eval": [c_void_p, POINTER(c_double)],
    "ns_calc_open": [_OUT],
    "ns_calc_eval": [c_void_p, c_char_p, POINTER(Answer)],
    "ns_graph_from_csr": [
        c_int64, c_int64, c_void_p, c_void_p, c_int32, POINTER(ExchangeOptions), _OUT,
    ],
    "ns_graph_from_matrix": [c_void_p, c_int32, POINTER(ExchangeOptions), _OUT, c_void_p],
    "ns_graph_from_messages": [c_void_p, c_size_t, c_int32, c_void_p, _OUT],
    "ns_placer_open": [c_void_p, c_int32, c_void_p, c_void_p, c_void_p, _OUT],
    "ns_placer_batch": [c_void_p, c_void_p, c_size_t, POINTER(c_double)],
    "ns_place_search": [c_void_p, c_int32, c_void_p, c_void_p, c_void_p, POINTER(SearchOptions), c_void_p],
    "ns_plan_open": [POINTER(PlanWay), c_int, POINTER(PlanOptions), _OUT],
    "ns_plan_next": [c_void_p, POINTER(c_int), POINTER(c_int)],
    "ns_plan_tell": [c_void_p, c_int, c_int, POINTER(c_double), c_int],
    "ns_plan_describe": [c_void_p, c_int, POINTER(PlanInfo)],
}

# The others: result, arguments.
_OTHERS = {
    "ns_error_format": (c_char_p, [_ERR, c_char_p, ctypes.c_ulong]),
    "ns_status_name": (c_char_p, [c_int]),
    "ns_machine_names": (POINTER(c_char_p), []),
    "ns_machine_number": (c_bool, [c_void_p, c_char_p, POINTER(c_double), POINTER(Dim), c_void_p]),
    "ns_matrix_describe": (POINTER(MatrixInfo), [c_void_p]),
    "ns_models": (POINTER(c_void_p), []),
    "ns_comparison_choices": (c_int, [c_void_p]),
    "ns_comparison_best": (c_int, [c_void_p]),
    "ns_calc_use_machine": (None, [c_void_p, c_void_p]),
    "ns_dim_unit": (c_char_p, [Dim, c_char_p, c_size_t]),
    "ns_placer_choices": (c_int, [c_void_p]),
    "ns_place_blocks": (None, [c_int32, c_int32, c_void_p]),
}
_HANDLES = "machine matrix site exchange selection comparison binding calc graph placer plan"
for _handle in _HANDLES.split():
    _OTHERS[f"ns_{_handle}_free"] = (None, [c_void_p])


def _load():
    """The library that NSMODEL_LIBRARY names; else the wheel's own, else the loader's."""
    named = os.environ.get("NSMODEL_LIBRARY")
    inside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libnsmodel.so.1")
    for name in [named] if named else [inside, "libnsmodel.so.1", "libnsmodel.so"]:
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            why = error
    raise ImportError(f"nsmodel's C library is not found: {why}; NSMODEL_LIBRARY may name it")


library = _load()
for _name, _arguments in _CALLS.items():
    _function = getattr(library, _name)
    _function.restype = c_int
    _function.argtypes = _arguments + [_ERR]
for _name, (_result, _arguments) in _OTHERS.items():
    _function = getattr(library, _name)
    _function.restype = _result
    _function.argtypes = _arguments

_ERROR_ROOM = 8192  # more than any ns_error; the library alone looks into it


# ctypes takes any whole number and keeps the bits that fit, and ends a text at its first NUL: both are refused before.


def whole(value, kind, what):
    """A whole number that a C type holds."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} wants a whole number, got {value!r}") from None
    if kind(number).value != number:
        raise Error(f"{what} is {number}, beyond what {8 * ctypes.sizeof(kind)} bits hold", "range")
    return number


def text(value, what):
    """A text as bytes for C; names of files too."""
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{what} wants a text, got {value!r}")
    value = os.fspath(value)
    encoded = value.encode(errors="surrogateescape") if isinstance(value, str) else value
    if b"\0" in encoded:
        raise Error(f"{what} has a NUL character: {value!r}", "data")
    return encoded


def call(name, *arguments):
    """Call a function that returns a status; raise what it refuses."""
    error = ctypes.create_string_buffer(_ERROR_ROOM)
    status = getattr(library, name)(*arguments, error)
    if status != 0:
        line = ctypes.create_string_buffer(1024)
        library.ns_error_format(error, line, len(line))
        raise Error(line.value.decode(errors="replace"), library.ns_status_name(status).decode())


OUT = object()  # stands for the place where a function puts what it makes, where that is not its last


class Handle:
    """What a function made, freed with this object."""

    def __init__(self, kind, function, *arguments):
        made = c_void_p()
        out = ctypes.byref(made)
        places = arguments if OUT in arguments else arguments + (OUT,)
        call(function, *(out if place is OUT else place for place in places))
        self._as_parameter_ = made
        weakref.finalize(self, getattr(library, f"ns_{kind}_free"), made)
