from array import array
from collections.abc import Iterable

from typing_extensions import Buffer

class Propagation: ...

def propagate(
    scores: Buffer,
    grandparents: Iterable[tuple[int, int, int, float]],
    single_root: bool = False,
    rounds: int = 10,
) -> tuple[array[float], list[float]]: ...
