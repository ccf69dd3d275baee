from treewright.kinds.network.kernel.rows import Rows
from typing_extensions import Buffer, Self

class BiLstm:
    hidden: int
    n_inputs: int
    n_beside: int
    def __new__(
        cls,
        input_weights: Buffer,
        input_scales: Buffer,
        recurrent_weights: Buffer,
        recurrent_scales: Buffer,
        bias: Buffer,
        n_beside: int = 0,
    ) -> Self: ...
    def apply(self, rows: Rows, lengths: Buffer, beside: Rows | None = None) -> Rows: ...

def columns(weights: Buffer, first: int, last: int) -> memoryview[int]: ...
