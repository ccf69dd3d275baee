from array import array

from treewright.exact.parts import PartScratch
from treewright.exact.triples import TripleKeys

class TripleCounts:
    def __init__(self, parts: TripleKeys) -> None: ...
    def found(self, cutoff: int) -> tuple[array[int], dict[int, tuple[int, int]]]: ...

class FeatureCounts:
    def __init__(self, parts: PartScratch) -> None: ...
    def found(
        self, cutoff: int
    ) -> tuple[
        array[int],
        array[int],
        tuple[array[int], dict[int, tuple[int, int]]],
        tuple[array[int], dict[int, tuple[int, int]]],
    ]: ...
