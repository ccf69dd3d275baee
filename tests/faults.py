"""Faults on purpose: commands that are killed, run out of disk or memory, or meet another writer.

After every fault the rule is the same: each output is the old file or the new one, whole; every input is as it was;
and the same command, run again, gives what it always gives and leaves no temporary file behind.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.apps.cli.running import COMMAND, environment, run
from tests.every_kind import treebank
from tests.optional import resource

OLD = b"# what was there before\n"
FEATURES = "p(stack[0])\np(input[0])\n"


class Lost(AssertionError):
    """A fault did damage."""


@dataclass
class Scene:
    """A command with its inputs and its output, in a folder of its own."""

    folder: Path
    name: str
    words: list[str]
    output: str
    inputs: dict[str, bytes] = field(default_factory=dict)
    expected: bytes = b""
    seconds: float = 1.0

    def restore(self) -> None:
        """Put the inputs and the old output in their places."""
        for name, data in self.inputs.items():
            (self.folder / name).write_bytes(data)
        if self.output:
            self.target.write_bytes(OLD)

    @property
    def target(self) -> Path:
        """The file that the command writes."""
        return self.folder / self.output

    def start(self, limits: Callable[[], None] | None = None, stdout: int = subprocess.DEVNULL) -> subprocess.Popen:
        """Start the command."""
        return subprocess.Popen(
            [*COMMAND, *self.words],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env=environment(),
            preexec_fn=limits,
        )

    def learn(self) -> None:
        """Run the command once without a fault, to know what it gives and how long it takes."""
        self.restore()
        begin = time.perf_counter()
        process = self.start()
        _, error = process.communicate(timeout=300)
        if process.returncode:
            raise Lost(f"{self.name} does not work at all: {error.decode()}")
        self.seconds = time.perf_counter() - begin
        self.expected = self.target.read_bytes() if self.output else b""

    def check(self, what: str) -> None:
        """Check that nothing was lost, then that the command still works and cleans up."""
        self.check_files(what)
        again = run(*self.words, folder=self.folder)
        if again.returncode or (self.output and self.target.read_bytes() != self.expected):
            raise Lost(f"{self.name} after {what}: the next run gives something else: {again.stderr.decode()}")
        if self.leftovers():
            raise Lost(f"{self.name} after {what}: the next run leaves {self.leftovers()}")

    def check_files(self, what: str) -> None:
        """Check that inputs are as they were, and the output old or new."""
        for name, data in self.inputs.items():
            if (self.folder / name).read_bytes() != data:
                raise Lost(f"{self.name} after {what}: {name} has changed")
        if self.output and self.target.read_bytes() not in (OLD, self.expected):
            raise Lost(f"{self.name} after {what}: {self.output} is neither the old nor the new file")

    def leftovers(self) -> list[str]:
        """Return the temporary files in the folder."""
        return sorted(str(path) for path in self.folder.rglob("*.part"))


def scenes(folder: Path) -> list[Scene]:
    """Return a scene for each command that writes, ready to be disturbed.

    A command joins with a line: its words, the one file that it writes ("" where it is a folder), and its inputs.
    """
    import treewright as tw

    folder.mkdir(parents=True, exist_ok=True)
    model = folder / "model.tw"
    tw.train(treebank(), iterations=1, features=FEATURES).save(model)
    small, large = treebank(), treebank() * 400
    experiment = b'[treebanks]\ntoy = { train = "in.conllu", dev = "in.conllu", test = "in.conllu" }\n[[grid]]\n'
    experiment += b'seeds = [1, 2]\niterations = 2\nfeatures = "lean"\nsystem = ["arc-eager", "arc-hybrid"]\n'
    made = [
        Scene(
            folder / "train", "train", ["train", "in.conllu", "-o", "out.tw", "-q"], "out.tw", {"in.conllu": small * 9}
        ),
        Scene(
            folder / "parse",
            "parse",
            ["parse", "m.tw", "in.conllu", "-o", "out.conllu", "-q"],
            "out.conllu",
            {"m.tw": model.read_bytes(), "in.conllu": large},
        ),
        Scene(folder / "convert", "convert", ["convert", "in.conllu", "out.xml"], "out.xml", {"in.conllu": large}),
        Scene(
            folder / "experiment",
            "experiment",
            ["experiment", "e.toml", "-o", "results", "-q", "--jobs", "1", "--to", "csv"],
            "",
            {"e.toml": experiment, "in.conllu": small},
        ),
        Scene(
            folder / "crossval",
            "crossval",
            ["crossval", "in.conllu", "--folds", "2", "-q", "--features", "lean", "--iterations", "1"],
            "",
            {"in.conllu": small},
        ),
    ]
    for scene in made:
        scene.folder.mkdir(parents=True)
        scene.learn()
    return made


def killed(scene: Scene, chance: random.Random, number: int = signal.SIGKILL) -> None:
    """Kill the command at a random moment."""
    scene.restore()
    process = scene.start()
    time.sleep(chance.uniform(0.0, 1.1) * scene.seconds)
    process.send_signal(number)
    process.communicate(timeout=300)
    if number != signal.SIGKILL and scene.leftovers():
        raise Lost(f"{scene.name}: signal {number} leaves {scene.leftovers()}")
    scene.check(f"signal {number}")


def limited(scene: Scene, limit: int, most: int) -> None:
    """Run the command with a limit of the system; where it is too low, one line says so."""
    scene.restore()
    process = scene.start(lambda: resource.setrlimit(limit, (most, most)))
    _, error = process.communicate(timeout=300)
    lines = [line for line in error.decode().splitlines() if not line.startswith("warning")]
    if process.returncode not in (0, 2) or (process.returncode == 2 and len(lines) != 1) or b"Traceback" in error:
        raise Lost(f"{scene.name} with limit {limit} of {most}: exit {process.returncode}: {error.decode()[-2000:]}")
    scene.check(f"limit {limit} of {most}")


def expect_clean_end(process: subprocess.Popen[bytes], situation: str) -> None:
    """Wait for a command that may fail, but with exit code 2 and without a traceback."""
    _, error = process.communicate(timeout=300)
    if process.returncode not in (0, 2) or b"Traceback" in error:
        raise Lost(f"{situation}: exit {process.returncode}: {error.decode()[-2000:]}")


def full_disk(scene: Scene) -> None:
    """Send what the command prints to a full disk."""
    scene.restore()
    with open("/dev/full", "wb") as full:
        process = scene.start(stdout=full.fileno())
        expect_clean_end(process, f"{scene.name} on a full disk")
    scene.check("a full disk")


def closed_output(scene: Scene) -> None:
    """Run the command with its standard output closed."""
    scene.restore()
    process = scene.start(lambda: os.close(1))
    expect_clean_end(process, f"{scene.name} with closed output")
    scene.check("closed output")


def two_writers(scene: Scene) -> None:
    """Run the command twice at the same time, with the same output."""
    scene.restore()
    running = [scene.start(), scene.start()]
    for process in running:
        expect_clean_end(process, f"{scene.name} with two writers")
    scene.check("two writers")
