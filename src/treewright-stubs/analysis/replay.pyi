from array import array

from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.kinds.transition.engines.walk import Walker
from treewright.treebank.blocks.block import Block
from typing_extensions import Buffer

COUNTS: tuple[str, ...]

class Replay(Walker):
    def __init__(self, parser: GreedyParser) -> None: ...
    @property
    def rows(self) -> array[int]: ...
    def add(self, block: Block, heads: Buffer, labels: Buffer) -> None: ...
