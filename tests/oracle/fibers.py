"""Functions of fibers against NumPy: where they stand in expressions, along which index, of which levels.

    fibers.py SAMHW [--cases N] [--seed S]

N: how often each kernel is run, with other data. The last line is `N passed, N failed`.
"""
import argparse
import json
import subprocess
import sys
import tempfile

import numpy as np

ROWS, COLUMNS = 9, 12
TYPES = {"f32": (np.float32, 1e-5), "f64": (np.float64, 1e-6), "bf16": (np.float32, 3e-2)}


def shares(a, there, axis):
    """Softmax along an axis of the values that are there; 0 elsewhere."""
    most = np.max(np.where(there, a, -np.inf), axis=axis, keepdims=True)
    powers = np.where(there, np.exp(np.where(there, a - most, 0)), 0)
    total = powers.sum(axis, keepdims=True)
    return np.where(there, powers / np.where(total == 0, 1, total), 0)


def greatest(a, there, count):
    """The `count` greatest values of each row that are there, of equal ones those at smaller coordinates."""
    out = np.zeros_like(a)
    for i, row in enumerate(a):
        places = sorted(np.flatnonzero(there[i]), key=lambda j: (-row[j], j))[:count]
        out[i, places] = row[places]
    return out


def kernels(a):
    """Expression, type, levels of A and of Y, and what Y is; the type's own zeros are where nothing is stored."""
    there, everywhere = a != 0, np.ones_like(a, bool)
    rows, columns = (shares(a, there, axis) for axis in (1, 0))
    for ty in TYPES:
        yield "Y(i,j) = softmax[j](A(i,j))", ty, "dc", "dc", rows
    yield "Y(i,j) = softmax[j](A(i,j))", "f32", "cc", "dd", rows
    yield "Y(i,j) = 2.0 * softmax[j](0.5 * A(i,j))", "f32", "dc", "cc", 2 * shares(a / 2, there, 1)
    yield "Y(i,j) = softmax[j](A(i,j))", "f32", "dd", "dd", shares(a, everywhere, 1)
    yield "Y(i,j) = softmax[i](A(i,j))", "f32", "dc", "dd", columns
    yield "Y(i,j) = A(i,j); Y(i,j) = softmax[j](Y(i,j)) + softmax[i](A(i,j))", "f32", "dd", "dd", (
        shares(a, everywhere, 1) + shares(a, everywhere, 0))
    yield "Y(i,j) = softmax[j](softmax[i](A(i,j)) * 3.0)", "f32", "dd", "dd", (
        shares(3 * shares(a, everywhere, 0), everywhere, 1))
    whole = np.rint(a)
    yield "Y(i,j) = topk[j](rint(A(i,j)), 3)", "f32", "dc", "dc", greatest(whole, there, 3)
    yield "Y(i,j) = topk[j](rint(A(i,j)), 2)", "f64", "dd", "dd", greatest(whole, everywhere, 2)
    yield "Y(i,j) = topk[j](A(i,j), 1)", "f32", "cc", "dd", greatest(a, there, 1)
    yield "Y(i,j) = topk[i](A(i,j), 2)", "f32", "dc", "dd", greatest(a.T, there.T, 2).T


def tensor(name, levels, ty):
    names = [{"d": "dense", "c": "compressed"}[level] for level in levels]
    return f"[tensors.{name}]\nlevels = {json.dumps(names)}\ntype = \"{ty}\"\n"


def wrong(samhw, rng, number):
    """What is wrong with kernel `number` on random data; nothing if nothing is; `None` if there is none."""
    a = (rng.random((ROWS, COLUMNS)) < 0.4) * rng.uniform(-3, 3, (ROWS, COLUMNS))
    a[rng.integers(ROWS)] = 0
    all_kernels = list(kernels(a.astype(np.float32).astype(float)))
    if number >= len(all_kernels):
        return None
    expr, ty, levels, result, wanted = all_kernels[number]
    dtype, tolerance = TYPES[ty]
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/k.toml", "w", encoding="utf-8") as out:
            sizes = f"[dims]\ni = {ROWS}\nj = {COLUMNS}\n"
            out.write(f"expr = \"{expr}\"\n{sizes}" + tensor("A", levels, ty) + tensor("Y", result, ty))
        np.save(f"{folder}/A.npy", a.astype(dtype))
        args = ["run", f"{folder}/k.toml", "--convert", "round", "--tensor", f"A={folder}/A.npy"]
        done = subprocess.run([samhw, *args, "--out", f"Y={folder}/Y.npy"], capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{expr}: {done.stderr or done.stdout[-300:]}"
        found = np.load(f"{folder}/Y.npy").astype(float)
    return "" if np.allclose(found, wanted, rtol=tolerance, atol=tolerance) else f"{expr}, {ty}, {levels}: {found}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("samhw")
    parser.add_argument("--cases", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    passed = failed = 0
    for case in range(given.cases):
        number = 0
        while (said := wrong(given.samhw, np.random.default_rng((given.seed, case, number)), number)) is not None:
            number += 1
            failed += bool(said)
            passed += not said
            if said:
                print(said)
    print(f"{passed} passed, {failed} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
