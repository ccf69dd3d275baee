from array import array

from typing_extensions import Buffer

from treewright.exact.part_scores import PartScores

class SiblingChains: ...
class Propagation: ...

def propagate(
    scores: Buffer,
    grandparents: PartScores | None = None,
    siblings: PartScores | None = None,
    single_root: bool = False,
    rounds: int = 10,
) -> tuple[array[float], dict[tuple[int, int, int], float], dict[tuple[int, int, int], float]]: ...
