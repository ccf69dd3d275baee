from typing_extensions import Buffer

from treewright.treebank.block import Block

def with_misc_number(block: Block, name: bytes, values: Buffer) -> bytes: ...
