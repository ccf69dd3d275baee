"""Speed of the steps of a pipeline on one core: ``python benchmarks/english_speed.py GOLD.conllu [MODEL]``.

The raw text of GOLD is processed eight times over; printed are words per second of processor time, best of four runs.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from timing import best_time

import treewright as tw
from treewright.kinds.tagger.tagger import Tagger
from treewright.kinds.tokenizer.raw_text import raw_text
from treewright.steps.call import PLAIN
from treewright.steps.pipeline import Pipeline
from treewright.steps.text import blocks_of
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.text_format import RAW

TIMES = 8
RUNS = 4


def main() -> None:
    model = tw.load(sys.argv[2] if len(sys.argv) > 2 else "english")
    assert isinstance(model, Pipeline)
    tagger, parser = model.steps["tagger"], model.steps["parser"]
    assert isinstance(tagger, Tagger)
    text = raw_text(read_blocks(sys.argv[1])).encode() * TIMES
    words = list(blocks_of(model, text, RAW, PLAIN))
    tagged = [tagger.tagged(block) for block in words]
    with tempfile.TemporaryDirectory() as place:
        target = Path(place) / "parsed.conllu"
        seconds = {
            "tokenising": best_time(lambda: list(blocks_of(model, text, RAW, PLAIN)), RUNS),
            "tagging with lemmas": best_time(lambda: [tagger.tagged(block) for block in words], RUNS),
            "parsing": best_time(lambda: [parser.annotate(block, PLAIN) for block in tagged], RUNS),
            "all steps, to a file": best_time(lambda: model.parse_file(text, target, format="text"), RUNS),
        }
    n = sum(block.n_words for block in words)
    print(f"{n:,} words")
    for step, taken in seconds.items():
        print(f"{step:21} {n / taken:>10,.0f} words/s")


if __name__ == "__main__":
    main()
