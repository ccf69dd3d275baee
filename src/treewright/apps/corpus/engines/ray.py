"""Ray: a cluster on this machine, or one that runs already."""

from __future__ import annotations

import contextlib
import logging
import os
import time
from typing import Any

from treewright.apps.corpus.engines.engine import Engine, Task
from treewright.apps.corpus.run_part import AGAIN, Outcome, run_part
from treewright.errors import MissingExtraError, TreewrightError

AHEAD = 2  # tasks for each core


class RayEngine(Engine):
    """Submits parts to the workers of a Ray cluster, one core each."""

    def __init__(self, workers: int, scheduler: str | None = None) -> None:
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        try:
            import ray
        except ImportError:
            raise MissingExtraError("--engine ray", "ray", "ray") from None
        self._ray: Any = ray
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        try:
            if scheduler is not None:
                ray.init(address=scheduler, **quiet)
            else:
                ray.init(address="local", num_cpus=workers, include_dashboard=False, **quiet)
        except (ConnectionError, OSError, ValueError, RuntimeError) as error:
            raise TreewrightError(f"Ray does not start ({error}). Check --scheduler, or `ray status`") from None
        # The driver decides about attempts: Ray is not to try again by itself.
        self._run = ray.remote(num_cpus=1, max_retries=0)(run_part)
        self._under_way: dict[Any, int] = {}
        self._asked = (-60.0, 1)  # when the cores were counted, and how many there were

    @property
    def workers(self) -> int:
        """How many cores the cluster has; it may change while we run."""
        if time.monotonic() - self._asked[0] > 5:
            self._asked = (time.monotonic(), int(self._ray.cluster_resources().get("CPU", 1)))
        return self._asked[1]

    @property
    def window(self) -> int:
        """How many tasks may be under way."""
        return max(2, AHEAD * self.workers)

    def submit(self, task: Task) -> None:
        """Send a task to the cluster."""
        self._under_way[self._run.remote(task)] = task["part"]["number"]

    def finished(self, patience: float) -> list[Outcome]:
        """Return outcomes that have come in."""
        done, _ = self._ray.wait(list(self._under_way), num_returns=1, timeout=patience)
        outcomes = []
        for reference in done:
            number = self._under_way.pop(reference)
            try:
                outcomes.append(self._ray.get(reference))
            except self._ray.exceptions.RayError as error:
                reason = f"Ray: {type(error).__name__}: the worker died, there may be too little memory"
                outcomes.append({"part": number, "state": AGAIN, "reason": reason})
        return outcomes

    def close(self) -> None:
        """Leave the cluster; end it if it was started for this run."""
        with contextlib.suppress(Exception):
            self._ray.shutdown()
