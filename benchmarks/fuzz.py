"""Feed damaged input to the readers, the feature language, the model loader, the scorer, and to every command.

    python benchmarks/fuzz.py [reader|features|model|scores|whole|inputs|all] [options]

The rule: a TreewrightError or a result, never another exception, a crash or a hang. Inputs are valid files with a few
changes that know the formats: fields, IDs and heads swapped or replaced, lines deleted or repeated, columns added,
bytes inserted, settings of a model's header replaced. With the engine ``atheris`` (PyPI) the changes build on whatever
input reached new Python code; ``loop`` changes the valid files alone, is faster, and gives the same inputs for the
same seed. Neither sees into compiled code.

Inputs run in a child process that shares the present input with its parent: when it dies, by a crash or because an
input took longer than --seconds of processor time, the parent keeps that input and starts another child. A child also
ends after some thousands of inputs; memory that grew meanwhile is a failure. What failed goes to --failures, with a
traceback beside it; ``--replay FILE`` runs such a file again. The exit code is 1 if anything failed.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import mmap
import os
import random
import resource
import shutil
import signal
import struct
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

from fuzzing.mutations import LONGEST
from fuzzing.targets import TARGETS, write_seeds

SAVED_PER_PLACE = 3
MOST_DEATHS = 20
PER_CHILD = 20_000  # inputs that a child runs
WARM = 2_000  # inputs after which a child should have all the memory that it needs
MOST_GROWTH = 400 << 20  # bytes from then on
WAITING = 360  # times as long as an input may compute, it may take in all: a busy machine lets it wait


class Shared:
    """Counts and the current input, shared by the child that runs inputs and its parent."""

    _counts = struct.Struct("<5q")

    def __init__(self) -> None:
        self.memory = mmap.mmap(-1, self._counts.size + 2 * LONGEST + 4096)
        self.inputs = self.errors = self.results = self.failures = 0

    def begin(self, data: bytes) -> None:
        """Show an input before it is run."""
        self.inputs += 1
        self._counts.pack_into(self.memory, 0, self.inputs, self.errors, self.results, self.failures, len(data))
        self.memory[self._counts.size : self._counts.size + len(data)] = data

    def end(self) -> None:
        """Show the counts after it."""
        self._counts.pack_into(self.memory, 0, self.inputs, self.errors, self.results, self.failures, 0)

    def load(self) -> bytes:
        """Read the child's counts and return its current input."""
        self.inputs, self.errors, self.results, self.failures, length = self._counts.unpack_from(self.memory)
        return self.memory[self._counts.size : self._counts.size + length]


class Runner:
    """Runs inputs in the child, and keeps those that break the rule."""

    def __init__(self, name: str, folder: Path, failures: Path, shared: Shared) -> None:
        from treewright.errors import TreewrightError

        warnings.simplefilter("ignore")
        self.clean_error = TreewrightError
        self.name, self.failures, self.shared = name, failures, shared
        self.target = TARGETS[name](folder)
        self.places: dict[str, int] = {}

    def run(self, data: bytes) -> None:
        """Run one input and count the outcome."""
        self.shared.begin(data)
        try:
            self.target(data)
            self.shared.results += 1
        except self.clean_error:
            self.shared.errors += 1
        except (Exception, RecursionError) as error:
            self.shared.failures += 1
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{type(error).__name__} {last.filename}:{last.lineno}"
            self.places[place] = self.places.get(place, 0) + 1
            if self.places[place] <= SAVED_PER_PLACE:
                keep(self.failures, self.name, data, traceback.format_exc())
        self.shared.end()


def keep(folder: Path, name: str, data: bytes, why: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
    (folder / stem).write_bytes(data)
    (folder / f"{stem}.txt").write_text(why, errors="replace")
    print(f"  failure: {folder / stem}: {why.strip().splitlines()[-1][:150]}", flush=True)


def loop(name: str, folder: Path, options: argparse.Namespace, shared: Shared) -> None:
    """Run seeded inputs one after the other; an alarm ends the process if one takes too long."""
    runner = Runner(name, folder, options.failures, shared)
    seeds = [path.read_bytes() for path in sorted((folder / name).iterdir())]
    limit_memory(options.megabytes << 20)
    first, warm = shared.inputs, 0
    while shared.inputs < min(options.inputs, first + PER_CHILD):
        rng = random.Random(f"{options.seed}/{name}/{shared.inputs}")
        data = runner.target.mutate(rng, seeds, rng.choice(seeds))
        before = most_memory()
        signal.setitimer(signal.ITIMER_PROF, options.seconds)
        signal.setitimer(signal.ITIMER_REAL, options.seconds * WAITING)
        runner.run(data)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        if most_memory() - before > options.megabytes << 20:
            shared.failures += 1
            keep(options.failures, name, data, f"{(most_memory() - before) >> 20} MB of memory")
        if shared.inputs == first + WARM:
            warm = memory_now()
    if warm and memory_now() - warm > MOST_GROWTH:
        shared.failures += 1
        print(f"  failure: {name}: memory grew from {warm >> 20} to {memory_now() >> 20} MB", flush=True)
    shared.end()


def memory_now() -> int:
    """Return how many bytes of memory the process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def most_memory() -> int:
    """Return the most that it ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def limit_memory(more: int) -> None:
    """Let the process take so many bytes more than it has; AddressSanitizer needs terabytes of addresses."""
    if "asan" not in os.environ.get("LD_PRELOAD", ""):
        now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + more, now + more))


