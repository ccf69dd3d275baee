"""A trained neural parser of graphs: every arc has a probability, and the best graph has all that are likely enough.

Where all words of the treebank can be reached from the root, so they can in every graph that is built.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any, ClassVar, TypedDict

from treewright.kinds.graph.writing import ArcArrays, GraphWritingParser
from treewright.kinds.network.network import EncodedBatch, Network, NetworkSettings, Weights
from treewright.kinds.network.parser import NO_MOVES, LearntArrays, batches, words_of
from treewright.kinds.network_graph.graph_decoding import GraphFinder, as_probabilities
from treewright.steps.call import TRACE, Call
from treewright.steps.pool import Pool
from treewright.systems.leaf_tags import LeafTags
from treewright.treebank.blocks.block import Block
from treewright.treebank.graphs.graph_properties import GraphProperties

OFFSET = "arc_offset.bias"


class NeuralGraphSettings(TypedDict):
    """What a model's header says of a neural parser of graphs."""

    network: NetworkSettings
    relations: list[str]
    leaf_tags: list[str]
    threshold: float  # what the logit of an arc must exceed
    rules: GraphProperties


class GraphNetwork(Network):
    """The network of a neural parser, with scores of arcs that do not compete with each other."""

    def __init__(self, settings: NetworkSettings, n_relations: int, arrays: Weights) -> None:
        super().__init__(settings, n_relations, arrays)
        self.offset = self._vector(OFFSET, 1)[0]

    def raw_arcs(self, encoded: EncodedBatch) -> memoryview:
        """Return the logit of each arc, without the offset: for each sentence, dependent by head, the root first."""
        return self.arc_scores(encoded).view()

    def best_relations(self, encoded: EncodedBatch, dependents: array[int], heads: array[int]) -> array[int]:
        """Return the best relation of each arc; dependents and heads are rows."""
        dep, head = self.relation_dep.apply(encoded.rows), self.relation_head.apply(encoded.rows)
        return self.relations.best(dep.take(dependents), head, heads)


class NeuralGraphParser(GraphWritingParser, LearntArrays):
    """A network that scores arcs, ready to build graphs."""

    kind = "neural-graph"
    _LACKS: ClassVar[Mapping[str, str]] = {**GraphWritingParser._LACKS, TRACE: NO_MOVES}

    def __init__(self, settings: NeuralGraphSettings, arrays: Weights, info: dict[str, Any]) -> None:
        super().__init__(settings, info, settings["relations"])
        self.network = GraphNetwork(settings["network"], len(self.relations), arrays)
        self.arrays = arrays
        self.leaves = LeafTags(self.settings["leaf_tags"])
        self.rules: GraphProperties = settings["rules"]
        self.threshold = float(settings["threshold"])
        self._finders: Pool[GraphFinder] = Pool(GraphFinder)

    def arcs(self, block: Block, call: Call) -> ArcArrays:
        """Return the arcs of all sentences of a block."""
        found_arcs = ArcArrays(array("i"), array("i"), array("i"), array("f") if call.confidence else None)
        leaves = self.leaves.flags(block) if self.leaves.tags else b""
        threshold = self.threshold - self.network.offset
        with self._finders.borrowed() as finder:
            for first, last in batches(block):
                encoded, words = self.network.read(block, first, last), words_of(block, first, last)
                arcs = self.network.raw_arcs(encoded)
                rules = self.rules["connected"], self.rules["headed"], self.rules["single_root"]
                self._add(
                    found_arcs,
                    words.start,
                    encoded,
                    *finder.find(arcs, encoded.lengths, threshold, leaves[words], *rules),
                )
        return found_arcs

    def _add(
        self,
        found: ArcArrays,
        word: int,
        encoded: EncodedBatch,
        dependents: array[int],
        heads: array[int],
        logits: array[float],
    ) -> None:
        """Add the arcs of a batch, whose first word is ``word`` of the block, with their relations."""
        rows, head_rows, sure = array("i"), array("i"), array("d")
        lengths, start = iter(encoded.lengths), 0
        for dependent, head, logit in zip(dependents, heads, logits, strict=True):
            if dependent == 0:  # the sentence ends
                length = next(lengths)
                start += length
                word += length - 1
                continue
            rows.append(start + dependent)
            head_rows.append(start + head)
            sure.append(logit + self.threshold)
            found.dependents.append(word + dependent - 1)
            found.heads.append(head)
        found.labels.extend(self.network.best_relations(encoded, rows, head_rows))
        if found.confidences is not None:
            found.confidences.extend(as_probabilities(sure))

    def _details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        return {
            "system": "neural-graph",
            "network": {name: value for name, value in self.settings["network"].items() if name != "tag_values"},
            "leaf_tags": list(self.leaves.tags),
            "threshold": self.threshold,
            **self.rules,
            "relations": len(self.relations),
        }

    def __repr__(self) -> str:
        return f"<NeuralGraphParser: {self.settings['network']['hidden']} units>"
