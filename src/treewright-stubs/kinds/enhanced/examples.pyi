from array import array

from treewright.kinds.enhanced.finding import ArcFinder
from treewright.learners.perceptron import Perceptron
from treewright.treebank.blocks.block import Block

from treewright.treebank.graphs.graph import Graphs

class ArcExamples:
    counts: dict[tuple[int, int], int]
    def __init__(self, finder: ArcFinder) -> None: ...
    def __len__(self) -> int: ...
    def add(
        self,
        block: Block,
        heads: array[int],
        labels: array[int],
        gold: Graphs,
        before: int,
        parsed: bool = False,
    ) -> None: ...
    def learn(self, learner: Perceptron, order: array[int]) -> int: ...
