"""Fit the prices of `treewright tune` (apps/tuning/cost.py) to the measured speed of many feature models.

    python benchmarks/template_costs.py TRAIN TEST [--models 16] [--repeats 9]

The bundled models and random parts of `rich`, joint and split, are trained for two rounds and timed in turn on one
core, so that slow moments of the machine hit all of them. The prices are the least squares with no price below zero,
relative to the measured times. Prints them, and each model as measured and as its price says.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy
from scipy.optimize import nnls
from timing import best_time
from treewright.kinds.transition.engines.walk import Scratch
from treewright.treebank.blocks.block import Block

import treewright as tw
from treewright.apps.tuning.cost import Prices, nanoseconds, work_of
from treewright.features.bundled import load_feature_model
from treewright.features.templates import FeatureModel
from treewright.treebank.files.reading import read_blocks

BUNDLED = ("tiny", "lean", "fast", "rich", "zhang-nivre")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("train", type=Path)
    arguments.add_argument("test", type=Path)
    arguments.add_argument("--models", type=int, default=16)
    arguments.add_argument("--repeats", type=int, default=9)
    options = arguments.parse_args()
    blocks = list(read_blocks(str(options.test)))
    feats = feats_per_word(blocks)
    models = [load_feature_model(name) for name in BUNDLED]
    models += [part_of(load_feature_model("rich"), number) for number in range(options.models)]
    runs = [timed(model, options.train, blocks) for model in models]
    best = [float("inf")] * len(models)
    for _ in range(options.repeats):
        best = [min(old, best_time(run, 1)) for old, run in zip(best, runs, strict=True)]
    words = sum(block.n_words for block in blocks)
    measured = [1e9 * seconds / words for seconds in best]
    prices = fitted(models, measured, feats)
    print(prices)
    print("| model | templates | measured, ns a word | by prices |")
    print("|---|---|---|---|")
    for model, found in zip(models, measured, strict=True):
        print(f"| {model.name} | {len(model.templates)} | {found:.0f} | {nanoseconds(model, feats, prices):.0f} |")


def part_of(rich: FeatureModel, number: int) -> FeatureModel:
    """Return a random part of a feature model's templates; every other one decides kinds before relations."""
    chance = random.Random(number)
    share = chance.uniform(0.1, 0.9)
    kept = tuple(template for template in rich.templates if chance.random() < share)
    return replace(rich, name=f"part {number + 1}", templates=kept, decision="split" if number % 2 else "joint")


def timed(model: FeatureModel, train: Path, blocks: list[Block]) -> Callable[[], object]:
    """Train a parser; return what parses all blocks."""
    with tempfile.TemporaryDirectory() as folder:
        features = Path(folder) / "model.features"
        features.write_text(str(model))
        parser = tw.train(train, features=str(features), iterations=2, on_error="fix")
    engine = parser.engine
    engine.extractor.interpret()  # as all models but the bundled ones are
    scratch = Scratch(engine.extractor)
    words = sum(block.n_words for block in blocks)
    heads, labels = array("i", bytes(4 * words)), array("i", bytes(4 * words))
    return lambda: [engine.parse_block(block, heads, labels, scratch) for block in blocks]


def feats_per_word(blocks: list[Block]) -> float:
    """Return how many single features a word has on average."""
    values = [block.value(word, block.layout.feats) for block in blocks for word in range(block.n_words)]
    return sum(0 if value == b"_" else 1 + value.count(b"|") for value in values) / max(1, len(values))


def fitted(models: list[FeatureModel], measured: list[float], feats: float) -> Prices:
    """Return the prices that explain the measured times best."""
    works = [work_of(model, feats) for model in models]
    rows = [(1.0, work.columns, work.addresses, work.values, work.keys, work.rows) for work in works]
    weights = 1 / numpy.array(measured)
    found, _ = nnls(numpy.array(rows) * weights[:, None], numpy.ones(len(rows)))
    return Prices(*(round(float(price), 1) for price in found))


if __name__ == "__main__":
    main()
