"""From treebank to tokeniser."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from treewright.errors import TreebankError
from treewright.learners.frozen import freeze
from treewright.learners.perceptron import Perceptron
from treewright.text.tokenizer.boundaries import BoundaryModel
from treewright.text.tokenizer.characters import Characters
from treewright.text.tokenizer.multiword_rules import multiword_settings
from treewright.text.tokenizer.online import BoundaryTrainer, count_labels, usual_labels
from treewright.text.tokenizer.raw_text import LabelledText, paragraphs, surface_sentences
from treewright.text.tokenizer.tokenizer import Tokenizer
from treewright.treebank.block import Block

ROUNDS = 10
CUTOFF = 2
RARE = 0.0003  # share of another label from which a pair of kinds of characters is worth a decision


@dataclass
class BoundaryScores:
    """How many boundaries there are, were found, and are right."""

    gold: int = 0
    found: int = 0
    right: int = 0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, in per cent."""
        return 200 * self.right / max(1, self.gold + self.found)


def train_tokenizer(
    blocks: Iterable[Block], *, rounds: int = ROUNDS, seed: int = 1, tell: Callable[[str], None] | None = None
) -> Tokenizer:
    """Train a tokeniser on the text of a treebank."""
    sentences = list(surface_sentences(blocks))
    texts = [(Characters(part.text.encode()), part.labels) for part in paragraphs(sentences) if part.text]
    if not texts:
        raise TreebankError("no text to learn tokens from", remedy="Give a treebank with sentences")
    counts = array("I", bytes(4 * 3 * 3 * 256))
    for text, labels in texts:
        count_labels(text, labels, counts)
    usual = usual_labels(counts, RARE)
    spaces_inside = any(" " in token.form for sentence in sentences for token in sentence.tokens)
    learner = Perceptron(3, 0, CUTOFF)
    trainer = BoundaryTrainer(BoundaryModel(learner, usual, spaces_inside), learner)
    order = random.Random(seed)
    for number in range(1, rounds + 1):
        order.shuffle(texts)
        trainer.start_round()
        for text, labels in texts:
            trainer.learn(text, labels)
        if tell is not None:
            tell(f"tokeniser {number:3d}/{rounds}  wrong boundaries {trainer.mistakes:,} of {trainer.decisions:,}")
    settings = {
        "usual": list(usual),
        "spaces_inside": spaces_inside,
        "multiwords": multiword_settings(sentences),
    }
    return Tokenizer(settings, freeze(learner))


def boundary_scores(tokenizer: Tokenizer, texts: Iterable[LabelledText]) -> tuple[BoundaryScores, BoundaryScores]:
    """Return how well tokens and sentences are found in texts."""
    tokens, sentences = BoundaryScores(), BoundaryScores()
    for text, labels in texts:
        found = tokenizer.label(Characters(text.encode()), "raw")
        for least, scores in ((1, tokens), (2, sentences)):
            gold_spans, found_spans = _spans(labels, least), _spans(found, least)
            scores.gold += len(gold_spans)
            scores.found += len(found_spans)
            scores.right += len(gold_spans & found_spans)
    return tokens, sentences


def _spans(labels: bytearray, least: int) -> set[tuple[int, int]]:
    spans, start = set(), 0
    for place, value in enumerate(labels):
        if value >= least:
            spans.add((start, place))
            start = place
    return spans
