from array import array

from typing_extensions import Buffer

from treewright.parsing.greedy import GreedyParser
from treewright.parsing.walk import Walker
from treewright.treebank.block import Block

COUNTS: tuple[str, ...]

class Replay(Walker):
    def __init__(self, parser: GreedyParser) -> None: ...
    @property
    def rows(self) -> array[int]: ...
    def add(self, block: Block, heads: Buffer, labels: Buffer) -> None: ...
