"""Sparse tensor accelerators from array expressions: simulated, estimated, generated as Verilog.

>>> import samhw, numpy as np, scipy.sparse as sp
>>> k = samhw.Kernel("y(i) = A(i,j) * x(j)", A=samhw.Tensor("csr"))
>>> r = k.run(A=sp.random(100, 100, 0.05, "csr"), x=np.ones(100))
>>> r["y"], r.cycles, r.matches_reference
"""

from ._data import Coo
from ._kernel import Kernel, Tensor, einsum, load
from ._result import Exploration, Graph, Result
from ._samhw import Error, __version__
from ._sweep import sweep

__all__ = [
    "Coo",
    "Error",
    "Exploration",
    "Graph",
    "Kernel",
    "Result",
    "Tensor",
    "__version__",
    "einsum",
    "load",
    "sweep",
]
