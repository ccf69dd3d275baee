"""Speed of the steps of a pipeline on one core.

    python benchmarks/english_speed.py GOLD.conllu [MODEL] [--times 8] [--runs 4]

The raw text of GOLD is processed eight times over; printed are words per second of processor time, best of four runs.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from timing import best_time
from treebank_arguments import parser_of_one
from treewright.treebank.blocks.block import Block

import treewright as tw
from treewright.kinds.tokenizer.raw_text import raw_text
from treewright.steps.call import PLAIN
from treewright.steps.reader import blocks_of
from treewright.treebank.files.reading import read_blocks


def main() -> None:
    arguments = parser_of_one(__doc__, 4)
    arguments.add_argument("--times", type=int, default=8, help="copies of the text (8)")
    options = arguments.parse_args()
    model, runs = tw.load(options.model), options.runs
    tagger, parser = model.steps["tagger"], model.steps["parser"]
    text = raw_text(read_blocks(options.gold)).encode() * options.times
    words = list(blocks_of(model, text, "text", PLAIN))
    tagged = [tagger.parse_block(block) for block in words]
    with tempfile.TemporaryDirectory() as place:
        target = Path(place) / "parsed.conllu"
        seconds = {
            "tokenising": best_time(lambda: list(blocks_of(model, text, "text", PLAIN)), runs),
            "tagging with lemmas": best_time(lambda: [tagger.parse_block(block) for block in words], runs),
            "parsing": best_time(lambda: [parser.annotate(block, PLAIN) for block in tagged], runs),
            **graph_times(model, tagged, runs),
            "all steps, to a file": best_time(lambda: model.parse_file(text, target, format="text"), runs),
        }
    n = sum(block.n_words for block in words)
    print(f"{n:,} words")
    for step, taken in seconds.items():
        print(f"{step:21} {n / taken:>10,.0f} words/s")


def graph_times(model: tw.Step, tagged: list[Block], runs: int) -> dict[str, float]:
    """Return the time of enhanced graphs, where the model builds them."""
    if "graph" not in model.steps:
        return {}
    trees = [model.steps["parser"].parse_block(block) for block in tagged]
    return {
        "enhanced graphs": best_time(lambda: [model.steps["graph"].annotate(block, PLAIN) for block in trees], runs)
    }


if __name__ == "__main__":
    main()
