from array import array

from treewright.features.extractor import Extractor
from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.kinds.transition.engines.walk import Scratch
from treewright.learners.learner import Moves, Scorer
from treewright.systems.system import System
from treewright.treebank.blocks.block import Block
from treewright.treebank.lifting.deprojectivizer import Deprojectivizer
from typing_extensions import Buffer

MAX_WIDTH: int

class BeamScratch(Scratch):
    @property
    def work(self) -> tuple[int, ...]: ...

class BeamParser(GreedyParser):
    temperature: float
    outside: float
    margin: float
    def __init__(
        self,
        system: System,
        extractor: Extractor,
        moves: Moves,
        scorer: Scorer,
        split: bool = False,
        deprojectivizer: Deprojectivizer | None = None,
        *,
        width: int = 8,
        temperature: float = 1,
        outside: float = 0,
        margin: float = ...,
    ) -> None: ...
    @property
    def width(self) -> int: ...
    def new_scratch(self) -> BeamScratch: ...
    def parse_block(
        self,
        block: Block,
        heads: Buffer,
        labels: Buffer,
        scratch: Scratch | None = None,
        confidences: Buffer | None = None,
    ) -> None: ...
    def best_trees(
        self, block: Block, sentence: int, k: int, scratch: Scratch | None = None
    ) -> list[tuple[float, float, array[int], array[int]]]: ...
    def best_moves(self, block: Block, sentence: int) -> list[tuple[str, int | None]]: ...
