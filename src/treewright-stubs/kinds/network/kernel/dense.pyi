from array import array
from collections.abc import Sequence

from treewright.kinds.network.kernel.rows import FloatRows, Rows
from typing_extensions import Buffer, Self

ACTIVATIONS: tuple[str, ...]

class Dense:
    activation: str
    def __new__(cls, weights: Buffer, scales: Buffer, bias: Buffer, activation: str = "none") -> Self: ...
    @property
    def n_outputs(self) -> int: ...
    @property
    def n_inputs(self) -> int: ...
    def apply(self, rows: Rows) -> Rows: ...
    def scores(self, rows: Rows) -> FloatRows: ...
    def best(
        self, rows: Rows, which: Buffer, groups: Buffer, votes: Sequence[tuple[float, Buffer] | None]
    ) -> list[array[int]]: ...
