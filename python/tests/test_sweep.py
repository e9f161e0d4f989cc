"""Sweeps: here, on executors and on a cluster; failures as rows; files that go on."""

import concurrent.futures as futures
import os
import signal
import threading
import time

import numpy as np
import pytest

import samhw

SPMV = "y(i) = A(i,j) * x(j)"
SPACE = {"order": [["i", "j"], ["j", "i"]], "schedule.lanes.j": [1, 2]}


def kernel():
    return samhw.Kernel(SPMV, A="csr")


def data():
    return dict(A=np.arange(24.0).reshape(6, 4) % 3, x=np.ones(4))


def rows_of(found):
    return found.to_dict("records") if hasattr(found, "to_dict") else found


def test_every_combination_is_a_row():
    rows = rows_of(samhw.sweep(SPACE, kernel(), data()))
    assert [(row["order"], row["schedule.lanes.j"]) for row in rows] == [("i,j", 1), ("i,j", 2), ("j,i", 1), ("j,i", 2)]
    assert rows[0]["cycles"] > 0 and rows[0]["matches_reference"]
    # By columns the matrix is not stored: refused, with the reason.
    assert rows[2]["code"].startswith("S") and rows[2]["error"]


@pytest.mark.parametrize("end", ["csv", "parquet"])
def test_a_sweep_goes_on_where_an_earlier_one_ended(tmp_path, end):
    if end == "parquet":
        pytest.importorskip("pandas")
        pytest.importorskip("pyarrow")
    file = tmp_path / f"sweep.{end}"
    rows = rows_of(samhw.sweep(SPACE, kernel(), data(), file=file))
    before = file.stat().st_mtime_ns
    again = rows_of(samhw.sweep(SPACE, kernel(), data(), file=file))
    assert [r["cycles"] for r in again][:2] == [r["cycles"] for r in rows][:2] and file.stat().st_mtime_ns == before
    if end == "csv":
        lines = file.read_text().splitlines(keepends=True)
        file.write_text("".join(lines[:2]))
        assert len(samhw.sweep(SPACE, kernel(), data(), file=file)) == 4
        assert len(file.read_text().splitlines()) == 5
    with pytest.raises(ValueError, match="other keys"):
        samhw.sweep({"dims.i": [6]}, kernel(), data(), file=file)


def test_executors_of_others(tmp_path):
    with futures.ThreadPoolExecutor(2) as executor:
        rows = rows_of(samhw.sweep(SPACE, kernel(), data(), client=executor))
    assert rows[0]["cycles"] > 0 and len(rows) == 4


class Broken(futures.Executor):
    """Its workers are lost after the first run."""

    def __init__(self):
        self.count = 0

    def submit(self, work, *args):
        self.count += 1
        future = futures.Future()
        if self.count > 1:
            future.set_exception(futures.BrokenExecutor("gone"))
        else:
            future.set_result(work(*args))
        return future


def test_lost_runs_are_rows_and_are_done_again(tmp_path):
    file = tmp_path / "sweep.csv"
    space = {"schedule.lanes.j": [1, 2, 4]}
    rows = rows_of(samhw.sweep(space, kernel(), data(), client=Broken(), file=file))
    assert [row["code"] == "lost" for row in rows] == [False, True, True]
    rows = rows_of(samhw.sweep(space, kernel(), data(), file=file))
    assert all(row["cycles"] > 0 for row in rows)


def test_faults_of_the_caller_are_no_rows():
    with pytest.raises(TypeError, match="complex"):
        samhw.sweep(SPACE, kernel(), dict(A=np.ones((2, 2)) * 1j, x=np.ones(2)))


def test_a_cluster_survives_a_lost_worker(tmp_path):
    distributed = pytest.importorskip("distributed")
    file = tmp_path / "sweep.csv"
    options = dict(n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path))
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        lost = cluster.workers[0].pid

        def kill():
            while not file.exists():
                time.sleep(0.01)
            os.kill(lost, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        space = {"schedule.lanes.j": [1, 2, 4], "dims.k": [40, 41]}
        k = samhw.Kernel("Y(i,j) = A(i,k) * B(k,j)")
        full = dict(A=np.ones((40, 40)), B=np.ones((40, 40)))
        rows = rows_of(samhw.sweep(space, k, full, client=client, file=file))
        killer.join()
        assert lost not in [worker.pid for worker in cluster.workers.values()]
    assert len(rows) == 6 and all(row["cycles"] > 0 for row in rows)
