from collections.abc import Iterable

from treewright.kinds.exact.parts.parts import PartProgram
from treewright.kinds.exact.parts.weights import RowTable, WeightTable

class TripleWeights:
    def __init__(self, weights: WeightTable, above: WeightTable, below: WeightTable) -> None: ...

class PartScorer:
    program: PartProgram
    n_labels: int
    def __init__(
        self,
        program: PartProgram,
        arcs: WeightTable,
        relations: RowTable,
        grandparents: TripleWeights,
        siblings: TripleWeights,
        n_labels: int,
        root_labels: Iterable[int],
        word_labels: Iterable[int],
    ) -> None: ...
