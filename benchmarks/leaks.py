"""Parse millions of sentences in one process, and see whether threads, open files or memory grow.

    python benchmarks/leaks.py [--sentences 2000000] [--kinds arc-eager pipeline exact-1 hybrid]

Each kind of parser gets its share of the sentences, in tasks that alternate: with one thread, with three, generators
that are closed early, readers that break, raw text where the model can split it, models loaded again. The memory after
a tenth of a kind's sentences is compared with that at its end; the models are small ones of tests/every_kind.py.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.every_kind import RAW, save_all, treebank
from treewright.treebank.blocks.block import Block

from treewright.steps.parse_options import TEXT
from treewright.steps.parser import Parser
from treewright.treebank.files.reading import read_blocks

MOST_GROWTH = 16 << 20  # bytes that the allocator may keep


def state() -> tuple[int, int, int]:
    """Return the number of threads and of open files, and the bytes of memory."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return threading.active_count(), len(os.listdir("/proc/self/fd")), pages * os.sysconf("SC_PAGE_SIZE")


def broken(blocks: list[Block]) -> Iterator[Block]:
    yield from blocks
    raise OSError("the disk is gone")


def rounds(path: Path, blocks: list[Block]) -> list[Callable[[], int]]:
    """Return tasks; each does something and returns how many sentences it parsed."""
    parser = Parser.load(path)
    n = sum(block.n_sentences for block in blocks)

    def all_of_them(threads: int) -> int:
        for _ in parser.parse_texts(iter(blocks), threads=threads):
            pass
        return n

    def closed_early() -> int:
        texts = parser.parse_texts(iter(blocks), threads=3)
        next(texts)
        texts.close()
        return blocks[0].n_sentences

    def with_an_error() -> int:
        try:
            list(parser.parse_texts(broken(blocks[:2]), threads=3))
        except OSError:
            return blocks[0].n_sentences + blocks[1].n_sentences
        raise AssertionError("the error of a reader is lost")

    def loaded_again() -> int:
        Parser.load(path).parse_text_block(blocks[0])
        return blocks[0].n_sentences

    found = [lambda: all_of_them(1), lambda: all_of_them(3), closed_early, with_an_error, loaded_again]
    if TEXT in parser.capabilities:
        found.append(lambda: len(list(parser.parse_text(RAW * 100))))  # type: ignore[attr-defined]
    return found


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sentences", type=int, default=2_000_000)
    arguments.add_argument("--kinds", nargs="+", default=["arc-eager", "pipeline", "exact-1", "hybrid"])
    options = arguments.parse_args()
    warnings.simplefilter("ignore")
    share, total, failed = options.sentences // len(options.kinds), 0, False
    blocks = list(read_blocks(treebank() * 400, block_bytes=100_000))
    print("| parser | sentences | threads | open files | MB after a tenth | MB at the end |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        models = save_all(Path(folder), options.kinds)
        for kind in options.kinds:
            tasks, done, number = rounds(models[kind], blocks), 0, 0
            warm: tuple[int, int, int] | None = None
            while done < share:
                done += tasks[number % len(tasks)]()
                number += 1
                if warm is None and done >= share / 10 and number >= 2 * len(tasks):
                    warm = state()
            end = state()
            warm = warm or end
            failed |= end[:2] != warm[:2] or end[2] - warm[2] > MOST_GROWTH
            changes = [f"{before} → {after}" for before, after in zip(warm[:2], end[:2], strict=True)]
            memory = [f"{each[2] / (1 << 20):.1f}" for each in (warm, end)]
            print(f"| {kind} | {done:,} | {' | '.join(changes)} | {' | '.join(memory)} |", flush=True)
            total += done
    print(f"{total:,} sentences: {'something grew' if failed else 'nothing grew'}")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
