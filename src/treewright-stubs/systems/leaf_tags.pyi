from collections.abc import Sequence

from treewright.treebank.blocks.block import Block

class LeafTags:
    tags: tuple[str, ...]
    def __new__(cls, tags: Sequence[str] = ()) -> LeafTags: ...
    def flags(self, block: Block) -> bytes: ...

def tags_of(block: Block) -> list[bytes]: ...
