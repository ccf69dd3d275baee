from collections.abc import Sequence
from typing import Any

from treewright.text.tokenizer.boundaries import BoundaryModel

class SplitGuesser:
    model: BoundaryModel
    def __init__(self, settings: dict[str, Any], splits: Sequence[Any], model: BoundaryModel) -> None: ...
