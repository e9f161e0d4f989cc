#!/usr/bin/env python3
"""Random kernels through the command line and files, their values compared with numpy's.

    oracle.py SAMHW [--cases N] [--seed S] [--engine native] [--keep DIR]

The reference executor of samhw shares the compiler's idea of a value: of types, conversions, comparisons, indices and fills. This
one does not. It draws a kernel, writes its operands as .npy, .mtx and .tns files, runs `samhw run` as a user does, reads the results
back from files and compares every value, dense, with what Python's exact numbers and numpy give. Meanings are those of
docs/types.md and docs/functions.md, written again from the page. A kernel that samhw refuses (exit code 2) counts as refused; too
many of them are an error. The last line is `N passed, N failed`.
"""
import argparse
import fractions
import itertools
import math
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

FRACTION = fractions.Fraction


class Type:
    """An element type. Its values: Python integers, fractions for fixed point, floats for floats."""

    def __init__(self, name):
        self.name = name
        self.saturates = name.endswith("s")
        fixed = re.fullmatch(r"(u?)fx(\d+)\.(\d+)", name)
        whole = re.fullmatch(r"([iu])(\d+)s?", name)
        if fixed:
            self.kind, self.signed, self.bits, self.frac = "fixed", not fixed[1], int(fixed[2]), int(fixed[3])
        elif whole:
            self.kind, self.signed, self.bits, self.frac = "int", whole[1] == "i", int(whole[2]), 0
        else:
            self.kind = "bool" if name == "bool" else "float"
            self.signed, self.bits, self.frac = self.kind == "float", 1, 0
        if self.kind in ("int", "fixed"):
            self.lo, self.hi = (-(1 << self.bits - 1), (1 << self.bits - 1) - 1) if self.signed else (0, (1 << self.bits) - 1)

    def fit(self, x):
        """The exact number `x` as a result of arithmetic in this type."""
        if self.kind == "bool":
            return int(x != 0)
        if self.kind == "float":
            return self.round(float(x))
        if self.kind == "fixed":
            return FRACTION(min(max(round(FRACTION(x) * 2**self.frac), self.lo), self.hi), 2**self.frac)
        if self.saturates:
            return min(max(x, self.lo), self.hi)
        return (x - self.lo) % (1 << self.bits) + self.lo

    def round(self, x):
        if self.name == "f64" or math.isnan(x) or math.isinf(x):
            return x
        if self.name == "bf16":
            return rounded(x, 8, 127)
        with np.errstate(over="ignore"):
            return float((np.float32 if self.name == "f32" else np.float16)(x))

    def convert(self, x):
        """The number `x` of any type as a value of this one."""
        if self.kind == "bool":
            return int(x != 0)
        if self.kind == "float":
            return self.round(nearest(x))
        if isinstance(x, float) and math.isnan(x):
            return FRACTION(0) if self.kind == "fixed" else 0
        if self.kind == "fixed":
            if isinstance(x, float) and math.isinf(x):
                return FRACTION(self.hi if x > 0 else self.lo, 2**self.frac)
            return self.fit(x)
        if isinstance(x, int):
            return self.fit(x)
        if isinstance(x, float) and math.isinf(x):
            return self.hi if x > 0 else self.lo
        return min(max(math.trunc(x), self.lo), self.hi)


def nearest(x):
    """A float: what does not fit a double is not drawn."""
    return float(x)


def rounded(x, precision, bias):
    """`x` to so many significant bits, ties to even, with the exponents of a single."""
    if x == 0:
        return x
    exponent = max(math.frexp(x)[1] - precision, 1 - bias - precision + 1)
    y = math.ldexp(round(FRACTION(x) / FRACTION(2) ** exponent), exponent)
    return math.copysign(math.inf, x) if abs(y) >= 2.0 ** (bias + 1) else y


