from array import array

from treewright.kinds.network.kernel.rows import Rows
from typing_extensions import Buffer, Self

class PositionLayers:
    fixed: Rows
    first_size: int
    second_size: int
    width: int
    def __new__(
        cls, fixed: Rows, first: tuple[Buffer, Buffer, Buffer], second: tuple[Buffer, Buffer, Buffer]
    ) -> Self: ...
    @property
    def n_outputs(self) -> tuple[int, int]: ...

class PositionSums:
    layers: PositionLayers
    n_slots: int
    def __new__(cls, layers: PositionLayers) -> Self: ...
    def bind(self, words: Rows) -> None: ...
    def scores(self, places: Buffer, second: bool = False) -> array[float]: ...
