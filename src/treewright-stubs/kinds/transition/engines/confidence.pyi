from collections.abc import Mapping
from typing import Any

from treewright.kinds.transition.engines.chooser import Chooser
from treewright.kinds.transition.engines.walk import Scratch, Walker
from treewright.treebank.blocks.block import Block
from typing_extensions import Buffer

class Margins:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def confidences(self, beta: float, n_words: int) -> Any: ...

class ConfidentParser(Walker):
    parser: Chooser
    beta: float
    def __init__(self, parser: Chooser, calibration: Mapping[str, Any] | None = None) -> None: ...
    def parse_block(
        self, block: Block, heads: Buffer, labels: Buffer, confidences: Buffer, scratch: Scratch | None = None
    ) -> None: ...
