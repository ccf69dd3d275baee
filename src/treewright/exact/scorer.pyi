from collections.abc import Iterable

from treewright.exact.parts import PartProgram
from treewright.exact.weights import RowTable, WeightTable

class PartScorer:
    program: PartProgram
    n_labels: int
    def __init__(
        self,
        program: PartProgram,
        arcs: WeightTable,
        relations: RowTable,
        grandparents: WeightTable,
        above: WeightTable,
        below: WeightTable,
        n_labels: int,
        root_labels: Iterable[int],
        word_labels: Iterable[int],
    ) -> None: ...
