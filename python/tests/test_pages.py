"""Blocks of Python on pages, run in the order of the page."""

import pathlib
import re

import numpy as np
import pytest

import samhw

ROOT = pathlib.Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", ROOT / "python" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
WITH_BLOCKS = [path for path in PAGES if BLOCK.search(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("path", WITH_BLOCKS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_runs(path, tmp_path, monkeypatch):
    sparse = pytest.importorskip("scipy.sparse")
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    # Data that a page takes as given.
    names = {"samhw": samhw, "A": sparse.random(50, 50, 0.1, "csr"), "x": np.ones(50)}
    for n, text in enumerate(BLOCK.findall(path.read_text(encoding="utf-8"))):
        code = compile(text, f"{path.name}, block {n + 1}", "exec")
        # What stands for the name of a kernel is read, and run by tests/soc.
        if "NAME" not in text:
            exec(code, names)


def test_pages_have_blocks():
    assert len(WITH_BLOCKS) > 4
