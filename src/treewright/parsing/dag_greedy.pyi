from array import array

from treewright.features.extractor import Extractor
from treewright.learners.learner import Moves, Scorer
from treewright.systems.dag_arc_eager import DagArcEager
from treewright.treebank.block import Block

class GraphScratch:
    def __init__(self, extractor: Extractor) -> None: ...

class GreedyGraphParser:
    system: DagArcEager
    extractor: Extractor
    moves: Moves
    scorer: Scorer
    def __init__(self, system: DagArcEager, extractor: Extractor, moves: Moves, scorer: Scorer) -> None: ...
    def new_scratch(self) -> GraphScratch: ...
    def parse_block(self, block: Block, s: GraphScratch) -> tuple[array[int], array[int], array[int]]: ...
