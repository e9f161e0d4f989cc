"""The functions that have NumPy's names against NumPy, by value: kernels over .npy files, run by the program.

    functions.py SAMHW [--cases N] [--seed S]

N: random values of each type, beside special ones. The last line is `N passed, N failed`.
"""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ONE = "absolute negative positive sign square rint floor ceil trunc fix signbit logical_not isfinite isnan isinf"
TWO = """add subtract multiply maximum minimum fmax fmin equal not_equal less less_equal greater greater_equal
         logical_and logical_or logical_xor copysign"""
ONE_WHOLE = "bitwise_not invert bitwise_count"
TWO_WHOLE = "bitwise_and bitwise_or bitwise_xor floor_divide remainder fmod gcd lcm"
SHIFTS = "left_shift right_shift bitwise_left_shift bitwise_right_shift"
ONE_REAL = """fabs sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh
              arccosh arctanh reciprocal isposinf isneginf deg2rad radians rad2deg degrees"""
TWO_REAL = """divide true_divide floor_divide remainder fmod power arctan2 hypot logaddexp logaddexp2 heaviside"""

TYPES = {"i8": np.int8, "u16": np.uint16, "i64": np.int64, "f64": np.float64, "f32": np.float32, "f16": np.float16}
# Units of the last place that a function that is not exact may be off by; of those of several steps at their largest step.
ULPS = {"f64": 16, "f32": 8, "f16": 4}
STEPS = {"logaddexp", "logaddexp2"}
# e^(y ln x): its relative error grows with y ln x (docs/arithmetic.md).
POWER = {"f64": 1024, "f32": 8, "f16": 4}


def arguments(dtype, rng, count):
    """Two arrays: what special rules concern, small numbers, and others."""
    if np.issubdtype(dtype, np.integer):
        ends = np.iinfo(dtype)
        special = [0, 1, 2, ends.max, ends.min, ends.max - 1]
        some = rng.integers(max(ends.min, -40), min(ends.max, 40), count, dtype=dtype)
    else:
        special = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 8.0, np.inf, -np.inf, np.nan, 1024.0, -3.0]
        some = (rng.normal(size=count) * 4).astype(dtype)
    a, b = some.copy(), rng.permutation(some)
    pairs = [(x, y) for x in special for y in special]
    return np.concatenate([a, np.array([x for x, _ in pairs], dtype)]), np.concatenate([b, np.array([y for _, y in pairs], dtype)])


def functions(dtype):
    """(function, number of arguments) for this type."""
    whole = np.issubdtype(dtype, np.integer)
    groups = [(ONE, 1), (TWO, 2)] + ([(ONE_WHOLE, 1), (TWO_WHOLE, 2), (SHIFTS, 3)] if whole else [(ONE_REAL, 1), (TWO_REAL, 2)])
    for names, arity in groups:
        for function in names.split():
            yield function, arity


def wanted(function, dtype, a, b):
    with np.errstate(all="ignore"):
        if function == "bitwise_count":
            return np.bitwise_count(a)
        value = getattr(np, function)(*([a] if b is None else [a, b]))
        return np.asarray(value)


def ulps(got, want, dtype, exact):
    """The largest distance, in units of the last place of what is wanted. The largest number is next to infinity."""
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    if not exact:
        got, want = (np.clip(x, np.finfo(dtype).min, np.finfo(dtype).max) for x in (got, want))
    with np.errstate(all="ignore"):
        off = np.abs(got.astype(np.longdouble) - want) / np.spacing(np.abs(want).astype(dtype))
    return float(np.max(np.where(same, 0, np.where(np.isfinite(off), off, np.inf)), initial=0))


