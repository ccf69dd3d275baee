from array import array

from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.kinds.transition.engines.walk import Scratch
from treewright.treebank.blocks.block import Block
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
        self, greedy: GreedyParser, width: int, *, temperature: float = 1, outside: float = 0, margin: float = ...
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
