"""How fast `treewright corpus run` is: beside one process, beside `parse --threads`, on Dask; and what a part costs.

    python benchmarks/corpus.py TEXT [--model english-fast] [--words 2000000] [--rounds 3] [--workers 2]
    python benchmarks/corpus.py TEXT --engines local dask --words 20000000 --rounds 1
    python benchmarks/corpus.py --overhead

Runs of all kinds alternate, and the table has the median of the ratios in each round: machines are noisy. TEXT may be
compressed; it is repeated until it has the words. ``--overhead``: a plan of 400 tiny parts, so that nearly all the time
is what a part costs beside its parse: reading, checking, syncing, renaming, the record.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from needed import installed_engines

COMMAND = [sys.executable, "-m", "treewright"]
TINY = 400  # parts


def repeated(source: str, target: Path, words: int) -> int:
    """Write a text with so many words; return its bytes."""
    from treewright.treebank.files.source import open_input

    left = words
    with open(target, "wb") as file:
        while left > 0:
            stream = open_input(source)
            while left > 0 and (piece := stream.read(1 << 20)):
                count = len(piece.split())
                if count > left:
                    piece = piece[: piece.rfind(b"\n", 0, int(len(piece) * left / count)) + 1] or piece
                file.write(piece)
                left -= count
            stream.close()
            file.write(b"\n\n")
    return target.stat().st_size


def timed(folder: Path, *words: str) -> tuple[float, float]:
    """Run a command; return its seconds, and those of all its processes on a core."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([*COMMAND, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(options: argparse.Namespace, folder: Path) -> None:
    size = repeated(options.text, folder / "a.txt", options.words)
    part = str(max(1 << 16, size // options.parts))
    timed(folder, "corpus", "plan", "a.txt", "-o", "plan.jsonl", "-q", "--part-size", part)
    workers, model = str(options.workers), options.model
    kinds: dict[str, list[str]] = {}
    if "parse" in options.engines:
        kinds[f"parse --threads {workers}"] = [
            "parse",
            model,
            "a.txt",
            "-o",
            "out/x.conllu",
            "-q",
            "--threads",
            workers,
        ]
    run = ["corpus", "run", "plan.jsonl", model, "-o", "out", "-q"]
    if "one" in options.engines:
        kinds["local, 1 process"] = [*run, "--jobs", "1"]
    for engine in options.engines:
        if engine not in ("parse", "one"):
            kinds[f"{engine}, {workers} processes"] = [*run, "--jobs", workers, "--engine", engine]
    rounds: list[dict[str, tuple[float, float]]] = []
    for _ in range(options.rounds):
        found = {}
        for name, words in kinds.items():
            shutil.rmtree(folder / "out", ignore_errors=True)
            if words[0] == "parse":
                (folder / "out").mkdir()
            found[name] = timed(folder, *words)
            print(f"  {name}: {found[name][0]:.1f} s, {found[name][1]:.1f} s of cores", file=sys.stderr, flush=True)
        rounds.append(found)
    base = f"local, {workers} processes"
    print(
        f"{options.words:,} words, {options.parts} parts, {model}, {options.rounds} rounds,"
        f" load {os.getloadavg()[0]:.1f}"
    )
    print(f"| what | words/s | speed beside {base} | words/s of a core |\n|---|---|---|---|")
    for name in kinds:
        seconds = statistics.median(each[name][0] for each in rounds)
        cores = statistics.median(each[name][1] for each in rounds)
        ratio = statistics.median(each[base][0] / each[name][0] for each in rounds) if base in kinds else 0
        print(f"| {name} | {options.words / seconds:,.0f} | {ratio:.2f} | {options.words / cores:,.0f} |")


def overhead(folder: Path) -> None:
    """Print what a part costs beside its parse, by the difference between many parts and one."""
    text = "".join(f"Ann saw figs {k}.\n\n" for k in range(TINY)).encode()
    (folder / "a.txt").write_bytes(text)
    found = {}
    for name, size in (("many", "4"), ("one", "1G")):
        timed(folder, "corpus", "plan", "a.txt", "-o", f"{name}.jsonl", "-q", "--part-size", size)
        found[name] = timed(folder, "corpus", "run", f"{name}.jsonl", "english-fast", "-o", name, "-q", "--jobs", "1")
    n_parts = len((folder / "many.jsonl").read_text().splitlines()) - 2
    each = [(many - one) / n_parts * 1000 for many, one in zip(found["many"], found["one"], strict=True)]
    print(f"{n_parts} parts: {each[0]:.1f} ms a part, {each[1]:.1f} ms of a core, load {os.getloadavg()[0]:.1f}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("text", nargs="?", help="raw text, compressed or not")
    arguments.add_argument("--model", default="english-fast")
    arguments.add_argument("--words", type=int, default=2_000_000)
    arguments.add_argument("--parts", type=int, default=32)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--engines", nargs="+", default=["parse", "one", "local", "dask"])
    arguments.add_argument("--overhead", action="store_true")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.overhead:
            overhead(Path(folder))
        elif options.text is None:
            arguments.error("give a text, or --overhead")
        else:
            options.text, options.engines = os.path.abspath(options.text), installed_engines(options.engines)
            compare(options, Path(folder))


if __name__ == "__main__":
    main()
