"""What all trainings of the perceptron share: moves, rounds over a corpus, averaged weights, pruning."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from treewright.errors import CombinationError
from treewright.features.cluster_templates import with_clusters
from treewright.features.extractor import Extractor
from treewright.features.language import parse_model
from treewright.features.templates import FeatureModel
from treewright.features.word_clusters import WordClusters
from treewright.kinds.transition.learning.rounds import Rounds
from treewright.kinds.transition.linear import LearntWeights, LinearParser
from treewright.kinds.transition.moves import MoveRecipe
from treewright.kinds.transition.settings import LinearSettings
from treewright.learners.frozen import FrozenWeights, freeze, prune, thaw
from treewright.learners.learner import Moves
from treewright.learners.perceptron import Perceptron
from treewright.learners.plain_weights import averaged
from treewright.recipes.catalogue import known_of
from treewright.systems.rules.rule import Rule, rows_of, rules_in
from treewright.systems.system import System
from treewright.training.gathering import Gathered
from treewright.training.strategy import Advanced, Strategy, in_batches, share

BOTH = ("moves", "labels")
SMALLEST_PRUNED = range(2, 9)  # quantised weights to try as the least to keep
Model = TypeVar("Model", bound=LinearParser)


class PerceptronStrategy(Strategy[LearntWeights, Model]):
    """Online training of a linear model that scores moves, of trees or of graphs."""

    recipe: MoveRecipe
    system: System
    model: FeatureModel
    extractor: Extractor
    moves: Moves
    learner: Perceptron
    leaf_tags: list[str]  # of words that may not govern others
    rules: tuple[Rule, ...] = ()  # that trees keep
    clusters: WordClusters | None = None  # of words, for features
    trainer: Rounds
    base: Model | None

    def start_from(self, base: Model | None) -> None:
        """Go on from a trained model: check that the recipe leaves its weights their meaning."""
        self.base = base
        if base is None:
            return
        if not isinstance(base.weights, FrozenWeights):
            raise CombinationError(
                "only a linear model with --precision byte can be trained further: leave --init-from out"
            )
        self.recipe.check_goes_on(known_of(base.info.get("recipe", {})))

    @property
    def base_model(self) -> FeatureModel | None:
        """The feature model of the parser to go on from."""
        if self.base is None:
            return None
        return parse_model(self.base.settings["features"], self.base.settings["feature_model"])

    @property
    def base_relations(self) -> list[str]:
        """The relations of the parser to go on from, which keep their numbers."""
        return list(self.base.settings["relations"]) if self.base else []

    @property
    def base_leaf_tags(self) -> list[str] | None:
        """The tags of words without dependents, of the parser to go on from."""
        return self.base.settings["leaf_tags"] if self.base else None

    @property
    def base_rules(self) -> tuple[Rule, ...] | None:
        """The rules of the parser to go on from."""
        return rules_in(self.base.settings.get("rules", ())) if self.base else None

    def take_clusters(self, data: Gathered) -> None:
        """Give the features the clusters of words that come with the treebank, or those of the parser to go on from."""
        if self.base is not None:
            self.clusters = self.base.extractor.clusters
        elif data.clusters is not None:
            self.clusters, self.model = data.clusters, with_clusters(self.model)

    def number_moves(self, classes: list[tuple[int, int]], root_labels: list[int], word_labels: list[int]) -> None:
        """Number the moves that the treebank needs, and those of the parser to go on from."""
        self.root_labels, self.word_labels = root_labels, word_labels
        if self.base is not None:
            settings = self.base.settings
            classes = [*classes, *((kind, label) for kind, label in settings["classes"])]
            self.root_labels = sorted({*root_labels, *settings["root_labels"]})
            self.word_labels = sorted({*word_labels, *settings["word_labels"]})
        self.moves = Moves(self.system, classes, self.root_labels, self.word_labels)

    def make_learner(self) -> None:
        """Make the perceptron, with the weights of the parser to go on from."""
        n_kinds, cutoff = len(self.system.kinds), self.recipe.needed
        if self.base is None:
            self.learner = Perceptron(n_kinds, self.moves.n_classes, cutoff)
            if not self.recipe.kind_weights:
                labelled = set(self.system.labelled_kinds)
                self.learner.share_nothing(sum(1 << k for k, kind in enumerate(self.system.kinds) if kind in labelled))
            return
        weights = self.base.weights
        assert isinstance(weights, FrozenWeights)
        self.learner = Perceptron(n_kinds, self.moves.n_classes, cutoff, weights.n_lines)
        numbers = {(kind, label): number for number, (kind, label) in enumerate(self.moves.classes)}
        old = [numbers[kind, label] for kind, label in self.base.settings["classes"]]
        thaw(weights, self.learner, array("i", [*old, 0]))

    @property
    def n_features(self) -> int:
        """How many features have a weight."""
        return len(self.learner)

    def learn(self, number: int, advanced: Advanced) -> float:
        """Learn for one round; return the share of wrong moves."""
        self.trainer.start_round()
        in_batches(self.trainer.learn, self.n_sentences, self.batch_size, advanced)
        return share(self.trainer.mistakes, self.trainer.decisions)

    @property
    @abstractmethod
    def n_sentences(self) -> int:
        """How many sentences there are to learn from."""

    def weights(self) -> LearntWeights:
        """Return the averaged weights."""
        return self.kept_weights(self.learner)

    def kept_weights(self, learner: Perceptron) -> LearntWeights:
        """Return the averaged weights of a perceptron, as precisely as the recipe asks for."""
        return averaged(learner) if self.recipe.precision == "float" else freeze(learner)

    @property
    def selects(self) -> bool:
        """Is the best round on dev kept, or the last?"""
        return self.recipe.keep == "best"

    def smaller(self, weights: LearntWeights) -> Iterator[LearntWeights]:
        """Yield the weights without those below higher and higher limits."""
        if self.recipe.prune and isinstance(weights, FrozenWeights):
            for least in SMALLEST_PRUNED:
                yield prune(weights, least)

    def linear_settings(self, system: object, relations: list[str]) -> LinearSettings:
        """Return what a model file keeps of moves and features."""
        settings: LinearSettings = {
            "system": system,
            "features": str(self.model),
            "feature_model": self.model.name,
            "relations": relations,
            "classes": [list(pair) for pair in self.moves.classes],
            "root_labels": self.root_labels,
            "word_labels": self.word_labels,
            "leaf_tags": self.leaf_tags,
        }
        if self.rules:
            settings["rules"] = rows_of(self.rules)
        if self.clusters is not None:
            settings["clusters"] = self.clusters
        return settings


def for_all_decisions(model: FeatureModel) -> FeatureModel:
    """Return the model with all templates for kind and relation, to learn one decision without shared weights."""
    templates = tuple(replace(template, parts=BOTH) for template in model.templates)
    return replace(model, templates=templates, decision="joint")
