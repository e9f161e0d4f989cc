"""Runs of a kernel over choices, here or on a cluster; what is done is kept in a file."""

from __future__ import annotations

import asyncio
import concurrent.futures as futures
import csv
import itertools
import os
import pathlib
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _progress, _samhw
from ._data import table
from ._kernel import Kernel, toml

# What is said of a run, as `samhw sweep` writes it.
_COLUMNS = ("cycles", "matches_reference", "seconds", "code", "error")
# Code of a run whose worker was lost.
_LOST = "lost"

Row = Dict[str, Any]


class _Work(NamedTuple):
    """What all runs of a sweep have in common."""

    kernel: Kernel
    data: Mapping[str, Any]
    options: Mapping[str, Any]


def _measure(work: _Work, choices: Mapping[str, Any], watch: Optional[_samhw.Watch] = None) -> Row:
    """What a run with these choices gives. Also called on workers of a cluster."""
    row: Row = dict.fromkeys(_COLUMNS)
    try:
        kernel = work.kernel.with_choices(choices)
        result = kernel.run(work.data, progress=False, _watch=watch, **work.options)
    except _samhw.Error as error:
        row.update(code=error.code, error=error.message)
    else:
        row.update(cycles=result.cycles, matches_reference=result.matches_reference)
        row.update(seconds=result.report["seconds"], error="; ".join(result.differences) or None)
    return row


def _shown(value: Any) -> Any:
    """A choice as a field of a table."""
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    if isinstance(value, (Mapping, bool, np.bool_)):
        return toml(value)
    return value.item() if isinstance(value, np.generic) else value


def _field(name: str, text: Any) -> Any:
    """A field of a file as what it was."""
    if text is None or text == "" or isinstance(text, float) and text != text:
        return None
    if name == "matches_reference":
        return str(text).lower() == "true"
    return {"cycles": lambda n: int(float(n)), "seconds": float}.get(name, str)(text)


class _File:
    """The file in which a sweep keeps its rows; without a path, nothing."""

    def __init__(self, path: Union[str, "os.PathLike[str]", None], keys: Sequence[str]):
        self._path = None if path is None else pathlib.Path(path)
        self._names = [*keys, *_COLUMNS]
        self._keys = len(keys)

    def read(self) -> Dict[Tuple[str, ...], Row]:
        """What is known of earlier runs, by choices. Those whose worker was lost are to be done again."""
        if self._path is None or not self._path.exists():
            return {}
        if self._path.suffix == ".parquet":
            import pandas as pd

            frame = pd.read_parquet(self._path)
            names, rows = list(frame.columns), frame.astype(object).to_dict("records")
        else:
            with open(self._path, newline="", encoding="utf-8") as file:
                reader = csv.DictReader(file)
                rows, names = list(reader), list(reader.fieldnames or self._names)
        if names != self._names:
            raise ValueError(f"{self._path} is of a sweep over other keys, or of no sweep: name another file")
        known = {}
        for row in rows:
            what = {name: _field(name, row[name]) for name in _COLUMNS}
            if what["code"] != _LOST:
                known[tuple(str(row[name]) for name in self._names[: self._keys])] = what
        return known

    def write(self, rows: List[Row]) -> None:
        """All rows, under a name of their own first, so that no half file is left."""
        if self._path is None:
            return
        part = self._path.with_name(self._path.name + ".part")
        if self._path.suffix == ".parquet":
            import pandas as pd

            pd.DataFrame(rows, columns=self._names).to_parquet(part)
        else:
            with open(part, "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, self._names, lineterminator="\n")
                writer.writeheader()
                for row in rows:
                    matches = row["matches_reference"]
                    writer.writerow({**row, "matches_reference": None if matches is None else toml(matches)})
        os.replace(part, self._path)


class _Threads:
    """Runs on all cores of this machine, in threads: simulating needs no lock of Python's."""

    def __init__(self) -> None:
        self._pool = futures.ThreadPoolExecutor(os.cpu_count())
        self._watches: List[_samhw.Watch] = []

    def start(self, work: _Work, choices: Mapping[str, Any]) -> Any:
        self._watches.append(_samhw.Watch())
        return self._pool.submit(_measure, work, choices, self._watches[-1])

    def ended(self, started: List[Any]) -> Iterator[Any]:
        return futures.as_completed(started)

    def close(self) -> None:
        # What has not ended is not wanted any more.
        for watch in self._watches:
            watch.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)


