"""Engines by themselves: with workers, clusters and libraries that are made up."""

from __future__ import annotations

import io
import json
import logging
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from treewright.apps.corpus.engines import dask, engine, local, local_worker, make_engine, ray
from treewright.apps.corpus.engines.dask import DaskEngine, cluster_from
from treewright.apps.corpus.engines.local import LocalEngine
from treewright.apps.corpus.engines.ray import RayEngine
from treewright.apps.corpus.engines.serial import SerialEngine
from treewright.errors import MissingExtraError, TreewrightError


def task(number: int) -> dict[str, Any]:
    return {"job": {}, "part": {"number": number}}


# What all have in common


class Slow(engine.Engine):
    """Finishes a task now and then, and notes how many are under way."""

    def __init__(self) -> None:
        self.under_way: list[dict[str, Any]] = []
        self.most = 0
        self.calls = 0
        self.closed = False

    @property
    def window(self) -> int:
        return 3

    def submit(self, task: dict[str, Any]) -> None:
        self.under_way.append(task)
        self.most = max(self.most, len(self.under_way))

    def finished(self, patience: float) -> list[dict[str, Any]]:
        assert patience == 0.5
        self.calls += 1
        if self.calls % 2:
            return []
        found, self.under_way = self.under_way[:2], self.under_way[2:]
        return found

    def close(self) -> None:
        self.closed = True


def test_tasks_go_out_as_there_is_room() -> None:
    tasks = iter([{"n": number} for number in range(7)])
    with Slow() as slow:
        found = list(slow.outcomes(lambda: next(tasks, None)))
    assert [each and each["n"] for each in found] == [None, 0, 1, None, 2, 3, None, 4, 5, None, 6]
    assert (slow.most, slow.workers, slow.described, slow.closed) == (3, 3, "", True)
    assert list(Slow().outcomes(lambda: None)) == []


def test_the_serial_engine_does_a_task_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treewright.apps.corpus.engines.serial.run_part", lambda task: {"did": task["part"]["number"]})
    serial = SerialEngine()
    serial.submit(task(3))
    assert serial.finished(0) == [{"did": 3}]


# Processes of this machine

WORKER = """
import json, os, sys, time
for line in sys.stdin:
    number = json.loads(line)["part"]["number"]
    if number == 13:
        os.kill(os.getpid(), 9)
    if number == 14:
        print("half a line", end="", flush=True)
        os._exit(3)
    if number == 15:
        time.sleep(60)
    print(json.dumps({"part": number, "pid": os.getpid()}), flush=True)
    if number == 16:
        break
"""


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the processes that engines start: they answer at once, or die."""
    started: list[Any] = []

    def start(module: str, stderr: Any) -> Any:
        assert (module, stderr) == ("treewright.apps.corpus.engines.local_worker", None)
        command = [sys.executable, "-I", "-S", "-c", WORKER]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, start_new_session=True)
        started.append(process)
        return process

    monkeypatch.setattr(local, "start_worker", start)
    return started


def outcome(engine: LocalEngine) -> dict[str, Any]:
    (found,) = engine.finished(20)
    return found


def test_a_worker_is_used_again(workers: list[Any]) -> None:
    with LocalEngine(2) as pool:
        assert (pool.window, pool.finished(0.01)) == (2, [])
        for number in (1, 2):
            pool.submit(task(number))
            assert outcome(pool) == {"part": number, "pid": workers[0].pid}
        for number in (3, 4):
            pool.submit(task(number))
        assert sorted(outcome(pool)["part"] for _ in range(2)) == [3, 4]
        assert len(workers) == 2
        assert not pool._busy
    assert [process.returncode for process in workers] == [0, 0]


@pytest.mark.parametrize(("number", "reason"), [(13, "SIGKILL"), (14, "3")])
def test_a_worker_that_dies(number: int, reason: str, workers: list[Any]) -> None:
    with LocalEngine(1) as pool:
        pool.submit(task(number))
        found = outcome(pool)
        assert reason in found.pop("reason")
        assert found == {"part": number, "state": "again", "worker": f"process {workers[0].pid}"}
        pool.submit(task(1))
        assert outcome(pool)["part"] == 1
        assert len(workers) == 2


def test_a_worker_that_dies_when_it_has_nothing_to_do(workers: list[Any]) -> None:
    with LocalEngine(1) as pool:
        pool.submit(task(16))
        assert outcome(pool)["part"] == 16
        assert pool.finished(20) == []
        assert pool._idle == []
        pool.submit(task(1))
        assert outcome(pool)["part"] == 1


def test_a_task_for_a_worker_that_just_died(workers: list[Any]) -> None:
    with LocalEngine(1) as pool:
        pool.submit(task(1))
        outcome(pool)
        workers[0].kill()
        workers[0].wait()
        pool.submit(task(2))
        found = outcome(pool)
        assert (found["part"], found["state"]) == (2, "again")


def test_workers_that_are_busy_are_ended(workers: list[Any]) -> None:
    begin = time.monotonic()
    with LocalEngine(2) as pool:
        pool.submit(task(1))
        outcome(pool)
        pool.submit(task(15))
        pool.submit(task(15))
    assert [process.poll() is not None for process in workers] == [True, True]
    assert time.monotonic() - begin < 30


def test_a_worker_that_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[Any] = []

    def wait(timeout: float) -> None:
        done.append(timeout)
        raise subprocess.TimeoutExpired("x", timeout)

    pool = LocalEngine(1)
    process: Any = SimpleNamespace(stdin=None, wait=wait, kill=lambda: done.append("killed"))
    pool._idle.append(local._Worker(process))
    pool.close()
    assert done == [10, "killed"]


def test_what_a_worker_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process: its streams are replaced."""
    reader, writer = os.pipe()
    written: list[Any] = []
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(local_worker, "run_part", lambda task: {"did": task["n"]})
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"n": 1}\n{"n": 2}\n'))
    monkeypatch.setattr(local_worker.os, "dup", lambda number: writer if number == 1 else -1)
    monkeypatch.setattr(local_worker.os, "dup2", lambda *numbers: written.append(numbers))
    try:
        local_worker.main()
        handler: Any = signal.getsignal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    with os.fdopen(reader, encoding="utf-8") as file:
        assert [json.loads(line) for line in file] == [{"did": 1}, {"did": 2}]
    assert written == [(2, 1)]
    with pytest.raises(SystemExit) as raised:
        handler(15, None)
    assert raised.value.code == 143


