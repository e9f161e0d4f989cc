"""Arrays of other packages to data of a kernel, and results to arrays.

Packages other than NumPy are used where their arrays are.
"""

from __future__ import annotations

import os
import sys
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _samhw

# NumPy's types as samhw calls them.
_TYPES = {
    "bool": "bool",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
}


class Coo(NamedTuple):
    """Stored entries of a tensor.

    Attributes
    ----------
    coords : numpy.ndarray
        Coordinates, a row for each entry and a column for each mode.
    values : numpy.ndarray
        Values.
    shape : tuple of int
        Size of each mode.
    fill : scalar
        The value where nothing is stored.
    """

    coords: np.ndarray
    values: np.ndarray
    shape: Tuple[int, ...]
    fill: Any = 0


def _flat(array: Any) -> np.ndarray:
    """Its elements in a row, as this machine writes them: the array's own memory where it is so."""
    array = np.asarray(array)
    return np.ascontiguousarray(array.reshape(-1), dtype=array.dtype.newbyteorder("="))


def _type_of(array: np.ndarray) -> str:
    known = _TYPES.get(array.dtype.name)
    if known is None:
        raise TypeError(
            f"values of type {array.dtype} are not supported: use astype('float64') or another real type"
        )
    return known


class _Given:
    """Makes data of a tensor of this shape.

    Parameters
    ----------
    shape : sequence of int
        Size of each mode.
    convert : str
        Conversion of values that the tensor's type cannot hold: refuse, round, or take 1.
    type_name : str, optional
        Type of the values. The default is that of their array.
    """

    def __init__(self, shape: Sequence[int], convert: str, type_name: Optional[str] = None):
        self.shape = [int(size) for size in shape]
        self.convert = convert
        self.type_name = type_name

    def _of(self, values: np.ndarray) -> Tuple[List[int], str]:
        return self.shape, self.type_name or _type_of(values)

    def dense(self, values: Any) -> _samhw.Data:
        values = np.asarray(values)
        return _samhw.Data.dense(self._of(values), _flat(values), self.convert)

    def lists(self, values: Any, coords: Sequence[Any]) -> _samhw.Data:
        values = np.asarray(values)
        return _samhw.Data.lists(self._of(values), _flat(values), [_flat(c) for c in coords], self.convert)

    def lines(self, values: Any, mode: int, starts: Any, others: Any) -> _samhw.Data:
        values = np.asarray(values)
        lines = (mode, _flat(starts), _flat(others))
        return _samhw.Data.lines(self._of(values), _flat(values), lines, self.convert)

    def blocks(self, values: Any, mode: int, starts: Any, others: Any) -> _samhw.Data:
        """Lines of blocks, as BSR and BSC have them."""
        values, starts = np.asarray(values), np.asarray(starts)
        sizes = values.shape[1:]
        line = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        first = [line, np.asarray(others)]
        if mode == 1:
            first.reverse()
        within = np.indices(sizes)
        coords = [f[:, None, None] * size + w[None] for f, size, w in zip(first, sizes, within)]
        return self.lists(values, coords)


def _of_torch(tensor: Any, convert: str) -> _samhw.Data:
    torch = sys.modules["torch"]
    tensor = tensor.detach().cpu()
    bfloat = tensor.dtype == torch.bfloat16
    given = _Given(tensor.shape, convert, "bf16" if bfloat else None)

    def numbers(values: Any) -> np.ndarray:
        # NumPy has no bf16; its bits are those of integers as wide.
        return (values.view(torch.int16) if bfloat else values).numpy()

    if tensor.layout == torch.strided:
        return given.dense(numbers(tensor))
    if tensor.layout == torch.sparse_coo:
        tensor = tensor.coalesce()
        if tensor.dense_dim():
            raise TypeError("a hybrid tensor, whose entries are tensors, is not supported: use to_dense()")
        return given.lists(numbers(tensor.values()), list(tensor.indices().numpy()))
    if tensor.dim() != 2:
        raise TypeError(f"a batch of matrices of layout {tensor.layout} is not supported: use to_dense()")
    if tensor.layout in (torch.sparse_csr, torch.sparse_bsr):
        mode, starts, others = 0, tensor.crow_indices(), tensor.col_indices()
    else:
        mode, starts, others = 1, tensor.ccol_indices(), tensor.row_indices()
    blocks = tensor.layout in (torch.sparse_bsr, torch.sparse_bsc)
    put = given.blocks if blocks else given.lines
    return put(numbers(tensor.values()), mode, starts.numpy(), others.numpy())


def _of_scipy(matrix: Any, convert: str) -> _samhw.Data:
    given = _Given(matrix.shape, convert)
    if matrix.format in ("csr", "csc") and len(matrix.shape) == 2 and matrix.has_canonical_format:
        return given.lines(matrix.data, 1 if matrix.format == "csc" else 0, matrix.indptr, matrix.indices)
    if matrix.format == "bsr" and matrix.has_canonical_format:
        return given.blocks(matrix.data, 0, matrix.indptr, matrix.indices)
    # Entries of one coordinate are added up, as scipy does where it matters; not in the user's array.
    entries = matrix.tocoo()
    if not entries.has_canonical_format:
        entries = entries.copy()
        entries.sum_duplicates()
    coords = entries.coords if hasattr(entries, "coords") else (entries.row, entries.col)
    return given.lists(entries.data, list(coords))


