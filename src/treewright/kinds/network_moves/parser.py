"""Trained transition parsers with a network: it reads a sentence once, and a few additions score each move."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from math import inf
from typing import Any, ClassVar

from treewright.features.extractor import Extractor
from treewright.features.fitting import check_addresses
from treewright.features.language import parse_model
from treewright.kinds.graph.dag_greedy import GraphScratch
from treewright.kinds.graph.writing import ArcArrays, GraphWritingParser
from treewright.kinds.network.network import Weights
from treewright.kinds.network.parser import LearntArrays, batches
from treewright.kinds.network_moves.move_network import MoveNetwork, MoveNetworkSettings
from treewright.kinds.network_moves.walking import (
    NetworkGraphParser,
    NetworkParser,
    NetworkScorer,
    n_fixed_rows,
    n_positions,
)
from treewright.kinds.transition.engines.walk import Scratch
from treewright.kinds.transition.linear import rules_of
from treewright.kinds.transition.parser import keeping
from treewright.kinds.transition.settings import LinearSettings
from treewright.learners.learner import Moves
from treewright.steps.call import BEAM, CERTIFICATE, GRAPHS, K_BEST, PARSER_ALONE, PLAIN, TAGS, TEXT, TRACE, Call
from treewright.steps.parser import Parser, TreeParser, Trees, empty_trees
from treewright.steps.pool import Pool
from treewright.systems import make_system
from treewright.systems.graphs import make_graph_system
from treewright.systems.rules.rule import TAG_PRICE, listed
from treewright.systems.system import System
from treewright.treebank.blocks.block import Block
from treewright.treebank.lifting.deprojectivizer import Deprojectivizer

NO_FEATURES = "a network's scores are no sums over features: there is nothing to show for a move"
ONE_AT_A_TIME = "a network scores one move at a time: the parser is greedy"


class NeuralMoveSettings(LinearSettings):
    """What a model's header says of a transition parser with a network."""

    network: MoveNetworkSettings


class MoveParts:
    """What such parsers are made of: system, positions, moves and the network."""

    def __init__(self, settings: NeuralMoveSettings, arrays: Weights, system: System) -> None:
        model = parse_model(settings["features"], settings["feature_model"])
        check_addresses(model, system)
        classes = [(kind, label) for kind, label in settings["classes"]]
        self.moves = Moves(system, classes, settings["root_labels"], settings["word_labels"])
        self.rules = rules_of(settings) if "rules" in settings else None
        self.extractor = Extractor(model, settings["relations"], settings["leaf_tags"], rules=self.rules)
        self.network = MoveNetwork(
            settings["network"],
            arrays,
            n_positions(self.extractor),
            n_fixed_rows(self.extractor),
            len(system.kinds),
            self.moves.n_classes,
        )
        self.scorer = NetworkScorer(self.network.layers_of_moves, self.extractor)


class MoveNetworkParser(LearntArrays):
    """What transition parsers with a network share: what they say of themselves."""

    settings: NeuralMoveSettings
    parts: MoveParts

    def _details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        return {
            "system": self.settings["system"],
            "network": self.settings["network"],
            "positions": n_positions(self.parts.extractor),
            "leaf_tags": list(self.settings["leaf_tags"]),
            "relations": len(self.relations),
            **({"rules": listed(self.settings)} if "rules" in self.settings else {}),
        }

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.settings['network']['hidden']} units>"


class NeuralMoves(TreeParser, MoveNetworkParser):
    """A transition system and a network, ready to parse trees."""

    kind = "neural-moves"
    _LACKS: ClassVar[Mapping[str, str]] = {
        GRAPHS: "the model builds trees, not graphs",
        BEAM: ONE_AT_A_TIME,
        K_BEST: ONE_AT_A_TIME,
        TRACE: NO_FEATURES,
        CERTIFICATE: "only exact parsers give certificates: train with --system exact",
        TEXT: PARSER_ALONE,
        TAGS: PARSER_ALONE,
    }

    def __init__(self, settings: NeuralMoveSettings, arrays: Weights, info: dict[str, Any]) -> None:
        system = make_system(**settings["system"])
        self.parts, self.arrays = MoveParts(settings, arrays, system), arrays
        self.lifting = Deprojectivizer(settings["relations"], settings["lifting"])
        Parser.__init__(self, settings, info, self.lifting.decoded_relations)
        parts = self.parts
        self.engine = NetworkParser(system, parts.extractor, parts.moves, parts.scorer, self.lifting)
        self._scratches: Pool[Scratch] = Pool(self.engine.new_scratch)

    def trees(self, block: Block, call: Call = PLAIN) -> Trees:
        """Return the trees of all sentences of a block."""
        network = self.parts.network
        trees = empty_trees(block, call.confidence)
        rules = self.parts.rules if call.tags_are_guesses else None
        price, misfits = (inf, None) if rules is None else (TAG_PRICE, list[int]())
        with self._scratches.borrowed() as scratch, keeping(scratch, None, price, misfits):
            for first, last in batches(block):
                words = network.project(network.read(block, first, last))
                out = trees.heads, trees.labels, scratch, trees.confidences
                self.engine.parse_sentences(block, first, last, words, *out)
        if rules is None:
            return trees
        return trees._replace(block=rules.fitted(block, trees.heads, trees.labels, misfits))


class NeuralGraphMoves(GraphWritingParser, MoveNetworkParser):
    """A transition system and a network, ready to parse graphs."""

    kind = "neural-graph-moves"
    _LACKS: ClassVar[Mapping[str, str]] = {**GraphWritingParser._LACKS, TRACE: NO_FEATURES}

    def __init__(self, settings: NeuralMoveSettings, arrays: Weights, info: dict[str, Any]) -> None:
        system = make_graph_system(settings["system"])
        self.parts, self.arrays = MoveParts(settings, arrays, system), arrays
        GraphWritingParser.__init__(self, settings, info, settings["relations"])
        self.engine = NetworkGraphParser(system, self.parts.extractor, self.parts.moves, self.parts.scorer)
        self._scratches: Pool[GraphScratch] = Pool(self.engine.new_scratch)

    def arcs(self, block: Block, call: Call) -> ArcArrays:
        """Return the arcs of all sentences of a block."""
        network = self.parts.network
        dependents, heads, labels, sure = array("i"), array("i"), array("i"), array("f")
        with self._scratches.borrowed() as scratch:
            for first, last in batches(block):
                words = network.project(network.read(block, first, last))
                more = self.engine.parse_sentences(block, first, last, words, scratch, call.confidence)
                dependents += more[0]
                heads += more[1]
                labels += more[2]
                sure += more[3]
        return ArcArrays(dependents, heads, labels, sure if call.confidence else None)
