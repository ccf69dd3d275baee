from collections.abc import Sequence

from treewright.treebank.blocks.block import Block

class RelationFillers:
    names: list[str]
    def __init__(self, names: Sequence[str]) -> None: ...
    def patterns_of(
        self, block: Block, sentence: int, graph: Sequence[Sequence[tuple[int, str]]]
    ) -> list[list[str]]: ...
