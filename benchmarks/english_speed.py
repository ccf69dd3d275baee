"""Speed of the steps of a pipeline on one core: ``python benchmarks/english_speed.py GOLD.conllu [MODEL]``.

The raw text of GOLD is processed eight times over; printed are words per second of processor time, best of four runs.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import treewright as tw
from treewright.text.pipeline import Pipeline
from treewright.text.tokenizer.raw_text import raw_text
from treewright.treebank.reading import read_blocks

TIMES = 8


def best(run: Callable[[], object], runs: int = 4) -> float:
    seconds = []
    for _ in range(runs):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    return min(seconds)


def main() -> None:
    model = tw.load(sys.argv[2] if len(sys.argv) > 2 else "english")
    assert isinstance(model, Pipeline)
    tagger = model.tagger
    assert tagger is not None
    text = raw_text(read_blocks(sys.argv[1])).encode() * TIMES
    words = list(model.read_text(text))
    tagged = [tagger.tagged(block) for block in words]
    with tempfile.TemporaryDirectory() as place:
        target = Path(place) / "parsed.conllu"
        seconds = {
            "tokenising": best(lambda: list(model.read_text(text))),
            "tagging with lemmas": best(lambda: [tagger.tagged(block) for block in words]),
            "parsing": best(lambda: [model.parser.parse_text_block(block) for block in tagged]),
            "all steps, to a file": best(lambda: model.parse_file(text, target, format="text")),
        }
    n = sum(block.n_words for block in words)
    print(f"{n:,} words")
    for step, taken in seconds.items():
        print(f"{step:21} {n / taken:>10,.0f} words/s")


if __name__ == "__main__":
    main()