def guided(name: str, folder: Path, options: argparse.Namespace, shared: Shared) -> None:
    """Let atheris choose what to change: inputs that reached new Python code."""
    import atheris

    with atheris.instrument_imports(include=["treewright"]):
        import treewright.evaluation
        import treewright.steps.parser
        import treewright.treebank.checks.fixing
        import treewright.treebank.files.treebank
        import treewright.treebank.files.writing  # noqa: F401
    runner = Runner(name, folder, options.failures, shared)
    seeds = [path.read_bytes() for path in sorted((folder / name).iterdir())]
    corpus = folder / f"{name}-corpus"
    corpus.mkdir(exist_ok=True)

    def mutate(data: bytes, longest: int, seed: int) -> bytes:
        rng = random.Random(seed)
        start = data if len(data) > 2 and rng.random() < 0.9 else rng.choice(seeds)
        return runner.target.mutate(rng, seeds, start)[:longest]

    left = options.inputs - shared.inputs
    arguments = [
        "fuzz",
        f"-runs={left}",
        f"-seed={options.seed + shared.inputs + 1}",
        f"-timeout={int(options.seconds)}",
        f"-max_len={max(map(len, seeds)) + 10_000}",
        "-rss_limit_mb=4096",
        f"-artifact_prefix={folder}/",
        "-verbosity=0",
        str(corpus),
        str(folder / name),
    ]
    atheris.Setup(arguments, runner.run, custom_mutator=mutate)
    atheris.Fuzz()


def campaign(name: str, folder: Path, options: argparse.Namespace) -> int:
    """Run the inputs of one target in child processes; return how many broke the rule."""
    shared, start, deaths = Shared(), time.perf_counter(), 0
    while shared.inputs < options.inputs and deaths < MOST_DEATHS:
        before = shared.inputs
        status = in_child(lambda: (guided if options.engine == "atheris" else loop)(name, folder, options, shared))
        present = shared.load()
        if status == 0:
            if options.engine == "atheris":
                break
            continue
        if shared.inputs == before:
            raise SystemExit(f"{name}: the fuzzer itself failed to start")
        shared.failures += 1
        deaths += 1
        hang = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGPROF)
        keep(options.failures, name, present, "a hang" if hang else f"the process died, wait status {status}")
    seconds = time.perf_counter() - start
    counts = (shared.inputs, shared.errors, shared.results, shared.failures)
    row = " | ".join(f"{count:,}" for count in (*counts, round(seconds)))
    print(f"| {name} | {options.engine} | {row} |", flush=True)
    return shared.failures


def in_child(work: Callable[[], None]) -> int:
    """Do something in a forked process; return its wait status."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    code = 1
    try:
        work()
        code = 0
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    os._exit(code)


def replay(path: Path, folder: Path) -> None:
    """Run one saved input and show what happens."""
    from treewright.errors import TreewrightError

    warnings.simplefilter("ignore")
    try:
        TARGETS[path.name.split("-")[0]](folder)(path.read_bytes())
        print("a result")
    except TreewrightError as error:
        print(f"a clean error: {error}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("target", nargs="?", default="all", choices=[*TARGETS, "all"])
    arguments.add_argument("--inputs", type=int, default=20_000, help="inputs for each target")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--engine", choices=("atheris", "loop"), help="atheris if it is installed")
    arguments.add_argument("--seconds", type=float, default=10, help="processor time for one input")
    arguments.add_argument("--megabytes", type=int, default=1024, help="memory that an input may take")
    arguments.add_argument("--failures", type=Path, default=Path("build/fuzz-failures"), help="folder for what failed")
    arguments.add_argument("--valid", type=Path, help="folder of the valid inputs: made once, used again")
    arguments.add_argument("--replay", type=Path, metavar="FILE", help="run one kept input again")
    options = arguments.parse_args()
    options.failures = options.failures.absolute()
    options.engine = options.engine or ("atheris" if importlib.util.find_spec("atheris") else "loop")
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as temporary:
        folder = Path(temporary) / "valid"
        if options.valid and options.valid.is_dir():
            shutil.copytree(options.valid, folder)
        else:
            folder.mkdir()
            # In a child: this process must not have imported what atheris is to instrument.
            if in_child(lambda: write_seeds(folder, Path(__file__).parent.parent / "examples" / "toy")):
                raise SystemExit("the valid inputs could not be made")
            if options.valid:
                shutil.copytree(folder, options.valid)
        if options.replay:
            replay(options.replay.absolute(), folder)
            return
        print("| target | engine | inputs | clean errors | results | failures | seconds |")
        print("|---|---|---|---|---|---|---|", flush=True)
        names = list(TARGETS) if options.target == "all" else [options.target]
        failed = sum([campaign(name, folder, options) for name in names])
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
