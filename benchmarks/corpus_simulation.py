"""What scheduler and storage see of a big run: the real driver and records, workers that only pretend.

    python benchmarks/corpus_simulation.py [--parts 10000] [--workers 1000] [--seconds 60] [--seed 1]

Each part takes about a minute of pretended time; some workers are four times slower, each attempt dies with a chance of
1 %, and some parts kill every worker. Time is simulated; reading the plan, deciding, records, listings and failures are
real, in a folder of this machine (in memory, where /dev/shm is). Nothing is parsed: a part is a small file.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from treewright.apps.corpus import store as store_module
from treewright.apps.corpus.driver import Driver
from treewright.apps.corpus.engines.engine import Engine, Task
from treewright.apps.corpus.plan import TEXT, CorpusPlan, Header, Part, end_line, header_line
from treewright.apps.corpus.run_part import AGAIN, DONE, CorpusJob, Outcome
from treewright.apps.corpus.storage import write_bytes
from treewright.apps.corpus.store import RunStore

SLOW = 0.05  # share of workers that are slow, and how slow
TIMES_SLOWER = 4.0
DIES = 0.01  # chance that an attempt dies
POISON = 0.0005  # share of parts that kill every worker


class Simulated(Engine):
    """Workers in simulated time: the soonest to end is the next to report."""

    def __init__(self, workers: int, seconds: float, store: RunStore, chance: random.Random, write: bool) -> None:
        self.n_workers, self.mean, self.store, self.chance, self.write = workers, seconds, store, chance, write
        self.now = 0.0
        self.idle = [TIMES_SLOWER if chance.random() < SLOW else 1.0 for _ in range(workers)]
        self.heap: list[tuple[float, int, float, bool]] = []
        self.queued: list[int] = []
        self.busy_seconds = self.lost_seconds = 0.0
        self.submitted = self.most_queued = 0
        self.last_ends: list[float] = []

    @property
    def window(self) -> int:
        """How many tasks may be under way: as the Dask engine has it."""
        return 2 * self.n_workers

    def submit(self, task: Task) -> None:
        """Queue a task; start what can be started."""
        self.submitted += 1
        self.queued.append(task["part"]["number"])
        self._start()
        self.most_queued = max(self.most_queued, len(self.queued))

    def _start(self) -> None:
        while self.queued and self.idle:
            number = self.queued.pop(0)
            slow = self.idle.pop(self.chance.randrange(len(self.idle)))
            seconds = self.mean * self.chance.uniform(0.7, 1.3) * slow
            dies = self.chance.random() < DIES or random.Random(number).random() < POISON
            seconds *= self.chance.random() if dies else 1.0
            self.busy_seconds += seconds
            self.lost_seconds += seconds if dies else 0.0
            heapq.heappush(self.heap, (self.now + seconds, number, slow, dies))

    def finished(self, patience: float) -> list[Outcome]:
        """Return the next outcome."""
        self.now, number, slow, dies = heapq.heappop(self.heap)
        self.idle.append(slow)
        self._start()
        if dies:
            return [{"part": number, "state": AGAIN, "reason": "the worker died"}]
        record = {"part": number, "words": 1000, "sentences": 50, "set_aside": 0, "seconds": 60, "cpu_seconds": 60}
        record |= {"bytes": 10, "plan": "p", "model": "m", "sha256": "", "treewright": ""}
        if self.write:
            self.store.make_folders(number)
            write_bytes(self.store.part_path(number, "conllu"), b"# nothing\n")
            self.store.save(number, record)
        self.last_ends = [*self.last_ends[-999:], self.now]
        return [{"part": number, "state": DONE, "record": record}]


def write_plan(path: Path, n_parts: int) -> CorpusPlan:
    """Write a plan of so many parts of nothing."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(header_line(Header()) + "\n")
        for number in range(n_parts):
            part = Part(number, f"/corpus/{number // 100}.txt", TEXT, 0, 8 << 20, 8 << 20, "0" * 64, document="x")
            file.write(part.line() + "\n")
        file.write(end_line(n_parts) + "\n")
    return CorpusPlan.open(str(path))


def counted(counts: Counter[str]) -> None:
    """Count what the store asks of the file system."""
    for name in ("names_in", "read_bytes", "write_bytes", "remove", "make_folder"):
        plain = getattr(store_module, name)

        def call(*words: Any, _plain: Any = plain, _name: str = name) -> Any:
            counts[_name] += 1
            return _plain(*words)

        setattr(store_module, name, call)


def memory_only(folder: str, n_parts: int) -> None:
    """Print the memory of a driver of so many parts, with workers that write nothing."""
    plan = write_plan(Path(folder) / "plan.jsonl", n_parts)
    store = RunStore(os.path.join(folder, "out"))
    job = CorpusJob(store.folder, plan.digest, "m", "m.tw", "conllu", asdict(plan.header), {})
    engine = Simulated(100, 60, store, random.Random(1), write=False)
    begin = time.perf_counter()
    Driver(plan, store, job).run(engine)
    seconds = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    each = seconds / n_parts * 1e6
    print(json.dumps({"parts": n_parts, "driver_mb": round(peak, 1), "driver_us_per_part": round(each)}))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--parts", type=int, default=10_000)
    arguments.add_argument("--workers", type=int, default=1000)
    arguments.add_argument("--seconds", type=float, default=60.0)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--memory", action="store_true", help="only the memory of a driver of so many parts")
    options = arguments.parse_args()
    where = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=where) as folder:
        if options.memory:
            memory_only(folder, options.parts)
            return
        counts: Counter[str] = Counter()
        counted(counts)
        plan = write_plan(Path(folder) / "plan.jsonl", options.parts)
        store = RunStore(os.path.join(folder, "out"))
        job = CorpusJob(store.folder, plan.digest, "m", "m.tw", "conllu", asdict(plan.header), {})
        engine = Simulated(options.workers, options.seconds, store, random.Random(options.seed), write=True)
        begin = time.perf_counter()
        progress = Driver(plan, store, job).run(engine)
        real = time.perf_counter() - begin
        ideal = engine.busy_seconds / options.workers
        tail = engine.now - engine.last_ends[-max(2, len(engine.last_ends) // 10)]
        print("| what | value |\n|---|---|")
        print(f"| parts, workers | {options.parts:,}, {options.workers:,} |")
        print(f"| done, set aside, attempts made again | {progress.done:,}, {progress.failed}, {progress.retried} |")
        print(f"| simulated time; all workers busy to the end would take | {engine.now:,.0f} s; {ideal:,.0f} s |")
        print(f"| of it, the last tenth of a thousand parts | {tail:,.0f} s |")
        print(f"| work lost with dead workers | {engine.lost_seconds / engine.busy_seconds:.2%} |")
        print(
            f"| tasks submitted; outcomes a second; most in the scheduler's queue | {engine.submitted:,};"
            f" {engine.submitted / engine.now:.1f}; {engine.most_queued:,} |"
        )
        for name, count in sorted(counts.items()):
            print(f"| storage: {name} | {count:,}, {count / options.parts:.2f} a part |")
        print(f"| the driver's real time | {real:.1f} s, {real / options.parts * 1000:.2f} ms a part |")


if __name__ == "__main__":
    main()
