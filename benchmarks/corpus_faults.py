"""Kill workers, drivers and schedulers of `treewright corpus run` at random moments; count what was lost.

    python benchmarks/corpus_faults.py [--kills 200] [--engines local dask ray] [--parts 64] [--seed 1]

A run over a corpus of 64 small parts is started; at random moments one of its processes after the other is killed with
SIGKILL; when the driver is dead, it is started again, until it comes to its end. Then all parts must be there, once,
with the bytes that one process writes, and no temporary file may be left. For Dask, scheduler and workers are processes
of their own, which are killed, too. Needs psutil: pip install 'treewright[bench]'.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from needed import BENCH, installed_engines, needed

sys.path.insert(0, str(Path(__file__).parent.parent))
COMMAND = [sys.executable, "-m", "treewright"]
LONGEST = 600  # seconds for a run without a kill; after that it hangs
SENTENCES = 100  # in a part


@dataclass
class Corpus:
    """A plan, its model, and the bytes that must come of it."""

    folder: Path
    expected: bytes
    seconds: float = 3.0  # that an undisturbed run takes

    @property
    def out(self) -> Path:
        """The folder of the run."""
        return self.folder / "out"

    def run_words(self, engine: str, scheduler: str) -> list[str]:
        """Return the command that runs the plan."""
        words = ["corpus", "run", "plan.jsonl", "model.tw", "-o", "out", "-q", "--engine", engine, "--log", "log.jsonl"]
        return words + (["--scheduler", scheduler] if scheduler else ["--jobs", "2"])


@dataclass
class Tally:
    """What happened."""

    kills: Counter[str] = field(default_factory=Counter)
    runs: int = 0
    starts: int = 0
    lost: int = 0
    doubled: int = 0
    differing: int = 0
    leftovers: int = 0
    hung: int = 0
    redone: int = 0
    most_redone: int = 0  # after one kill


class Cluster:
    """A Dask scheduler and two workers, each of which may be killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"

    def ensure(self) -> None:
        """Start what is not running."""
        if not self.alive("scheduler"):
            words = ["scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"]
            self.start("scheduler", words)
            for name in ("worker 1", "worker 2"):
                self.end(name)
        for name in ("worker 1", "worker 2"):
            if not self.alive(name):
                self.start(name, ["worker", self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny"])

    def start(self, name: str, words: list[str]) -> None:
        """Start a process."""
        command = [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]]
        quiet = subprocess.DEVNULL
        self.processes[name] = subprocess.Popen(command, cwd=self.folder, stdout=quiet, stderr=quiet)

    def alive(self, name: str) -> bool:
        """Say whether a process runs."""
        return name in self.processes and self.processes[name].poll() is None

    def end(self, name: str) -> None:
        """Kill a process."""
        if name in self.processes:
            with contextlib.suppress(ProcessLookupError):
                self.processes[name].kill()
            self.processes[name].wait()

    def close(self) -> None:
        """Kill all."""
        for name in self.processes:
            self.end(name)


def made(folder: Path, n_parts: int) -> Corpus:
    """Make a model, a text, and a plan of about so many parts."""
    from tests.apps.corpus.made import model, text

    shutil.copy(model(), folder / "model.tw")
    data = "".join(text(seed, SENTENCES) for seed in range(n_parts)).encode()
    (folder / "a.txt").write_bytes(data)
    size = str(len(data) // n_parts)
    call(folder, "corpus", "plan", "a.txt", "-o", "plan.jsonl", "--part-size", size, "-q")
    call(folder, "parse", "model.tw", "a.txt", "-o", "whole.conllu", "-q")
    return Corpus(folder, (folder / "whole.conllu").read_bytes())


def call(folder: Path, *words: str) -> int:
    """Run a command to its end."""
    return subprocess.run(
        [*COMMAND, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LONGEST
    ).returncode


def kill_one(process: subprocess.Popen[bytes], cluster: Cluster | None, chance: random.Random) -> str:
    """Kill one of the processes of a run; return what it was."""
    import psutil

    try:
        children = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return ""
    if cluster is not None:
        name = chance.choice(["driver", *cluster.processes])
        if name == "driver":
            process.kill()
        else:
            cluster.end(name)
        return name.split()[0]
    if not children or chance.random() < 0.4:
        process.kill()
        # Ray's and Dask's own processes end by themselves, late: what the driver left is not to pile up.
        time.sleep(0.2)
        for child in children:
            with contextlib.suppress(psutil.NoSuchProcess):
                if "local_worker" not in " ".join(child.cmdline()):
                    child.kill()
        return "driver"
    victim = chance.choice(children)
    with contextlib.suppress(psutil.NoSuchProcess):
        name = " ".join(victim.cmdline())
        victim.send_signal(signal.SIGKILL)
        return "Ray's own" if "raylet" in name or "gcs_server" in name else "worker"
    return ""


def kill_some(
    process: subprocess.Popen[bytes],
    cluster: Cluster | None,
    chance: random.Random,
    most: int,
    tally: Tally,
    engine: str,
    seconds: float,
) -> int:
    """Kill processes of a run until its driver is dead or done; return how many."""
    killed = 0
    while killed < most:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(chance.uniform(0.05, 0.7) * seconds)
        if process.poll() is not None:
            break
        if name := kill_one(process, cluster, chance):
            tally.kills[f"{engine}: {name}"] += 1
            killed += 1
        if cluster is not None:
            cluster.ensure()
    return killed


def ended(process: subprocess.Popen[bytes], tally: Tally) -> int:
    """Return the exit code of a run; one that does not end is counted, and killed."""
    try:
        return process.wait(LONGEST)
    except subprocess.TimeoutExpired:
        tally.hung += 1
        process.kill()
        return process.wait()


def one_run(corpus: Corpus, engine: str, kills: int, chance: random.Random, tally: Tally) -> int:
    """Run to the end with kills in between; return how many there were."""
    for path in (corpus.out, corpus.folder / "log.jsonl"):
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
    cluster = Cluster(corpus.folder) if engine == "dask" else None
    done, before = 0, 0
    retry: list[str] = []
    try:
        while True:
            if cluster is not None:
                cluster.ensure()
            tally.starts += 1
            words = corpus.run_words(engine, cluster.address if cluster else "")
            quiet = subprocess.DEVNULL
            process = subprocess.Popen([*COMMAND, *words, *retry], cwd=corpus.folder, stdout=quiet, stderr=quiet)
            done += kill_some(process, cluster, chance, kills - done, tally, engine, corpus.seconds)
            code = ended(process, tally)
            redone = doubles(corpus)
            tally.most_redone = max(tally.most_redone, redone - before)
            before = redone
            if code == 0:
                break
            if code == 1:  # parts whose workers were killed three times
                retry = ["--retry-failed"]
    finally:
        if cluster is not None:
            cluster.close()
    tally.redone += before
    check(corpus, tally)
    return done


def doubles(corpus: Corpus) -> int:
    """Return how often a part was done that had been done."""
    parts: Counter[int] = Counter()
    with contextlib.suppress(FileNotFoundError), open(corpus.folder / "log.jsonl") as file:
        for line in file:
            with contextlib.suppress(ValueError):
                event = json.loads(line)
                if event["event"] == "done":
                    parts[event["part"]] += 1
    return sum(count - 1 for count in parts.values())


def check(corpus: Corpus, tally: Tally) -> None:
    """Compare what is there with what must be."""
    tally.runs += 1
    n_parts = len((corpus.folder / "plan.jsonl").read_text().splitlines()) - 2
    files = sorted(path.name for path in (corpus.out / "parts").rglob("*") if path.is_file())
    tally.lost += n_parts - len({name for name in files if name.endswith(".conllu") and name[0] != "."})
    tally.doubled += sum(not name.startswith(".") for name in files) - len(
        {name[:6] for name in files if name[0] != "."}
    )
    tally.leftovers += sum(path.name.endswith(".part") for path in corpus.out.rglob("*.part"))
    call(corpus.folder, "corpus", "merge", "plan.jsonl", "out", "-o", "merged.conllu", "-q")
    same = (corpus.folder / "merged.conllu").read_bytes() == corpus.expected
    tally.differing += not same
    (corpus.folder / "merged.conllu").unlink(missing_ok=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--kills", type=int, default=200)
    arguments.add_argument("--engines", nargs="+", default=["local", "dask", "ray"])
    arguments.add_argument("--parts", type=int, default=64)
    arguments.add_argument("--per-run", type=int, default=6, help="kills in a run (default 6)")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    needed("psutil", BENCH)
    engines = installed_engines(options.engines)
    chance, tally = random.Random(options.seed), Tally()
    os.environ.setdefault("RAY_worker_niceness", "0")  # 15 by default: on a busy machine workers would never end
    with tempfile.TemporaryDirectory() as folder:
        corpus = made(Path(folder), options.parts)
        for engine in engines:
            left = options.kills // len(engines)
            begin = time.perf_counter()
            one_run(corpus, engine, 0, chance, tally)
            corpus.seconds = time.perf_counter() - begin
            while left > 0:
                left -= one_run(corpus, engine, min(left, options.per_run), chance, tally)
                print(f"  {engine}: {sum(tally.kills.values())} kills in {tally.runs} runs, {tally}", flush=True)
    print("| killed | times |\n|---|---|")
    for name, count in sorted(tally.kills.items()):
        print(f"| {name} | {count} |")
    print(
        f"{sum(tally.kills.values())} kills in {tally.runs} runs of {options.parts} parts ({tally.starts} starts):"
        f" {tally.lost} lost, {tally.doubled} doubled, {tally.differing} runs with other bytes,"
        f" {tally.leftovers} temporary files left, {tally.hung} runs that did not end;"
        f" {tally.redone} finished parts done again,"
        f" {tally.most_redone} at most after one kill"
    )
    raise SystemExit(1 if tally.lost or tally.doubled or tally.differing or tally.leftovers or tally.hung else 0)


if __name__ == "__main__":
    main()
