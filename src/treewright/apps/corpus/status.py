"""What is done, failed and left of a run, read from its folder."""

from __future__ import annotations

from dataclasses import dataclass

from treewright.apps.corpus.plan import CorpusPlan
from treewright.apps.corpus.storage import join, names_in
from treewright.apps.corpus.store import GROUP, RunStore, read_json
from treewright.errors import TreewrightError


@dataclass
class Status:
    """The state of a run."""

    parts: int = 0
    done: int = 0
    failed: int = 0
    left: int = 0
    bytes: int = 0
    bytes_left: int = 0
    words: int = 0
    sentences: int = 0
    set_aside: int = 0
    cpu_seconds: float = 0.0
    words_per_second: float = 0.0  # of the last runs, or those at work
    bytes_per_second: float = 0.0
    running: bool = False

    @property
    def seconds_left(self) -> float | None:
        """Time to go at the last speed; None where it is not known."""
        if not self.left:
            return 0.0
        return self.bytes_left / self.bytes_per_second if self.bytes_per_second else None


def status_of(plan: CorpusPlan, store: RunStore) -> Status:
    """Count the parts of a plan in a folder."""
    settings = store.settings()
    if settings is None:
        raise TreewrightError(f"{store.folder}: nothing was run here. Start with `treewright corpus run`")
    if settings["plan"] != plan.digest:
        raise TreewrightError(f"{store.folder}: has parts of another plan than {plan.path}. Give the right one")
    status = Status(parts=plan.n_parts, bytes=plan.n_bytes)
    whole = store.failed_whole()
    group, finished = -1, set[int]()
    for part in plan.parts():
        if part.number // GROUP != group:
            group = part.number // GROUP
            finished = store.finished(group, settings["to"])
        record = store.record(part.number) if part.number in finished else None
        if record is not None:
            status.done += 1
            status.words += record["words"]
            status.sentences += record["sentences"]
            status.set_aside += record["set_aside"]
            status.cpu_seconds += record["cpu_seconds"]
        elif part.number in whole:
            status.failed += 1
        else:
            status.left += 1
            status.bytes_left += part.end - part.start
    _add_speeds(status, store)
    return status


def _add_speeds(status: Status, store: RunStore) -> None:
    """Add the speeds of the runs that are at work, or of the last ones."""
    names = [name for name in names_in(store.folder) if name.startswith("speed") and name.endswith(".json")]
    kept = (read_json(join(store.folder, name)) for name in names)
    speeds = [speed for speed in kept if speed is not None]
    running = [speed for speed in speeds if speed.get("running")]
    status.running = bool(running) and status.left > 0
    for speed in running or speeds:
        status.words_per_second += speed.get("words_per_second", 0.0)
        status.bytes_per_second += speed.get("bytes_per_second", 0.0)
