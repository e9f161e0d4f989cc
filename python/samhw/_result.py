"""What kernels give: results of runs, graphs, what a search has found."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Iterator, List, Mapping, Sequence, Tuple

import numpy as np

from . import _samhw
from ._data import Coo, array_of, numbers, table


class Graph:
    """The graph of a kernel; in a notebook it shows itself.

    Attributes
    ----------
    text, dot, svg : str
        Nodes and streams as text, as a drawing for Graphviz, and as a drawing in SVG.
    html : str
        A web page that works without a network: zoom, and click a node for its counters and Verilog.
    """

    def __init__(self, draw: Callable[[str], str]):
        self._draw = draw

    def __getattr__(self, name: str) -> str:
        if name in ("text", "dot", "svg", "html"):
            return self._draw(name)
        raise AttributeError(name)

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        # Large graphs are scrolled, not shrunk.
        return f'<div style="overflow: auto; max-height: 40em">{self.svg}</div>'

    def __str__(self) -> str:
        return self.text


class Result(Mapping[str, Any]):
    """A run that has ended: a mapping from names of results to arrays.

    A result is a NumPy array if it is dense or of order 1, a `scipy.sparse` array if it is a matrix, else
    a `sparse.COO`. Without scipy, or with a fill that is not 0, a matrix is a NumPy array; without
    pydata/sparse other results are a `Coo`.

    Attributes
    ----------
    cycles : int
        Clock cycles.
    matches_reference : bool
        Whether results are those of the reference executor.
    differences : list of str
        How results differ from the reference.
    nodes : pandas.DataFrame or list of dict
        Beats, and busy, stalled and starved cycles of each primitive.
    order : list of str
        Loop order.
    report : dict
        The whole report, as ``samhw run --json`` prints it.
    """

    def __init__(self, ran: _samhw.Ran):
        self._ran = ran
        self._arrays: Dict[str, Any] = {}
        self.report: Dict[str, Any] = json.loads(ran.json())
        self.cycles: int = self.report["cycles"]
        self.matches_reference: bool = self.report["matches_reference"]
        self.order: List[str] = self.report["order"]
        self.differences: List[str] = ran.wrong()

    @property
    def nodes(self) -> Any:
        return table(self.report["nodes"])

    def _stored(self, name: str) -> Tuple[Coo, Sequence[str], Sequence[int]]:
        type_name, shape, levels, modes, fill = self._ran.stored(name)
        values = numbers(np.asarray(self._ran.values(name)), type_name)
        coords = np.asarray(self._ran.coordinates(name)).view("i8").reshape(len(values), len(shape))
        fill = numbers(np.array([fill], dtype="u8"), type_name)[0]
        return Coo(coords, values, tuple(shape), fill), levels, modes

    def coo(self, name: str) -> Coo:
        """The stored entries of a result, whatever its format. They are the run's own: copy to change."""
        return self._stored(name)[0]

    def graph(self) -> Graph:
        """The graph, coloured by what the run did."""
        return Graph(lambda form: self._ran.graph(form))

    def __getitem__(self, name: str) -> Any:
        if name not in self._arrays:
            self._arrays[name] = array_of(*self._stored(name))
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.report["results"])

    def __len__(self) -> int:
        return len(self.report["results"])

    def __repr__(self) -> str:
        return self._ran.text()


class Exploration:
    """What a search has found.

    Attributes
    ----------
    points, front : pandas.DataFrame or list of dict
        All variants measured, and the Pareto front: variants that no other one beats in both time
        and size, the fastest first.
    kernels : list of Kernel
        The kernels of the Pareto front.
    svg : str
        A chart of time against size.
    report : dict
        The whole report, as ``samhw explore --json`` prints it.
    """

    def __init__(self, report: Dict[str, Any], svg: str, kernels: List[Any]):
        self.report, self.svg, self.kernels = report, svg, kernels
        points = report["points"]
        self.points = table(points)
        front = [point for point in points if point["front"] is not None]
        self.front = table(sorted(front, key=lambda point: point["front"]))

    def _repr_svg_(self) -> str:
        return self.svg
