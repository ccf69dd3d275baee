from collections.abc import Mapping, Sequence

from treewright.treebank.blocks.block import Block

CASE: str

class RelationFillers:
    names: list[str]
    def __init__(self, names: Sequence[str], cases: Mapping[str, Sequence[str]] | None = None) -> None: ...
    def patterns_of(
        self, block: Block, sentence: int, graph: Sequence[Sequence[tuple[int, str]]]
    ) -> list[list[str]]: ...
