"""Training a transition parser with a network: the oracles and policies of the linear ones, learnt in PyTorch."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from treewright.features.templates import FeatureModel
from treewright.kinds.graph.recipe import GraphRecipe
from treewright.kinds.graph.training import GraphStrategy, graph_scores
from treewright.kinds.network.kernel.positions import PositionLayers
from treewright.kinds.network.strategy import EncoderStrategy, tree_scores
from treewright.kinds.network_moves.collecting import DecisionCollector
from treewright.kinds.network_moves.move_network import MoveNetworkSettings
from treewright.kinds.network_moves.parser import MoveNetworkParser, NeuralGraphMoves, NeuralMoves, NeuralMoveSettings
from treewright.kinds.network_moves.positions import positions_for
from treewright.kinds.network_moves.recipe import NeuralMoveRecipe
from treewright.kinds.network_moves.walking import (
    NetworkGraphParser,
    NetworkParser,
    NetworkScorer,
    n_fixed_rows,
    n_positions,
)
from treewright.kinds.transition.engines.chooser import Chooser
from treewright.kinds.transition.learning.corpus import trees_of
from treewright.kinds.transition.learning.rounds_policy import RoundsPolicy
from treewright.kinds.transition.perceptron import PerceptronStrategy
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.kinds.transition.training import TransitionStrategy
from treewright.learners.estimator import Estimator
from treewright.steps.contract import TypedArrays
from treewright.steps.step import Step
from treewright.systems.graphs.graph_system import GraphSystem
from treewright.systems.rules.rule import Rule, rules_in
from treewright.training.gathering import Gathered
from treewright.training.observer import DevScore, TrainingObserver
from treewright.training.strategy import Advanced, Strategy, going_on_from, share
from treewright.treebank.blocks.interner import Interner

if TYPE_CHECKING:
    from treewright.kinds.network_moves.move_torch import LearningMoveNetwork, LearningWalk


class _Prepares(PerceptronStrategy[Any]):
    """What prepares a treebank as for linear parsers, and learns nothing itself."""

    known: MoveNetworkParser | None  # a parser to go on from, whose relations and moves keep their numbers

    @property
    def base_relations(self) -> list[str]:
        """The relations of the parser to go on from."""
        return list(self.known.settings["relations"]) if self.known is not None else []

    @property
    def base_leaf_tags(self) -> list[str] | None:
        """The tags of words without dependents, of the parser to go on from."""
        return self.known.settings["leaf_tags"] if self.known is not None else None

    @property
    def base_rules(self) -> tuple[Rule, ...] | None:
        """The rules of the parser to go on from."""
        return rules_in(self.known.settings.get("rules", ())) if self.known is not None else None

    def number_moves(self, classes: list[tuple[int, int]], root_labels: list[int], word_labels: list[int]) -> None:
        """Number the moves; a parser to go on from has numbered them all, and learns no others."""
        if self.known is not None:
            settings = self.known.settings
            classes = [(kind, label) for kind, label in settings["classes"]]
            root_labels, word_labels = settings["root_labels"], settings["word_labels"]
        super().number_moves(classes, root_labels, word_labels)

    def start(self) -> None:
        """Learn nothing."""


class _Trees(_Prepares, TransitionStrategy):
    """Lifts, numbers and encodes trees."""

    def __init__(self, recipe: TransitionRecipe, positions: str, known: MoveNetworkParser | None) -> None:
        self.positions, self.known = positions, known
        super().__init__(recipe)

    def feature_model(self) -> FeatureModel:
        """Return the positions that the network looks at."""
        return positions_for(self.positions, self.system)


class _Graphs(_Prepares, GraphStrategy):
    """Lifts, numbers and encodes graphs."""

    def __init__(self, recipe: GraphRecipe, positions: str, known: MoveNetworkParser | None) -> None:
        self.known = known
        super().__init__(recipe)
        self.model = positions_for(positions, self.system)


class MoveStrategy(EncoderStrategy[MoveNetworkParser]):
    """Learns the weights of a network that scores the moves of a transition system."""

    recipe: NeuralMoveRecipe
    inner: _Trees | _Graphs

    def __init__(self, recipe: NeuralMoveRecipe, base: MoveNetworkParser | None = None) -> None:
        self.start_encoder(recipe, base)
        inner = recipe.inner.completed()
        if isinstance(inner, GraphRecipe):
            self.inner = _Graphs(inner, recipe.features, base)
        else:
            self.inner = _Trees(inner, recipe.features, base)
        self.reads_graphs = recipe.builds_graphs
        self.single_root = self.inner.single_root

    def prepare(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver) -> None:
        """Prepare the treebank as for a linear parser, number its words, and make the network."""
        inner = self.inner
        inner.prepare(data, dev, observer)
        self.notes = inner.notes
        self.know_words(data, self.base.parts.network if self.base is not None else None, observer)
        if dev is not None and isinstance(inner, _Trees):
            self.dev_blocks = dev.blocks
            self.dev_heads, self.dev_labels = trees_of(dev.blocks, Interner(inner.lifting.decoded_relations))
        nothing = array("i", bytes(4 * data.n_words))  # the oracles have the trees
        arrays = self.base.arrays if self.base is not None else None
        self.start_learning(data, self._network, nothing, nothing, {}, arrays)

    def _network(self) -> LearningMoveNetwork:
        """Make the network that learns, with what walks through sentences for it."""
        from treewright.kinds.network_moves.move_torch import LearningMoveNetwork, LearningWalk, MoveSizes, WalkCounts

        inner, recipe = self.inner, self.recipe
        counts = WalkCounts(
            n_positions(inner.extractor), n_fixed_rows(inner.extractor), len(inner.system.kinds), inner.moves.n_classes
        )
        sizes = MoveSizes(self.widths, recipe.hidden, recipe.layers, recipe.move_size, recipe.relation_size)
        self.walk: LearningWalk = LearningWalk(self._engine, counts)
        network = LearningMoveNetwork(self.vocabulary.sizes(), sizes, self.walk, self.dropout())
        policy = RoundsPolicy(recipe.policy or "explore", recipe.k, recipe.p, recipe.seed)
        self.walk.collector = DecisionCollector(self._engine(network.position_layers()), inner.corpus, policy)
        return network

    def _engine(self, layers: PositionLayers) -> Chooser:
        """Return what walks by given weights."""
        inner = self.inner
        scorer = NetworkScorer(layers, inner.extractor)
        if isinstance(inner.system, GraphSystem):
            return NetworkGraphParser(inner.system, inner.extractor, inner.moves, scorer)
        return NetworkParser(inner.system, inner.extractor, inner.moves, scorer)

    def learn(self, number: int, advanced: Advanced) -> float:
        """Learn for one round; return the share of wrong moves."""
        self.walk.wrong = self.walk.decisions = 0
        self.walk.collector.start_round()
        super().learn(number, advanced)
        return share(self.walk.wrong, self.walk.decisions)

    def settings(self) -> NeuralMoveSettings:
        """Return what a model file keeps beside the weights."""
        network: MoveNetworkSettings = {
            **self.encoder_settings(),
            "moves": self.recipe.move_size,
            "relations": self.recipe.relation_size,
        }
        return {**self.inner.settings(), "network": network}

    def parser_with(self, weights: TypedArrays, info: dict[str, Any]) -> MoveNetworkParser:
        """Return a parser with weights."""
        kind = NeuralGraphMoves if self.recipe.builds_graphs else NeuralMoves
        return kind(self.settings(), {name: values for name, (_, values) in weights.items()}, info)

    def score(self, weights: TypedArrays) -> DevScore:
        """Return the scores on dev: of heads and relations of trees, or F1 of the arcs of graphs."""
        parser = self.parser_with(weights, {})
        if isinstance(parser, NeuralGraphMoves):
            assert isinstance(self.inner, _Graphs)
            return graph_scores(parser, self.inner.dev)
        return tree_scores(parser, self.dev_blocks, self.dev_heads, self.dev_labels)

    def finish(self, weights: TypedArrays, info: dict[str, Any]) -> MoveNetworkParser:
        """Return the trained parser."""
        return self.parser_with(weights, info)


def strategy(
    recipe: NeuralMoveRecipe, base: Step | None = None, estimator: Estimator | None = None
) -> Strategy[Any, Any]:
    """Return what trains a transition parser with a network by a recipe, going on from another where one is given."""
    return MoveStrategy(recipe, going_on_from(NeuralGraphMoves if recipe.builds_graphs else NeuralMoves, base))
