from collections.abc import Sequence

from treewright.systems.system import Parse

ADDITIVE: tuple[str, ...]
MOST: int

class WeightedGold:
    def __init__(self, weights: Sequence[int], below: int = ...) -> None: ...
    def costs_in(self, parse: Parse) -> dict[str, int]: ...
