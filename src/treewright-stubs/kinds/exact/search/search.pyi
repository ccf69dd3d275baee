from array import array

from treewright.kinds.exact.parts.part_family import PartFamily
from treewright.kinds.exact.parts.part_scores import PartScores
from typing_extensions import Buffer

class TreeSearch:
    source: PartScores
    n: int
    lower: float
    upper: float
    certified: bool
    single_root: bool
    iterations: int
    branches: int
    projective: bool
    def __init__(
        self, grandparents: PartScores | None = None, siblings: PartScores | None = None, projective: bool = False
    ) -> None: ...
    @property
    def families(self) -> list[PartFamily]: ...
    @property
    def scored(self) -> int: ...
    @property
    def added(self) -> int: ...
    def prepare(self, scores: Buffer, single_root: bool = False) -> None: ...
    def tighten(self, rounds: int) -> bool: ...
    def solve(self, rounds: int = 30, most_iterations: int = 1000000000) -> bool: ...
    def dynamic(self, all_parts: bool = False) -> bool: ...
    def tree(self) -> array[int]: ...
