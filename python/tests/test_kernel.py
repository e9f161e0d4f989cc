"""Kernels on the data of other packages, and what is wrong with them."""

import json
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import samhw
from samhw import _progress, _samhw
from samhw._data import _Given, held

SPMV = "y(i) = A(i,j) * x(j)"


def matrix(rows=30, columns=20, seed=1):
    random = np.random.default_rng(seed)
    dense = random.integers(-4, 5, (rows, columns)).astype("float64")
    dense[random.random((rows, columns)) < 0.7] = 0
    return dense


def run_of(kernel, data):
    how = {"engine": "native", "latency": None, "memory": None, "mhz": 200, "stall": 0, "seed": None}
    return _samhw.run(_samhw.KernelText(kernel.text, "k"), data, how, _samhw.Watch(), None)


def test_numpy():
    a, x = matrix(), np.arange(20.0)
    r = samhw.Kernel(SPMV, A="csr").run(A=a, x=x)
    assert r.matches_reference and r.cycles > 0 and r.order == ["i", "j"]
    assert isinstance(r["y"], np.ndarray) and np.array_equal(r["y"], a @ x)
    assert list(r) == ["y"] and len(r.nodes) > 5


@pytest.mark.parametrize("name", "bool i1 i2 i4 i8 u1 u2 u4 f2 f4 f8".split())
def test_types_follow(name):
    x = np.array([1, 0, 1, 3]).astype(name)
    r = samhw.Kernel("y(i) = x(i)", x="dense").run(x=x)
    assert r["y"].dtype == x.dtype and np.array_equal(r["y"], x)


def test_declared_types_stand_above_those_of_data():
    k = samhw.Kernel(SPMV, A=samhw.Tensor("csr", "f32"), x=samhw.Tensor("dense", "f32"), y=samhw.Tensor("dense", "f32"))
    assert k.run(A=matrix(), x=np.ones(20))["y"].dtype == np.float32


@pytest.mark.parametrize("form", "csr csc coo bsr dia dok lil".split())
def test_scipy(form):
    sp = pytest.importorskip("scipy.sparse")
    a = sp.csr_array(matrix()).asformat(form)
    r = samhw.Kernel("Y(i,j) = A(i,j) + A(i,j)", A="dcsr", Y="csr").run(A=a)
    assert r["Y"].format == "csr" and np.array_equal(r["Y"].toarray(), 2 * matrix())


def test_scipy_by_columns_and_duplicates():
    sp = pytest.importorskip("scipy.sparse")
    twice = sp.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(2, 3))
    assert samhw.einsum("ij->ij", twice, out="csc").toarray()[0, 1] == 3


def test_blocks_of_rows_and_of_columns():
    sp = pytest.importorskip("scipy.sparse")
    blocks = sp.bsr_array(matrix(), blocksize=(3, 2))
    assert np.array_equal(samhw.einsum("ij->ij", blocks, out="csr").toarray(), matrix())
    # As torch stores BSC: those of the transpose, each block the other way around.
    other = sp.bsr_array(matrix().T, blocksize=(2, 3))
    columns = _Given((30, 20), "exact").blocks(other.data.transpose(0, 2, 1), 1, other.indptr, other.indices)
    ran = run_of(samhw.Kernel("y(i) = A(i,j)"), {"A": columns})
    assert np.array_equal(np.asarray(ran.values("y")).view("f8"), matrix().sum(1))


def test_pydata_sparse():
    sparse = pytest.importorskip("sparse")
    x = sparse.random((4, 5, 6), density=0.2, random_state=1)
    got = samhw.einsum("ijk->ijk", x, out="csf")
    assert np.array_equal(got.todense(), x.todense())


def test_torch():
    torch = pytest.importorskip("torch")
    dense = torch.tensor(matrix(8, 8))
    rows = dense.to_sparse_csr()
    sparse = (dense.to_sparse_coo(), rows, dense.to_sparse_csc(), rows.to_sparse_bsr((2, 2)))
    for of in (dense, *sparse, dense.bfloat16()):
        assert np.array_equal(samhw.einsum("ij,j->i", of, torch.ones(8, dtype=of.dtype)), dense.sum(1).numpy())


