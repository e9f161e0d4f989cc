"""How far what takes long is, as tqdm shows it."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any, Optional

from . import _samhw

# What ends sooner shows nothing, in seconds.
_QUIET = 1.0


def bar(what: str, unit: str, total: Optional[int], scale: bool = False) -> Any:
    """A bar of tqdm, for a notebook or a terminal."""
    with warnings.catch_warnings():
        # A notebook without widgets has a bar of text.
        warnings.simplefilter("ignore")
        from tqdm.auto import tqdm

        return tqdm(desc=what, unit=unit, total=total, unit_scale=scale, leave=False)


def wanted(progress: Optional[bool]) -> bool:
    """Whether somebody looks; where nothing is said, on a terminal and in a notebook."""
    return (sys.stderr.isatty() or "ipykernel" in sys.modules) if progress is None else progress


class Progress:
    """A bar that appears after a while and goes at the end.

    Parameters
    ----------
    what, unit : str
        Name of the work, and the unit that is counted.
    watch : Watch
        Source of the count.
    progress : bool, optional
        Whether to show a bar; by default on a terminal and in a notebook.
    """

    def __init__(self, what: str, unit: str, watch: _samhw.Watch, progress: Optional[bool]):
        self._what, self._unit, self._watch = what, unit, watch
        self._wanted = wanted(progress)
        self._begin = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> Any:
        return self._tell if self._wanted else None

    def __exit__(self, *_: Any) -> None:
        if self._bar is not None:
            self._bar.close()

    def _tell(self) -> None:
        done, expected = self._watch.done, self._watch.expected
        if self._bar is None:
            if time.monotonic() - self._begin < _QUIET:
                return
            self._bar = bar(self._what, self._unit, expected or None, scale=True)
        # What is expected is an estimate.
        if self._bar.total is not None and done > self._bar.total:
            self._bar.total = None
        self._bar.update(done - self._bar.n)
