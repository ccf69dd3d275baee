"""What it costs that the steps of a pipeline hand over text: printed by one step, scanned again by the next.

    python benchmarks/handover.py MODEL FILE [--repeats 3]

Runs tokeniser, tagger and parser over a raw text, step by step in one thread, and prints the CPU time of each (the
least of the repeats), and of what would not be needed if the steps shared one block: the scan of the tokeniser's and
of the tagger's text (measured), and printing them (estimated by what it takes to print the same text with a tree).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from treewright.treebank.blocks.block import Block

import treewright
from treewright.kinds.tagger.tagger import Tagger
from treewright.steps.call import PLAIN
from treewright.steps.parser import as_bytes
from treewright.steps.pipeline import Pipeline
from treewright.steps.reader import blocks_of
from treewright.treebank.files.text_format import RAW

Result = TypeVar("Result")


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def scanned(blocks: list[Block]) -> list[Block]:
    return [Block(bytes(block.data), block.layout, block.source) for block in blocks]


def printed(pipeline: Pipeline, blocks: list[Block]) -> list[bytes]:
    relations = as_bytes(pipeline.relations)
    nothing = [(bytes(4 * block.n_words),) * 2 for block in blocks]
    return [
        block.with_tree(memoryview(heads).cast("i"), memoryview(labels).cast("i"), relations)
        for block, (heads, labels) in zip(blocks, nothing, strict=True)
    ]


def run(pipeline: Pipeline, text: bytes) -> tuple[int, dict[str, float]]:
    tagger, parser, seconds = pipeline.steps["tagger"], pipeline.steps["parser"], {}
    assert isinstance(tagger, Tagger)
    seconds["tokenise"], tokens = timed(lambda: list(blocks_of(pipeline, text, RAW, PLAIN)))
    seconds["tag"], tagged = timed(lambda: [tagger.tagged(block) for block in tokens])
    seconds["parse"], _ = timed(lambda: [parser.annotate(block, PLAIN) for block in tagged])
    seconds["scan twice"] = timed(lambda: (scanned(tokens), scanned(tagged)))[0]
    seconds["print twice"] = timed(lambda: (printed(pipeline, tokens), printed(pipeline, tagged)))[0]
    return sum(block.n_words for block in tokens), seconds


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("model")
    arguments.add_argument("text", type=Path)
    arguments.add_argument("--repeats", type=int, default=3)
    options = arguments.parse_args()
    pipeline = treewright.load(options.model)
    assert isinstance(pipeline, Pipeline), "the model has no tokeniser and tagger"
    runs = [run(pipeline, options.text.read_bytes()) for _ in range(options.repeats)]
    n_words, least = runs[0][0], {step: min(seconds[step] for _, seconds in runs) for step in runs[0][1]}
    total = sum(least[step] for step in ("tokenise", "tag", "parse"))
    print(f"{n_words:,} words in {total:.2f} s of CPU time, {n_words / total:,.0f} words a second")
    for step, seconds in least.items():
        print(f"{step:12} {seconds:8.3f} s {100 * seconds / total:6.1f} %")


if __name__ == "__main__":
    main()
