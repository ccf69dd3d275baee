"""A trained transition parser: a system, a feature model and weights."""

from __future__ import annotations

from array import array
from collections import deque
from typing import Any

from treewright.errors import ModelFileError
from treewright.features.extractor import Extractor
from treewright.features.language import parse_model
from treewright.learners.frozen import FrozenWeights
from treewright.learners.learner import Moves
from treewright.learners.table import LinearTable
from treewright.parsing.greedy import GreedyParser, Scratch
from treewright.parsing.parser import Parser
from treewright.systems import make_system
from treewright.systems.system import System
from treewright.treebank.block import Block
from treewright.treebank.deprojectivizer import Deprojectivizer

_DTYPES = {
    "lines": "U8", "tags": "U16", "moves": "I8", "sizes": "U16", "classes_low": "U8", "classes_high": "U8",
    "values": "I8",
}  # fmt: skip


def engine_for(system: System) -> type[GreedyParser]:
    """Return what parses with a system: move by move where stack and buffer meet, or anywhere in the list."""
    if system.has_places:
        from treewright.parsing.easy_first import EasyFirstParser

        return EasyFirstParser
    return GreedyParser


class TransitionParser(Parser):
    """A system, a feature model and weights, ready to parse.

    ``engine`` is what parses, compiled; each thread brings its own scratch memory to it.
    """

    def __init__(self, settings: dict[str, Any], weights: FrozenWeights, info: dict[str, Any]) -> None:
        self.weights = weights
        system = make_system(**settings["system"])
        model = parse_model(settings["features"], settings["feature_model"])
        classes = [tuple(pair) for pair in settings["classes"]]
        moves = Moves(system, classes, settings["root_labels"], settings["word_labels"])
        if moves.n_classes != weights.n_classes:
            raise ModelFileError("the model is damaged: its weights and its moves do not fit each other")
        lifting = Deprojectivizer(settings["relations"], settings["lifting"])
        self.engine = engine_for(system)(
            system, Extractor(model, settings["relations"]), moves, LinearTable(weights), settings["split"], lifting
        )
        self._scratches: deque[Scratch] = deque()
        super().__init__(settings, info, lifting.decoded_relations)

    @classmethod
    def from_file(cls, header: dict[str, Any], arrays: dict[str, Any]) -> TransitionParser:
        """Return the parser that a model file holds."""
        return cls(header["settings"], FrozenWeights(arrays, header["weights"]), header["info"])

    def to_file(self) -> tuple[dict[str, Any], dict[str, tuple[str, Any]]]:
        """Return what a model file keeps of the parser: its header, and its arrays with their types."""
        header = {
            "kind": "transition", "settings": self.settings, "weights": self.weights.settings, "info": self.info,
        }  # fmt: skip
        return header, {name: (_DTYPES[name], data) for name, data in self.weights.arrays.items()}

    def parse_block(self, block: Block) -> tuple[Block, array[int], array[int]]:
        """Parse all sentences of a block: heads and relations (positions in ``relations``), word by word."""
        block = self._ready(block)
        heads, labels = array("i", bytes(4 * block.n_words)), array("i", bytes(4 * block.n_words))
        try:
            scratch = self._scratches.pop()
        except IndexError:
            scratch = self.engine.new_scratch()
        self.engine.parse_block(block, heads, labels, scratch)
        self._scratches.append(scratch)
        return block, heads, labels

    def details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        return {
            "system": self.settings["system"],
            "feature_model": self.settings["feature_model"],
            "templates": len(self.engine.extractor.model.templates),
            "features": len(self.weights),
            "relations": len(self.relations),
            "moves": len(self.settings["classes"]),
        }

    def __repr__(self) -> str:
        system = self.settings["system"]["name"]
        return f"<Parser: {system}, {self.settings['feature_model']} features, {len(self.weights):,} weights>"
