from array import array
from collections.abc import Sequence

from treewright.treebank.blocks.block import Block

def replace_tree(block: Block, heads: array[int], labels: array[int], relations: Sequence[bytes]) -> bytes: ...
