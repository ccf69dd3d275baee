"""What rules of valid trees bring and cost: the table of docs/how-to/valid-trees.md.

    python benchmarks/tree_rules.py TREEBANKS NAME… [--models FOLDER] [--judged dev test]

Trains a pipeline with default options on each treebank, or reads NAME.tw from a folder of models, and gives it the
rules of the treebank. Prints, without and with rules, the errors that the official validator finds at level 3 and LAS,
with predicted tags. Where a treebank has no training part, dev is trained on, and test judged.
"""

from __future__ import annotations

import runpy
import tempfile
from collections.abc import Callable
from pathlib import Path

from treebank_arguments import parser_for

import treewright as tw
from treewright.steps.step import Step
from treewright.systems.rules.learning import learn_rules
from treewright.treebank.checks.official_validation import OfficialValidator
from treewright.treebank.files.reading import read_blocks

TOOLS = Path(__file__).parents[1] / "tools"


def main() -> None:
    """Measure one treebank after the other."""
    parser = parser_for(__doc__)
    parser.add_argument("--models", type=Path, help="a folder with NAME.tw for each treebank")
    parser.add_argument("--judged", nargs="+", default=["dev"], choices=("dev", "test"))
    arguments = parser.parse_args()
    with_rules: Callable[..., Step] = runpy.run_path(str(TOOLS / "learn_rules.py"))["with_rules"]
    print("| treebank | sentences | errors in gold | errors | with rules | LAS | with rules | UPOS | with rules |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name in arguments.names:
        parts = {part: next((arguments.treebanks / name).glob(f"*-{part}.conllu"), None) for part in ("train", "dev")}
        learnt = parts["train"] or parts["dev"]
        given = arguments.models / f"{name}.tw" if arguments.models else None
        model = tw.load(str(given)) if given else tw.train_pipeline(str(learnt), parts["train"] and str(parts["dev"]))
        ruled = with_rules(model, learn_rules(read_blocks(str(learnt))))
        for part in arguments.judged if parts["train"] else ["test"]:
            judge(f"{name} {part}", next((arguments.treebanks / name).glob(f"*-{part}.conllu")), model, ruled)


def judge(name: str, gold: Path, model: Step, ruled: Step) -> None:
    """Print a row of the table."""
    with tempfile.TemporaryDirectory() as place:
        found = []
        for step in (model, ruled):
            parsed = Path(place) / "parsed.conllu"
            step.parse_file(gold, parsed, tag=True)
            scores = tw.evaluate(gold, parsed)
            found.append((errors_in(parsed), f"{scores.las:.2f}", f"{scores.ud['UPOS'].f1:.2f}"))
    sentences = sum(block.n_sentences for block in read_blocks(str(gold)))
    figures = [f"{one} | {other}" for one, other in zip(*found, strict=True)]
    print(f"| {name} | {sentences:,} | {errors_in(gold)} | {' | '.join(figures)} |", flush=True)


def errors_in(path: Path) -> int:
    """Return how many errors the official validator finds at level 3."""
    report = OfficialValidator(3, None).check(str(path), 0, lambda problem: None)
    return report.errors


if __name__ == "__main__":
    main()
