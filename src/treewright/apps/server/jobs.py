"""Long work in the background: started by one request, asked about by others."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping

from treewright.apps.server.messages import HttpError
from treewright.errors import TreewrightError

log = logging.getLogger("treewright.apps.server")
RUNNING, DONE, FAILED, CANCELLED = "running", "done", "failed", "cancelled"


class Cancelled(Exception):
    """Raised inside a job by ``report`` after someone cancelled it."""


class BackgroundJob:
    """One piece of work; its state may be read from any thread."""

    def __init__(self, kind: str) -> None:
        self.id = secrets.token_hex(8)
        self.kind = kind
        self.status = RUNNING
        self.progress: dict[str, object] = {}
        self.result: object = None
        self.error = ""
        self.started = time.time()
        self.seconds = 0.0
        self._changed = threading.Condition()
        self._version = 0
        self._cancelled = False

    def report(self, progress: Mapping[str, object]) -> None:
        """Tell how far the work is (called by the job's function); stops it if it was cancelled."""
        if self._cancelled:
            raise Cancelled
        with self._changed:
            self.progress = {**self.progress, **progress}
            self._tell()

    def cancel(self) -> None:
        """Ask the job to stop; it does at its next report."""
        self._cancelled = True

    def finish(self, status: str, result: object = None, error: str = "") -> None:
        """Set how the job ended."""
        with self._changed:
            self.status, self.result, self.error = status, result, error
            self.seconds = time.time() - self.started
            self._tell()

    def state(self) -> dict[str, object]:
        """Return what clients are told, as JSON."""
        state: dict[str, object] = {"id": self.id, "kind": self.kind, "status": self.status, "progress": self.progress}
        if self.status == DONE:
            state["result"] = self.result
        if self.error:
            state["error"] = self.error
        if self.status != RUNNING:
            state["seconds"] = round(self.seconds, 3)
        return state

    def states(self, patience: float = 5.0) -> Iterator[dict[str, object]]:
        """Yield the state now, whenever it changes (at least every ``patience`` seconds), and at the end."""
        seen = -1
        while True:
            with self._changed:
                if self._version == seen:
                    self._changed.wait(patience)
                seen = self._version
                state = self.state()
            yield state
            if state["status"] != RUNNING:
                return

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end; say whether it came."""
        with self._changed:
            return self._changed.wait_for(lambda: self.status != RUNNING, seconds)

    def _tell(self) -> None:
        self._version += 1
        self._changed.notify_all()


class Jobs:
    """The jobs of a server: how many run at once and how many ended ones are kept is limited."""

    def __init__(self, most_running: int = 4, most_kept: int = 100) -> None:
        self.most_running, self.most_kept = most_running, most_kept
        self._jobs: dict[str, BackgroundJob] = {}
        self._lock = threading.Lock()

    def start(self, kind: str, function: Callable[[BackgroundJob], object]) -> BackgroundJob:
        """Run ``function(job)`` in the background; what it returns is the job's result."""
        job = BackgroundJob(kind)
        with self._lock:
            if len(self.running()) >= self.most_running:
                raise HttpError(429, f"{self.most_running} jobs are running already: try later", {"Retry-After": "5"})
            ended = [each.id for each in self._jobs.values() if each.status != RUNNING]
            for old in ended[: max(0, len(self._jobs) + 1 - self.most_kept)]:
                del self._jobs[old]
            self._jobs[job.id] = job
        threading.Thread(target=_run, args=(job, function), name=f"job-{kind}", daemon=True).start()
        return job

    def get(self, name: str) -> BackgroundJob:
        """Return a job by its id."""
        job = self._jobs.get(name)
        if job is None:
            raise HttpError(404, f"no job {name[:50]!r}: it never existed, or ended long ago")
        return job

    def running(self) -> list[BackgroundJob]:
        """Return the jobs under way."""
        return [job for job in list(self._jobs.values()) if job.status == RUNNING]


def _run(job: BackgroundJob, function: Callable[[BackgroundJob], object]) -> None:
    try:
        job.finish(DONE, function(job))
    except Cancelled:
        job.finish(CANCELLED)
    except TreewrightError as error:
        job.finish(FAILED, error=str(error))
    except Exception:  # a bug must not leave a job that runs for ever
        log.exception("job %s (%s) failed", job.id, job.kind)
        job.finish(FAILED, error="an error of the server; its log says more")
