from array import array

from treewright.kinds.network.kernel.rows import FloatRows, Rows
from typing_extensions import Buffer, Self

class Relations:
    n_labels: int
    width: int
    def __new__(
        cls, joint: tuple[Buffer, Buffer], dep: tuple[Buffer, Buffer], head: tuple[Buffer, Buffer], bias: Buffer
    ) -> Self: ...
    def scores(self, dep: Rows, head: Rows, heads: Buffer) -> FloatRows: ...
    def best(self, dep: Rows, head: Rows, heads: Buffer) -> array[int]: ...