WHOLE = ["i8", "u8", "i16", "u16", "i32", "i8s", "u8s", "i16s"]
REAL = ["f64", "f32", "f16", "bf16"]
FIXED = ["fx16.4", "ufx8.2", "fx8.4"]
TYPES = {n: Type(n) for n in ["bool"] + WHOLE + REAL + FIXED}


class Node:
    """An expression: its text, its type, and what it is at a point of the indices."""

    def __init__(self, text, ty, value):
        self.text, self.ty, self.value = text, ty, value


class Operand:
    """A tensor with data."""

    def __init__(self, name, modes, ty, levels, fill, data):
        self.name, self.modes, self.ty, self.levels, self.fill, self.data = name, modes, ty, levels, fill, data


LEVELS = ["dense", "compressed", "compressed", "bitvector8", "block", "run"]


class Drawer:
    """Draws one kernel."""

    def __init__(self, rng):
        self.rng = rng
        self.dims = {"i": self.size(), "j": self.size(), "k": self.size()}
        self.operands = []
        self.lines = []

    def one(self, of):
        return of[self.rng.integers(len(of))]

    def chance(self, p):
        return self.rng.random() < p

    def size(self):
        # Now and then more coordinates than a narrow type has numbers.
        return int(self.one([1, 2, 3, 4, 5, 7, 9])) if self.chance(0.93) else int(self.rng.integers(126, 140))

    def number(self, ty):
        """A small number of this type."""
        if ty.kind == "bool":
            return int(self.rng.integers(0, 2))
        lo = -6 if ty.signed else 0
        n = int(self.rng.integers(lo, 7))
        if ty.kind == "fixed":
            return ty.fit(FRACTION(n, 2))
        if ty.kind == "float":
            return n / 2 if self.chance(0.5) else float(n)
        if self.chance(0.1):
            return int(self.one([ty.lo, ty.hi, ty.hi - 1]))
        return n

    def operand(self, modes, ty):
        """A new tensor, or one that is there."""
        same = [o for o in self.operands if o.modes == modes and o.ty is ty]
        if same and self.chance(0.4):
            return self.one(same)
        levels = [str(self.one(LEVELS)) for _ in modes]
        # Blocks and runs are last levels.
        levels = [l if n == len(levels) - 1 or l not in ("block", "run") else "compressed" for n, l in enumerate(levels)]
        fill = self.number(ty) if self.chance(0.25) else ty.convert(0)
        shape = [self.dims[m] for m in modes]
        density = self.one([0.0, 0.2, 0.5, 0.9])
        data = np.empty(shape, object)
        for at in np.ndindex(*shape):
            data[at] = self.number(ty) if self.rng.random() < density else fill
        o = Operand(f"t{len(self.operands)}", modes, ty, levels, fill, data)
        self.operands.append(o)
        return o

    def access(self, scope, ty):
        count = int(self.rng.integers(0, min(len(scope), 2) + 1)) if self.chance(0.15) else min(len(scope), int(self.rng.integers(1, 3)))
        modes = list(self.rng.permutation(scope)[:count])
        o = self.operand([str(m) for m in modes], ty)
        at = tuple(o.modes)
        text = f"{o.name}({','.join(at)})" if at else o.name
        return Node(text, ty, lambda env: o.data[tuple(env[m] for m in at)])

    def literal(self, ty):
        x = self.number(ty)
        if ty.kind == "bool":
            return Node(str(x), ty, lambda env: x)
        text = repr(float(x)) if ty.kind in ("float", "fixed") and x != int(x) else str(int(x))
        return Node(text if x >= 0 else f"({text})", ty, lambda env: x)

    def count(self, scope):
        """Arithmetic of indices: whole numbers of no type."""
        i = str(self.one(scope))
        index = Node(i, None, lambda env: env[i])
        n = int(self.rng.integers(2, 5))
        forms = [
            index,
            Node(f"({i} % {n})", None, lambda env: env[i] % n),
            Node(f"({i} + {n})", None, lambda env: env[i] + n),
            Node(f"({i} - {n})", None, lambda env: env[i] - n),
            Node(f"({n} * {i})", None, lambda env: n * env[i]),
        ]
        if len(scope) > 1:
            j = str(self.one([s for s in scope if s != i]))
            forms.append(Node(f"({i} - {j})", None, lambda env: env[i] - env[j]))
            forms.append(Node(f"({i} + {j})", None, lambda env: env[i] + env[j]))
        return self.one(forms[:1] if self.chance(0.5) else forms)

    def compared(self, scope, depth):
        """A side of a comparison, with a type of its own."""
        ty = TYPES[str(self.one(list(TYPES)))]
        return self.expr(scope, ty, depth - 1) if depth > 1 and self.chance(0.3) else self.access(scope, ty)

    def truth(self, scope, depth):
        """A condition: 0 or 1, as it is converted to the type that it is used in."""
        signs = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b}
        signs |= {"<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}
        sign = str(self.one(list(signs)))
        form = self.rng.random()
        if form < 0.35:
            a, b = self.count(scope), self.count(scope)
        elif form < 0.5:
            a, b = self.compared(scope, depth), self.count(scope)
        elif form < 0.75:
            a = self.compared(scope, depth)
            b = self.literal(a.ty)
        else:
            a, b = self.compared(scope, depth), self.compared(scope, depth)
        compare = signs[sign]
        return Node(f"({a.text} {sign} {b.text})", None, lambda env: int(compare(a.value(env), b.value(env))))

    def expr(self, scope, ty, depth):
        if depth <= 0:
            form = self.rng.random()
            if form < 0.75:
                return self.access(scope, ty)
            if form < 0.9:
                return self.literal(ty)
            i = str(self.one(scope))
            return Node(i, ty, lambda env: ty.convert(env[i]))
        form = self.rng.random()
        if form < 0.45:
            return self.arithmetic(scope, ty, depth)
        if form < 0.6:
            c, a, b = self.truth(scope, depth), self.expr(scope, ty, depth - 1), self.expr(scope, ty, depth - 1)
            return Node(f"where({c.text}, {a.text}, {b.text})", ty, lambda env: a.value(env) if c.value(env) else b.value(env))
        if form < 0.7:
            c, a = self.truth(scope, depth), self.expr(scope, ty, depth - 1)
            return Node(f"mask({c.text}, {a.text})", ty, lambda env: a.value(env) if c.value(env) else ty.convert(0))
        if form < 0.78:
            c = self.truth(scope, depth)
            return Node(c.text, ty, lambda env: ty.convert(c.value(env)))
        if form < 0.9:
            of = TYPES[str(self.one(list(TYPES)))]
            if ty.kind == "bool" and of.kind == "bool":
                return self.expr(scope, ty, depth - 1)
            a = self.expr(scope, of, depth - 1)
            return Node(f"{ty.name}({a.text})", ty, lambda env: ty.convert(a.value(env)))
        if form < 0.94:
            c = self.count(scope)
            return Node(f"{ty.name}({c.text})", ty, lambda env: ty.convert(c.value(env)))
        return self.arithmetic(scope, ty, depth)

    def arithmetic(self, scope, ty, depth):
        a, b = self.expr(scope, ty, depth - 1), self.expr(scope, ty, self.rng.integers(0, depth))
        if ty.kind == "bool":
            ops = {"and": lambda x, y: x & y, "or": lambda x, y: x | y}
            op = str(self.one(list(ops)))
            return Node(f"({a.text} {op} {b.text})", ty, lambda env: ops[op](a.value(env), b.value(env)))
        form = self.rng.random()
        if form < 0.2:
            least = form < 0.1
            name, pick = ("min", min) if least else ("max", max)
            return Node(f"{name}({a.text}, {b.text})", ty, lambda env: pick(a.value(env), b.value(env)))
        if form < 0.28 and ty.signed:
            return Node(f"abs({a.text})", ty, lambda env: ty.fit(abs(a.value(env))))
        if form < 0.36 and ty.signed:
            return Node(f"(-{a.text})", ty, lambda env: ty.fit(-a.value(env)))
        ops = {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y}
        op = str(self.one(list(ops)))
        return Node(f"({a.text} {op} {b.text})", ty, lambda env: ty.fit(ops[op](a.value(env), b.value(env))))

    def reduced(self, scope, ty, depth):
        """An expression with a reduction over k whose result does not depend on the order of its terms."""
        inner = scope + ["k"]
        ops = ["min", "max"]
        if ty.kind == "int" and not ty.saturates:
            ops += ["sum", "sum", "prod"]
        op = str(self.one(["any", "all"] if ty.kind == "bool" else ops))
        if op in ("any", "all"):
            body = self.truth(inner, depth)
            fold = any if op == "any" else all
            total = lambda env: int(fold(body.value({**env, "k": k}) for k in range(self.dims["k"])))
        else:
            body = self.expr(inner, ty, depth - 1)
            folds = {"min": min, "max": max, "sum": sum, "prod": math.prod}
            total = lambda env: ty.fit(folds[op]([body.value({**env, "k": k}) for k in range(self.dims["k"])]))
        return Node(f"{op}[k]({body.text})", ty, total)

    def kernel(self):
        """The file's text, the operands, and the result with its values."""
        ty = TYPES[str(self.one(list(TYPES)))]
        scope = ["i", "j"] if self.chance(0.6) else ["i"]
        depth = int(self.rng.integers(1, 4))
        if self.chance(0.3):
            e = self.reduced(scope, ty, depth)
            if self.chance(0.4):
                rest = self.expr(scope, ty, 1)
                total = e
                pick = min if self.chance(0.5) else max
                e = Node(f"{pick.__name__}({total.text}, {rest.text})", ty, lambda env: pick(total.value(env), rest.value(env)))
        else:
            e = self.expr(scope, ty, depth)
        shape = [self.dims[m] for m in scope]
        want = np.empty(shape, object)
        for at in np.ndindex(*shape):
            want[at] = e.value(dict(zip(scope, at)))
        levels = ["dense" if self.chance(0.5) else "compressed" for _ in scope]
        sparse = any(l != "dense" for l in levels)
        more = []
        if sparse and self.chance(0.4):
            more.append("prune = true")
        self.operands = [o for o in self.operands if re.search(rf"\b{o.name}\b", e.text)]
        text = [f'expr = "y({",".join(scope)}) = {e.text}"', "[dims]"]
        text += [f"{m} = {n}" for m, n in self.dims.items() if re.search(rf"\b{m}\b", e.text) or m in scope]
        for o in self.operands:
            text += [f"[tensors.{o.name}]", f"levels = {o.levels!r}".replace("'", '"'), f'type = "{o.ty.name}"']
            text += [f"fill = {shown(o.ty, o.fill)}"] if o.fill != 0 else []
        text += ["[tensors.y]", f"levels = {levels!r}".replace("'", '"'), f'type = "{ty.name}"', *more]
        return "\n".join(text) + "\n", want, ty


def shown(ty, x):
    """A value as kernel files and data files write it."""
    if ty.kind == "bool":
        return "true" if x else "false"
    return str(x) if ty.kind == "int" else repr(float(x))


def save(o, folder, rng):
    """Writes an operand, as an array or as a list of what is not its fill."""
    ends = [".npy"] + [".tns"] * (len(o.modes) > 0) + [".mtx"] * (len(o.modes) == 2)
    end = str(ends[rng.integers(len(ends))])
    path = os.path.join(folder, o.name + end)
    number = (lambda x: str(int(x))) if o.ty.kind == "bool" else (lambda x: shown(o.ty, x))
    stored = [(at, x) for at, x in np.ndenumerate(o.data) if x != o.fill]
    row = lambda at, x: " ".join([*(str(c + 1) for c in at), number(x)])
    if end == ".npy":
        dtype = {"bool": bool, "int": np.int64}.get(o.ty.kind, np.float64)
        np.save(path, o.data.astype(dtype))
        return path
    if end == ".mtx":
        field = "integer" if o.ty.kind in ("int", "bool") else "real"
        lines = [f"%%MatrixMarket matrix coordinate {field} general", f"{o.data.shape[0]} {o.data.shape[1]} {len(stored)}"]
    else:
        lines = [str(o.data.ndim), " ".join(map(str, o.data.shape))] if not stored or rng.random() < 0.5 else []
        if not lines and any(max(at[m] for at, _ in stored) + 1 < n for m, n in enumerate(o.data.shape)):
            lines = [str(o.data.ndim), " ".join(map(str, o.data.shape))]
    with open(path, "w") as f:
        f.write("\n".join(lines + [row(at, x) for at, x in stored]) + "\n")
    return path


def loaded(path, shape):
    """A result's file as an array of numbers."""
    if path.endswith(".npy"):
        return np.load(path).astype(object)
    rows = [l.split() for l in open(path) if l.strip() and l[0] not in "%#"]
    out = np.full(shape, 0, object)
    rows = rows[1:] if path.endswith(".mtx") else [r for r in rows if len(r) == len(shape) + 1]
    for r in rows:
        out[tuple(int(c) - 1 for c in r[:-1])] = float(r[-1]) if re.search(r"[.einf]", r[-1]) else int(r[-1])
    return out


def same(got, want, ty):
    """Are they one number? A double that is written for a wider one is not drawn."""
    got, want = float(got), float(want)
    return got == want or math.isnan(got) and math.isnan(want)


def case(binary, seed, engine, keep):
    """Runs one kernel: 'right', 'refused' or what is wrong."""
    rng = np.random.default_rng(seed)
    drawer = Drawer(rng)
    text, want, ty = drawer.kernel()
    with tempfile.TemporaryDirectory() as folder:
        folder = keep or folder
        kernel = os.path.join(folder, "k.toml")
        open(kernel, "w").write(text)
        ends = [".npy"] * 2 + [".tns"] + [".mtx"] * (want.ndim == 2)
        out = os.path.join(folder, "y" + str(ends[rng.integers(len(ends))]))
        command = [binary, "run", kernel, "--engine", engine, "--out", f"y={out}"]
        for o in drawer.operands:
            command += ["--tensor", f"{o.name}={save(o, folder, rng)}"]
        try:
            p = subprocess.run(command, capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            return f"seed {seed}: no end\n{text}"
        if p.returncode == 2:
            return "refused " + (re.search(r"error\[(\w+)\]", p.stderr) or ["", "?"])[1]
        if p.returncode:
            return f"seed {seed}: exit {p.returncode}: {(p.stdout + p.stderr)[-600:]}\n{text}"
        got = loaded(out, want.shape)
        if got.shape != want.shape:
            return f"seed {seed}: shape {got.shape} for {want.shape}\n{text}"
        wrong = [at for at in np.ndindex(*want.shape) if not same(got[at], want[at], ty)]
        if wrong:
            shown = ", ".join(f"{tuple(int(c) for c in at)}: {got[at]} for {want[at]}" for at in itertools.islice(wrong, 4))
            return f"seed {seed}: {len(wrong)} of {want.size} values differ: {shown}\n{text}"
    return "right"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default="native")
    parser.add_argument("--keep", help="a folder in which the files of the case stay")
    args = parser.parse_args()
    refused, failed = {}, []
    for n in range(args.cases):
        said = case(args.binary, args.seed + n, args.engine, args.keep)
        if said.startswith("refused"):
            refused[said[8:]] = refused.get(said[8:], 0) + 1
        elif said != "right":
            failed.append(said)
            print(said, flush=True)
    gone = sum(refused.values())
    print(f"refused: {gone} of {args.cases}, " + ", ".join(f"{code} {n}" for code, n in sorted(refused.items())))
    if gone > args.cases // 3:
        failed.append("")
        print("too many are refused for the rest to tell anything")
    print(f"{args.cases - gone - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
