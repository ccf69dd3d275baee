"""All learners with one feature model on some treebanks: accuracy, training time, parsing speed, model size.

    python benchmarks/learners.py TREEBANKS_FOLDER en_ewt hu_szeged el_gdt:1000 [--features malt] [--cut 2000]

A treebank is a folder with one *train*, *dev* and *test* file each. Gold tags; LAS counts all words and full relations.
Learners that compare with all instances (libsvm, timbl) learn from the first --cut sentences (`NAME:1000` sets another
number for one treebank); where that is fewer than there are, the others learn from as many in rows of their own, so
that like is compared with like. Memory-based learners parse the first --sample test sentences only; the scores of all
on these stand beside. `--ece` adds the calibration error on dev before and after, and on test. CPU seconds of this
process.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
import warnings
from array import array
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import treewright as tw
from treewright.kinds.transition.calibration import calibration_error
from treewright.steps.call import Call
from treewright.treebank.files.reading import read_blocks


@dataclass(frozen=True)
class Run:
    """A learner with its options."""

    name: str
    choices: dict[str, Any] = field(default_factory=dict)
    whole: bool = True  # learns from the whole treebank
    cut: bool = True  # learns from its first sentences
    slow: bool = False  # parses a sample only


RUNS = (
    Run("perceptron, explore"),
    Run("perceptron, static", {"policy": "static"}),
    Run("liblinear, SVM (-s 4)", {"learner": "liblinear", "policy": "static"}),
    Run("liblinear, SVM, dagger", {"learner": "liblinear", "policy": "dagger"}, cut=False),
    Run("liblinear, logistic regression (-s 7)", {"learner": "liblinear", "learner_options": "-s 7 -c 1"}, whole=False),
    Run("libsvm, split", {"learner": "libsvm", "split_on": "p(input[0])"}, whole=False),
    Run("timbl, IGTREE", {"learner": "timbl", "learner_options": "-a IGTREE"}, whole=False),
    Run("timbl, IB1 (-m O -k 1)", {"learner": "timbl", "learner_options": "-a IB1 -m O -k 1"}, whole=False, slow=True),
    Run("timbl, MVDM (k = 5)", {"learner": "timbl"}, whole=False, slow=True),
)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("names", nargs="+", metavar="NAME[:CUT]")
    arguments.add_argument("--features", default="malt")
    arguments.add_argument("--cut", type=int, default=2000)
    arguments.add_argument("--sample", type=int, default=100)
    arguments.add_argument("--only", nargs="+", default=[""], help="only runs with one of these in the name")
    arguments.add_argument("--skip", nargs="+", default=[], help="leave out runs with one of these in the name")
    arguments.add_argument("--ece", action="store_true", help="errors of calibration, too")
    options = arguments.parse_args()
    warnings.simplefilter("ignore")
    header = ["treebank", "learner", "sentences", "UAS", "LAS", f"LAS, first {options.sample}"]
    header += ["training, s", "tokens/s", "model, MB"] + (["ECE raw", "ECE", "test ECE"] if options.ece else [])
    print(f"| {' | '.join(header)} |\n|{'---|' * len(header)}", flush=True)
    wanted = [
        run
        for run in RUNS
        if any(part in run.name for part in options.only) and not any(part in run.name for part in options.skip)
    ]
    with tempfile.TemporaryDirectory() as temporary:
        for given in options.names:
            name, _, cut = given.partition(":")
            treebank = Treebank(options, Path(temporary), name, int(cut or options.cut))
            for run in wanted:
                for train in treebank.parts(run):
                    print(f"| {' | '.join(row(options, treebank, run, train))} |", flush=True)


class Treebank:
    """The files of one treebank, whole and cut."""

    def __init__(self, options: argparse.Namespace, folder: Path, name: str, cut: int) -> None:
        self.name, self.folder = name, folder
        self.train, self.dev, self.test = (
            next((options.folder / name).glob(f"*{part}*.conllu")) for part in ("train", "dev", "test")
        )
        self.small_train = first(self.train, folder / "small-train.conllu", cut)
        self.sample = first(self.test, folder / "sample.conllu", options.sample)
        self.is_cut = count(self.train) > cut

    def parts(self, run: Run) -> list[Path]:
        """Return the training data of a learner: all, the first sentences, or one after the other."""
        if not self.is_cut:
            return [self.train]
        return [self.train] * run.whole + [self.small_train] * run.cut


def row(options: argparse.Namespace, treebank: Treebank, run: Run, train: Path) -> list[str]:
    """Train, save, load, parse, score."""
    start = time.process_time()
    # Calibration parses dev; learners that need a second per sentence would spend most of the time there.
    dev = treebank.dev if options.ece or run.choices.get("learner") is None or "dagger" in run.name else None
    parser = tw.train(train, None if run.slow else dev, features=options.features, on_error="fix", **run.choices)
    seconds = time.process_time() - start
    model = treebank.folder / "model.tw"
    parser.save(model)
    parser = tw.load(str(model))
    test = treebank.sample if run.slow else treebank.test
    output = treebank.folder / "out.conllu"
    speed = parse(parser, test, output)
    if not run.slow:
        speed = max([speed, *(parse(parser, test, output) for _ in range(0 if speed < 50_000 else 5))])
    scores = tw.evaluate(str(test), str(output))
    on_sample = tw.evaluate(str(treebank.sample), str(first(output, treebank.folder / "part.conllu", options.sample)))
    cells = [treebank.name, run.name, f"{count(train):,}"]
    cells += ["", ""] if run.slow else [f"{scores.uas:.2f}", f"{scores.las:.2f}"]
    cells += [f"{on_sample.las:.2f}", f"{seconds:.1f}", f"{speed:,.0f}", f"{os.path.getsize(model) / 1e6:.2f}"]
    if options.ece:
        known = parser.info.get("calibration")
        errors = [known["ece_before"], known["ece"], test_error(parser, test)] if known else []
        cells += [f"{error:.3f}" for error in errors] or [""] * 3
    return cells


def first(source: Path, target: Path, sentences: int) -> Path:
    """Write the first sentences of a treebank to another file."""
    text = source.read_text(encoding="utf-8")
    target.write_text("\n\n".join(text.split("\n\n")[:sentences]).rstrip("\n") + "\n\n", encoding="utf-8")
    return target


def count(source: Path) -> int:
    """Return how many sentences a treebank has."""
    return sum(block.n_sentences for block in read_blocks(str(source)))


def parse(parser: Any, test: Path, output: Path) -> float:
    """Parse scanned text, write it, and return the tokens per second of parsing alone."""
    blocks = list(read_blocks(str(test)))
    words = sum(block.n_words for block in blocks)
    start = time.process_time()
    parsed = [parser.trees(block)[:3] for block in blocks]
    seconds = time.process_time() - start
    names = [relation.encode() for relation in parser.relations]
    output.write_bytes(b"".join(block.with_tree(heads, labels, names) for block, heads, labels in parsed))
    return words / seconds


def test_error(parser: Any, test: Path) -> float:
    """The calibration error on the test set."""
    confidences, right = array("f"), []
    for block in read_blocks(str(test)):
        trees = parser.trees(block, Call(confidence=True))
        confidences.extend(trees.confidences)
        for number in range(block.n_words):
            relation = block.value(number, block.layout.deprel).decode()
            head = block.value(number, block.layout.head)
            right.append(int(head) == trees.heads[number] and relation == parser.relations[trees.labels[number]])
    return calibration_error(confidences, right)


if __name__ == "__main__":
    main()
