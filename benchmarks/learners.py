"""All learners with one feature model on some treebanks: accuracy, training time, speed, size, calibration.

    python benchmarks/learners.py TREEBANKS_FOLDER en_ewt el_gdt hu_szeged [--features malt] [--cut 2000]

A treebank is a folder with one *train*, *dev* and *test* file each. Gold tags; LAS counts all words and full relations.
libsvm and timbl learn from the first --cut sentences, the others from all; those two parse --sample test sentences at
most, and the others' scores on all are given beside. CPU seconds of this process.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
import warnings
from array import array
from pathlib import Path
from typing import Any

import treewright as tw
from treewright.training.calibration import calibration_error
from treewright.treebank.reading import read_blocks

SLOW = ("libsvm", "timbl")
RUNS: dict[str, dict[str, Any]] = {
    "perceptron, explore": {},
    "perceptron, static": {"policy": "static"},
    "liblinear, SVM (-s 4)": {"learner": "liblinear"},
    "liblinear, SVM, dagger": {"learner": "liblinear", "policy": "dagger"},
    "liblinear, maximum entropy (-s 7)": {"learner": "liblinear", "learner_options": "-s 7 -c 1"},
    "libsvm, split": {"learner": "libsvm", "split_on": "p(input[0])"},
    "timbl, IGTREE": {"learner": "timbl", "learner_options": "-a IGTREE"},
    "timbl, MVDM": {"learner": "timbl"},
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("names", nargs="+")
    arguments.add_argument("--features", default="malt")
    arguments.add_argument("--cut", type=int, default=2000)
    arguments.add_argument("--sample", type=int, default=200)
    arguments.add_argument("--only", nargs="+", default=[""], help="runs whose names contain one of these")
    options = arguments.parse_args()
    warnings.simplefilter("ignore")
    print("| treebank | learner | UAS | LAS | training, s | tokens/s | model, MB | ECE raw | ECE | test ECE |")
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        for name in options.names:
            for run, choices in RUNS.items():
                if any(part in run for part in options.only):
                    print(row(options, Path(temporary), name, run, choices), flush=True)


def row(options: argparse.Namespace, folder: Path, name: str, run: str, choices: dict[str, Any]) -> str:
    """Train, save, load, parse, score."""
    train, dev, test = (next((options.folder / name).glob(f"*{part}*.conllu")) for part in ("train", "dev", "test"))
    if choices.get("learner") in SLOW:
        train = first(train, folder / "train.conllu", options.cut)
        dev = first(dev, folder / "dev.conllu", options.sample)
        test = first(test, folder / "test.conllu", options.sample)
    start = time.process_time()
    parser = tw.train(train, dev, features=options.features, on_error="fix", **choices)
    seconds = time.process_time() - start
    parser.save(folder / "model.tw")
    parser = tw.load(str(folder / "model.tw"))
    speed = max(tokens_per_second(parser, test) for _ in range(1 if choices.get("learner") in SLOW else 5))
    parser.parse_file(test, folder / "out.conllu")
    scores = tw.evaluate(str(test), str(folder / "out.conllu"))
    known = parser.info["calibration"]
    return (
        f"| {name} | {run} | {scores.uas:.2f} | {scores.las:.2f} | {seconds:.1f} | {speed:,.0f}"
        f" | {os.path.getsize(folder / 'model.tw') / 1e6:.2f} | {known['ece_before']:.3f} | {known['ece']:.3f}"
        f" | {test_error(parser, test):.3f} |"
    )


def first(source: Path, target: Path, sentences: int) -> Path:
    """Write the first sentences of a treebank to another file."""
    text = source.read_text(encoding="utf-8")
    target.write_text("\n\n".join(text.split("\n\n")[:sentences]).rstrip("\n") + "\n\n", encoding="utf-8")
    return target


def tokens_per_second(parser: Any, test: Path) -> float:
    """Parsing alone, of scanned text."""
    blocks = list(read_blocks(str(test)))
    words = sum(block.n_words for block in blocks)
    start = time.process_time()
    for block in blocks:
        parser.parse_block(block)
    return words / (time.process_time() - start)


def test_error(parser: Any, test: Path) -> float:
    """The calibration error on the test set."""
    sure, confidences, right = parser.with_confidence(), array("f"), []
    for block in read_blocks(str(test)):
        _, heads, labels, found = sure.parse_with_confidence(block)
        confidences.extend(found)
        for number in range(block.n_words):
            relation = block.value(number, block.layout.deprel).decode()
            head = block.value(number, block.layout.head)
            right.append(int(head) == heads[number] and relation == sure.relations[labels[number]])
    return calibration_error(confidences, right)


if __name__ == "__main__":
    main()
