#!/usr/bin/env python3
"""Random kernels with fills against numpy, through files.

    fills.py SAMHW [--cases N] [--seed S]

Every other kernel has `ieee = true`, and infinities, NaN and -0.0 among its data and fills. The last line is `N passed, N failed`.
"""
import argparse
import json
import subprocess
import sys
import tempfile

import numpy as np

SPECIAL = [np.nan, np.inf, -np.inf, -0.0]
NUMBERS = [1.0, -1.0, 2.0, 0.5, -3.0, 0.0]
OPERANDS = {"a": "i", "b": "i", "d": "i", "A": "ij", "B": "ij", "s": ""}
BINARY = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "min": np.minimum, "max": np.maximum}
UNARY = {"neg": np.negative, "abs": np.abs, "square": np.square}
REDUCTIONS = {"sum": np.sum, "min": np.min, "max": np.max}


class Case:
    """A kernel file, its data, and what numpy says."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.ieee = seed % 2 == 0
        self.dims = {"i": int(self.rng.integers(2, 7)), "j": int(self.rng.integers(2, 6))}
        self.tables = {name: self.table(name, indices) for name, indices in OPERANDS.items()}
        self.used = set()
        indices = str(self.rng.choice(["i", "ij"]))
        reduction = str(self.rng.choice(list(REDUCTIONS))) if indices == "i" and self.rng.random() < 0.5 else None
        text, value = self.expression(int(self.rng.integers(1, 4)), "ij" if reduction else indices)
        if reduction:
            text, value = f"{reduction}[j]({text})", REDUCTIONS[reduction](value, axis=1)
        elif indices == "i":
            value = value[:, 0]
        self.want = value
        self.data = {name: self.tables[name][2] for name in sorted(self.used)}
        result = (self.levels(indices), self.value() if self.rng.random() < 0.4 else None)
        prune = "compressed" in result[0] and self.rng.random() < 0.4
        self.toml = self.file(f"y({','.join(indices)}) = {text}", indices + ("j" if reduction else ""), result, prune)

    def value(self):
        special = self.ieee and self.rng.random() < 0.3
        return float(self.rng.choice(SPECIAL if special else NUMBERS))

    def levels(self, indices):
        return [str(self.rng.choice(["dense", "compressed"])) for _ in indices]

    def table(self, name, indices):
        """Levels, fill and data of an operand."""
        fill = self.value() if self.rng.random() < 0.4 else 0.0
        levels = ["dense"] if name == "d" else self.levels(indices)
        data = np.full([self.dims[i] for i in indices], fill)
        for at in np.ndindex(*data.shape):
            if not indices or self.rng.random() < 0.45:
                data[at] = self.value()
        return levels, fill, data

    def expression(self, depth, indices):
        """Text of an expression over these indices, and its value at every i and j."""
        shape = tuple(self.dims.values())
        kind = self.rng.random()
        if depth == 0 or kind < 0.15:
            name = str(self.rng.choice([n for n, own in OPERANDS.items() if set(own) <= set(indices)]))
            self.used.add(name)
            own, data = OPERANDS[name], self.tables[name][2]
            text = f"{name}({','.join(own)})" if own else name
            return text, np.broadcast_to(data[:, None] if own == "i" else data, shape)
        if kind < 0.22:
            number = float(self.rng.choice([1.0, 2.0, -1.0, 0.5]))
            return f"({number})", np.full(shape, number)
        if kind < 0.72:
            # Quotients of numbers have divisors that are 0.
            name = str(self.rng.choice([op for op in BINARY if op != "/" or self.ieee]))
            (p, x), (q, y) = self.expression(depth - 1, indices), self.expression(depth - 1, indices)
            return f"{name}({p}, {q})" if name.isalpha() else f"({p} {name} {q})", BINARY[name](x, y)
        if kind < 0.82:
            name = str(self.rng.choice(list(UNARY)))
            p, x = self.expression(depth - 1, indices)
            return f"{name}({p})", UNARY[name](x)
        (c, x), (p, y), (q, z) = (self.expression(depth - 1, indices) for _ in range(3))
        return f"where({c} > 0.5, {p}, {q})", np.where(x > 0.5, y, z)

    def file(self, statement, indices, result, prune):
        """The kernel file; `result` has the result's levels and fill."""
        names = set(indices).union(*(OPERANDS[name] for name in self.used))
        lines = [f'expr = "{statement}"', f"ieee = {str(self.ieee).lower()}", "[dims]"]
        lines += [f"{name} = {size}" for name, size in self.dims.items() if name in names]
        for name, (levels, fill) in {**{n: self.tables[n][:2] for n in sorted(self.used)}, "y": result}.items():
            lines += [f"[tensors.{name}]", 'type = "f64"', f"levels = {json.dumps(levels)}"]
            lines += [f"fill = {fill}"] if fill is not None else []
        return "\n".join(lines + (["prune = true"] if prune else [])) + "\n"


def outcome(samhw, case):
    """What samhw gives, or says."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/k.toml", "w") as file:
            file.write(case.toml)
        command = [samhw, "run", f"{folder}/k.toml", "--out", f"y={folder}/y.npy"]
        for name, data in case.data.items():
            np.save(f"{folder}/{name}.npy", data)
            command += ["--tensor", f"{name}={folder}/{name}.npy"]
        ran = subprocess.run(command, capture_output=True, text=True)
        return np.load(f"{folder}/y.npy") if ran.returncode == 0 else ran.stderr


def main():
    options = argparse.ArgumentParser()
    options.add_argument("samhw")
    options.add_argument("--cases", type=int, default=80)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    np.seterr(all="ignore")
    passed = failed = refused = 0
    for seed in range(options.seed, options.seed + options.cases):
        case = Case(seed)
        found = outcome(options.samhw, case)
        if isinstance(found, str) and "error[S009]" in found:
            # A fill that depends on a size cannot be pruned.
            refused += 1
        elif isinstance(found, str) or not np.array_equal(found, case.want, equal_nan=True):
            failed += 1
            data = {name: values.tolist() for name, values in case.data.items()}
            print("seed", seed, case.toml, data, "gives", found, "for", case.want, sep="\n")
        else:
            passed += 1
    print(f"{refused} refused")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or refused * 4 > options.cases


if __name__ == "__main__":
    sys.exit(main())
