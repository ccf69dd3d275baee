"""treewright, as another runner."""

from __future__ import annotations

import argparse
from typing import Any

from measured import best_speed, main


def train(options: argparse.Namespace) -> dict[str, Any]:
    import warnings

    import treewright as tw

    warnings.simplefilter("ignore")
    choices: dict[str, Any] = dict(options.choices)
    if "beam" in choices:
        choices["beam"] = int(choices["beam"])
    tw.train(options.train, options.dev, on_error="fix", **choices).save(options.model)
    return {}


def parse(options: argparse.Namespace) -> float:
    import treewright as tw
    from treewright.treebank.files.reading import read_blocks

    parser = tw.load(options.model)
    if options.choices.get("alone"):
        parser = parser.alone()  # the network of a hybrid, without those who vote beside it
    blocks = list(read_blocks(options.test))
    tokens = sum(block.n_words for block in blocks)
    best_speed(tokens, lambda: parser.parse_block(blocks[0]), passes=1)  # memory is touched for the first time
    speed, _ = best_speed(tokens, lambda: [parser.parse_block(block) for block in blocks], passes=9)
    parser.parse_file(options.test, options.output)
    return speed


if __name__ == "__main__":
    main(train, parse)
