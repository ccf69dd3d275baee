from collections.abc import Mapping
from typing import Any

from typing_extensions import Buffer

from treewright.parsing.chooser import Chooser
from treewright.parsing.walk import Scratch, Walker
from treewright.treebank.block import Block

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