def check(samhw, folder, name, dtype, rng, count):
    """(functions that agree, functions that do not) of a type."""
    a, b = arguments(dtype, rng, count)
    c = rng.integers(0, 8, len(a)).astype(dtype)
    for tensor, data in (("a", a), ("b", b), ("c", c)):
        np.save(folder / f"{tensor}.npy", data)
    all_cases = list(functions(dtype))
    letters = {1: "(a(i))", 2: "(a(i), b(i))", 3: "(a(i), c(i))"}
    statements = "; ".join(f"r{k}(i) = {f}{letters[n]}" for k, (f, n) in enumerate(all_cases))
    used = [t for t, n in (("a", 1), ("b", 2), ("c", 3)) if t == "a" or any(m == n for _, m in all_cases)]
    text = f'expr = """{statements}"""\n[dims]\ni = {len(a)}\n[data]\n'
    text += "".join(f'{t} = "{t}.npy"\n' for t in used)
    for tensor in used + [f"r{k}" for k in range(len(all_cases))]:
        text += f'[tensors.{tensor}]\nlevels = ["dense"]\ntype = "{name}"\n'
    (folder / "k.toml").write_text(text)
    command = [samhw, "run", str(folder / "k.toml")]
    for k in range(len(all_cases)):
        command += ["--out", f"r{k}={folder}/r{k}.npy"]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"{name}: {ran.stderr}{ran.stdout}")
    wrong = 0
    for k, (function, n) in enumerate(all_cases):
        want = wanted(function, dtype, a, {1: None, 2: b, 3: c}[n])
        got = np.load(folder / f"r{k}.npy")
        keep = np.ones(len(a), bool)
        whole = np.issubdtype(dtype, np.integer)
        if whole:
            ends = np.iinfo(dtype)
            # NumPy converts these to floats, which lose digits or leave the range.
            keep = (a != ends.min) | (not np.issubdtype(want.dtype, np.floating))
            if name == "i64" and np.issubdtype(want.dtype, np.floating):
                keep &= np.abs(a) < 2**53
            # It warns, and gives what the machine does.
            if function in ("floor_divide", "remainder", "fmod"):
                keep &= ~((a == ends.min) & (b == -1 if ends.min < 0 else False))
            # Of sizes beyond the range.
            if function in ("gcd", "lcm"):
                keep &= (a != ends.min) & (b != ends.min) if ends.min < 0 else True
        with np.errstate(invalid="ignore"):
            want = want.astype(dtype)
        exact = whole or function in (ONE + TWO).split() or function in ("fabs", "sqrt", "reciprocal", "divide", "true_divide", "fmod")
        off = ulps(got[keep], want[keep], dtype, exact) if not whole else float(np.any(got[keep] != want[keep]))
        bound = 0 if exact else POWER[name] if function == "power" else ULPS[name]
        if function in STEPS:
            # Terms of opposite sizes leave fewer digits: measured by those.
            with np.errstate(all="ignore"):
                size = np.maximum(np.abs(a), np.abs(b)).astype(np.float64)
                near = np.abs(got.astype(np.float64) - want) <= bound * np.maximum(np.spacing(size.astype(dtype)), np.finfo(dtype).eps)
            same = (got == want) | (np.isnan(got) & np.isnan(want))
            off = 0 if np.all(same | near) else np.inf
        if off > bound:
            at = np.argmax(~((got == want) | (np.isnan(got) & np.isnan(want))) & keep) if not whole else np.argmax((got != want) & keep)
            print(f"{function} of {name}: {off} off, at {at}: {a[at]!r}, {b[at]!r}: {got[at]!r}, not {want[at]!r}")
            wrong += 1
    print(f"{name}: {len(all_cases)} functions, {len(a)} values each, {wrong} wrong")
    return len(all_cases) - wrong, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("samhw")
    parser.add_argument("--cases", type=int, default=48)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    passed = failed = 0
    for name, dtype in TYPES.items():
        with tempfile.TemporaryDirectory() as folder:
            right, wrong = check(args.samhw, Path(folder), name, dtype, rng, args.cases)
        passed, failed = passed + right, failed + wrong
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
