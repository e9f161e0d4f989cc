#!/usr/bin/env python3
"""Random nestings of shape operators against numpy, by value: kernels over files, run by the program.

    shapes.py SAMHW [--cases N] [--seed S] [--engine native]

Each case nests up to six operators, of operands in random level formats, of expressions of them
and of results of earlier statements, some on the left; in some the chip computes the operators on operands, too.
One in five is behind AXI. Half of them have lanes, copies or tiles of an index; as many entries are stored as without. A kernel
that samhw refuses (exit code 2) fails, too: none here is wrong. One in a hundred may be refused
because a sparse result of an earlier statement is read in another order (S006, S007), or because
lanes cut it where one of its statements cannot have them (S017).
The last line is `N passed, N failed`.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

LEVELS = ["dense", "compressed", "compressed", "bitvector8", "block", "run"]
MOST = 400


class Drawer:
    """Draws one expression of shape operators, as text and as an array."""

    def __init__(self, rng):
        self.rng, self.operands, self.before, self.names = rng, {}, [], 0

    def draw(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def one(self, of):
        return of[self.draw(0, len(of) - 1)]

    def tensor(self, shape):
        """An operand of this shape, or a result of an earlier statement."""
        name, self.names = f"t{self.names}", self.names + 1
        data = self.rng.integers(-9, 10, shape) * (self.rng.random(shape) < self.one([0.2, 0.5, 1.0]))
        self.operands[name] = (data, [self.one(LEVELS) for _ in shape], list(self.rng.permutation(len(shape))))
        if self.draw(0, 3):
            return name, data
        result, indices = f"r{name[1:]}", ",".join("pqs"[: len(shape)])
        # Without a table it is stored dense, else in these levels.
        mixed = [self.one(LEVELS) for _ in shape]
        levels = self.one([None, ["dense"] * len(shape), ["compressed"] * len(shape), mixed])
        modes = list(self.rng.permutation(len(shape))) if levels and not self.draw(0, 2) else range(len(shape))
        self.before.append((f"{result}({indices}) = {name}({indices}) + {name}({indices})", result, levels, shape, modes))
        return result, data + data

    def leaf(self):
        return self.tensor(tuple(self.draw(1, 5) for _ in range(self.draw(1, 3))))

    def expression(self, depth):
        """`depth` operators around each other."""
        if depth == 0:
            return self.leaf()
        text, v = self.expression(depth - 1)
        for _ in range(8):
            operands, before = dict(self.operands), list(self.before)
            made = getattr(self, self.one(OPERATORS))(text, v)
            if made is not None and made[1].size <= MOST and made[1].ndim in (1, 2, 3) and made[1].size > 0:
                return made
            self.operands, self.before = operands, before
        return text, v

    def axis(self, v, more=0):
        mode = self.draw(0, v.ndim - 1 + more)
        return self.one([mode, mode - v.ndim - more])

    def roll(self, text, v):
        d, n = self.axis(v), self.draw(-12, 12)
        return f"roll({text}, {d}, {n})", np.roll(v, n, d)

    def flip(self, text, v):
        d = self.axis(v)
        return f"flip({text}, {d})", np.flip(v, d)

    def pad(self, text, v):
        d, m, n = self.axis(v), self.draw(0, 2), self.draw(0, 2)
        width = [(m, n) if mode == d % v.ndim else (0, 0) for mode in range(v.ndim)]
        return f"pad({text}, {d}, {m}, {n})", np.pad(v, width)

    def slice(self, text, v):
        d, lo, hi, step = self.axis(v), self.draw(-7, 7), self.draw(-7, 9), self.one([1, 1, 2, 3, -1, -2])
        cut = [slice(None)] * v.ndim
        cut[d] = slice(lo, hi, step)
        return f"slice({text}, {d}, {lo}, {hi}, {step})", v[tuple(cut)]

    def transpose(self, text, v):
        modes = list(self.rng.permutation(v.ndim))
        return f"transpose({text}, {', '.join(map(str, modes))})", np.transpose(v, modes)

    def collapse(self, text, v):
        if v.ndim < 2:
            return None
        d = self.draw(0, v.ndim - 2)
        shape = v.shape[:d] + (v.shape[d] * v.shape[d + 1],) + v.shape[d + 2 :]
        return f"collapse({text}, {d})", v.reshape(shape)

    def split(self, text, v):
        d = self.axis(v)
        inner = self.one([m for m in range(1, v.shape[d] + 1) if v.shape[d] % m == 0])
        mode = d % v.ndim
        shape = v.shape[:mode] + (v.shape[mode] // inner, inner) + v.shape[mode + 1 :]
        return f"split({text}, {d}, {inner})", v.reshape(shape)

    def reshape(self, text, v):
        m = self.one([m for m in range(1, v.size + 1) if v.size % m == 0])
        sizes = self.one([(m, v.size // m), (-1, m), (v.size,)])
        return f"reshape({text}, {', '.join(map(str, sizes))})", v.reshape(sizes)

    def repeat(self, text, v):
        d, n = self.axis(v), self.draw(1, 3)
        return f"repeat({text}, {d}, {n})", np.repeat(v, n, d)

    def tile(self, text, v):
        times = [self.draw(1, 3) for _ in range(self.draw(1, v.ndim))]
        return f"tile({text}, {', '.join(map(str, times))})", np.tile(v, times)

    def expand(self, text, v):
        d = self.axis(v, 1)
        return f"expand({text}, {d})", np.expand_dims(v, d)

    def squeeze(self, text, v):
        return f"squeeze({text})", np.squeeze(v)

    def triangle(self, text, v):
        name, k = self.one(["triu", "tril"]), self.draw(-2, 2)
        return (f"{name}({text}, {k})", getattr(np, name)(v, k)) if v.ndim > 1 else None

    def diag(self, text, v):
        k = self.draw(-2, 2)
        return (f"diag({text}, {k})", np.diag(v, k)) if v.ndim < 3 else None

    def concat(self, text, v):
        d = self.axis(v)
        shape = list(v.shape)
        shape[d] = self.draw(1, 4)
        other, w = self.tensor(tuple(shape))
        parts = [(text, v), (other, w)][:: self.one([1, -1])]
        return f"concat({d}, {parts[0][0]}, {parts[1][0]})", np.concatenate([p[1] for p in parts], d)

    def stack(self, text, v):
        d = self.axis(v, 1)
        other, w = self.tensor(v.shape)
        return f"stack({d}, {text}, {other})", np.stack([v, w], d)

    def stacked(self, text, v):
        name = self.one(["vstack", "hstack"])
        other, w = self.tensor(v.shape)
        return f"{name}({text}, {other})", getattr(np, name)([v, w])

    def kron(self, text, v):
        if v.size > 40:
            return None
        other, w = self.tensor(tuple(self.draw(1, 2) for _ in v.shape))
        return f"kron({text}, {other})", np.kron(v, w)

    def computed(self, text, v):
        other, w = self.tensor(v.shape)
        op = self.one("+-*")
        return f"({text} {op} {other})", {"+": v + w, "-": v - w, "*": v * w}[op]


OPERATORS = ("roll flip pad slice transpose collapse split reshape repeat tile expand squeeze triangle diag concat stack "
             "stacked kron computed").split()


def case(rng):
    """(kernel file, schedule, operands, result)"""
    drawer = Drawer(rng)
    text, v = drawer.expression(drawer.draw(1, 6))
    if text[0] == "t" and text[1:].isdigit() or text[0] in "(r" and not text.startswith(("roll", "reshape", "repeat")):
        text = f"flip(flip({text}, 0), 0)"
    left, shape = f"x({','.join('ijk'[: v.ndim])})", v.shape
    indices = ",".join("ijk"[: v.ndim])
    if not drawer.draw(0, 4):
        # What the left-hand side undoes.
        if v.ndim == 2 and drawer.draw(0, 1):
            left, v, shape = f"collapse(split(x, 0, {v.shape[1]}), 0)({indices})", None, None
        else:
            left, v = f"roll(flip(x, 0), 0, 2)({indices})", np.flip(np.roll(v, -2, 0), 0)
    if v is None:
        return None
    statements = [b[0] for b in drawer.before] + [f"{left} = {text}({indices})"]
    lines = [f'expr = "{"; ".join(statements)}"']

    def table(name, levels, shape, more=""):
        lines.append(f'[tensors.{name}]\nlevels = {levels}\ntype = "i32"\nshape = {list(map(int, shape))}\n{more}'.replace("'", '"'))

    for name, (data, levels, modes) in drawer.operands.items():
        table(name, levels, data.shape, f"mode_order = {[int(m) for m in modes]}\n")
    for _, name, levels, of, modes in drawer.before:
        if levels:
            table(name, levels, of, f"mode_order = {[int(m) for m in modes]}\n")
    table("x", [drawer.one([["dense"], ["compressed"]])[0]] * v.ndim, v.shape)
    if not drawer.draw(0, 2):
        lines.append('[schedule]\nreshape = "chip"')
    if not drawer.draw(0, 4):
        lines.append('[hardware]\nmemory = "axi"')
    schedule = None
    if v.ndim and drawer.draw(0, 1):
        key, index = drawer.one(["lanes", "parallel", "split"]), "ijk"[drawer.draw(0, v.ndim - 1)]
        schedule = f"[schedule.x]\n{key} = {{ {index} = {drawer.draw(1, 4)} }}"
    return "\n".join(lines), schedule, {name: o[0] for name, o in drawer.operands.items()}, v


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("samhw")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default="native")
    args = parser.parse_args()
    failed = done = refused = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        number = 0
        while done < args.cases:
            number += 1
            drawn = case(np.random.default_rng([args.seed, number]))
            if drawn is None:
                continue
            done += 1
            text, schedule, data, want = drawn
            for name, v in data.items():
                np.save(folder / f"{name}.npy", v)

            def run(text):
                (folder / "k.toml").write_text(text)
                command = [args.samhw, "run", str(folder / "k.toml"), "--engine", args.engine]
                for name in data:
                    command += ["--tensor", f"{name}={folder}/{name}.npy"]
                return subprocess.run(command + ["--out", f"x={folder}/x.npy"], capture_output=True, text=True)

            ran = run(text)
            stored = [line for line in ran.stdout.splitlines() if line.startswith("result   x")]
            if schedule and ran.returncode == 0:
                text = f"{text}\n{schedule}"
                ran = run(text)
            got = np.load(folder / "x.npy") if ran.returncode == 0 else None
            # A sparse result lies on the chip in one order.
            way = ran.returncode == 2 and re.search(r"error\[(S006|S007|S017)\]", ran.stderr)
            if way and "r0(" in text and refused < args.cases // 100:
                refused += 1
                continue
            said = "values differ" if got is not None else f"exit {ran.returncode}: {ran.stderr}{ran.stdout}"
            if got is not None and not any(line in ran.stdout for line in stored):
                got, said = None, f"without the schedule: {stored}\n{ran.stdout}"
            if got is None or got.shape != want.shape or not np.array_equal(got, want):
                failed += 1
                print(f"case {number}: {text}\n{said}")
    print(f"{done - failed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
