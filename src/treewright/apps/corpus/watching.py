"""What programs see of a run: events as JSON Lines, and numbers for Prometheus."""

from __future__ import annotations

import json
import time
from typing import IO, Any

from treewright.apps.corpus.driver import Observer, Progress
from treewright.apps.corpus.engines.engine import Engine
from treewright.apps.corpus.plan import Part
from treewright.apps.corpus.storage import join, write_bytes
from treewright.apps.corpus.store import RunStore
from treewright.errors import OutputError

EVERY = 2.0  # seconds between two states of the numbers


class EventLog(Observer):
    """Appends a line of JSON for every event: what, when (by this machine's clock), which part, how it went."""

    def __init__(self, path: str) -> None:
        try:
            self._file: IO[str] = open(path, "a", encoding="utf-8", buffering=1)  # noqa: SIM115 (closed at the end)
        except OSError as error:
            raise OutputError(f"{path}: cannot be written ({error.strerror}). Choose another file with --log") from None

    def started(self, progress: Progress, engine: Engine) -> None:
        """Write what there is to do."""
        self._write("started", parts=progress.parts, bytes=progress.bytes, workers=progress.workers)

    def happened(self, event: str, progress: Progress, part: Part | None, details: dict[str, Any]) -> None:
        """Write an event of a part."""
        about = {} if part is None else {"part": part.number, "file": part.file, "start": part.start, "end": part.end}
        self._write(event, **about, **details)

    def ended(self, progress: Progress) -> None:
        """Write how it went."""
        counts = {"done": progress.done, "before": progress.before, "failed": progress.failed}
        self._write("ended", **counts, words=progress.words, seconds=round(progress.seconds, 3))
        self._file.close()

    def _write(self, event: str, **values: Any) -> None:
        line = {"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "event": event, **values}
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")


class NumbersFile(Observer):
    """Keeps a small file up to date, every few seconds and at the end."""

    def __init__(self) -> None:
        self._next = 0.0

    def started(self, progress: Progress, engine: Engine) -> None:
        """Write the first state."""
        self.write(progress, running=True)

    def happened(self, event: str, progress: Progress, part: Part | None, details: dict[str, Any]) -> None:
        """Write the state if it is time."""
        self.waited(progress)

    def waited(self, progress: Progress) -> None:
        """Write the state if it is time."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY
            self.write(progress, running=True)

    def ended(self, progress: Progress) -> None:
        """Write the last state."""
        self.write(progress, running=False)

    def write(self, progress: Progress, running: bool) -> None:
        """Write the state."""
        raise NotImplementedError


class MetricsFile(NumbersFile):
    """A text file for Prometheus (the textfile collector of node_exporter), replaced as a whole."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path

    def write(self, progress: Progress, running: bool) -> None:
        """Write all numbers."""
        left = progress.seconds_left
        waiting = progress.parts - progress.before - progress.done - progress.failed
        numbers = [
            ("parts", "gauge", "parts of this run by state", 'state="done"', progress.before + progress.done),
            ("parts", "", "", 'state="failed"', progress.failed),
            ("parts", "", "", 'state="left"', waiting),
            ("words_total", "counter", "words parsed by this run", "", progress.words),
            ("sentences_total", "counter", "sentences parsed by this run", "", progress.sentences),
            ("input_bytes_total", "counter", "bytes of input parsed by this run", "", progress.bytes_done),
            ("retries_total", "counter", "attempts at parts that were made again", "", progress.retried),
            ("set_aside_total", "counter", "sentences and rows set aside", "", progress.set_aside),
            ("workers", "gauge", "parts that can be worked on at a time", "", progress.workers),
            ("running", "gauge", "1 while the run goes on", "", int(running)),
            ("seconds_left", "gauge", "time to go, by the speed so far", "", "NaN" if left is None else round(left, 1)),
        ]
        lines = []
        for name, kind, about, label, value in numbers:
            full = f"treewright_corpus_{name}"
            if kind:
                lines += [f"# HELP {full} {about}", f"# TYPE {full} {kind}"]
            lines.append(f"{full}{{{label}}} {value}" if label else f"{full} {value}")
        write_bytes(self.path, ("\n".join(lines) + "\n").encode())


class SpeedFile(NumbersFile):
    """Keeps the speed of a run in its folder, for `corpus status`."""

    def __init__(self, store: RunStore, shard: tuple[int, int] | None) -> None:
        super().__init__()
        name = "speed" if shard is None else f"speed-{shard[0]}-of-{shard[1]}"
        self.path = join(store.folder, f"{name}.json")

    def write(self, progress: Progress, running: bool) -> None:
        """Write words and bytes per second."""
        values = {
            "running": running,
            "workers": progress.workers,
            "words_per_second": round(progress.words_per_second, 1),
            "bytes_per_second": round(progress.bytes_done / progress.seconds, 1),
        }
        write_bytes(self.path, json.dumps(values).encode() + b"\n")
