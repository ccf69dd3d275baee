"""Parsing speed of the transition systems and of beams, side by side in one run.

    python benchmarks/systems.py TRAIN DEV TEST [--rounds 15] [--features rich]
        [--compare system=arc-hybrid system=easy-first beam=8,system=arc-eager]

Parsing alone, from scanned text to heads and relations, in CPU time; runs alternate, and the best of several counts
for each. Ratios are those to the first row.
"""

from __future__ import annotations

import argparse
import time
from array import array
from pathlib import Path

import treewright as tw
from treewright.kinds.transition.parser import TransitionParser
from treewright.treebank.files.reading import read_blocks

RECIPES = [
    "system=arc-hybrid",
    "system=arc-eager",
    "system=arc-standard",
    "system=covington-projective",
    "system=covington",
    "system=easy-first",
    "system=arc-eager,beam=4",
    "system=arc-eager,beam=8",
    "system=arc-eager,beam=16",
]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("train", type=Path)
    arguments.add_argument("dev", type=Path)
    arguments.add_argument("test", type=Path)
    arguments.add_argument("--features", default="rich")
    arguments.add_argument("--rounds", type=int, default=15)
    arguments.add_argument("--repeats", type=int, default=7)
    arguments.add_argument("--compare", nargs="+", default=RECIPES)
    options = arguments.parse_args()
    parsers = {recipe: trained(recipe, options) for recipe in options.compare}
    best = dict.fromkeys(parsers, 0.0)
    for _ in range(options.repeats):
        for recipe, parser in parsers.items():
            best[recipe] = max(best[recipe], speed(parser, options.test))
    first = best[options.compare[0]]
    print("| parser | dev LAS | tokens/s | ratio |")
    print("|---|---|---|---|")
    for recipe, parser in parsers.items():
        ratio = best[recipe] / first
        print(f"| {recipe} | {parser.info['dev']['las']:.2f} | {best[recipe]:,.0f} | {ratio:.2f} |")


def trained(recipe: str, options: argparse.Namespace) -> TransitionParser:
    """Train a parser by a recipe such as ``system=arc-eager,beam=8``."""
    choices = dict(pair.split("=") for pair in recipe.split(","))
    parser = tw.train(
        options.train,
        options.dev,
        system=choices["system"],
        beam=int(choices.get("beam", 1)),
        features=options.features,
        iterations=options.rounds,
        on_error="fix",
    )
    assert isinstance(parser, TransitionParser)
    return parser


def speed(parser: TransitionParser, test: Path) -> float:
    """Tokens per second of parsing scanned blocks, CPU time."""
    blocks = list(read_blocks(str(test)))
    scratch = parser.engine.new_scratch()
    words = max(block.n_words for block in blocks)
    heads, labels = array("i", bytes(4 * words)), array("i", bytes(4 * words))
    start = time.process_time()
    for block in blocks:
        parser.engine.parse_block(block, heads, labels, scratch)
    return sum(block.n_words for block in blocks) / (time.process_time() - start)


if __name__ == "__main__":
    main()