def test_a_worker_ends_when_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    monkeypatch.setattr(local_worker, "run_part", lambda task: {})
    monkeypatch.setattr(sys, "stdin", io.StringIO("{}\n{}\n"))
    monkeypatch.setattr(local_worker.os, "dup", lambda number: writer)
    monkeypatch.setattr(local_worker.os, "dup2", lambda *numbers: None)
    monkeypatch.setattr(local_worker.signal, "signal", lambda *given: None)

    def leave(code: int) -> None:
        raise SystemExit(f"left {code}")

    monkeypatch.setattr(local_worker.os, "_exit", leave)
    with pytest.raises(SystemExit, match="left 0"):
        local_worker.main()


# Dask


class KilledWorkerError(Exception):
    """Stands in for Dask's."""


class Future:
    """A result that is there at once, or an error."""

    def __init__(self, result: Any, cancelled: bool = False) -> None:
        self._result, self._cancelled = result, cancelled
        self.did: list[str] = []

    def add_done_callback(self, call: Any) -> None:
        self.call = call

    def result(self, timeout: float) -> Any:
        assert timeout == 60
        if isinstance(self._result, Exception):
            raise self._result
        return self._result

    def cancelled(self) -> bool:
        return self._cancelled

    def release(self) -> None:
        self.did.append("released")

    def cancel(self) -> None:
        self.did.append("cancelled")


class Client:
    """Dask's client; ``results`` are what it gives for each task."""

    dashboard_link = "http://dash"

    def __init__(self, address: Any, timeout: float) -> None:
        assert timeout == dask.CONNECT == 30
        if address == "nowhere":
            raise OSError("no answer")
        self.address, self.status = address, "running"
        self.threads: Any = {"a": 2, "b": 3}
        self.results: list[Future] = []
        self.closed: list[float] = []

    def nthreads(self) -> Any:
        if self.threads is None:
            raise ValueError("not connected")
        return self.threads

    def submit(self, function: Any, task: Any, pure: bool, retries: int) -> Future:
        assert (function.__name__, pure, retries) == ("run_part", False, 0)
        assert "part" in task
        return self.results.pop(0)

    def close(self, timeout: float) -> None:
        self.closed.append(timeout)


@pytest.fixture
def fake_dask(monkeypatch: pytest.MonkeyPatch) -> Any:
    def cluster(**options: Any) -> Any:
        return SimpleNamespace(options=options, close=lambda timeout: module.clusters_closed.append(timeout))

    module: Any = SimpleNamespace(
        Client=Client,
        LocalCluster=cluster,
        clusters_closed=[],
        scheduler=SimpleNamespace(KilledWorker=KilledWorkerError),
    )
    monkeypatch.setitem(sys.modules, "distributed", module)
    return module