def test_pandas():
    pd = pytest.importorskip("pandas")
    pytest.importorskip("scipy")
    frame = pd.DataFrame(matrix()).astype(pd.SparseDtype("float64", 0))
    assert np.array_equal(samhw.einsum("ij->i", frame), matrix().sum(1))
    r = samhw.Kernel(SPMV).run(A=pd.DataFrame(matrix()), x=pd.Series(np.ones(20)))
    assert np.array_equal(r["y"], matrix().sum(1)) and {"name", "busy"} <= set(r.nodes.columns)


def test_arrays_are_read_where_they_are():
    x = np.array([1.0, 2.0])
    given = held(x)
    x[0] = 5
    kernel = samhw.Kernel("y(i) = x(i)")
    ran = run_of(kernel, {"x": given})
    values = np.asarray(ran.values("y")).view("f8")
    assert values.tolist() == [5, 2] and not values.flags.writeable
    r = kernel.run(x=x)
    assert r["y"] is r["y"] and np.shares_memory(r["y"], r.coo("y").values)


def test_what_is_no_array_of_numbers_is_refused():
    for array in (np.zeros((2, 2), "u8"), np.zeros(4, "u8")[::2], np.zeros(1, "f16"), np.zeros(1, ">u4")):
        with pytest.raises(ValueError, match="an array that"):
            _samhw.Data.dense(([1], "f64"), array, "exact")
    # Lists that do not go with each other, or lead out of them.
    for starts in ([0, 1], [0, 3, 1], [0, 9, 9], [-1, 0, 1]):
        lines = (0, np.array(starts), np.zeros(2, int))
        bad = _samhw.Data.lines(([2, 2], "f64"), np.zeros(2), lines, "exact")
        with pytest.raises(samhw.Error, match="T"):
            run_of(samhw.Kernel("y(i) = A(i,j)"), {"A": bad})


def test_entries_files_and_numbers(tmp_path):
    coo = samhw.Coo(np.array([[0, 1], [2, 0]]), np.array([2.5, 1.0]), (3, 2), 0)
    np.save(tmp_path / "x.npy", np.array([1.0, 2.0]))
    r = samhw.Kernel("y(i) = a * A(i,j) * x(j)", A="coo", y="csf").run(A=coo, x=tmp_path / "x.npy", a=2.0)
    assert np.array_equal(r["y"], [10, 0, 2]) and r.coo("y").values.tolist() == [10, 2]


def test_einsum():
    a, b = matrix(5, 6), matrix(6, 7)
    assert np.array_equal(samhw.einsum("ij,jk->ik", a, b), a @ b)
    assert np.array_equal(samhw.einsum("ij,jk->ik", np.asfortranarray(a), b.astype(">f8")), a @ b)
    assert samhw.einsum("ij,ij->", a, a) == (a * a).sum()
    full = samhw.einsum("ij,jk->ik", a, b, out="csr", order=["i", "j", "k"], full=True)
    assert full.order == ["i", "j", "k"] and full.cycles > 0


def test_errors_say_code_place_and_help():
    with pytest.raises(samhw.Error) as refused:
        samhw.Kernel("y(i) = A(i,j * x(j)").run()
    error = refused.value
    assert error.code and error.help and error.place[0] == "kernel" and error.place[1] >= 1
    assert pickle.loads(pickle.dumps(error)).code == error.code and error.code in str(error)
    with pytest.raises(samhw.Error) as refused:
        samhw.Kernel(SPMV, A=samhw.Tensor("csr", "i8"), x=samhw.Tensor("dense", "i8")).run(A=matrix(), x=np.full(20, 0.5))
    assert refused.value.code.startswith("T") and len(refused.value.problems) == 1
    with pytest.raises(TypeError, match="complex"):
        samhw.Kernel(SPMV).run(A=matrix() * 1j, x=np.ones(20))


def test_load_graph_generate_estimate(tmp_path):
    np.save(tmp_path / "A.npy", matrix())
    text = f'expr = "{SPMV}"\n[tensors]\nA = {{ format = "csr" }}\nx = {{ format = "dense" }}\ny = {{ format = "dense" }}\n'
    (tmp_path / "k.toml").write_text(text + '[data]\nA = "A.npy"\nx = { random = { density = 1.0 } }\n')
    k = samhw.load(tmp_path / "k.toml")
    assert k.run().matches_reference
    assert k.graph()._repr_svg_().startswith("<svg") and "scanner" in str(k.graph())
    assert k.run().graph().svg != k.graph().svg and "<svg" in k.graph()._repr_html_()
    assert k.graph().html.startswith("<!") and "digraph" in k.graph().dot
    files = k.generate(tmp_path / "out")
    assert (tmp_path / "out" / "k.json").exists() and all(file.exists() for file in files)
    assert k.estimate()["total"]["luts"] > 100 and k.estimate()["cycles"] > 0
    shape = {t["name"]: (t["shape"], t["type"]) for t in k.tensors()}
    assert shape["A"] == ([30, 20], "f64") and shape["x"][0] == [20]