class _Executor:
    """Runs on an executor of `concurrent.futures` that the caller owns."""

    def __init__(self, executor: futures.Executor):
        self._executor = executor
        self._started: List[Any] = []

    def start(self, work: _Work, choices: Mapping[str, Any]) -> Any:
        try:
            self._started.append(self._executor.submit(_measure, work, choices))
        except futures.BrokenExecutor as broken:
            failed: Any = futures.Future()
            failed.set_exception(broken)
            self._started.append(failed)
        return self._started[-1]

    def ended(self, started: List[Any]) -> Iterator[Any]:
        return futures.as_completed(started)

    def close(self) -> None:
        for future in self._started:
            future.cancel()


class _Dask:
    """Runs on the workers of a `dask.distributed.Client`. The data go to each of them once."""

    def __init__(self, client: Any):
        self._client = client
        self._work: Any = None
        self._started: List[Any] = []

    def start(self, work: _Work, choices: Mapping[str, Any]) -> Any:
        if self._work is None:
            # As a list of one: what is given is a tuple, whose parts would be sent one by one.
            (self._work,) = self._client.scatter([work], broadcast=True, hash=False)
        self._started.append(self._client.submit(_measure, self._work, choices, pure=False))
        return self._started[-1]

    def ended(self, started: List[Any]) -> Iterator[Any]:
        from distributed import as_completed

        return as_completed(started)

    def close(self) -> None:
        self._client.cancel([future for future in self._started if not future.done()])


def _place(client: Any) -> Any:
    if client is None:
        return _Threads()
    return _Executor(client) if isinstance(client, futures.Executor) else _Dask(client)


def _row(future: Any) -> Row:
    """What a run gave; that its worker was lost is a row, too."""
    try:
        return future.result()
    except (futures.BrokenExecutor, futures.CancelledError, asyncio.CancelledError) as lost:
        why: BaseException = lost
    except Exception as error:
        if not type(error).__module__.startswith("distributed"):
            raise
        why = error
    return {**dict.fromkeys(_COLUMNS), "code": _LOST, "error": repr(why)}


def sweep(
    space: Mapping[str, Sequence[Any]],
    kernel: Kernel,
    data: Optional[Mapping[str, Any]] = None,
    *,
    client: Any = None,
    file: Union[str, "os.PathLike[str]", None] = None,
    progress: Optional[bool] = None,
    **options: Any,
) -> Any:
    """Runs a kernel with every combination of choices.

    Parameters
    ----------
    space : mapping
        Values by key of the kernel file: ``{"order": [["i", "j"], ["j", "i"]], "schedule.lanes.j": [1, 8]}``.
    kernel : Kernel
        The kernel to run.
    data : mapping, optional
        Its operands, as in `Kernel.run`.
    client : dask.distributed.Client or concurrent.futures.Executor, optional
        Executor of the runs. The default is threads of this process.
    file : path, optional
        A ``.csv`` or ``.parquet`` file. Each row is written when its run ends; combinations already in
        the file are not run again. A CSV file is that of ``samhw sweep``.
    progress : bool, optional
        Whether a bar is shown; by default on a terminal and in a notebook.
    **options
        As in `Kernel.run`.

    Returns
    -------
    pandas.DataFrame or list of dict
        A row for each combination, in their order: the choices, ``cycles``, ``matches_reference``,
        ``seconds``, and where it failed ``code`` and ``error``. A run whose worker was lost has the code
        ``"lost"``, and is done again by the next sweep that resumes from the file.
    """
    points = [dict(zip(space, values)) for values in itertools.product(*space.values())]
    shown = [{key: _shown(value) for key, value in point.items()} for point in points]
    keys = [tuple(str(value) for value in row.values()) for row in shown]
    kept = _File(file, list(space))
    known = kept.read()

    def rows() -> List[Row]:
        return [{**choices, **known[key]} for choices, key in zip(shown, keys) if key in known]

    left = [n for n, key in enumerate(keys) if key not in known]
    if not left:
        return table(rows())
    place = _place(client)
    work = _Work(kernel, dict(data or {}), options)
    bar = _progress.bar("sweeping", " runs", len(left)) if _progress.wanted(progress) else None
    try:
        started = {place.start(work, points[n]): n for n in left}
        for future in place.ended(list(started)):
            known[keys[started[future]]] = _row(future)
            kept.write(rows())
            if bar is not None:
                bar.update(1)
    finally:
        place.close()
        if bar is not None:
            bar.close()
    return table(rows())
