from array import array
from collections.abc import Mapping, Sequence

from treewright.treebank.blocks.block import Block

class GraphWriter:
    relations: list[str]
    with_paths: list[int]
    def __init__(self, relations: Sequence[str], cases: Mapping[str, Sequence[str]] | None = None) -> None: ...
    def write(self, block: Block, dependents: array[int], heads: array[int], labels: array[int]) -> bytes: ...
