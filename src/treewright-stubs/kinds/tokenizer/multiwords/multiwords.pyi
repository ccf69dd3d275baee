from typing import Any

from treewright.kinds.tokenizer.boundaries.boundaries import BoundaryModel
from treewright.kinds.tokenizer.multiwords.multiword_guesses import SplitGuesser

class MultiwordTable:
    settings: dict[str, Any]
    guesser: SplitGuesser | None
    def __init__(self, settings: dict[str, Any], model: BoundaryModel | None = None) -> None: ...