def test_sizes_are_those_of_the_last_run(tmp_path):
    kernel = samhw.Kernel(SPMV, A=samhw.Tensor("csr", "f32"), x=samhw.Tensor("dense", "f32"))
    with pytest.raises(samhw.Error, match="E012"):
        kernel.generate(tmp_path / "early")
    kernel.run(A=matrix(), x=np.ones(20))
    assert (tmp_path / "out" / "kernel_core.v") in kernel.generate(tmp_path / "out")
    assert kernel.estimate()["board"] == "ulx3s-85f"
    assert "dense(i" in str(kernel.graph())
    assert {t["name"]: t["shape"] for t in kernel.tensors()} == {"A": [30, 20], "x": [20], "y": [30]}
    # A run has the operands that it is given.
    with pytest.raises(samhw.Error):
        kernel.run()
    with pytest.raises(samhw.Error, match="E012"):
        pickle.loads(pickle.dumps(kernel)).generate(tmp_path / "other")


def test_explore():
    x = samhw.Kernel(SPMV, A="csr").explore(A=matrix(), x=np.ones(20), most=4, vary=["orders"])
    assert len(x.points) >= 1 and len(x.front) == len(x.kernels) and x.svg.startswith("<svg")
    assert x.kernels[0].run(A=matrix(), x=np.ones(20)).matches_reference


def test_stalls_change_cycles_only():
    k, data = samhw.Kernel(SPMV, A="csr"), dict(A=matrix(), x=np.arange(20.0))
    fast, slow, again = k.run(**data), k.run(stall=0.3, seed=7, **data), k.run(stall=0.3, seed=7, **data)
    assert slow.cycles > fast.cycles and slow.cycles == again.cycles and np.array_equal(slow["y"], fast["y"])


def test_other_threads_go_on_and_a_bar_is_shown(capsys, monkeypatch):
    pytest.importorskip("tqdm")
    monkeypatch.setattr(_progress, "_QUIET", 0.0)
    stop, turns = threading.Event(), []

    def count():
        while not stop.wait(0.005):
            turns.append(1)

    thread = threading.Thread(target=count)
    thread.start()
    full = np.ones((60, 60))
    samhw.Kernel("Y(i,j) = A(i,k) * B(k,j)").run(A=full, B=full, progress=True)
    stop.set()
    thread.join()
    assert len(turns) > 10
    assert "simulating" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_control_c_ends_a_run():
    k = samhw.Kernel("Y(i,j) = A(i,k) * B(k,j)")
    full = np.ones((250, 250))
    done = threading.Event()

    def interrupt():
        if not done.wait(1.5):
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    begin = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            while True:
                k.run(A=full, B=full)
    finally:
        done.set()
        thread.join()
    assert time.monotonic() - begin < 30


def test_seeds_and_memory():
    text = f'expr = "{SPMV}"\n[dims]\ni = 9\nj = 9\n[tensors]\nA = {{ format = "csr", type = "i32" }}\n'
    text += 'x = { format = "dense", type = "i32" }\ny = { format = "dense", type = "i32" }\n'
    text += "[data]\nA = { random = { density = 0.5 } }\nx = { random = { density = 1.0 } }\n"
    k = samhw.Kernel(text=text)
    assert not np.array_equal(k.run(seed=1)["y"], k.run(seed=2)["y"])
    axi = k.with_choices({"hardware.memory": "axi"})
    assert axi.run(memory="ddr4").cycles > axi.run().cycles
    with pytest.raises(ValueError, match="hbm2"):
        axi.run(memory="ddr9")
    with pytest.raises(samhw.Error) as refused:
        k.run(latency=3)
    assert refused.value.code == "R030"


def test_the_report_is_json():
    r = samhw.Kernel(SPMV, A="csr").run(A=matrix(), x=np.ones(20))
    assert json.loads(json.dumps(r.report))["kernel"] == "kernel" and "cycles" in repr(r)
