"""Tags and lemmas of raw text: ``python benchmarks/tagging.py TREEBANKS en_ewt [--raw FILES]``.

Trains tokeniser and tagger (the parser for one round only: it changes no tag) and prints CoNLL 2018 F1 on dev and test,
the seconds of processor time, and how many words a second get tags and lemmas.

    python benchmarks/tagging.py TREEBANKS el_gdt hu_szeged --searches greedy twice --seeds 1 2 [--rounds 6]

compares ways of choosing tags on dev, with gold tokens: the mean over the seeds, one training each.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import fmean

from treebank_arguments import parser_for
from treewright.treebank.blocks.block import Block

import treewright as tw
from treewright.kinds.tagger.recipe import TaggerRecipe
from treewright.kinds.tagger.tagger import Tagger
from treewright.kinds.tagger.training import column_accuracy, train_tagger
from treewright.kinds.tokenizer.raw_text import raw_text
from treewright.treebank.files.reading import read_blocks

SHOWN = ("Sentences", "Words", "UPOS", "UFeats", "Lemmas")


def main() -> None:
    """Measure one treebank after the other."""
    parser = parser_for(__doc__)
    parser.add_argument("--raw", nargs="+", default=[], help="raw text for word clusters")
    parser.add_argument("--searches", nargs="+", default=[], help="ways of choosing tags to compare on dev")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1], help="of the trainings to compare")
    parser.add_argument("--rounds", type=int, help="of the trainings to compare, if not the usual ones")
    arguments = parser.parse_args()
    for name in arguments.names:
        for search in arguments.searches:
            compare(arguments.treebanks / name, search, arguments.seeds, arguments.rounds)
        if not arguments.searches:
            measure(arguments.treebanks / name, "\n".join(arguments.raw))


def compare(folder: Path, search: str, seeds: list[int], rounds: int | None) -> None:
    """Train with each seed; print the mean share of words of dev, with gold tokens, whose column is right."""
    train, dev = (list(read_blocks(next(folder.glob(f"*{part}.conllu")))) for part in ("train", "dev"))
    found: list[dict[str, float]] = []
    start = time.process_time()
    for seed in seeds:
        recipe = TaggerRecipe(search=search, iterations=rounds, seeds=1, seed=seed)
        found.append(column_accuracy(train_tagger(train, recipe), dev))
    seconds = (time.process_time() - start) / len(seeds)
    shown = " ".join(f"{column} {fmean(each[column] for each in found):.2f}" for column in found[0])
    print(f"{folder.name} dev, {search}, seeds {seeds}: {shown}; {seconds:.1f} s a training with lemmas", flush=True)


def measure(folder: Path, raw: str) -> None:
    """Train on the training part; print a line for dev and one for test."""
    parts = {part: next(folder.glob(f"*{part}.conllu")) for part in ("train", "dev", "test")}
    start = time.process_time()
    model = tw.train_pipeline(parts["train"], jackknife=0, iterations=1, seeds=1, raw=raw)
    seconds = time.process_time() - start
    assert isinstance(model.steps["tagger"], Tagger)
    for part in ("dev", "test"):
        blocks = list(read_blocks(parts[part]))
        with tempfile.TemporaryDirectory() as place:
            parsed = Path(place) / "parsed.conllu"
            model.parse_file(raw_text(blocks).encode(), parsed)
            scores = tw.evaluate(parts[part], parsed).ud
        shown = " ".join(f"{column} {scores[column].f1:.2f}" for column in SHOWN)
        print(
            f"{folder.name} {part}: {shown}; {seconds:.0f} s, {words_a_second(model.steps['tagger'], blocks):,} words/s"
        )


def words_a_second(tagger: Tagger, blocks: list[Block]) -> int:
    """Tag and lemmatise blocks on one core; return the best speed of ten."""
    times = []
    for _ in range(10):
        start = time.process_time()
        for block in blocks:
            tagger.annotate(block)
        times.append(time.process_time() - start)
    return int(sum(block.n_words for block in blocks) / min(times))


if __name__ == "__main__":
    main()
