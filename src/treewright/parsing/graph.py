"""A trained parser of dependency graphs: words may have several heads, written to DEPS."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping
from typing import Any, ClassVar

from treewright.errors import TreewrightError
from treewright.parsing.dag_greedy import GraphScratch, GreedyGraphParser
from treewright.parsing.linear import LearntWeights, LinearParser, settings_from, weights_from
from treewright.parsing.parse_options import (
    BEAM,
    CERTIFICATE,
    GIVEN_ARCS,
    K_BEST,
    TAGS,
    TEXT,
    TREES,
    ParseOptions,
)
from treewright.parsing.parser import Arrays, Header
from treewright.parsing.pool import Pool
from treewright.parsing.settings import LinearSettings
from treewright.parsing.transition import PARSER_ALONE
from treewright.parsing.trees import CONFIDENCE
from treewright.systems.graph_system import GraphSystem
from treewright.systems.graphs import make_graph_system
from treewright.treebank.block import Block
from treewright.treebank.empty_nodes import with_empty_nodes
from treewright.treebank.graph import Arc, sentence_graphs
from treewright.treebank.graph_writing import GraphWriter
from treewright.treebank.misc_values import with_misc_number


class GraphParser(LinearParser):
    """Builds graphs; DEPS is replaced, HEAD and DEPREL stay as they were."""

    kind = "dag"
    system: GraphSystem
    _LACKS: ClassVar[Mapping[str, str]] = {
        TREES: "the model builds graphs, not trees: their arcs are in DEPS",
        BEAM: "graph parsers are greedy: they have no beam",
        K_BEST: "graph parsers are greedy: they build one graph for a sentence",
        GIVEN_ARCS: "the model builds graphs: only parsers of trees can build around given arcs",
        CERTIFICATE: "only exact parsers give certificates: train with --system exact",
        TEXT: PARSER_ALONE,
        TAGS: PARSER_ALONE,
    }

    @property
    def lacks(self) -> Mapping[str, str]:
        """What this parser cannot do, and why."""
        return self._LACKS

    def __init__(self, settings: LinearSettings, weights: LearntWeights, info: dict[str, Any]) -> None:
        self.build(settings, weights, make_graph_system(settings["system"]))
        self.engine = GreedyGraphParser(self.system, self.extractor, self.moves, self.scorer)
        super().__init__(settings, info, settings["relations"])
        self._scratches: Pool[tuple[GraphScratch, GraphWriter]] = Pool(
            lambda: (self.engine.new_scratch(), GraphWriter(self.relations))
        )

    @classmethod
    def from_file(cls, header: Header, arrays: Arrays) -> GraphParser:
        """Return the parser that a model file holds."""
        return cls(settings_from(header, arrays), weights_from(header["weights"], arrays), header["info"])

    def parse_graphs(self, block: Block) -> list[list[list[Arc]]]:
        """Return the graph of every sentence of a block: for each word its arcs (head, relation)."""
        return list(sentence_graphs(Block(self.parse_text_block(block), block.layout, block.source)))

    def annotate(self, block: Block, options: ParseOptions) -> bytes:
        """Return the text of a block with DEPS replaced, all else as it was."""
        block = self.ready(block, options)
        if block.layout.deps < 0:
            raise TreewrightError(
                f"{block.source or 'the input'}: {block.layout.name} has no column DEPS for graphs."
                " Convert it to CoNLL-U first: treewright convert"
            )
        sure = None
        with self._scratches.borrowed() as (scratch, writer):
            if options.confidence:
                dependents, heads, labels, found = self.engine.parse_block(block, scratch, True)
                sure = word_confidences(block.n_words, dependents, found)
            else:
                dependents, heads, labels = self.engine.parse_block(block, scratch)
            text = writer.write(block, dependents, heads, labels)
            paths = writer.with_paths
        if sure is not None:
            text = with_misc_number(Block(text, block.layout, block.source), CONFIDENCE, sure)
        return with_empty_nodes(Block(text, block.layout, block.source), paths) if paths else text


def word_confidences(n_words: int, dependents: array[int], confidences: array[float]) -> array[float]:
    """Return the confidence in all heads of each word: the product over its arcs; NaN for words without one."""
    found = array("f", [math.nan]) * n_words
    for word, confidence in zip(dependents, confidences, strict=True):
        found[word] = confidence if math.isnan(found[word]) else found[word] * confidence
    return found
