"""Training an exact parser: the likelihood of gold trees by belief propagation, MIRA, or the perceptron."""

from __future__ import annotations

import random
from array import array
from dataclasses import replace
from typing import Any, NamedTuple

from treewright.errors import CombinationError
from treewright.kinds.exact.adviser import BEAM, ROUNDS, ROUNDS_IN_FOLDS, heads_of, in_folds, train_adviser
from treewright.kinds.exact.learning import PartLearner
from treewright.kinds.exact.parser import ExactParser, with_advice
from treewright.kinds.exact.parts.parts import PartProgram
from treewright.kinds.exact.parts.scorer import PartScorer
from treewright.kinds.exact.parts.templates import TRIPLES, PartModel, bundled_templates, load_templates
from treewright.kinds.exact.recipe import ExactRecipe
from treewright.kinds.exact.search.decoding import accuracy
from treewright.kinds.transition.learning.corpus import Corpus, trees_of
from treewright.kinds.transition.leaves import leaves_in_trees
from treewright.kinds.transition.parser import TransitionParser
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.learners.estimator import Estimator
from treewright.recipes.catalogue import known_of
from treewright.steps.sentence_limit import MOST_WITH_GRANDPARENTS, MOST_WORDS, check_sentences
from treewright.steps.step import Step
from treewright.training.gathering import Gathered
from treewright.training.observer import DevScore, TrainingObserver
from treewright.training.strategy import Advanced, Strategy, going_on_from, in_batches, share
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.interner import Interner

LOOK_AGAIN = 3  # rounds after which arcs that seemed next to impossible are looked at again
DEV_ROUNDS = 30  # of tightening bounds, where dev is scored between rounds
SMALLEST = 1e-3  # weights below this are not kept


class PartWeights(NamedTuple):
    """Weights as a model keeps them, and as dev is scored with them: before they are rounded."""

    arrays: dict[str, Any]
    scale: float
    scorer: PartScorer
    round: int


