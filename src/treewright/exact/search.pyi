from array import array

from typing_extensions import Buffer

from treewright.exact.part_bounds import PartBounds
from treewright.exact.part_scores import PartScores

class TreeSearch(PartBounds):
    lower: float
    upper: float
    certified: bool
    single_root: bool
    added: int
    iterations: int
    branches: int
    def __init__(self, source: PartScores) -> None: ...
    def prepare(self, scores: Buffer, single_root: bool = False) -> None: ...
    def tighten(self, rounds: int) -> bool: ...
    def solve(self, rounds: int = 30) -> bool: ...
    def tree(self) -> array[int]: ...
