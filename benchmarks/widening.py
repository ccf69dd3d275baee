"""What sentences made of a treebank's trees bring: ``python benchmarks/widening.py TREEBANKS en_ewt --widen none all``.

Trains a small pipeline (one training of each step, few rounds, `lean` features) for every value of ``--widen`` and
prints the seconds of processor time, scores on raw text of dev, and how many plain sentences of the language are wrong
where there is a suite. ``--without`` leaves out a genre, the first part of sent_id, and scores on that genre of dev.
"""

from __future__ import annotations

import time
from pathlib import Path

from plain_sentences import SUITE, sentences_of, wrong_by_kind
from treebank_arguments import parser_for

import treewright as tw
from treewright.kinds.pipeline.raw_text_scores import raw_text_scores
from treewright.training.gathering import gather
from treewright.training.observer import TrainingObserver
from treewright.treebank.files.reading import read_blocks

SMALL = {
    "speed": "fastest",
    "seeds": 1,
    "jackknife": 2,
    "tagger_seeds": 1,
    "tagger_iterations": 6,
    "tokenizer_seeds": 1,
    "tokenizer_iterations": 4,
}
SHOWN = ("Sentences", "UPOS", "UFeats", "Lemmas", "UAS", "LAS")
LANGUAGES = {"en": SUITE, "it": SUITE.with_name("plain_italian.txt")}


def main() -> None:
    """Measure one treebank after the other."""
    parser = parser_for(__doc__)
    parser.add_argument("--widen", nargs="+", default=["none", "all"])
    parser.add_argument("--without", nargs="+", default=[""], help="genres to learn without, and to score on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--search", default="twice", help="how the tagger chooses tags")
    parser.add_argument("--rounds", type=int, help="of all steps, if not the usual ones here")
    arguments = parser.parse_args()
    options = {**SMALL, "seed": arguments.seed, "tagger_search": arguments.search}
    if arguments.rounds:
        options |= {f"{step}iterations": arguments.rounds for step in ("", "tagger_", "tokenizer_")}
    for name in arguments.names:
        train, dev = (next((arguments.treebanks / name).glob(f"*-{part}.conllu")) for part in ("train", "dev"))
        for genre in arguments.without:
            learnt = part_of(train, genre, False)
            judged = gather(part_of(dev, genre, True))
            for widen in arguments.widen:
                start = time.process_time()
                model = tw.train_pipeline(learnt, observer=TrainingObserver(), widen=widen, **options)
                seconds = time.process_time() - start
                scores = raw_text_scores(model, judged)
                shown = " ".join(f"{score} {scores[score]:.2f}" for score in SHOWN if score in scores)
                where = f"{name} without {genre}" if genre else name
                print(f"{where}, {widen}: {shown}{plain(name, model)}; {seconds:.0f} s", flush=True)


def part_of(treebank: Path, genre: str, inside: bool) -> bytes:
    """Return the sentences of a treebank that are, or are not, of a genre; without one, all."""
    return b"".join(
        block.text_of(number)
        for block in read_blocks(treebank)
        for number in range(block.n_sentences)
        if not genre or block.sent_id(number).startswith(f"{genre}-") == inside
    )


def plain(name: str, model: tw.Step) -> str:
    """Return how many plain sentences are wrong, where the treebank's language has a suite."""
    suite = LANGUAGES.get(name.partition("_")[0])
    if suite is None:
        return ""
    sentences = list(sentences_of(suite))
    return f", plain {sum(map(len, wrong_by_kind(model, sentences).values()))} of {len(sentences)} wrong"


if __name__ == "__main__":
    main()
