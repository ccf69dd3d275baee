from collections.abc import Iterable

from treewright.graphbased.parts import PartProgram
from treewright.graphbased.weights import RowTable, WeightTable

class GraphScorer:
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
