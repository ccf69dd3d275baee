from typing_extensions import Buffer

from treewright.treebank.block import Block

def with_confidences(block: Block, values: Buffer) -> bytes: ...
