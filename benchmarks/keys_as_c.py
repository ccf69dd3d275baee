"""Greedy parsers whose feature model runs as C, beside the same ones that interpret it: time, and the same trees.

    python benchmarks/keys_as_c.py INPUT MODEL… [--repeats 25]

Both ways alternate in one process; the best of all repeats counts, in nanoseconds of CPU time a word.
"""

from __future__ import annotations

import argparse
import time
from array import array
from pathlib import Path

from treewright.kinds.transition.engines.walk import Scratch
from treewright.treebank.blocks.block import Block

import treewright as tw
from treewright.treebank.files.reading import read_blocks


class Timed:
    """A parser that parses the same blocks again and again."""

    def __init__(self, model: str, blocks: list[Block], is_interpreted: bool) -> None:
        self.engine, self.blocks = tw.load(model).steps["parser"].engine, blocks
        if not self.engine.extractor.as_c:
            raise SystemExit(f"{model}: its feature model has no C")
        if is_interpreted:
            self.engine.extractor.interpret()
        self.scratch, self.best = Scratch(self.engine.extractor), float("inf")
        self.words = sum(block.n_words for block in blocks)
        self.trees = tuple(array("i", bytes(4 * self.words)) for _ in range(2))

    def run(self) -> None:
        """Parse all blocks once."""
        start = time.process_time()
        for block in self.blocks:
            self.engine.parse_block(block, *self.trees, self.scratch)
        self.best = min(self.best, (time.process_time() - start) / self.words)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("input", type=Path)
    arguments.add_argument("models", nargs="+")
    arguments.add_argument("--repeats", type=int, default=25)
    options = arguments.parse_args()
    blocks = list(read_blocks(str(options.input)))
    for model in options.models:
        interpreted, compiled = Timed(model, blocks, True), Timed(model, blocks, False)
        for _ in range(options.repeats):
            interpreted.run()
            compiled.run()
        same = "the same trees" if interpreted.trees == compiled.trees else "OTHER TREES"
        ratio = compiled.best / interpreted.best
        print(
            f"{Path(model).stem}: interpreted {1e9 * interpreted.best:.0f} ns, as C {1e9 * compiled.best:.0f} ns"
            f" ({ratio:.2f}), {same}",
            flush=True,
        )


if __name__ == "__main__":
    main()
