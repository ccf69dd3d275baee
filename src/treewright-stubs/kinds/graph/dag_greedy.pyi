from array import array
from typing import Literal, overload

from treewright.features.extractor import Extractor
from treewright.kinds.transition.engines.chooser import Chooser
from treewright.kinds.transition.engines.walk import Scratch
from treewright.learners.learner import Moves, Scorer
from treewright.systems.graphs.graph_system import GraphSystem
from treewright.treebank.blocks.block import Block

class GraphScratch(Scratch): ...

class GreedyGraphParser(Chooser):
    def __init__(
        self, system: GraphSystem, extractor: Extractor, moves: Moves, scorer: Scorer, fast: bool = True
    ) -> None: ...
    def new_scratch(self) -> GraphScratch: ...
    @overload
    def parse_block(
        self, block: Block, s: GraphScratch, confidences: Literal[False] = False
    ) -> tuple[array[int], array[int], array[int]]: ...
    @overload
    def parse_block(
        self, block: Block, s: GraphScratch, confidences: Literal[True]
    ) -> tuple[array[int], array[int], array[int], array[float]]: ...
