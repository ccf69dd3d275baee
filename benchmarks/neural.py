"""Neural and hybrid parsers on treebanks: accuracy on test, speed, and what training takes.

    python benchmarks/neural.py TREEBANKS NAME… [--models FOLDER] [--raw-text] [train options, as --hidden 192]

TREEBANKS holds a folder for each treebank, with its train, dev and test files. Without --raw-text, words and tags are
gold, and the network alone is scored beside the hybrid (UAS, LAS: all words, full relations). With it, a pipeline
parses the raw text of test (F1 of the CoNLL 2018 shared task). Models are kept in the folder of --models and not
trained again.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from treebank_arguments import parser_for
from treewright.kinds.transition.learning.corpus import trees_of
from treewright.treebank.blocks.interner import Interner

import treewright as tw
from treewright.apps.cli.declared_arguments import add_recipe_arguments, given_options
from treewright.apps.cli.progress.training_progress import TrainingProgress
from treewright.kinds.network.parser import NeuralParser
from treewright.kinds.pipeline.raw_text_scores import raw_text_scores
from treewright.recipes.catalogue import all_options
from treewright.steps.parser import Parser
from treewright.training.gathering import Gathered, gather


def part(folder: Path, name: str) -> str:
    return str(next(folder.glob(f"*{name}*.conllu")))


def model_of(folder: Path, arguments: argparse.Namespace, options: dict[str, Any]) -> Parser:
    kind = "raw" if arguments.raw_text else "gold"
    path = Path(arguments.models) / f"{folder.name}-{kind}-{options.get('seed', 1)}.tw"
    if not path.exists():
        start = time.process_time()
        files = part(folder, "train"), part(folder, "dev")
        model = tw.train(*files, on_error="fix", observer=TrainingProgress(moves=False), **options)
        model.info["processor_seconds"] = round(time.process_time() - start)
        path.parent.mkdir(parents=True, exist_ok=True)
        model.save(path)
    print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB", end="", flush=True)
    return tw.load(path)


def attachment(parser: Parser, test: Gathered) -> str:
    interner = Interner(parser.relations)
    gold_heads, gold_labels = trees_of(test.blocks, interner)
    start = time.process_time()
    found = [parser.trees(block) for block in test.blocks]
    seconds = time.process_time() - start
    heads = [head for trees in found for head in trees.heads]
    labels = [label for trees in found for label in trees.labels]
    right = [a == b for a, b in zip(heads, gold_heads, strict=True)]
    both = [one and a == b for one, a, b in zip(right, labels, gold_labels, strict=True)]
    n = len(heads)
    return f"UAS {100 * sum(right) / n:.2f} LAS {100 * sum(both) / n:.2f} at {n / seconds:,.0f} words/s"


def main() -> None:
    parser = parser_for(__doc__)
    parser.add_argument("--models", default="build/neural")
    parser.add_argument("--raw-text", action="store_true")
    add_recipe_arguments(parser, leave_out=["pipeline"])
    arguments = parser.parse_args()
    options = {"system": "hybrid", **given_options(arguments, all_options())}
    if arguments.raw_text:
        options["pipeline"] = True
    for name in arguments.names:
        folder = arguments.treebanks / name
        model = model_of(folder, arguments, options)
        print(f", trained in {model.info.get('processor_seconds')} s")
        if arguments.raw_text:
            scores = raw_text_scores(model, gather(part(folder, "test"), on_error="fix"))
            print("  raw text:", scores)
            continue
        assert isinstance(model, NeuralParser)
        test = gather(part(folder, "test"), on_error="fix", single_root=False)
        print(f"  network  {attachment(model.alone(), test)}")
        for member in model.members:
            print(f"  {member.name:8} {attachment(member.parser, test)}")
        print(f"  hybrid   {attachment(model, test)}")


if __name__ == "__main__":
    main()
