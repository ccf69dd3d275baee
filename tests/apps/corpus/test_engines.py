"""All engines give the same bytes, and workers that die cost no part."""

import contextlib
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from tests.apps.cli.running import environment
from tests.apps.corpus.made import driver, joined, plan, run, text, whole
from treewright.apps.corpus.engines import make_engine
from treewright.apps.corpus.engines.local import LocalEngine
from treewright.apps.corpus.store import RunStore
from treewright.errors import TreewrightError

INSTALLED = [
    "local",
    "serial",
    pytest.param("dask", marks=pytest.mark.skipif(not importlib.util.find_spec("distributed"), reason="needs Dask")),
    pytest.param("ray", marks=pytest.mark.skipif(not importlib.util.find_spec("ray"), reason="needs Ray")),
]


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(text(1, 200).encode())
    return plan(tmp_path, path)


@pytest.mark.parametrize("engine", INSTALLED)
def test_the_same_bytes(engine, corpus, tmp_path):
    progress = run(corpus, tmp_path / "out", engine)
    assert (progress.done, progress.failed) == (corpus.n_parts, 0)
    assert joined(corpus, tmp_path / "out", tmp_path / "all.conllu") == whole(tmp_path, tmp_path / "a.txt")


class Deadly(LocalEngine):
    """Kills the worker of some parts as soon as it has them."""

    def __init__(self, victims, times):
        super().__init__(2)
        self.left = dict.fromkeys(victims, times)

    def submit(self, task):
        number = task["part"]["number"]
        if self.left.get(number, 0):
            self.left[number] -= 1
            worker = self._idle.pop() if self._idle else self._started()
            self._idle.append(worker)
            os.kill(worker.process.pid, signal.SIGSTOP)  # so that it cannot be faster
            super().submit(task)
            os.kill(worker.process.pid, signal.SIGKILL)
        else:
            super().submit(task)


def test_a_worker_that_dies_costs_an_attempt(corpus, tmp_path):
    with Deadly({2, 4}, 2) as engine:
        progress = driver(corpus, tmp_path / "out").run(engine)
    assert (progress.done, progress.failed, progress.retried) == (corpus.n_parts, 0, 4)
    assert joined(corpus, tmp_path / "out", tmp_path / "all.conllu") == whole(tmp_path, tmp_path / "a.txt")


def test_a_part_that_kills_its_workers_is_set_aside(corpus, tmp_path):
    with Deadly({2}, 99) as engine:
        progress = driver(corpus, tmp_path / "out").run(engine)
    assert (progress.done, progress.failed) == (corpus.n_parts - 1, 1)
    reason = RunStore(str(tmp_path / "out")).failure(2)["reason"]
    assert "SIGKILL" in reason
    assert "too little memory" in reason
    assert "3 attempts" in reason
    assert run(corpus, tmp_path / "out", retry_failed=True).failed == 0


def test_an_engine_that_is_not_there():
    with pytest.raises(TreewrightError, match="Choose from local, dask, ray"):
        make_engine("nonsense", 1)
    with pytest.raises(TreewrightError, match="--scheduler is for"):
        make_engine("local", 1, scheduler="tcp://x")


