"""What the handlers of a server share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from treewright.apps.server.jobs import Jobs
from treewright.apps.server.limits import Budget, Gate, Limits
from treewright.apps.server.metrics import ServerMetrics
from treewright.apps.server.model_store import ModelStore


class Service:
    """Models, limits, metrics and jobs; ``folder`` is the only place that requests can make it write to.

    Without a folder nothing is written.
    """

    def __init__(
        self,
        models: ModelStore,
        limits: Limits | None = None,
        folder: Path | None = None,
        users: Sequence[str] = (),
    ) -> None:
        self.models = models
        self.limits = limits or Limits()
        self.folder = folder
        self.users = users  # the names of people with tokens of their own
        self.metrics = ServerMetrics()
        self.jobs = Jobs()
        self.gate = Gate(self.limits)
        self.bodies = Budget(self.limits.all_bodies_bytes)
        self.metrics.gauge("requests_running", "Computing requests under way.", lambda: self.gate.running)
        self.metrics.gauge("requests_waiting", "Computing requests that wait for a place.", lambda: self.gate.waiting)
        self.metrics.gauge("jobs_running", "Jobs in the background.", lambda: len(self.jobs.running()))
        self.metrics.gauge("models_loaded", "Models in memory.", lambda: len(self.models.loaded()))


class Handlers:
    """Handlers of requests that share a service."""

    def __init__(self, service: Service) -> None:
        self._service = service
