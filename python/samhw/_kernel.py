"""Kernels, and what is made of them."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _samhw
from ._data import format_of, held
from ._progress import Progress
from ._result import Exploration, Graph, Result

Path = Union[str, "os.PathLike[str]"]


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    raise TypeError(f"a kernel file has no values like {value!r}")


class Tensor:
    """How a tensor is stored.

    Parameters
    ----------
    format : str or sequence of str, optional
        A format such as ``"csr"``, ``"dense"``, ``"coo"``, TACO's letters (``"ds"``), or names of levels.
    type : str, optional
        Type of the elements, such as ``"f32"``. The default is the type of the data.
    mode_order : sequence of int, optional
        The mode of each level.
    **keys
        Other keys of ``[tensors.NAME]``: ``fill``, ``nnz``, ``shape``, ``prune``.

    Examples
    --------
    >>> samhw.Tensor("csr", "f32")
    >>> samhw.Tensor(["dense", "compressed"], mode_order=[1, 0])
    """

    def __init__(
        self,
        format: Union[str, Sequence[str], None] = None,
        type: Optional[str] = None,
        mode_order: Optional[Sequence[int]] = None,
        **keys: Any,
    ):
        self.format = format if isinstance(format, str) or format is None else ",".join(format)
        self.keys = dict(keys)
        if type is not None:
            self.keys["type"] = type
        if mode_order is not None:
            self.keys["mode_order"] = list(mode_order)

    def __repr__(self) -> str:
        return f"Tensor({self.format!r}{''.join(f', {key}={value!r}' for key, value in self.keys.items())})"


class Kernel:
    """A kernel: an expression, how its tensors are stored, how it is scheduled.

    Parameters
    ----------
    expr : str, optional
        ``"y(i) = A(i,j) * x(j)"``; several statements are separated by ``;``.
    order : sequence of str, optional
        Loop order, outermost first.
    schedule, dims, hardware, functions : mapping, optional
        Sections of the kernel file.
    text, path : str, optional
        A kernel file instead of an expression; see `load`.
    **tensors : Tensor or str
        How each tensor is stored; the default is dense. Other keys of the kernel file (``name``,
        ``reduce``, ``acc``, ``ieee``, ``repeat``) are passed on.

    Attributes
    ----------
    text : str
        The kernel file.
    path : str
        Its path, which messages name, and below whose folder data files are looked for.

    Raises
    ------
    Error
        If an option makes no sense. Other problems are found where the kernel is used.

    Examples
    --------
    >>> k = samhw.Kernel("y(i) = A(i,j) * x(j)", order=["i", "j"], A="csr", x=samhw.Tensor("dense", "f32"))
    """

    _KEYS = ("name", "reduce", "acc", "ieee", "repeat")

    def __init__(
        self,
        expr: Optional[str] = None,
        *,
        order: Optional[Sequence[str]] = None,
        schedule: Optional[Mapping[str, Any]] = None,
        dims: Optional[Mapping[str, int]] = None,
        hardware: Optional[Mapping[str, Any]] = None,
        functions: Optional[Mapping[str, Any]] = None,
        text: Optional[str] = None,
        path: Path = "kernel",
        **tensors: Any,
    ):
        choices: List[str] = []
        if text is None:
            if expr is None:
                raise TypeError("a kernel needs an expression")
            keys = {name: tensors.pop(name) for name in self._KEYS if name in tensors}
            declared = {n: t if isinstance(t, Tensor) else Tensor(t) for n, t in tensors.items()}
            formats = [(name, t.format) for name, t in declared.items() if t.format is not None]
            text = _samhw.spoken(expr, formats, [])
            for name, tensor in declared.items():
                choices += [f"tensors.{name}.{key}={toml(value)}" for key, value in tensor.keys.items()]
            choices += [f"{key}={toml(value)}" for key, value in keys.items()]
        elif expr is not None or tensors:
            raise TypeError("a kernel file says its expression and its tensors itself: use with_choices")
        if order is not None:
            choices.append(f"order={toml(list(order))}")
        sections = {"schedule": schedule, "dims": dims, "hardware": hardware, "functions": functions}
        for section, given in sections.items():
            choices += [f"{section}.{key}={toml(value)}" for key, value in (given or {}).items()]
        self.text: str = _samhw.edited(text, choices)
        self.path: str = os.fspath(path)
        self._last: Dict[str, Any] = {}

    def with_choices(self, choices: Optional[Mapping[str, Any]] = None, **more: Any) -> Kernel:
        """The kernel with other values for keys of its file.

        Parameters
        ----------
        choices : mapping
            Values by key: ``{"schedule.lanes.j": 8, "tensors.A.format": "csc"}``.
        **more
            Keys without a dot: ``order=["j", "i"]``.
        """
        both = {**(choices or {}), **more}
        text = _samhw.edited(self.text, [f"{key}={toml(value)}" for key, value in both.items()])
        return Kernel(text=text, path=self.path)

    def _given(self, data: Optional[Mapping[str, Any]], more: Mapping[str, Any], convert: str = "exact") -> Any:
        both = {**(data or {}), **more}
        return _samhw.KernelText(self.text, self.path), {name: held(v, convert) for name, v in both.items()}

    def _sized(self, data: Optional[Mapping[str, Any]], more: Mapping[str, Any]) -> Any:
        """The kernel and its operands: without any those of the last run, for their sizes."""
        kernel, operands = self._given(data, more)
        return kernel, operands or self._last

    def __getstate__(self) -> Dict[str, Any]:
        # Operands of a run stay with the process that has it.
        return {**self.__dict__, "_last": {}}

    def tensors(self, data: Optional[Mapping[str, Any]] = None, **more: Any) -> List[Dict[str, Any]]:
        """Name, type, shape and levels of each tensor, with the sizes and types of these data."""
        return json.loads(_samhw.described(*self._sized(data, more)))["tensors"]

    def run(
        self,
        data: Optional[Mapping[str, Any]] = None,
        *,
        engine: str = "native",
        latency: Optional[int] = None,
        memory: Optional[str] = None,
        mhz: int = 200,
        stall: float = 0.0,
        seed: Optional[int] = None,
        convert: str = "exact",
        progress: Optional[bool] = None,
        _watch: Optional[_samhw.Watch] = None,
        **more: Any,
    ) -> Result:
        """Simulates the kernel on data and checks the result against the reference.

        Parameters
        ----------
        data : mapping, optional
            Operands by name: arrays of NumPy, scipy.sparse, pydata/sparse, torch or pandas, numbers, or
            paths of files. They give the sizes and types that the kernel does not.
        engine : {'native', 'verilator'}
            Simulator: models of the primitives, or the Verilog under Verilator.
        latency : int, optional
            Cycles until simulated memory behind AXI answers; 1 by default.
        memory : {'ddr3', 'ddr4', 'hbm2'}, optional
            Simulates memory behind AXI as DRAM, one channel for each manager.
        mhz : int
            Clock of the kernel in MHz, for the timing of DRAM.
        stall : float
            Probability, from 0 to 0.99, that a port is stalled in a cycle.
        seed : int, optional
            Seed for stalls, and added to the seeds of random data in the kernel file.
        convert : {'exact', 'round', 'ones'}
            Conversion of values that a tensor's type cannot hold: refuse, round, or take 1.
        progress : bool, optional
            Whether a long run shows a progress bar; by default on a terminal and in a notebook.
        **more
            More operands: ``k.run(A=a, x=x)``.

        Returns
        -------
        Result
            Arrays by name, and what is known of the run.

        Raises
        ------
        Error
            If the kernel or its data are wrong, or the hardware got stuck. A result that differs from the
            reference is no error: see `Result.matches_reference`.
        """
        if not 0 <= stall < 1:
            raise ValueError("stall is from 0 to below 1")
        how = {
            "engine": engine,
            "latency": latency,
            "memory": memory,
            "mhz": mhz,
            "stall": round(stall * 100),
            "seed": seed,
        }
        watch = _watch or _samhw.Watch()
        kernel, operands = self._given(data, more, convert)
        with Progress("simulating", " cycles", watch, progress) as tell:
            result = Result(_samhw.run(kernel, operands, how, watch, tell))
        self._last = operands
        return result

    def graph(self, data: Optional[Mapping[str, Any]] = None, **more: Any) -> Graph:
        """The graph of primitives. Data say sizes that the kernel does not; without data, those of the
        last run do.

        `Result.graph` has the same graph, coloured by what a run did.
        """
        kernel, operands = self._sized(data, more)
        return Graph(lambda form: _samhw.graph(kernel, operands, form))

    def generate(
        self,
        out: Path,
        data: Optional[Mapping[str, Any]] = None,
        *,
        board: Optional[str] = None,
        with_data: bool = False,
        single_file: bool = False,
        prefix: str = "",
        **more: Any,
    ) -> List[pathlib.Path]:
        """Writes the Verilog and everything that goes with it into a folder.

        Parameters
        ----------
        out : path
            Folder to write to; it is made if it does not exist.
        data : mapping, optional
            Operands, as in `run`, for sizes that the kernel does not give; by default those of the last
            run.
        board : str, optional
            Adds the files that make a bitstream for this board with ``make``.
        with_data : bool
            Adds the data and expected results, for the generated bench and programs.
        single_file : bool
            Writes all Verilog into one file.
        prefix : str
            Prefix for the names of shared modules (``samhw_*``).

        Returns
        -------
        list of pathlib.Path
            The files.
        """
        kernel, operands = self._sized(data, more)
        files = _samhw.generate(kernel, operands, (board, with_data, single_file, prefix))
        folder = pathlib.Path(out)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files:
            (folder / name).write_text(text, encoding="utf-8")
        return [folder / name for name, _ in files]

    def estimate(
        self,
        data: Optional[Mapping[str, Any]] = None,
        *,
        board: str = "ulx3s-85f",
        top: Optional[str] = None,
        **more: Any,
    ) -> Dict[str, Any]:
        """Size, clock and, with data, cycles before synthesis.

        Parameters
        ----------
        data : mapping, optional
            Operands, as in `run`; by default those of the last run.
        board : str
            Board to estimate for.
        top : {'board', 'core'}, optional
            Part to estimate: everything on the board, or the core alone. The default is the board,
            and the core for kernels behind AXI.

        Returns
        -------
        dict
            The report of ``samhw estimate --json``.
        """
        return json.loads(_samhw.estimate(*self._sized(data, more), board, top))

    def explore(
        self,
        data: Optional[Mapping[str, Any]] = None,
        *,
        board: str = "ulx3s-85f",
        size: str = "luts",
        vary: Sequence[str] = ("orders", "formats", "schedules"),
        most: int = 200,
        progress: Optional[bool] = None,
        **more: Any,
    ) -> Exploration:
        """Tries orders, formats and schedules on data.

        Parameters
        ----------
        data : mapping, optional
            Operands, as in `run`.
        board : str
            Board to estimate for; ``"none"`` compares cycles, and the size by `size`.
        size : {'luts', 'brams'}
            Measure of size without a board.
        vary : sequence of {'orders', 'formats', 'schedules'}
            Choices that may differ from the kernel.
        most : int
            Approximate number of variants to measure.
        progress : bool, optional
            As in `run`.
        """
        watch = _samhw.Watch()
        kernel, operands = self._given(data, more)
        with Progress("exploring", " variants", watch, progress) as tell:
            report, files = _samhw.explore(kernel, operands, (board, size, list(vary), most), watch, tell)
        kernels = [Kernel(text=text, path=self.path) for name, text in files if name.endswith(".toml")]
        return Exploration(json.loads(report), dict(files)["explore.svg"], kernels)

    def __repr__(self) -> str:
        return f"Kernel(text={self.text!r})"


def load(path: Path) -> Kernel:
    """The kernel of a kernel file.

    Parameters
    ----------
    path : path
        The file. Its data files are looked for below its folder.
    """
    return Kernel(text=pathlib.Path(path).read_text(encoding="utf-8"), path=path)


def einsum(
    subscripts: str,
    *operands: Any,
    out: str = "dense",
    full: bool = False,
    schedule: Optional[Mapping[str, Any]] = None,
    order: Optional[Sequence[str]] = None,
    **options: Any,
) -> Any:
    """What `numpy.einsum` computes, by a simulated accelerator.

    Parameters
    ----------
    subscripts : str
        ``"ij,jk->ik"``
    *operands
        Arrays. Each is stored in the format nearest to its own.
    out : str
        Format of the result.
    full : bool
        Return the `Result`, whose array is ``result["out"]``.
    schedule, order
        As in `Kernel`.
    **options
        As in `Kernel.run`.

    Examples
    --------
    >>> samhw.einsum("ij,jk->ik", A, B, out="csr")
    """
    lists, _, result_indices = subscripts.replace(" ", "").partition("->")
    names = "ABCDEFGH"[: len(operands)]
    stored = [(n, format_of(v), indices) for n, v, indices in zip(names, operands, lists.split(","))]
    formats = [(name, kind) for name, kind, indices in stored if kind is not None and indices]
    if result_indices:
        formats.append(("out", out))
    kernel = Kernel(text=_samhw.spoken(subscripts, formats, list(names)), schedule=schedule, order=order)
    result = kernel.run(dict(zip(names, operands)), **options)
    if not result.matches_reference:
        raise _samhw.Error("the result differs from the reference: " + "; ".join(result.differences))
    return result if full else result["out"]
