"""A trained parser of dependency graphs: words may have several heads, written to DEPS."""

from __future__ import annotations

from collections import deque
from typing import Any

from treewright.errors import ModelFileError, TreewrightError
from treewright.features.extractor import Extractor
from treewright.features.language import parse_model
from treewright.learners.frozen import FrozenWeights, for_kinds
from treewright.learners.learner import Moves
from treewright.learners.table import LinearTable
from treewright.parsing.dag_greedy import GraphScratch, GreedyGraphParser
from treewright.parsing.parser import Parser
from treewright.parsing.transition import _DTYPES
from treewright.systems.graphs import make_graph_system
from treewright.treebank.block import Block
from treewright.treebank.empty_nodes import with_empty_nodes
from treewright.treebank.graph import Arc, sentence_graphs
from treewright.treebank.graph_writing import GraphWriter


class DagParser(Parser):
    """Builds graphs; DEPS is replaced, HEAD and DEPREL stay as they were."""

    def __init__(self, settings: dict[str, Any], weights: FrozenWeights, info: dict[str, Any]) -> None:
        model = parse_model(settings["features"], settings["feature_model"])
        classes = [tuple(pair) for pair in settings["classes"]]
        system = make_graph_system(settings["system"])
        moves = Moves(system, classes, settings["root_labels"], settings["word_labels"])
        if moves.n_classes != weights.n_classes:
            raise ModelFileError("the model is damaged: its weights and its moves do not fit each other")
        self.weights = for_kinds(weights, len(system.kinds))
        extractor = Extractor(model, settings["relations"])
        self.engine = GreedyGraphParser(system, extractor, moves, LinearTable(self.weights))
        self._scratches: deque[tuple[GraphScratch, GraphWriter]] = deque()
        super().__init__(settings, info, settings["relations"])

    @classmethod
    def from_file(cls, header: dict[str, Any], arrays: dict[str, Any]) -> DagParser:
        """Return the parser that a model file holds."""
        return cls(header["settings"], FrozenWeights(arrays, header["weights"]), header["info"])

    def to_file(self) -> tuple[dict[str, Any], dict[str, tuple[str, Any]]]:
        """Return what a model file keeps of the parser: its header, and its arrays with their types."""
        header = {"kind": "dag", "settings": self.settings, "weights": self.weights.settings, "info": self.info}
        return header, {name: (_DTYPES[name], data) for name, data in self.weights.arrays.items()}

    def parse_graphs(self, block: Block) -> list[list[list[Arc]]]:
        """Return the graph of every sentence of a block: for each word its arcs (head, relation)."""
        return list(sentence_graphs(Block(self.parse_text_block(block), block.layout, block.source)))

    def parse_text_block(self, block: Block) -> bytes:
        """Return the text of a block with DEPS replaced, all else as it was."""
        block = self._ready(block)
        if block.layout.deps < 0:
            raise TreewrightError(
                f"{block.source or 'the input'}: {block.layout.name} has no column DEPS for graphs."
                " Convert it to CoNLL-U first: treewright convert"
            )
        try:
            scratch, writer = self._scratches.pop()
        except IndexError:
            scratch, writer = self.engine.new_scratch(), GraphWriter(self.relations)
        text = writer.write(block, *self.engine.parse_block(block, scratch))
        paths = writer.with_paths
        self._scratches.append((scratch, writer))
        return with_empty_nodes(Block(text, block.layout, block.source), paths) if paths else text

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
        system = self.settings["system"]
        return f"<Parser: {system}, {self.settings['feature_model']} features, {len(self.weights):,} weights>"
