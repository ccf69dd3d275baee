from collections.abc import Iterable

from treewright.treebank.blocks.block import Block

EMPTY: int
NUMBER: int

def rearrange(
    block: Block,
    mapping: Iterable[int],
    *,
    comments: bool = True,
    multiword: bool = True,
    empty: bool = True,
) -> tuple[bytes, tuple[int, int, int, int, list[int]]]: ...
