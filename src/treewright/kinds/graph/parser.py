"""A trained parser of dependency graphs: words may have several heads, written to DEPS."""

from __future__ import annotations

from typing import Any

from treewright.kinds.graph.dag_greedy import GraphScratch, GreedyGraphParser
from treewright.kinds.graph.writing import ArcArrays, GraphWritingParser
from treewright.kinds.transition.linear import LearntWeights, LinearParser
from treewright.kinds.transition.settings import LinearSettings
from treewright.steps.call import Call
from treewright.steps.pool import Pool
from treewright.systems.graphs import make_graph_system
from treewright.systems.graphs.graph_system import GraphSystem
from treewright.treebank.blocks.block import Block


class GraphParser(GraphWritingParser, LinearParser):
    """Builds graphs by moves that linear weights score."""

    kind = "dag"
    system: GraphSystem

    def __init__(self, settings: LinearSettings, weights: LearntWeights, info: dict[str, Any]) -> None:
        self.build(settings, weights, make_graph_system(settings["system"]))
        self.engine = GreedyGraphParser(self.system, self.extractor, self.moves, self.scorer)
        super().__init__(settings, info, settings["relations"])
        self._scratches: Pool[GraphScratch] = Pool(self.engine.new_scratch)

    def arcs(self, block: Block, call: Call) -> ArcArrays:
        """Return the arcs of all sentences of a block."""
        with self._scratches.borrowed() as scratch:
            if call.confidence:
                return ArcArrays(*self.engine.parse_block(block, scratch, True))
            return ArcArrays(*self.engine.parse_block(block, scratch))
