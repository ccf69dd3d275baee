from collections.abc import Sequence

from treewright.kinds.network.kernel.rows import Rows
from typing_extensions import Buffer, Self

class Embeddings:
    width: int
    def __new__(cls, width: int, tables: Sequence[tuple[Buffer, Buffer, int]]) -> Self: ...
    def look_up(self, parts: Sequence[Buffer | tuple[Buffer, Buffer]], n_words: int) -> Rows: ...
