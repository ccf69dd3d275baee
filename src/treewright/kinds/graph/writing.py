"""What every parser of graphs shares: arcs as arrays, written to DEPS with empty nodes and confidences."""

from __future__ import annotations

import math
from abc import abstractmethod
from array import array
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from treewright.errors import TreewrightError
from treewright.steps.call import BEAM, CERTIFICATE, GIVEN_ARCS, K_BEST, PARSER_ALONE, PLAIN, TAGS, TEXT, TREES, Call
from treewright.steps.parser import CONFIDENCE, Parser
from treewright.steps.pool import Pool
from treewright.treebank.blocks.block import Block
from treewright.treebank.graphs.graph_writing import GraphWriter

if TYPE_CHECKING:
    from treewright.treebank.graphs.graph import Arc


class ArcArrays(NamedTuple):
    """The arcs of a block's graphs: dependents numbered over the block from 0, heads in their sentence, relations."""

    dependents: array[int]
    heads: array[int]
    labels: array[int]
    confidences: array[float] | None = None  # where requested
    more_relations: tuple[str, ...] = ()  # unknown to the parser, copied from a tree: labels count on from its own


class GraphWritingParser(Parser):
    """A parser whose result is a graph for every sentence; DEPS is replaced, HEAD and DEPREL stay as they were."""

    gives = ("DEPS",)
    confidence_name = CONFIDENCE  # in MISC
    copied: Collection[str] | None = ()  # relations of empty nodes that repeat their heads; None: paths stay paths

    _LACKS: ClassVar[Mapping[str, str]] = {
        TREES: "the model builds graphs, not trees: their arcs are in DEPS",
        BEAM: "graph parsers have no beam",
        K_BEST: "graph parsers build one graph for a sentence",
        GIVEN_ARCS: "the model builds graphs: only parsers of trees can build around given arcs",
        CERTIFICATE: "only exact parsers give certificates: train with --system exact",
        TEXT: PARSER_ALONE,
        TAGS: PARSER_ALONE,
    }

    def __init__(self, settings: Mapping[str, Any], info: dict[str, Any], relations: Sequence[str]) -> None:
        super().__init__(settings, info, relations)
        self._writers: Pool[GraphWriter] = Pool(lambda: self.writer_of(self.relations))

    def writer_of(self, relations: Sequence[str]) -> GraphWriter:
        """Return what writes graphs with these relations."""
        return GraphWriter(relations, self.settings.get("cases"))

    def calibrated(self, confidences: array[float]) -> array[float]:
        """Return what the confidences of words are worth."""
        return confidences

    @abstractmethod
    def arcs(self, block: Block, call: Call) -> ArcArrays:
        """Return the arcs of all sentences of a block, ordered by sentence."""

    def parse_graphs(self, block: Block) -> list[list[list[Arc]]]:
        """Return the graph of every sentence of a block: for each word its arcs (head, relation)."""
        from treewright.treebank.graphs.graph import sentence_graphs

        return list(sentence_graphs(Block(self.annotate(block, PLAIN), block.layout, block.source)))

    def annotate(self, block: Block, call: Call) -> bytes:
        """Return the text of a block with DEPS replaced, all else as it was."""
        if block.layout.deps < 0:
            raise TreewrightError(
                f"{block.source or 'the input'}: {block.layout.name} has no column DEPS for graphs."
                " Convert it to CoNLL-U first: treewright convert"
            )
        arcs = self.arcs(block, call)
        with self._writers.borrowed() as usual:
            writer = self.writer_of([*self.relations, *arcs.more_relations]) if arcs.more_relations else usual
            text = writer.write(block, arcs.dependents, arcs.heads, arcs.labels)
            paths = writer.with_paths
        if arcs.confidences is not None:
            from treewright.treebank.blocks.misc_values import with_misc_number

            sure = self.calibrated(word_confidences(block.n_words, arcs.dependents, arcs.confidences))
            text = with_misc_number(Block(text, block.layout, block.source), self.confidence_name, sure)
        if not paths or self.copied is None:
            return text
        from treewright.treebank.graphs.empty_nodes import with_empty_nodes

        return with_empty_nodes(Block(text, block.layout, block.source), paths, self.copied)


def word_confidences(n_words: int, dependents: array[int], confidences: array[float]) -> array[float]:
    """Return the confidence in all heads of each word: the product over its arcs; NaN for words without one."""
    products = array("f", [math.nan]) * n_words
    for word, confidence in zip(dependents, confidences, strict=True):
        products[word] = confidence if math.isnan(products[word]) else products[word] * confidence
    return products
