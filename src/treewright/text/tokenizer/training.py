"""Training a tokeniser and sentence splitter on the text of a treebank."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from treewright.errors import TreebankError
from treewright.learners.frozen import FrozenWeights, freeze, thaw
from treewright.learners.perceptron import Perceptron
from treewright.recipes.text import TokenizerRecipe
from treewright.text.tokenizer.boundaries import BoundaryModel
from treewright.text.tokenizer.characters import Characters
from treewright.text.tokenizer.multiword_rules import multiword_settings
from treewright.text.tokenizer.online import BoundaryTrainer, count_labels, usual_labels
from treewright.text.tokenizer.raw_text import LabelledText, paragraphs, surface_sentences
from treewright.text.tokenizer.tokenizer import Tokenizer
from treewright.training.gathering import Gathered
from treewright.training.loop import Training
from treewright.training.observer import Score, TrainingObserver
from treewright.training.strategy import Advanced, Strategy, share
from treewright.treebank.block import Block

RARE = 0.0003  # share of another label from which a pair of kinds of characters is worth a decision


class TokenizerStrategy(Strategy[FrozenWeights, Tokenizer]):
    """Learns where tokens and sentences end, character by character."""

    step = "tokeniser"
    counted = "wrong boundaries"
    selects = False
    recipe: TokenizerRecipe

    def __init__(self, recipe: TokenizerRecipe, base: Tokenizer | None = None) -> None:
        self.recipe, self.base = recipe, base
        self.rounds = recipe.iterations
        self.dev: list[LabelledText] = []

    def prepare(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver) -> None:
        """Lay out the text of the treebank, and make what learns."""
        sentences = list(surface_sentences(data.blocks))
        parts = [part for part in paragraphs(sentences) if part.text]
        self.texts = [(Characters(part.text.encode()), part.labels) for part in parts]
        if not self.texts:
            raise TreebankError("no text to learn tokens from", remedy="Give a treebank with sentences")
        self.n_sentences = data.n_sentences
        counts = array("I", bytes(4 * 3 * 3 * 256))
        for text, labels in self.texts:
            count_labels(text, labels, counts)
        old = self.base
        usual = usual_labels(counts, RARE, old.settings["usual"] if old is not None else None)
        spaces_inside = any(" " in token.form for sentence in sentences for token in sentence.tokens)
        spaces_inside = spaces_inside or (old is not None and bool(old.settings["spaces_inside"]))
        self.settings = {
            "usual": list(usual),
            "spaces_inside": spaces_inside,
            "multiwords": multiword_settings(sentences, old.settings["multiwords"] if old is not None else None),
        }
        self.learner = Perceptron(3, 0, self.recipe.cutoff, old.weights.n_lines if old is not None else 0)
        if old is not None:
            thaw(old.weights, self.learner, array("i", [0]))
        self.trainer = BoundaryTrainer(BoundaryModel(self.learner, usual, spaces_inside), self.learner)
        self.random = random.Random(self.recipe.seed)
        if dev is not None:
            self.dev = [part for part in paragraphs(list(surface_sentences(dev.blocks))) if part.text]

    def learn(self, number: int, advanced: Advanced) -> float:
        """Learn for one round; return the share of wrong boundaries."""
        self.random.shuffle(self.texts)
        self.trainer.start_round()
        done = 0
        for place, (text, labels) in enumerate(self.texts, 1):
            self.trainer.learn(text, labels)
            now = self.n_sentences * place // len(self.texts)
            advanced(now - done)
            done = now
        return share(self.trainer.mistakes, self.trainer.decisions)

    @property
    def n_features(self) -> int:
        """How many features have a weight."""
        return len(self.learner)

    def weights(self) -> FrozenWeights:
        """Return the averaged weights."""
        return freeze(self.learner)

    def score(self, weights: FrozenWeights) -> Score:
        """Return the F1 of tokens and sentences."""
        tokens, sentences = boundary_scores(self.finish(weights, {}), self.dev)
        return Score(tokens.f1 + sentences.f1, {"tokens F1": tokens.f1, "sentences F1": sentences.f1})

    def finish(self, weights: FrozenWeights, info: dict[str, Any]) -> Tokenizer:
        """Return the tokeniser."""
        return Tokenizer(self.settings, weights)


def train_tokenizer(blocks: Iterable[Block], recipe: TokenizerRecipe | None = None) -> Tokenizer:
    """Train a tokeniser on the text of a treebank."""
    return Training(TokenizerStrategy(recipe or TokenizerRecipe()), Gathered("data", list(blocks))).run()


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