def _of_sparse(array: Any, convert: str) -> _samhw.Data:
    if not hasattr(array, "coords"):
        array = array.tocoo() if hasattr(array, "tocoo") else array.to_coo()
    if not np.array_equal(array.fill_value, 0):
        raise ValueError(f"a sparse array whose fill is {array.fill_value}: only a fill of 0 is taken")
    return _Given(array.shape, convert).lists(array.data, list(array.coords))


def _of_pandas(value: Any, convert: str) -> _samhw.Data:
    # Only where every column is sparse there is such an attribute.
    if hasattr(value, "sparse") and hasattr(value, "columns"):
        return _of_scipy(value.sparse.to_coo(), convert)
    array = value.to_numpy()
    return _Given(array.shape, convert).dense(array)


def held(value: Any, convert: str = "exact") -> _samhw.Data:
    """Data as the native part takes them.

    Parameters
    ----------
    value : array, sparse array, number or path
        An array of NumPy, scipy.sparse, pydata/sparse, torch or pandas, or the path of a file.
    convert : {'exact', 'round', 'ones'}
        Conversion of values that the tensor's type cannot hold: refuse, round, or take 1.
    """
    if isinstance(value, (str, os.PathLike)):
        return _samhw.Data.file(os.fspath(value), convert)
    if isinstance(value, Coo):
        if np.any(value.fill != 0):
            raise ValueError(f"entries whose fill is {value.fill}: only a fill of 0 is taken")
        return _Given(value.shape, convert).lists(value.values, list(np.asarray(value.coords).T))
    package = type(value).__module__.partition(".")[0]
    if package == "torch":
        return _of_torch(value, convert)
    if package == "scipy" and hasattr(value, "tocoo"):
        return _of_scipy(value, convert)
    if package == "sparse":
        return _of_sparse(value, convert)
    if package == "pandas":
        return _of_pandas(value, convert)
    array = np.asarray(value)
    return _Given(array.shape, convert).dense(array)


def format_of(value: Any) -> Optional[str]:
    """The format that is nearest to how `value` is stored."""
    package = type(value).__module__.partition(".")[0]
    if isinstance(value, (str, os.PathLike)):
        return None
    stored = {"scipy": "format", "torch": "layout"}.get(package, "")
    kind = str(getattr(value, stored, "")).replace("torch.sparse_", "").replace("torch.strided", "dense")
    sparse = bool(kind) or package == "sparse" or isinstance(value, Coo)
    if not sparse or kind == "dense":
        return "dense"
    return {"csr": "csr", "csc": "csc"}.get(kind, "dcsr") if len(value.shape) == 2 else "csf"


def numbers(words: np.ndarray, type_name: str) -> np.ndarray:
    """Raw bits, in words of 64, as an array of the NumPy type that holds the values of this type."""
    for name, ours in _TYPES.items():
        # Saturating integers are the same numbers.
        if type_name in (ours, ours + "s"):
            bits = np.dtype(name).itemsize
            return words.astype(f"u{bits}", copy=False).view(name)
    if type_name == "bf16":
        return (words << np.uint64(16)).astype("u4").view("f4")
    unsigned, name = type_name.startswith("u"), type_name.rstrip("s").lstrip("u")
    if name.startswith("fx"):
        bits, fraction = (int(n) for n in name[2:].split("."))
        return (words if unsigned else _signed(words, bits)) / np.float64(2**fraction)
    return words if unsigned else _signed(words, int(name[1:]))


def _signed(words: np.ndarray, bits: int) -> np.ndarray:
    left = np.int64(64 - bits)
    return (words.view("i8") << left) >> left


def array_of(coo: Coo, levels: Sequence[str], mode_order: Sequence[int]) -> Any:
    """The array of a result: as NumPy, scipy.sparse or pydata/sparse have it, by how it is stored."""
    order = len(coo.shape)
    dense = all(level == "dense" for level in levels)
    if order == 2 and not dense and not coo.fill:
        try:
            import scipy.sparse as sp
        except ImportError:
            pass
        else:
            starts = np.zeros(coo.shape[0] + 1, dtype="i8")
            np.cumsum(np.bincount(coo.coords[:, 0], minlength=coo.shape[0]), out=starts[1:])
            rows = sp.csr_array((coo.values, coo.coords[:, 1], starts), shape=coo.shape)
            return rows.tocsc() if list(mode_order) == [1, 0] else rows
    if order > 2 and not dense:
        try:
            import sparse
        except ImportError:
            return coo
        return sparse.COO(coo.coords.T, coo.values, shape=coo.shape, fill_value=coo.fill)
    if order == 0:
        return coo.values[0] if len(coo.values) else coo.fill
    if len(coo.values) == np.prod(coo.shape):
        return coo.values.reshape(coo.shape)
    out = np.full(coo.shape, coo.fill, dtype=coo.values.dtype)
    out[tuple(coo.coords.T)] = coo.values
    return out


def table(rows: List[dict]) -> Any:
    """Rows as a `pandas.DataFrame`, or unchanged without pandas."""
    try:
        import pandas as pd
    except ImportError:
        return rows
    return pd.DataFrame(rows)