class ExactStrategy(Strategy[PartWeights, ExactParser]):
    """Finds the features of parts, and learns their weights."""

    counted = "wrong heads"
    batch_size = 50
    recipe: ExactRecipe

    def __init__(self, recipe: ExactRecipe, base: ExactParser | None = None) -> None:
        self.recipe, self.base = recipe, base
        if base is not None:
            recipe.check_goes_on(known_of(base.info.get("recipe", {})))
        self.single_root = recipe.single_root
        self.rounds = recipe.iterations
        self.model = base.model if base is not None else part_model(recipe)
        _check_advice_is_used(recipe, self.model)
        self.columns = self.model.columns
        self.program = PartProgram(self.model)
        self.adviser: TransitionParser | None = base.adviser if base is not None else None
        self.dev: Corpus | None = None
        self.round = 0

    def prepare(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver) -> None:
        """Number and encode the trees, and find their features."""
        most = MOST_WORDS if self.recipe.order == 1 else MOST_WITH_GRANDPARENTS
        for block in (*data.blocks, *(dev.blocks if dev is not None else ())):
            check_sentences(block, most)
        interner = Interner(self.base.relations if self.base is not None else ())
        heads, labels = trees_of(data.blocks, interner)
        base_tags = self.base.settings["leaf_tags"] if self.base is not None else None
        single_root = self.recipe.single_root
        self.leaf_tags, self.notes = leaves_in_trees(self.recipe.governors, data, heads, labels, single_root, base_tags)
        self.program = PartProgram(self.model, self.leaf_tags)
        self.relations = list(interner.strings)
        pairs = {(head == 0, label) for head, label in zip(heads, labels, strict=True)}
        root, word = (sorted(label for at_root, label in pairs if at_root == wanted) for wanted in (True, False))
        if self.base is not None:
            root = sorted({*root, *self.base.settings["root_labels"]})
            word = sorted({*word, *self.base.settings["word_labels"]})
        self.labels = {"relations": self.relations, "root_labels": root, "word_labels": word or root}
        blocks, dev_blocks = data.blocks, dev.blocks if dev is not None else []
        if self.program.advised:
            blocks, dev_blocks = self._advised(data, dev, observer)
        self.corpus = Corpus(blocks, self.program.encoder, False, heads, labels)
        self.advice, self.dev_advice = heads_of(blocks), heads_of(dev_blocks)
        if dev is not None:
            dev_heads, dev_labels = trees_of(dev.blocks, interner)
            self.dev = Corpus(dev_blocks, self.program.encoder, False, dev_heads, dev_labels)
            arcs = sum((len(block.words_of(i)) + 1) ** 2 for block in dev_blocks for i in range(block.n_sentences))
            self.dev_likely = bytearray(arcs + 1)
        base = (self.base.scorer, range(len(self.base.relations))) if self.base is not None else None
        self.learner = PartLearner(self.program, self.corpus, self.advice, self.labels, self._learning_settings(), base)
        self.random = random.Random(self.recipe.seed)
        if self.recipe.learning == "sgd":
            # A round in first order, to learn which wrong arcs are likely: their features get weights, too.
            observer.begun("likely arcs", self.corpus.n_sentences)
            self._round(0, True, observer.advanced)
            self.learner.extend(self.recipe.cutoff)

    def _learning_settings(self) -> dict[str, Any]:
        recipe = self.recipe
        return {
            "learner": recipe.learning,
            "single_root": recipe.single_root,
            "projective": recipe.projective,
            "rate": recipe.rate,
            "messages": recipe.messages,
            "dropout": recipe.dropout,
            "second_order_from": recipe.first_order_rounds + 1,
            "cutoff": recipe.cutoff,
        }

    def _advised(
        self, data: Gathered, dev: Gathered | None, observer: TrainingObserver
    ) -> tuple[list[Block], list[Block]]:
        """Train the adviser; return the blocks with its trees, those to learn from parsed in folds.

        A parser that goes on from another keeps its adviser, which has not seen the new treebank.
        """
        recipe, parsed = self.recipe, []
        if self.adviser is not None:
            parsed = [with_advice(self.adviser, block) for block in data.blocks]
        else:
            rounds = ROUNDS + (recipe.adviser_folds - 1) * ROUNDS_IN_FOLDS
            observer.begun("adviser", rounds * data.n_sentences)
            beam = BEAM if recipe.adviser == "beam" else 1
            alike = TransitionRecipe(
                single_root=recipe.single_root, seed=recipe.seed, governors=recipe.governors, beam=beam
            )
            self.adviser = train_adviser(replace(alike, iterations=ROUNDS), data, dev, observer)
            parsed = in_folds(replace(alike, iterations=ROUNDS_IN_FOLDS), data, recipe.adviser_folds, observer)
        return parsed, [with_advice(self.adviser, block) for block in (dev.blocks if dev is not None else [])]

    def learn(self, number: int, advanced: Advanced) -> float:
        """Learn for one round; return the share of wrong heads."""
        self._round(number, number % LOOK_AGAIN == 1, advanced)
        return share(self.learner.wrong, self.learner.words)

    def _round(self, number: int, all_arcs: bool, advanced: Advanced) -> None:
        order = array("q", range(self.corpus.n_sentences))
        self.random.shuffle(order)
        self.round = number
        self.learner.start_round(number, order, all_arcs)
        in_batches(self.learner.learn, self.corpus.n_sentences, self.batch_size, advanced)

    @property
    def n_features(self) -> int:
        """How many features have a weight."""
        return self.learner.n_features

    def weights(self) -> PartWeights:
        """Return the averaged weights."""
        return PartWeights(*self.learner.frozen(SMALLEST), self.learner.averaged_scorer(), self.round)

    def score(self, weights: PartWeights) -> DevScore:
        """Return the attachment scores on dev."""
        assert self.dev is not None
        recipe = self.recipe
        heads, right, words = accuracy(
            weights.scorer,
            self.dev,
            self.dev_advice,
            self.dev_likely,
            weights.round % LOOK_AGAIN == 1,
            recipe.single_root,
            recipe.projective,
            recipe.order == 2 and weights.round > recipe.first_order_rounds,
            DEV_ROUNDS,
        )
        return DevScore(right, {"UAS": 100 * heads / max(1, words), "LAS": 100 * right / max(1, words)})

    def finish(self, weights: PartWeights, info: dict[str, Any]) -> ExactParser:
        """Return the trained parser."""
        settings = {
            "features": str(self.model),
            "feature_model": self.model.name,
            "order": self.recipe.order,
            "projective": self.recipe.projective,
            "single_root": self.recipe.single_root,
            "leaf_tags": self.leaf_tags,
            **self.labels,
        }
        return ExactParser(settings, weights.arrays, weights.scale, info, self.adviser)


def _check_advice_is_used(recipe: ExactRecipe, model: PartModel) -> None:
    """Reject options of an adviser that no template looks at. A recipe does not know its templates."""
    if recipe.adviser == "none" or model.advised:
        return
    for name in ("adviser", "adviser_folds"):
        if getattr(recipe, name) != getattr(ExactRecipe(), name):
            raise CombinationError(
                f"{name} has no effect here: no template of {model.name} looks at an adviser. Leave it out"
            )


def part_model(recipe: ExactRecipe) -> PartModel:
    """Return the templates that a recipe names, without those that it has no use for."""
    model = load_templates(recipe.features)
    if recipe.adviser == "none":
        model = model.without(adviser=True)
    if recipe.order == 1:
        return model.without("grandparent").without("sibling")
    wanted = [part for part in TRIPLES if recipe.parts in (f"{part}s", "both")]
    if recipe.parts is None:
        wanted = ["grandparent"] if recipe.features in bundled_templates() else [p for p in TRIPLES if model.of(p)]
    missing = [part for part in wanted or TRIPLES if not model.of(part)]
    if missing:
        raise CombinationError(f"{model.name}: no templates under [{missing[0]}]: add some, or choose order 1")
    for part in {*TRIPLES} - {*wanted}:
        model = model.without(part)
    return model


def strategy(recipe: ExactRecipe, base: Step | None = None, estimator: Estimator | None = None) -> Strategy[Any, Any]:
    """Return what trains an exact parser by a recipe, going on from another where one is given."""
    return ExactStrategy(recipe, going_on_from(ExactParser, base))
