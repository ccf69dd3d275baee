"""Training a tokeniser and sentence splitter on the text of a treebank."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from treewright.errors import TreebankError
from treewright.features.word_clusters import WordClusters
from treewright.kinds.tokenizer.augmentation import NO_CAPITALS, NO_STOPS, Variant, variants
from treewright.kinds.tokenizer.boundaries.alphabet import known_characters
from treewright.kinds.tokenizer.boundaries.boundaries import (
    CELL_COUNT,
    SPAN_COUNT,
    BoundaryModel,
    read_labels,
    write_labels,
)
from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.boundaries.lexicon import word_classes
from treewright.kinds.tokenizer.boundaries.lines import LineStyle
from treewright.kinds.tokenizer.multiwords.multiword_candidates import with_guesses
from treewright.kinds.tokenizer.multiwords.multiword_guesses import SplitTrainer
from treewright.kinds.tokenizer.multiwords.multiword_rules import multiword_settings
from treewright.kinds.tokenizer.multiwords.multiwords import MultiwordTable
from treewright.kinds.tokenizer.online import BoundaryTrainer, LabelCounts, labels_of, matching_spans
from treewright.kinds.tokenizer.raw_text import LabelledText, SurfaceSentence, label, paragraphs, surface_sentences
from treewright.kinds.tokenizer.recipe import TokenizerRecipe
from treewright.kinds.tokenizer.tokenizer import Tokenizer
from treewright.learners.estimator import Estimator
from treewright.learners.frozen import FrozenWeights, freeze, thaw
from treewright.learners.perceptron import Perceptron
from treewright.steps.step import Step
from treewright.training.cluster_training import kept_clusters
from treewright.training.gathering import Gathered
from treewright.training.loop import Training
from treewright.training.observer import DevScore, TrainingObserver
from treewright.training.repeated import MeanOfTrainings, RepeatedTraining, number_of_trainings
from treewright.training.strategy import Advanced, Strategy, going_on_from, share
from treewright.treebank.blocks.block import Block

RARE = 0.001  # share of another label from which a pair of kinds of characters is worth a decision
LEAST_CHARACTERS = 3  # times that a character must occur to be known
LEAST_WORDS = 2  # times that a word must occur to be known
SMALLEST, MANY = 1.0, 100_000  # smallest weight kept, if there are more features than this
EAGER, STEPS = 512.0, 12  # most that is added to scores in text without punctuation; halvings until it is found
SEEDS_OF_LARGE = 5  # trainings on a large treebank: ends of sentences are few even there
GAPS = 5  # kinds of gaps between characters: none, and spaces in text that lacks 0, 1, 2 or 3
LEAST_LIMIT = 250  # words: the limit of sentences is twice the longest one of the treebank, or this


#: a text with the labels of its characters
Labelled = tuple[Characters, bytearray]


class TokenizerStrategy(MeanOfTrainings, Strategy[FrozenWeights, Tokenizer]):
    """Learns where tokens and sentences end, character by character."""

    step = "tokeniser"
    counted = "wrong boundaries"
    selects = False
    recipe: TokenizerRecipe

    def __init__(self, recipe: TokenizerRecipe, base: Tokenizer | None = None) -> None:
        self.recipe, self.base = recipe, base
        self.rounds = recipe.iterations
        self.dev: list[Labelled] = []

    def prepare(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver) -> None:
        """Lay out the text of the treebank, and make what learns."""
        sentences = list(surface_sentences(data.blocks))
        old = self.base
        self.clusters = kept_clusters(old, data.clusters, "tokeniser")
        self.texts, self.held_out = _texts(variants(sentences, self.recipe.seed))
        if not self.texts:
            raise TreebankError("no text to learn tokens from", remedy="Give a treebank with sentences")
        self.n_sentences = data.n_sentences
        self.settings = _first_settings(sentences, self.texts) if old is None else dict(old.settings)
        self.settings["spaces_inside"] = self.settings["spaces_inside"] or _has_spaces_inside(sentences)
        before = old.settings["multiwords"] if old is not None else None
        self.settings["multiwords"] = with_guesses(multiword_settings(sentences, before), sentences, before)
        self.repeated = RepeatedTraining(
            number_of_trainings(self.recipe.seeds, data.n_words, SEEDS_OF_LARGE), self.recipe.iterations
        )
        self.rounds = self.repeated.rounds
        reader = BoundaryModel(self._new_learner(), self.settings, self.clusters)
        counts = LabelCounts()
        for text, labels in self.texts:
            reader.prepare(text)
            counts.add(reader, text, labels)
        decided = read_labels(old.settings["usual"], CELL_COUNT) if old is not None else None
        self.settings["usual"] = write_labels(counts.usual(RARE, decided))
        if old is None:
            self.settings["spans"] = write_labels(counts.span_labels(RARE))
        self.begin_training()
        self.splits = _split_examples(self.settings, reader, sentences, self.recipe.margin)
        self.random = random.Random(self.recipe.seed)
        self.order = list(range(len(self.texts)))
        if dev is not None:
            self.dev = [_labelled(part) for part in paragraphs(list(surface_sentences(dev.blocks))) if part.text]

    def begin_training(self) -> None:
        """Make what learns, with nothing learnt yet but what the tokeniser to go on from knows."""
        self.learner = self._new_learner()
        model = BoundaryModel(self.learner, self.settings, self.clusters)
        self.rests = [bytearray(len(text)) for text, _ in self.texts]
        self.trainer = BoundaryTrainer(model, self.learner, self.recipe.margin)

    def _new_learner(self) -> Perceptron:
        old = self.base
        learner = Perceptron(3, 0, self.recipe.cutoff, old.weights.n_lines if old is not None else 0)
        if old is not None:
            thaw(old.weights, learner, array("i", [0]))
        return learner

    def learn(self, number: int, advanced: Advanced) -> float:
        """Learn for one round; return the share of wrong boundaries. Each training sees the texts in other orders."""
        if self.repeated.begins_again(number):
            self.repeated.add(self.learner)
            self.begin_training()
        self.random.shuffle(self.order)
        self.trainer.start_round()
        if self.splits is not None:
            order = array("i", range(len(self.splits)))
            self.random.shuffle(order)
            self.splits.learn(self.learner, order)
        done = 0
        for place, number_of_text in enumerate(self.order, 1):
            self.trainer.learn(*self.texts[number_of_text], self.rests[number_of_text])
            now = self.n_sentences * place // len(self.order)
            advanced(now - done)
            done = now
        return share(self.trainer.mistakes, self.trainer.decisions)

    def kept(self, learner: Perceptron) -> FrozenWeights:
        """Return averaged weights, without small ones where there are many."""
        return freeze(learner, SMALLEST if len(self.learner) > MANY else 0.0)

    def score(self, weights: FrozenWeights) -> DevScore:
        """Return the F1 of tokens and sentences."""
        return self._score_of(self.finish(weights, {}))

    def score_under_way(self) -> DevScore:
        """DevScore the training under way on dev. What splits text without punctuation is chosen at the end."""
        return self._score_of(Tokenizer(self.settings, self.kept(self.learner), self.clusters))

    def _score_of(self, tokenizer: Tokenizer) -> DevScore:
        tokens, sentences = _scores(tokenizer, self.dev)
        return DevScore(tokens.f1 + sentences.f1, {"tokens F1": tokens.f1, "sentences F1": sentences.f1})

    def finish(self, weights: FrozenWeights, info: dict[str, Any]) -> Tokenizer:
        """Return the tokeniser."""
        tokenizer = Tokenizer(self.settings, weights, self.clusters, info)
        if self.held_out and self.base is None:
            self.settings["eager"] = best_eagerness(tokenizer, self.held_out)
        return tokenizer


def best_eagerness(tokenizer: Tokenizer, texts: Sequence[Labelled]) -> list[float]:
    """Return what to add to the score of a sentence's end without punctuation, with capitals and without.

    The model splits such text too rarely: it is seldom sure. In text held out it is to find as many sentences as there
    are.
    """
    chosen = [0.0] * GAPS
    for lacking in (NO_STOPS, NO_STOPS | NO_CAPITALS):
        place = 1 + lacking
        held_out = [(text, labels) for text, labels in texts if text.lacking == lacking]
        low, high = -EAGER, EAGER
        for _ in range(STEPS if held_out else 0):
            chosen[place] = (low + high) / 2
            tokenizer.model.set_eager(chosen)
            ends = _scores(tokenizer, held_out)[1]
            low, high = (chosen[place], high) if ends.found < ends.gold else (low, chosen[place])
    tokenizer.model.set_eager(chosen)
    return chosen


def train_tokenizer(
    blocks: Iterable[Block], recipe: TokenizerRecipe | None = None, clusters: WordClusters | None = None
) -> Tokenizer:
    """Train a tokeniser on the text of a treebank; ``clusters`` of words give it features."""
    return Training(
        TokenizerStrategy(recipe or TokenizerRecipe()), Gathered("data", list(blocks), clusters=clusters)
    ).run()


def _labelled(part: LabelledText) -> Labelled:
    text = Characters(part.text.encode())
    return text, labels_of(text, part.labels)


def _texts(copies: Iterable[Variant]) -> tuple[list[Labelled], list[Labelled]]:
    """Return texts to learn from, and those held out to choose by."""
    texts: tuple[list[Labelled], list[Labelled]] = [], []
    for part, lacking, held_out in copies:
        if part.text:
            found = _labelled(part)
            found[0].lacking = lacking
            texts[held_out].append(found)
    return texts


def _has_spaces_inside(sentences: Iterable[SurfaceSentence]) -> bool:
    return any(" " in token.form for sentence in sentences for token in sentence.tokens)


def _split_examples(
    settings: dict[str, Any], reader: BoundaryModel, sentences: Iterable[SurfaceSentence], margin: float
) -> SplitTrainer | None:
    """Return the tokens that rules may split, to learn which of them are; None without such tokens."""
    table = MultiwordTable(settings["multiwords"], reader)
    if table.guesser is None:
        return None
    examples = SplitTrainer(table.guesser, settings["multiwords"]["splits"], margin)
    for sentence in sentences:
        text, labels = _labelled(label(sentence))
        if len(text):
            tokens = [(token.form.lower(), tuple(map(str.lower, token.words))) for token in sentence.tokens]
            examples.add(text, labels, tokens)
    return examples if len(examples) else None


def _marks(texts: Iterable[Labelled]) -> int:
    """Return the marks that the treebank has, so that other text may lack them."""
    marks = 0
    for text, _ in texts:
        marks |= text.lacking
    return marks


def _first_settings(sentences: Sequence[SurfaceSentence], texts: Sequence[Labelled]) -> dict[str, Any]:
    """Return the settings of a new tokeniser, with nothing decided yet."""
    known = known_characters((text for text, _ in texts), LEAST_CHARACTERS)
    forms = [[token.form for token in sentence.tokens] for sentence in sentences]
    return {
        "features": 5,
        "usual": "?" * CELL_COUNT,
        "spans": "?" * SPAN_COUNT,
        "spaces_inside": False,
        "marks": _marks(texts),
        "longest": max(LEAST_LIMIT, 2 * max(map(len, forms))),
        "alphabet": known,
        "words": word_classes(forms, known, LEAST_WORDS),
    }


@dataclass
class BoundaryScores:
    """How many boundaries there are, were found, and are right."""

    gold: int = 0
    found: int = 0
    right: int = 0

    def add(self, gold: int, found: int, right: int) -> None:
        """Count the boundaries of a text."""
        self.gold += gold
        self.found += found
        self.right += right

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, in per cent."""
        return 200 * self.right / max(1, self.gold + self.found)


def boundary_scores(tokenizer: Tokenizer, texts: Iterable[LabelledText]) -> tuple[BoundaryScores, BoundaryScores]:
    """Return how well tokens and sentences are found in texts."""
    return _scores(tokenizer, map(_labelled, texts))


def _scores(tokenizer: Tokenizer, texts: Iterable[Labelled]) -> tuple[BoundaryScores, BoundaryScores]:
    tokens, sentences = BoundaryScores(), BoundaryScores()
    for text, labels in texts:
        LineStyle("paragraph").mark(text)
        found = tokenizer.label(text)
        tokens.add(*matching_spans(labels, found, 1))
        sentences.add(*matching_spans(labels, found, 2))
    return tokens, sentences


def strategy(
    recipe: TokenizerRecipe, base: Step | None = None, estimator: Estimator | None = None
) -> Strategy[Any, Any]:
    """Return what trains a tokeniser by a recipe, going on from another where one is given."""
    return TokenizerStrategy(recipe, going_on_from(Tokenizer, base))
