from array import array

from treewright.features.extractor import Extractor
from treewright.kinds.graph.dag_greedy import GraphScratch, GreedyGraphParser
from treewright.kinds.network.kernel.positions import PositionLayers
from treewright.kinds.network.kernel.rows import Rows
from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.kinds.transition.engines.walk import Scratch
from treewright.learners.learner import Moves, Scorer
from treewright.systems.graphs.graph_system import GraphSystem
from treewright.systems.system import System
from treewright.treebank.blocks.block import Block
from treewright.treebank.lifting.deprojectivizer import Deprojectivizer
from typing_extensions import Buffer, Self

def n_positions(extractor: Extractor) -> int: ...
def n_fixed_rows(extractor: Extractor) -> int: ...

class MoveInput:
    def __new__(cls, layers: PositionLayers) -> Self: ...

class NetworkScorer(Scorer):
    layers: PositionLayers
    def __init__(self, layers: PositionLayers, extractor: Extractor) -> None: ...

class NetworkParser(GreedyParser):
    def __init__(
        self,
        system: System,
        extractor: Extractor,
        moves: Moves,
        scorer: NetworkScorer,
        deprojectivizer: Deprojectivizer | None = None,
    ) -> None: ...
    def parse_sentences(
        self,
        block: Block,
        first: int,
        last: int,
        words: Rows,
        heads: Buffer,
        labels: Buffer,
        s: Scratch,
        confidences: Buffer | None = None,
    ) -> None: ...

class NetworkGraphParser(GreedyGraphParser):
    def __init__(self, system: GraphSystem, extractor: Extractor, moves: Moves, scorer: NetworkScorer) -> None: ...
    def parse_sentences(
        self, block: Block, first: int, last: int, words: Rows, s: GraphScratch, confidences: bool = False
    ) -> tuple[array[int], array[int], array[int], array[float]]: ...
