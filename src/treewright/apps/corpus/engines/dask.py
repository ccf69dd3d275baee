"""Dask: a cluster on this machine, one that runs already, or one that SLURM, PBS and others start (dask-jobqueue)."""

from __future__ import annotations

import contextlib
import logging
import queue
import time
from typing import Any

from treewright.apps.corpus.engines.engine import Engine, Task
from treewright.apps.corpus.run_part import AGAIN, Outcome, run_part
from treewright.errors import MissingExtraError, TreewrightError

AHEAD = 2  # tasks for each thread of a worker: one to work on, one to go on with
CONNECT = 30  # seconds to find a scheduler
LOST = 15.0  # seconds without a scheduler before we give up
#: batch systems → the classes of dask-jobqueue
CLUSTERS = {
    "slurm": "SLURMCluster",
    "pbs": "PBSCluster",
    "lsf": "LSFCluster",
    "sge": "SGECluster",
    "oar": "OARCluster",
    "htcondor": "HTCondorCluster",
    "moab": "MoabCluster",
}


class DaskEngine(Engine):
    """Submits parts to the workers of a Dask cluster."""

    def __init__(self, workers: int, scheduler: str | None = None, cluster: str | None = None) -> None:
        try:
            import distributed
        except ImportError:
            raise MissingExtraError("--engine dask", "dask.distributed", "dask") from None
        if scheduler is not None and cluster is not None:
            raise TreewrightError("--scheduler names a cluster that runs, --cluster one to start: give one of them")
        logging.getLogger("distributed").setLevel(logging.ERROR)
        self._distributed: Any = distributed
        self._asked = (-60.0, 0)  # when the workers were counted, and how many there were
        self._cluster: Any = None
        self._done: queue.Queue[tuple[Any, int]] = queue.Queue()
        self._lost_at: float | None = None
        self._under_way: dict[int, Any] = {}
        if cluster is not None:
            self._cluster = cluster_from(cluster)
        elif scheduler is None:
            self._cluster = self._distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL
            )
        try:
            self._client: Any = self._distributed.Client(scheduler or self._cluster, timeout=CONNECT)
        except (OSError, TimeoutError, ValueError) as error:
            raise TreewrightError(
                f"--scheduler {scheduler}: no Dask scheduler answers there ({error}). Start one with `dask scheduler`"
            ) from None
        self._address = scheduler or "of this run"
        self.described = f"Dask's dashboard: {self._client.dashboard_link}"

    @property
    def workers(self) -> int:
        """How many threads the workers have in all; it may change while we run."""
        with contextlib.suppress(Exception):  # the scheduler is away: _check_scheduler waits for it, or says so
            return sum(self._client.nthreads().values())
        return 0

    @property
    def window(self) -> int:
        """How many tasks may be under way."""
        return max(4, AHEAD * self._threads())

    def _threads(self) -> int:
        now = time.monotonic()
        if now - self._asked[0] > 5:
            self._asked = (now, self.workers)
        return self._asked[1]

    def submit(self, task: Task) -> None:
        """Send a task to the scheduler."""
        number = task["part"]["number"]
        future = self._client.submit(run_part, task, pure=False, retries=0)
        self._under_way[number] = future
        future.add_done_callback(lambda future: self._done.put((future, number)))

    def finished(self, patience: float) -> list[Outcome]:
        """Return outcomes; Dask gives a task of a dead worker to another one by itself, three times."""
        try:
            future, number = self._done.get(timeout=patience)
        except queue.Empty:
            self._check_scheduler()
            return []
        if number not in self._under_way:
            return []
        try:
            outcome: Outcome = future.result(timeout=60)
        except self._distributed.scheduler.KilledWorker:
            reason = "the workers that worked on it died: there may be too little memory for them"
            outcome = {"part": number, "state": AGAIN, "reason": reason}
        except Exception as error:
            if self._client.status != "running" or future.cancelled():
                raise self._gone() from None
            outcome = {"part": number, "state": AGAIN, "reason": f"Dask: {type(error).__name__}: {error}"[:300]}
        del self._under_way[number]
        future.release()
        return [outcome]

    def _check_scheduler(self) -> None:
        """Raise an error if the scheduler has been away for a while."""
        if self._client.status == "running":
            self._lost_at = None
            return
        self._lost_at = self._lost_at or time.monotonic()
        if self._client.status == "closed" or time.monotonic() - self._lost_at > LOST:
            raise self._gone()

    def _gone(self) -> TreewrightError:
        return TreewrightError(
            f"the Dask scheduler {self._address} is gone. Finished parts are kept: the same command goes on"
        )

    def close(self) -> None:
        """Leave the cluster; end it if it was started for this run."""
        for future in self._under_way.values():
            with contextlib.suppress(Exception):
                future.cancel()
        for each in (self._client, self._cluster):
            with contextlib.suppress(Exception):
                if each is not None:
                    each.close(timeout=10)


def cluster_from(path: str) -> Any:
    """Start the cluster that a TOML file describes: ``system``, ``jobs``, and the options of its class."""
    from treewright.errors import unknown
    from treewright.recipes.toml_file import read_toml

    settings = read_toml(path)
    system, jobs = settings.pop("system", None), settings.pop("jobs", 1)
    options = settings.pop("options", {})
    if settings:
        raise TreewrightError(f"{path}: {unknown('name', next(iter(settings)), ('system', 'jobs', 'options'))}")
    if system not in CLUSTERS:
        raise TreewrightError(f"{path}: {unknown('system', str(system), CLUSTERS)}")
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 1 or not isinstance(options, dict):
        raise TreewrightError(f"{path}: jobs is a number from 1, and [options] a table")
    try:
        import dask_jobqueue
    except ImportError:
        raise MissingExtraError("--cluster", "dask-jobqueue", "cluster") from None
    try:
        cluster = getattr(dask_jobqueue, CLUSTERS[system])(**options)
        cluster.scale(jobs=jobs)
    except (TypeError, ValueError, OSError, RuntimeError) as error:
        raise TreewrightError(f"{path}: {system}: {error}") from None
    return cluster
