from array import array

from treewright.features.extractor import Extractor
from treewright.learners.learner import Moves, Scorer
from treewright.systems.graph_system import GraphSystem
from treewright.treebank.block import Block

class GraphScratch:
    def __new__(cls, extractor: Extractor) -> GraphScratch: ...

class GreedyGraphParser:
    system: GraphSystem
    extractor: Extractor
    moves: Moves
    scorer: Scorer
    def __init__(
        self, system: GraphSystem, extractor: Extractor, moves: Moves, scorer: Scorer, fast: bool = True
    ) -> None: ...
    def new_scratch(self) -> GraphScratch: ...
    def parse_block(self, block: Block, s: GraphScratch) -> tuple[array[int], array[int], array[int]]: ...
