"""What a step of learning takes: with the compiled parts of it, and with PyTorch alone, alternating in one run.

    python benchmarks/neural_training.py TRAIN.conllu [--steps 50] [--rounds 6]

Compiled are the steps of LSTMs, and AdamW for the rows of tables that a batch reads. Without
them, PyTorch does both, for whole tables. Prints CPU milliseconds a step, the best of all rounds, on one thread.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator

import torch

from treewright.kinds.network.learning import lazy_rows, torch_lstm
from treewright.kinds.network.learning.batches import Batch
from treewright.kinds.network.learning.learning import Learning
from treewright.kinds.network.recipe import NeuralRecipe
from treewright.kinds.network.training import NeuralStrategy
from treewright.training.gathering import gather
from treewright.training.observer import TrainingObserver

COMPILED = torch_lstm.can_be_compiled


def choose(is_compiled: bool) -> None:
    """Let the compiled parts be used, or not."""
    chosen = COMPILED if is_compiled else lambda values: False
    torch_lstm.can_be_compiled = lazy_rows.can_be_compiled = chosen


def made(path: str, is_compiled: bool) -> Learning:
    choose(is_compiled)
    strategy = NeuralStrategy(NeuralRecipe())
    strategy.prepare(gather(path, on_error="fix"), None, TrainingObserver())
    strategy.learning.network.train()
    return strategy.learning


def endless(learning: Learning) -> Iterator[Batch]:
    order = random.Random(1)
    while True:
        yield from learning.corpus.batches(learning.recipe.batch_words, order)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train")
    parser.add_argument("--steps", type=int, default=50, help="a round")
    parser.add_argument("--rounds", type=int, default=6)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    ways = {name: made(arguments.train, name == "compiled") for name in ("compiled", "plain")}
    batches = {name: endless(learning) for name, learning in ways.items()}
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(arguments.rounds):
        for name, learning in ways.items():
            choose(name == "compiled")
            start = time.process_time()
            for _ in range(arguments.steps):
                learning._step(next(batches[name]), 0.1)
            best[name] = min(best[name], (time.process_time() - start) / arguments.steps)
    for name, seconds in best.items():
        print(f"{name:8} {1000 * seconds:.1f} ms a step")
    print(f"ratio    {best['plain'] / best['compiled']:.2f}")


if __name__ == "__main__":
    main()
