"""The models of examples/models on random data against NumPy, through files, as a user runs them.

    models.py SAMHW [--cases N] [--seed S]

N: how often each model is run, with other data. The last line is `N passed, N failed`.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

MODELS = Path(__file__).resolve().parents[2] / "examples" / "models"


def sparse(rng, shape, share, low=-1.0, high=1.0):
    return (rng.random(shape) < share) * rng.uniform(low, high, shape)


def shares(scores, there):
    """Softmax of each row's values that are there; 0 elsewhere."""
    most = np.max(np.where(there, scores, -np.inf), axis=1, keepdims=True)
    powers = np.where(there, np.exp(np.where(there, scores - most, 0)), 0)
    total = powers.sum(1, keepdims=True)
    return np.where(there, powers / np.where(total == 0, 1, total), 0)


def attention(rng, n):
    i, d = n["i"], n["d"]
    mask = (rng.random((i, i)) < 0.3) * 1.0
    q, k, v = (rng.uniform(-1, 1, (i, d)) for _ in range(3))
    return dict(M=mask, Q=q, K=k, V=v), dict(O=shares(q @ k.T, mask != 0) @ v)


def transformer(rng, n):
    blocks = rng.random((n["i"] // 8, n["i"] // 8)) < 0.4
    mask = np.kron(blocks, np.ones((8, 8)))
    x = rng.uniform(-1, 1, (n["i"], n["a"]))
    shapes = dict(Wq="ad", Wk="ad", Wv="ae", Wo="ea", W1="af", W2="fa")
    w = {name: rng.uniform(-0.5, 0.5, [n[index] for index in shape]) for name, shape in shapes.items()}
    rows = shares((x @ w["Wq"]) @ (x @ w["Wk"]).T, mask != 0) @ (x @ w["Wv"])
    p = x + rows @ w["Wo"]
    return dict(M=mask, X=x, **w), dict(Y=p + np.maximum(p @ w["W1"], 0) @ w["W2"])


def gcn(rng, n):
    a, x = sparse(rng, (n["i"], n["k"]), 0.15, 0, 1), sparse(rng, (n["i"], n["f"]), 0.1)
    w, v = rng.uniform(-1, 1, (n["f"], n["h"])), rng.uniform(-1, 1, (n["h"], n["c"]))
    b, d = rng.uniform(-1, 1, n["h"]), rng.uniform(-1, 1, n["c"])
    z = a @ (np.maximum(a @ (x @ w) + b, 0) @ v) + d
    return dict(A=a, X=x, W=w, V=v, b=b, d=d), dict(Y=shares(z, np.ones_like(z, bool)))


def graphsage(rng, n):
    a, x = (rng.random((n["i"], n["k"])) < 0.2) * 1.0, rng.uniform(-1, 1, (n["i"], n["f"]))
    w, v = rng.uniform(-1, 1, (n["f"], n["h"])), rng.uniform(-1, 1, (n["f"], n["h"]))
    mean = a @ x / np.maximum(a.sum(1, keepdims=True), 1)
    return dict(A=a, X=x, W=w, V=v), dict(H=np.maximum(x @ w + mean @ v, 0))


def autoencoder(rng, n):
    x = sparse(rng, (n["b"], n["i"]), 0.2, 0, 1)
    w, v = sparse(rng, (n["i"], n["h"]), 0.1), sparse(rng, (n["h"], n["j"]), 0.1)
    c, d = rng.uniform(-1, 1, n["h"]), rng.uniform(-1, 1, n["j"])
    hidden = np.maximum(x @ w + c, 0)
    return dict(X=x, W=w, V=v, c=c, d=d), dict(Y=np.maximum(hidden @ v + d, 0))


def pagerank(rng, n):
    nodes = n["i"]
    a = (rng.random((nodes, nodes)) < 0.1) * 1.0
    w = 1 / np.maximum(a.sum(0), 1)
    rank = np.full(nodes, 1 / nodes)
    for _ in range(200):
        rank = 0.15 / nodes + 0.85 * a @ (rank * w)
    return dict(A=a, r=np.full(nodes, 1 / nodes), w=w), dict(n=rank)


def bfs(rng, n):
    nodes = n["k"]
    edges = rng.random((nodes, nodes)) < 1.5 / nodes
    start = np.arange(nodes) == rng.integers(nodes)
    seen = start.copy()
    for _ in range(nodes):
        seen |= edges @ seen
    return dict(G=edges, f=start, v=start), dict(v=seen)


def bfs_switching(rng, n):
    nodes = n["k"]
    edges = rng.random((nodes, nodes)) < rng.choice([1.5, 4, 16]) / nodes
    start = np.arange(nodes) == rng.integers(nodes)
    seen = start.copy()
    while (more := seen | edges @ seen).sum() > seen.sum():
        seen = more
    return dict(G=edges, T=edges, f=start, v=start, large=False), dict(v=seen)


def bellman_ford(rng, n):
    nodes = n["j"]
    w = np.where(rng.random((nodes, nodes)) < 0.06, rng.integers(1, 20, (nodes, nodes)), 0)
    far = np.full(nodes, 10**6)
    far[rng.integers(nodes)] = 0
    found = far.copy()
    for _ in range(nodes):
        found = np.minimum(found, np.where(w > 0, w + found[:, None], 10**6).min(0))
    return dict(W=w, d=far), dict(e=found)


def k_core(rng, n):
    nodes = n["i"]
    a = rng.random((nodes, nodes)) < 3.5 / nodes
    a = np.triu(a, 1) | np.triu(a, 1).T
    left = np.ones(nodes, bool)
    for _ in range(nodes):
        left &= (a & left).sum(1) >= 3
    return dict(A=a, a=np.ones(nodes, bool)), dict(n=left)


def jacobi(rng, n):
    nodes = n["i"]
    r, d = sparse(rng, (nodes, nodes), 0.1), rng.uniform(6, 9, nodes)
    np.fill_diagonal(r, 0)
    b = rng.uniform(-1, 1, nodes)
    return dict(R=r, x=np.zeros(nodes), b=b, d=d), dict(y=np.linalg.solve(r + np.diag(d), b))


def conjugate_gradients(rng, n):
    nodes = n["i"]
    a = sparse(rng, (nodes, nodes), 0.1)
    a = a + a.T
    np.fill_diagonal(a, np.abs(a).sum(1) + 1)
    b = rng.uniform(-1, 1, nodes)
    return dict(A=a, x=np.zeros(nodes), r=b, p=b, h=b @ b), dict(y=np.linalg.solve(a, b))


ALL = [attention, transformer, gcn, graphsage, autoencoder, pagerank, bfs, bfs_switching, bellman_ford, k_core,
       jacobi, conjugate_gradients]
TYPES = {"f32": np.float32, "i32": np.int32, "bool": np.bool_}


def run(samhw, model, rng):
    """What is wrong with a run on random data; nothing if nothing is."""
    path = MODELS / f"{model.__name__}.toml"
    text = path.read_text()
    sizes = {name: int(size) for name, size in re.findall(r"^(\w+) = (\d+)$", text, re.M)}
    types = dict(re.findall(r"\[tensors\.(\w+)\]\n(?:format|levels) = .*\ntype = \"(\w+)\"", text))
    data, wanted = model(rng, sizes)
    with tempfile.TemporaryDirectory() as folder:
        args = [samhw, "run", path, "--json"]
        for name, value in data.items():
            np.save(f"{folder}/{name}.npy", np.asarray(value).astype(TYPES[types[name]]))
            args += ["--tensor", f"{name}={folder}/{name}.npy"]
        for name in wanted:
            args += ["--out", f"{name}={folder}/out_{name}.npy"]
        done = subprocess.run(args, capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr or done.stdout[-300:]
        if json.loads(done.stdout).get("open"):
            return "it did not come to its end"
        for name, value in wanted.items():
            found = np.load(f"{folder}/out_{name}.npy")
            if not np.allclose(found.astype(float), np.asarray(value, float), rtol=1e-3, atol=2e-5):
                return f"{name} is {found.ravel()[:6]}, NumPy has {np.asarray(value).ravel()[:6]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("samhw")
    parser.add_argument("--cases", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    passed = failed = 0
    for case in range(given.cases):
        for model in ALL:
            wrong = run(given.samhw, model, np.random.default_rng((given.seed, case)))
            failed += bool(wrong)
            passed += not wrong
            if wrong:
                print(f"{model.__name__}, case {case}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
