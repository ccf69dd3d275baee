from treewright.kinds.network.kernel.rows import Rows
from typing_extensions import Buffer, Self

class BiLstm:
    hidden: int
    n_inputs: int
    def __new__(
        cls,
        input_weights: Buffer,
        input_scales: Buffer,
        recurrent_weights: Buffer,
        recurrent_scales: Buffer,
        bias: Buffer,
    ) -> Self: ...
    def apply(self, rows: Rows, lengths: Buffer) -> Rows: ...