@pytest.mark.parametrize(("engine", "package", "extra"), [("dask", "distributed", "dask"), ("ray", "ray", "ray")])
def test_the_error_names_the_extra(engine, package, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(TreewrightError, match=rf"treewright\[{extra}\]"):
        make_engine(engine, 1)


# Dask


def test_dask_goes_on_without_a_worker_and_says_where_to_watch(corpus, tmp_path):
    pytest.importorskip("distributed")
    with make_engine("dask", 2) as engine:
        assert engine.described.startswith("Dask's dashboard: http")
        victims = list(engine._cluster.workers.values())
        threading.Timer(0.3, lambda: os.kill(victims[0].process.process.pid, signal.SIGKILL)).start()
        progress = driver(corpus, tmp_path / "out").run(engine)
    assert (progress.done, progress.failed) == (corpus.n_parts, 0)
    assert joined(corpus, tmp_path / "out", tmp_path / "all.conllu") == whole(tmp_path, tmp_path / "a.txt")


def test_no_scheduler_answers(monkeypatch):
    pytest.importorskip("distributed")
    from treewright.apps.corpus.engines import dask

    monkeypatch.setattr(dask, "CONNECT", 1)
    with pytest.raises(TreewrightError, match="no Dask scheduler answers there"):
        make_engine("dask", 1, scheduler="tcp://127.0.0.1:9")


@pytest.fixture
def limited():
    """End a test that waits for ever: a hang is a failure of this test, not of all that come after it."""

    def give_up(number, frame):
        raise TimeoutError("the test took more than two minutes")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def batch_system(tmp_path, monkeypatch):
    """A sbatch of our own. dask-jobqueue deletes the script once sbatch ends, so it is read before it is started."""
    tools, started = tmp_path / "bin", tmp_path / "started"
    tools.mkdir()
    (tools / "sbatch").write_text(
        '#!/bin/sh\njob=$(cat "$1")\nsetsid sh -c "$job" </dev/null >/dev/null 2>&1 &\n'
        f'echo $! >> "{started}"\necho "Submitted batch job $!"\n'
    )
    (tools / "scancel").write_text('#!/bin/sh\nkill -- "-$1" "$1" 2>/dev/null\nexit 0\n')
    for tool in tools.iterdir():
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    yield
    for group in started.read_text().split() if started.exists() else ():
        with contextlib.suppress(ProcessLookupError):
            os.killpg(int(group), signal.SIGKILL)


@pytest.mark.usefixtures("limited", "batch_system")
def test_a_batch_system_starts_workers(corpus, tmp_path):
    """All is real but sbatch and scancel."""
    pytest.importorskip("dask_jobqueue")
    config = tmp_path / "cluster.toml"
    config.write_text(
        'system = "slurm"\njobs = 2\n[options]\ncores = 1\nprocesses = 1\nmemory = "2GB"\nwalltime = "00:10:00"\n'
        'interface = "lo"\n'
    )
    with make_engine("dask", 1, cluster=str(config)) as engine:
        progress = driver(corpus, tmp_path / "out").run(engine)
    assert (progress.done, progress.failed) == (corpus.n_parts, 0)
    assert joined(corpus, tmp_path / "out", tmp_path / "all.conllu") == whole(tmp_path, tmp_path / "a.txt")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ('system = "slum"', "unknown system 'slum'"),
        ("jobs = 2", "unknown system 'None'"),
        ('system = "slurm"\njobs = 0', "jobs is a number"),
        ('system = "slurm"\nworkers = 2', "unknown name 'workers'"),
        ('system = "slurm"\n[options]\nnonsense = 1', "slurm:"),
    ],
)
def test_bad_descriptions_of_a_cluster(config, message, tmp_path):
    pytest.importorskip("dask_jobqueue")
    (tmp_path / "c.toml").write_text(config)
    with pytest.raises(TreewrightError, match=message):
        make_engine("dask", 1, cluster=str(tmp_path / "c.toml"))


def test_a_scheduler_that_is_killed_costs_no_part(corpus, tmp_path):
    """The driver says so in one line; with another scheduler, the same run goes on."""
    pytest.importorskip("distributed")
    done = tmp_path / "out" / "done" / "0000"
    with DaskProcesses(tmp_path) as processes, make_engine("dask", 1, scheduler=processes.address) as engine:
        ready = lambda: done.exists() and any(done.iterdir())  # noqa: E731
        watcher = threading.Thread(target=processes.kill_scheduler_when, args=(ready,))
        watcher.start()
        with pytest.raises(TreewrightError, match=r"scheduler .* is gone\. Finished parts are kept"):
            driver(corpus, tmp_path / "out").run(engine)
        watcher.join()
    finished = len(list(done.glob("*.json")))
    assert 0 < finished < corpus.n_parts
    progress = run(corpus, tmp_path / "out")
    assert (progress.before, progress.done + progress.before) == (finished, corpus.n_parts)
    assert joined(corpus, tmp_path / "out", tmp_path / "all.conllu") == whole(tmp_path, tmp_path / "a.txt")


class DaskProcesses:
    """A scheduler and a worker in processes of their own."""

    def __init__(self, folder):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = str(probe.getsockname()[1])
        self.address = f"tcp://127.0.0.1:{port}"
        words = [
            ["distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard"],
            ["distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny"],
        ]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, "env": environment()}
        self.processes = [subprocess.Popen([sys.executable, "-m", *each], **quiet) for each in words]

    def __enter__(self):
        return self

    def kill_scheduler_when(self, ready):
        while self.processes[0].poll() is None and not ready():
            time.sleep(0.01)
        self.processes[0].kill()

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()
