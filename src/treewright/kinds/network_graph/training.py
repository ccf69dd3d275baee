"""Training a neural parser of graphs: its rules are those of the treebank, its threshold is fitted on dev."""

from __future__ import annotations

import math
from array import array
from typing import TYPE_CHECKING, Any

from treewright.kinds.graph.training import checked_graphs, graph_scores, numbered_arcs
from treewright.kinds.network.network import NetworkSettings
from treewright.kinds.network.strategy import EncoderStrategy
from treewright.kinds.network_graph.parser import NeuralGraphParser, NeuralGraphSettings
from treewright.kinds.network_graph.recipe import NeuralGraphRecipe
from treewright.kinds.transition.leaves import leaves_in_graphs
from treewright.learners.estimator import Estimator
from treewright.steps.contract import TypedArrays
from treewright.steps.step import Step
from treewright.training.gathering import Gathered
from treewright.training.observer import DevScore, TrainingObserver
from treewright.training.strategy import Strategy, going_on_from
from treewright.treebank.blocks.block import Block
from treewright.treebank.graphs.graph import Graph, Graphs, sentence_graphs
from treewright.treebank.graphs.graph_preparation import prepare
from treewright.treebank.graphs.graph_properties import properties_of
from treewright.treebank.graphs.relation_patterns import with_patterns

if TYPE_CHECKING:
    from treewright.kinds.network_graph.graph_torch import LearningGraphNetwork

PROBABILITIES = (0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)  # tried on dev as the least of an arc


class NeuralGraphStrategy(EncoderStrategy[NeuralGraphParser]):
    """Learns the weights of a network that scores the arcs of graphs."""

    reads_graphs = True
    counted = "wrong arcs a word"
    recipe: NeuralGraphRecipe

    def __init__(self, recipe: NeuralGraphRecipe, base: NeuralGraphParser | None = None) -> None:
        self.start_encoder(recipe, base)
        self.dev: list[tuple[Block, list[Graph]]] = []

    def prepare(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver) -> None:
        """Number the graphs, learn their rules, and make the network."""
        base = self.base
        base_tags = base.settings["leaf_tags"] if base is not None else None
        gold = with_patterns(data.blocks, checked_graphs(data))
        self.leaf_tags, gold = leaves_in_graphs(self.recipe.governors, data, gold, base_tags)
        joined = [prepare(graph, crossing=True) for graph in gold]
        arcs, self.relations = numbered_arcs(joined, base.relations if base is not None else [])
        self.graphs = Graphs(arcs)
        self.rules = base.rules if base is not None else properties_of(joined)
        self.notes = [f"{len(self.graphs) - data.n_words:,} arcs more than words"]
        self.know_words(data, base.network if base is not None else None, observer)
        if dev is not None:
            self.dev = [(block, list(sentence_graphs(block))) for block in dev.blocks]
        self.lengths = [len(graph) + 1 for graph in joined]
        nothing = array("i", bytes(4 * data.n_words))  # the network has the graphs
        arrays = base.arrays if base is not None else None
        self.start_learning(data, self._network, nothing, nothing, {}, arrays)

    def _network(self) -> LearningGraphNetwork:
        """Make the network that learns."""
        import torch

        from treewright.kinds.network.learning.torch_network import Outputs, Sizes
        from treewright.kinds.network_graph.graph_torch import GoldArcs, LearningGraphNetwork

        recipe = self.recipe
        sizes = Sizes(self.widths, recipe.hidden, recipe.layers, recipe.arc_size, recipe.relation_size, 1)
        gold = GoldArcs(self.graphs, torch.tensor(self.lengths))
        outputs = Outputs(len(self.relations), {})
        return LearningGraphNetwork(self.vocabulary.sizes(), sizes, outputs, self.dropout(), gold)

    def settings(self, threshold: float) -> NeuralGraphSettings:
        """Return what a model file keeps beside the weights."""
        network: NetworkSettings = {
            **self.encoder_settings(),
            "arcs": self.recipe.arc_size,
            "relations": self.recipe.relation_size,
            "tags": 1,
            "tag_values": {},
        }
        return {
            "network": network,
            "relations": self.relations,
            "leaf_tags": self.leaf_tags,
            "threshold": threshold,
            "rules": self.rules,
        }

    def parser_with(self, weights: TypedArrays, info: dict[str, Any], threshold: float = 0.0) -> NeuralGraphParser:
        """Return a parser with weights."""
        arrays = {name: values for name, (_, values) in weights.items()}
        return NeuralGraphParser(self.settings(threshold), arrays, info)

    def score(self, weights: TypedArrays) -> DevScore:
        """Return unlabelled and labelled F1 over all arcs of dev."""
        return graph_scores(self.parser_with(weights, {}), self.dev)

    def finish(self, weights: TypedArrays, info: dict[str, Any]) -> NeuralGraphParser:
        """Return the trained parser, with the threshold that is best on dev."""
        threshold = 0.0
        if self.dev:
            tried = {}
            for probability in PROBABILITIES:
                logit = math.log(probability / (1 - probability))
                tried[logit] = graph_scores(self.parser_with(weights, {}, logit), self.dev)
            threshold = max(tried, key=lambda logit: tried[logit].value)
            shown = tried[threshold].shown
            info["dev"] |= {name.replace(" ", "_").lower(): round(value, 2) for name, value in shown.items()}
        return self.parser_with(weights, info, threshold)


def strategy(
    recipe: NeuralGraphRecipe, base: Step | None = None, estimator: Estimator | None = None
) -> Strategy[Any, Any]:
    """Return what trains a neural parser of graphs by a recipe, going on from another where one is given."""
    return NeuralGraphStrategy(recipe, going_on_from(NeuralGraphParser, base))
