"""Run a plan: hand parts that are not finished to an engine, and keep account.

The driver holds nothing of the work: it may be killed and started again at any moment. It reads the plan as it goes,
looks once at each folder of a thousand parts to see which are finished, and has a few tasks for each worker under
way. Times are measured with the clock of one machine; clocks of different machines are never compared.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from treewright.apps.corpus.engines.engine import Engine, Task
from treewright.apps.corpus.plan import CorpusPlan, Part
from treewright.apps.corpus.run_part import AGAIN, DONE, FAILED, STOP, CorpusJob, Outcome
from treewright.apps.corpus.store import GROUP, RunStore, Settings
from treewright.apps.worker_process import terminate_as_interrupt
from treewright.errors import TreewrightError

ATTEMPTS = 3  # at a part whose worker dies


@dataclass
class Progress:
    """How far a run is; what observers see."""

    parts: int = 0  # of this run: all, or those of a shard
    bytes: int = 0
    before: int = 0  # parts finished by runs before this one
    bytes_before: int = 0
    done: int = 0  # by this run
    bytes_done: int = 0
    words: int = 0
    sentences: int = 0
    failed: int = 0  # parts set aside, now or before
    set_aside: int = 0  # sentences and rows set aside in finished parts of this run
    retried: int = 0
    workers: int = 0
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """How long this run has been at work."""
        return max(time.monotonic() - self.began, 1e-9)

    @property
    def share(self) -> float:
        """The share of the bytes that is finished, from 0 to 1."""
        return (self.bytes_before + self.bytes_done) / max(1, self.bytes)

    @property
    def words_per_second(self) -> float:
        """How fast this run is."""
        return self.words / self.seconds

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take at this speed; None where nothing is known yet."""
        left = self.bytes - self.bytes_before - self.bytes_done
        return left * self.seconds / self.bytes_done if self.bytes_done else None


class Observer:
    """Receives what happens in a run."""

    def started(self, progress: Progress, engine: Engine) -> None:
        """Called once, before the first part."""

    def happened(self, event: str, progress: Progress, part: Part | None, details: dict[str, Any]) -> None:
        """Called when a part is done, has failed, or is tried again; and for warnings."""

    def waited(self, progress: Progress) -> None:
        """Called now and then while nothing happens."""

    def ended(self, progress: Progress) -> None:
        """Called once, at the end."""


@dataclass
class Driver:
    """Runs the parts of a plan that are not finished."""

    plan: CorpusPlan
    store: RunStore
    job: CorpusJob
    attempts: int = ATTEMPTS
    shard: tuple[int, int] | None = None  # i of n, from 1
    retry_failed: bool = False
    observers: Sequence[Observer] = ()

    def __post_init__(self) -> None:
        self.progress = Progress()
        self._tries: Counter[int] = Counter()
        self._again: deque[Part] = deque()
        self._under_way: dict[int, Part] = {}
        self._waiting: Iterator[Part] = iter(())
        self._failed: set[int] = set()
        self._warned: set[str] = set()

    def run(self, engine: Engine) -> Progress:
        """Run to the end; return how it went."""
        job = self.job
        self.store.prepare(Settings(job.plan, job.digest, job.to, job.options))
        with self.store.locked(self.shard), terminate_as_interrupt():
            self._count()
            self._waiting = self._unfinished()
            self.progress.workers = engine.workers
            for observer in self.observers:
                observer.started(self.progress, engine)
            try:
                for outcome in engine.outcomes(self._next):
                    if outcome is None:
                        self.progress.workers = engine.workers
                        for observer in self.observers:
                            observer.waited(self.progress)
                    else:
                        self._take(outcome)
            finally:
                for observer in self.observers:
                    observer.ended(self.progress)
        return self.progress

    # Tasks

    def _count(self) -> None:
        """Count what there is to do and what failed before."""
        whole = self.store.failed_whole()
        for part in self._mine():
            self.progress.parts += 1
            self.progress.bytes += part.end - part.start
            if part.number in whole:
                if self.retry_failed:
                    self.store.forget_failure(part.number)
                else:
                    self._failed.add(part.number)
        self.progress.failed = len(self._failed)

    def _mine(self) -> Iterator[Part]:
        for part in self.plan.parts():
            if self.shard is None or part.number % self.shard[1] == self.shard[0] - 1:
                yield part

    def _unfinished(self) -> Iterator[Part]:
        """Yield the parts that are neither finished nor set aside."""
        group, finished = -1, set[int]()
        for part in self._mine():
            if part.number // GROUP != group:
                group = part.number // GROUP
                self.store.sweep(part.number, self.job.to)
                finished = self.store.finished(group, self.job.to)
            if part.number in finished:
                self.progress.before += 1
                self.progress.bytes_before += part.end - part.start
            elif part.number not in self._failed:
                yield part

    def _next(self) -> Task | None:
        """Return the next task, or None if no task is ready."""
        part = self._again.popleft() if self._again else next(self._waiting, None)
        if part is None:
            return None
        self._under_way[part.number] = part
        return self.job.task(part)

    # Outcomes

    def _take(self, outcome: Outcome) -> None:
        """Note how the work on a part ended."""
        part = self._under_way.pop(outcome["part"])
        state, reason = outcome["state"], outcome.get("reason", "")
        for warning in outcome.get("warnings", ()):
            if warning not in self._warned and len(self._warned) < 100:
                self._warned.add(warning)
                self._tell("warning", part, {"message": warning})
        details = {"worker": outcome.get("worker", "")}
        if state == DONE:
            self._finish(part, outcome["record"], details)
        elif state == STOP:
            raise TreewrightError(reason)
        elif state == AGAIN and self._tries[part.number] + 1 < self.attempts:
            self._tries[part.number] += 1
            self._again.append(part)
            self.progress.retried += 1
            self._tell("again", part, {**details, "reason": reason})
        else:
            attempts = self._tries.pop(part.number, 0) + 1
            reason += f" ({attempts} attempts)" if state == AGAIN else ""
            self.store.save_failure(part.number, {**asdict(part), "part": part.number, "whole": True, "reason": reason})
            self.progress.failed += 1
            assert state in (AGAIN, FAILED)
            self._tell("failed", part, {**details, "reason": reason})

    def _finish(self, part: Part, record: dict[str, Any], details: dict[str, Any]) -> None:
        progress = self.progress
        progress.done += 1
        progress.bytes_done += part.end - part.start
        progress.words += record["words"]
        progress.sentences += record["sentences"]
        progress.set_aside += record["set_aside"]
        self._tries.pop(part.number, None)
        kept = {name: record[name] for name in ("words", "sentences", "seconds", "cpu_seconds", "set_aside", "bytes")}
        self._tell("done", part, {**details, **kept})

    def _tell(self, event: str, part: Part, details: dict[str, Any]) -> None:
        for observer in self.observers:
            observer.happened(event, self.progress, part, details)
