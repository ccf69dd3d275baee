from array import array

from treewright.kinds.exact.parts.part_scores import PartScores
from typing_extensions import Buffer

class SiblingChains: ...
class Propagation: ...

def propagate(
    scores: Buffer,
    grandparents: PartScores | None = None,
    siblings: PartScores | None = None,
    single_root: bool = False,
    rounds: int = 10,
) -> tuple[array[float], dict[tuple[int, int, int], float], dict[tuple[int, int, int], float]]: ...
