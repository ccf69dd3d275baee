"""A trained parser of dependency graphs: words may have several heads, written to DEPS."""

from __future__ import annotations

from collections import deque
from itertools import chain
from typing import Any

from treewright.errors import ModelFileError, TreewrightError
from treewright.features.extractor import Extractor
from treewright.features.language import parse_model
from treewright.learners.frozen import FrozenWeights
from treewright.learners.learner import Moves
from treewright.learners.table import LinearTable
from treewright.parsing.dag_greedy import GraphScratch, GreedyGraphParser
from treewright.parsing.parser import Parser
from treewright.parsing.transition import _DTYPES
from treewright.systems.dag_arc_eager import DagArcEager
from treewright.treebank.block import Block
from treewright.treebank.graph import Arc, with_graphs
from treewright.treebank.graph_preparation import restore


class DagParser(Parser):
    """Builds graphs; DEPS is replaced, HEAD and DEPREL stay as they were."""

    def __init__(self, settings: dict[str, Any], weights: FrozenWeights, info: dict[str, Any]) -> None:
        self.weights = weights
        if settings["system"] != "dag-arc-eager":
            raise ModelFileError(f"a graph parser with the system {settings['system']!r}, which this version has not")
        model = parse_model(settings["features"], settings["feature_model"])
        classes = [tuple(pair) for pair in settings["classes"]]
        system = DagArcEager()
        moves = Moves(system, classes, settings["root_labels"], settings["word_labels"])
        if moves.n_classes != weights.n_classes:
            raise ModelFileError("the model is damaged: its weights and its moves do not fit each other")
        self.engine = GreedyGraphParser(system, Extractor(model, settings["relations"]), moves, LinearTable(weights))
        self._scratches: deque[GraphScratch] = deque()
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
        try:
            scratch = self._scratches.pop()
        except IndexError:
            scratch = self.engine.new_scratch()
        arcs: list[list[Arc]] = [[] for _ in range(block.n_words)]
        for dependent, head, label in zip(*self.engine.parse_block(block, scratch), strict=True):
            arcs[dependent].append((head, self.relations[label]))
        self._scratches.append(scratch)
        spans = (block.words_of(sentence) for sentence in range(block.n_sentences))
        return [restore(arcs[span.start : span.stop]) for span in spans]

    def parse_text_block(self, block: Block) -> bytes:
        """Return the text of a block with DEPS replaced, all else as it was."""
        block = self._ready(block)
        if block.layout.deps < 0:
            raise TreewrightError(
                f"{block.source or 'the input'}: {block.layout.name} has no column DEPS for graphs."
                " Convert it to CoNLL-U first: treewright convert"
            )
        return with_graphs(block, chain.from_iterable(self.parse_graphs(block)))

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
        return f"<Parser: dag-arc-eager, {self.settings['feature_model']} features, {len(self.weights):,} weights>"
