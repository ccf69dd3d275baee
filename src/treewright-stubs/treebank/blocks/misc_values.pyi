from treewright.treebank.blocks.block import Block
from typing_extensions import Buffer

def with_misc_number(block: Block, name: bytes, values: Buffer) -> bytes: ...
