"""SuPar's biaffine parser, with words, characters and UPOS as its input.

By default it has two BiLSTM layers of 200 units each way, not its own three of 400, and small batches: with those it
takes hours of a core to learn what it can from a treebank of 1,000 sentences.
"""

from __future__ import annotations

import argparse
import functools
from typing import Any

from measured import Row, best_speed, main, sentences, write

BATCH = 500  # words
#: how it learns by default (its biaffine-dep-en.ini)
LEARNING = {
    "lr": 2e-3,
    "mu": 0.9,
    "nu": 0.9,
    "eps": 1e-12,
    "weight_decay": 0,
    "decay": 0.75,
    "decay_steps": 5000,
    "checkpoint": False,
}


def parser_class() -> Any:
    import torch
    from supar.parsers.dep import BiaffineDependencyParser

    torch.set_num_threads(1)
    torch.load = functools.partial(torch.load, weights_only=False)  # its files hold more than weights
    return BiaffineDependencyParser


def plain(path: str, out: str) -> str:
    """Write a treebank without comments, multiword tokens and empty nodes, which SuPar does not skip everywhere."""
    write(out, list(sentences(path)))
    return out


def train(options: argparse.Namespace) -> dict[str, Any]:
    kind = parser_class()
    train_file, dev_file = plain(options.train, f"{options.model}.train"), plain(options.dev, f"{options.model}.dev")
    files = {"train": train_file, "dev": dev_file, "test": dev_file}
    layers, units = int(options.choices.get("layers", 2)), int(options.choices.get("units", 200))
    network = {"feat": ["tag", "char"], "embed": None, "encoder": "lstm", "min_freq": 2, "fix_len": 20}
    network |= {"n_lstm_layers": layers, "n_lstm_hidden": units}
    made = kind.build(options.model, build=True, **network, **LEARNING, **files)
    epochs = int(options.choices.get("epochs", 50))
    made.train(**files, epochs=epochs, patience=15, batch_size=BATCH, tree=True, punct=True, verbose=False)
    return {"note": f"{layers} layers of {units}, at most {epochs} epochs"}


def parse(options: argparse.Namespace) -> float:
    kind = parser_class()
    made, gold = kind.load(options.model), list(sentences(options.test))
    test_file = plain(options.test, f"{options.output}.plain")
    tokens = sum(len(rows) for rows in gold)
    predict = functools.partial(made.predict, test_file, pred=options.output, tree=True, verbose=False)
    speed, _ = best_speed(tokens, predict, passes=3)
    found: list[list[Row]] = list(sentences(options.output))
    merged = [
        [[*row[:6], *own[6:8], *row[8:]] for row, own in zip(rows, other, strict=True)]
        for rows, other in zip(gold, found, strict=True)
    ]
    write(options.output, merged)
    return speed


if __name__ == "__main__":
    main(train, parse)