def test_a_cluster_of_this_machine(fake_dask: Any) -> None:
    made = DaskEngine(3)
    assert made._cluster.options == {
        **{"n_workers": 3, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"},
        "silence_logs": logging.CRITICAL,
    }
    assert made._client.address is made._cluster
    assert logging.getLogger("distributed").level == logging.ERROR
    assert made.described == "Dask's dashboard: http://dash"
    made.close()
    assert (made._client.closed, fake_dask.clusters_closed) == ([10], [10])


def test_a_cluster_that_runs_already(fake_dask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = DaskEngine(3, scheduler="tcp://x")
    assert (made._client.address, made._cluster) == ("tcp://x", None)
    now = [1000.0]
    monkeypatch.setattr(dask.time, "monotonic", lambda: now[0])
    assert (made.workers, made.window) == (5, 10)
    made._client.threads = {"a": 1}
    assert (made.workers, made.window) == (1, 10)  # counted a moment ago
    now[0] += 5
    assert made.window == 10
    now[0] += 0.1
    assert made.window == 4
    made._client.threads = None
    assert made.workers == 0
    with pytest.raises(
        TreewrightError, match=r"^--scheduler nowhere: no Dask scheduler answers there \(no answer\)\. St"
    ):
        DaskEngine(3, scheduler="nowhere")
    with pytest.raises(
        TreewrightError, match=r"^--scheduler names a cluster that runs, --cluster one to start: give one"
    ):
        DaskEngine(3, scheduler="tcp://x", cluster="c.toml")


def submitted(made: DaskEngine, *results: Any, cancelled: bool = False) -> list[Future]:
    futures = [Future(result, cancelled) for result in results]
    made._client.results = list(futures)
    for number in range(len(futures)):
        made.submit(task(number))
    for future in futures:
        future.call(future)
    return futures


def test_outcomes_of_dask(fake_dask: Any) -> None:
    made = DaskEngine(1)
    futures = submitted(made, {"part": 0}, KilledWorkerError("x"), ValueError("y" * 400))
    assert made.finished(1) == [{"part": 0}]
    reason = "the workers that worked on it died: there may be too little memory for them"
    assert made.finished(1) == [{"part": 1, "state": "again", "reason": reason}]
    ((last,)) = made.finished(1)
    assert last == {"part": 2, "state": "again", "reason": f"Dask: ValueError: {'y' * 400}"[:300]}
    assert [future.did for future in futures] == [["released"]] * 3
    made._done.put((futures[0], 0))
    assert made.finished(1) == []  # told twice
    assert made.finished(0.01) == []


@pytest.mark.parametrize(("status", "cancelled"), [("closed", False), ("running", True)])
def test_a_result_that_is_lost_with_the_scheduler(status: str, cancelled: bool, fake_dask: Any) -> None:
    made = DaskEngine(1, scheduler="tcp://x")
    submitted(made, ValueError("lost"), cancelled=cancelled)
    made._client.status = status
    with pytest.raises(
        TreewrightError, match=r"^the Dask scheduler tcp://x is gone\. Finished parts are kept: the same"
    ):
        made.finished(1)


def test_a_scheduler_that_goes_away(fake_dask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [50.0]
    monkeypatch.setattr(dask.time, "monotonic", lambda: now[0])
    made = DaskEngine(1)
    monkeypatch.setattr(made, "_done", SimpleNamespace(get=lambda timeout: (_ for _ in ()).throw(queue.Empty)))
    made._client.status = "connecting"
    for now[0], status in [
        (50.0, "connecting"),
        (65.0, "connecting"),
        (66.0, "running"),
        (70.0, "connecting"),
        (85.0, "x"),
    ]:
        made._client.status = status
        assert made.finished(0) == []
    now[0] = 85.1
    with pytest.raises(TreewrightError, match=r"^the Dask scheduler of this run is gone"):
        made.finished(0)
    made = DaskEngine(1)
    made._client.status = "closed"
    with pytest.raises(TreewrightError, match="is gone"):
        made.finished(0)


def test_what_is_under_way_is_cancelled(fake_dask: Any) -> None:
    made = DaskEngine(1)
    futures = [Future({}), Future({})]
    made._client.results = [SimpleNamespace(add_done_callback=lambda call: None, cancel=None), *futures]
    for number in range(3):
        made.submit(task(number))
    made._client.close = None  # whatever goes wrong, the rest is closed
    made.close()
    assert [future.did for future in futures] == [["cancelled"]] * 2
    assert fake_dask.clusters_closed == [10]


CLUSTER = 'system = "slurm"\njobs = 7\n[options]\ncores = 2\n'


def test_a_cluster_that_a_batch_system_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_dask: Any) -> None:
    made: list[Any] = []

    class SLURMCluster:
        def __init__(self, **options: Any) -> None:
            if options.get("cores") == 0:
                raise ValueError("no cores")
            made.append(options)

        def scale(self, jobs: int) -> None:
            made.append(jobs)

    monkeypatch.setitem(sys.modules, "dask_jobqueue", SimpleNamespace(SLURMCluster=SLURMCluster))
    path = tmp_path / "c.toml"
    path.write_text(CLUSTER, encoding="utf-8")
    engine = DaskEngine(1, cluster=str(path))
    assert made == [{"cores": 2}, 7]
    assert engine._client.address is engine._cluster
    path.write_text('system = "slurm"\n', encoding="utf-8")
    cluster_from(str(path))
    assert made[2:] == [{}, 1]
    for text, message in [
        ('system = "slurm"\n[options]\ncores = 0\n', rf"^{path}: slurm: no cores$"),
        ('system = "slurm"\nsystme = 1\n', rf"^{path}: unknown name 'systme'"),
        ('system = "slrm"\n', rf"^{path}: .*slrm"),
        ("jobs = 2\n", rf"^{path}: "),
        ('system = "slurm"\njobs = 0\n', rf"^{path}: "),
        ('system = "slurm"\njobs = true\n', rf"^{path}: "),
        ('system = "slurm"\njobs = "2"\n', rf"^{path}: "),
        ('system = "slurm"\noptions = 3\n', rf"^{path}: "),
    ]:
        path.write_text(text, encoding="utf-8")
        with pytest.raises(TreewrightError, match=message):
            cluster_from(str(path))
    path.write_text(CLUSTER, encoding="utf-8")
    monkeypatch.setitem(sys.modules, "dask_jobqueue", None)
    with pytest.raises(MissingExtraError, match=r"^--cluster needs dask-jobqueue, .*'treewright\[cluster\]'$"):
        cluster_from(str(path))


# Ray


class RayError(Exception):
    """Stands in for Ray's."""


class FakeRay(SimpleNamespace):
    """What we use of Ray."""

    def __init__(self) -> None:
        super().__init__(exceptions=SimpleNamespace(RayError=RayError), begun=[], asked=[], cpus={"CPU": 3.0}, gone=0)

    def init(self, **options: Any) -> None:
        if options.get("address") == "bad":
            raise ConnectionError("refused")
        self.begun.append(options)

    def remote(self, **options: Any) -> Any:
        assert options == {"num_cpus": 1, "max_retries": 0}
        return lambda function: SimpleNamespace(remote=lambda task: f"{function.__name__} {task['part']['number']}")

    def cluster_resources(self) -> dict[str, float]:
        return self.cpus

    def wait(self, references: list[str], num_returns: int, timeout: float) -> tuple[list[str], list[str]]:
        self.asked.append((list(references), num_returns, timeout))
        return references[:2], references[2:]

    def get(self, reference: str) -> Any:
        if reference.endswith("1"):
            raise RayError("died")
        return {"part": reference}

    def shutdown(self) -> None:
        self.gone += 1
        raise ValueError("was gone already")


@pytest.fixture
def fake_ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    fake = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", fake)
    monkeypatch.delenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", raising=False)
    return fake


def test_ray(fake_ray: FakeRay, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(ray.time, "monotonic", lambda: now[0])
    with RayEngine(4) as made:
        quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
        assert fake_ray.begun == [{"address": "local", "num_cpus": 4, "include_dashboard": False, **quiet}]
        assert os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] == "0"
        assert (made.workers, made.window) == (3, 6)
        fake_ray.cpus = {}
        now[0] += 5
        assert made.workers == 3
        now[0] += 0.1
        assert (made.workers, made.window) == (1, 2)
        for number in range(3):
            made.submit(task(number))
        reason = "Ray: RayError: the worker died, there may be too little memory"
        assert made.finished(0.25) == [{"part": "run_part 0"}, {"part": 1, "state": "again", "reason": reason}]
        assert made.finished(0.5) == [{"part": "run_part 2"}]
        assert [asked[1:] for asked in fake_ray.asked] == [(1, 0.25), (1, 0.5)]
    assert fake_ray.gone == 1
    RayEngine(4, scheduler="auto")
    assert fake_ray.begun[1:] == [{"address": "auto", **quiet}]
    with pytest.raises(TreewrightError, match=r"^Ray does not start \(refused\)\. Check --scheduler, or `ray status`$"):
        RayEngine(4, scheduler="bad")


def test_a_cluster_of_ray_has_a_core_for_each_worker(fake_ray: FakeRay) -> None:
    make_engine("ray", 6, scheduler=None)
    assert [begun["num_cpus"] for begun in fake_ray.begun] == [6]


def test_threads_of_the_local_engine_end_with_it(workers: list[Any]) -> None:
    before = threading.active_count()
    with LocalEngine(1) as pool:
        pool.submit(task(1))
        outcome(pool)
        assert threading.active_count() == before + 1
    for _ in range(200):
        if threading.active_count() == before:
            break
        time.sleep(0.01)
    assert threading.active_count() == before
