"""What exchanges are made of: SciPy's matrices, arrays of CSR, names of matrices, planned messages."""

import ctypes
import os

import numpy as np

from ._library import OUT, Error, ExchangeOptions, Handle, c_int32, c_int64, c_void_p, library, text, whole


def int_array(values, dtype, what):
    """A contiguous array of whole numbers; anything else is refused."""
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
        raise Error(f"{what} wants an array of whole numbers, got {array.dtype} with {array.ndim} dimensions", "data")
    limits = np.iinfo(dtype)
    if array.size and (array.max() > limits.max or array.min() < limits.min):
        raise Error(f"{what} has numbers beyond {dtype.__name__}", "range")
    return np.require(array, dtype=dtype, requirements=["C_CONTIGUOUS", "ALIGNED"])


def pointer(array):
    """Where an array stands; its caller keeps it until the library has returned."""
    return array.ctypes.data_as(c_void_p) if array is not None else None


class Csr:
    """Rows and columns of a matrix; values are never read."""

    def __init__(self, matrix):
        if hasattr(matrix, "tocsr"):
            matrix = matrix.tocsr()
            row_start, col, shape = matrix.indptr, matrix.indices, matrix.shape
        else:
            row_start, col, shape = matrix
        self.row_start = int_array(row_start, np.int64, "indptr")
        self.col = int_array(col, np.int64, "indices")
        self.rows, self.cols = (whole(n, c_int64, "shape") for n in shape)
        if len(self.row_start) != self.rows + 1 or self.row_start[0] != 0 or np.any(np.diff(self.row_start) < 0):
            raise Error("indptr wants rows + 1 rising numbers from 0", "data")
        if self.row_start[-1] != len(self.col):
            raise Error(f"indptr ends at {self.row_start[-1]}, but there are {len(self.col)} indices", "data")

    def exchange(self, layout, options):
        return Handle("exchange", "ns_exchange_from_csr", self.rows, self.cols, pointer(self.row_start),
                      pointer(self.col), layout, options.of_matrix(self.rows))

    def graph(self, parts, options):
        return Handle("graph", "ns_graph_from_csr", self.rows, self.cols, pointer(self.row_start), pointer(self.col),
                      parts, options.of_matrix(self.rows))


class Named:
    """A matrix by its file, its name, or a stencil."""

    def __init__(self, spec):
        self.matrix = Handle("matrix", "ns_matrix_open", text(spec, "the matrix' name"))
        self.rows = library.ns_matrix_describe(self.matrix).contents.rows

    def exchange(self, layout, options):
        return Handle("exchange", "ns_exchange_from_matrix", self.matrix, ctypes.byref(layout), 1,
                      options.of_matrix(self.rows), OUT, None)

    def graph(self, parts, options):
        return Handle("graph", "ns_graph_from_matrix", self.matrix, parts, options.of_matrix(self.rows), OUT, None)


class Messages:
    """Rows of (from, to, bytes)."""

    def __init__(self, rows):
        rows = np.asarray(rows)
        if rows.ndim != 2 or rows.shape[1] != 3 or not np.issubdtype(rows.dtype, np.integer):
            raise Error("messages want rows of three whole numbers: from, to, bytes", "data")
        self.row = np.zeros(len(rows), dtype=[("from", np.int32), ("to", np.int32), ("bytes", np.int64)])
        for i, name in enumerate(self.row.dtype.names):
            self.row[name] = int_array(rows[:, i], self.row.dtype[name].type, "messages")

    def exchange(self, layout, options):
        options.of_messages()
        if options.site is not None:
            return Handle("exchange", "ns_exchange_from_messages_on", pointer(self.row), len(self.row), options.site)
        return Handle("exchange", "ns_exchange_from_messages", pointer(self.row), len(self.row), layout, None)

    def graph(self, parts, options):
        options.of_messages()
        return Handle("graph", "ns_graph_from_messages", pointer(self.row), len(self.row), parts, None)


def read(what):
    """Any of these, by what it looks like."""
    if hasattr(what, "tocsr") or (isinstance(what, tuple) and len(what) == 3 and not np.isscalar(what[0])
                                  and np.ndim(what[0]) == 1 and isinstance(what[2], tuple)):
        return Csr(what)
    if isinstance(what, (str, os.PathLike)):
        return Named(os.fspath(what))
    return Messages(what)


class Options:
    """How an exchange is cut, and where its parts stand. It keeps what the library looks at, and is kept by its caller
    until the library has returned."""

    def __init__(self, parts, width, partition, node_of):
        self.width = whole(width, c_int64, "width") if width is not None else None
        self.part = int_array(partition, np.int32, "partition") if partition is not None else None
        self.site = self._site(parts, int_array(node_of, np.int32, "node_of")) if node_of is not None else None

    def _site(self, parts, node_of):
        if len(node_of) != parts:
            raise Error(f"node_of wants a node for each of {parts} parts, got {len(node_of)}", "data")
        nodes = whole(int(node_of.max(initial=-1)) + 1, c_int32, "the number of nodes")
        return Handle("site", "ns_site_from_map", parts, nodes, pointer(node_of), 0, None)

    def of_matrix(self, rows):
        """For a call about a matrix."""
        if self.part is not None and len(self.part) != rows:
            raise Error(f"partition wants a part for each of {rows} rows, got {len(self.part)}", "data")
        self.c = ExchangeOptions(width=8 if self.width is None else self.width, part=pointer(self.part),
                                 site=self.site._as_parameter_ if self.site is not None else None)
        return ctypes.byref(self.c)

    def of_messages(self):
        """For a call about messages, which say their parts and bytes."""
        for name, value in (("partition", self.part), ("width", self.width)):
            if value is not None:
                raise Error(f"{name} is of a matrix; messages name their parts and bytes themselves", "usage")
