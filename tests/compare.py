#!/usr/bin/env python3
"""Compares two builds of samhw: what each says of every kernel, byte for byte.

    tests/compare.py OLD NEW [--verilator] [KERNEL.toml ..]

OLD and NEW are binaries. Of every kernel (the examples, unless some are named) it compares `samhw
graph`, all files of `samhw gen`, the report of `samhw run` and, with --verilator, that of `samhw run
--engine verilator`: results, cycles and messages. Exits with 1 where anything differs.
"""
import argparse
import filecmp
import json
import pathlib
import subprocess
import sys
import tempfile


def run(binary, *args):
    done = subprocess.run([binary, *map(str, args)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def report(binary, *args):
    """The report without times, which differ from run to run."""
    status, out, err = run(binary, "run", "--json", *args)

    def timeless(value):
        if isinstance(value, dict):
            return {k: timeless(v) for k, v in value.items() if "second" not in k and "time" not in k}
        return [timeless(v) for v in value] if isinstance(value, list) else value

    try:
        return status, timeless(json.loads(out)), err
    except ValueError:
        return status, out, err


def generated(binary, kernel, folder):
    said = run(binary, "gen", kernel, "-o", folder)
    files = sorted(p for p in folder.rglob("*") if p.is_file()) if folder.exists() else []
    return said[0], said[2].replace(str(folder), "OUT"), [(p.relative_to(folder), p) for p in files]


def same_files(old, new):
    if [n for n, _ in old] != [n for n, _ in new]:
        return ["the list of files"]
    return [str(n) for (n, a), (_, b) in zip(old, new) if not filecmp.cmp(a, b, shallow=False)]


def compare(kernel, old, new, engines, folder):
    wrong = []
    if run(old, "graph", kernel) != run(new, "graph", kernel):
        wrong.append("graph")
    a, b = generated(old, kernel, folder / "old"), generated(new, kernel, folder / "new")
    if a[:2] != b[:2]:
        wrong.append("messages of gen")
    wrong += same_files(a[2], b[2])
    for engine in engines:
        if report(old, kernel, *engine) != report(new, kernel, *engine):
            wrong.append(" ".join(["run", *engine]))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("kernels", nargs="*", type=pathlib.Path)
    parser.add_argument("--verilator", action="store_true")
    given = parser.parse_args()
    kernels = given.kernels or sorted(pathlib.Path("examples").glob("*.toml"))
    engines = [()] + [("--engine", "verilator")] * given.verilator
    differ = 0
    for kernel in kernels:
        with tempfile.TemporaryDirectory() as folder:
            wrong = compare(kernel, given.old, given.new, engines, pathlib.Path(folder))
        if wrong:
            differ += 1
            print(f"{kernel}: {', '.join(wrong)}")
    print(f"{len(kernels)} kernels compared, {differ} differ")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
