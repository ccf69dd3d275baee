from collections.abc import Collection, Iterable, Sequence

from treewright.query.engine.sentence_graph import SentenceGraph
from treewright.query.engine.value_table import ValueTable

class Condition:
    def __init__(self, alternatives: Sequence[Sequence[Sequence[tuple[int, int]]]]) -> None: ...

class BlockReader:
    def __init__(
        self,
        graph: SentenceGraph,
        tables: Iterable[ValueTable | None],
        tree_labels: ValueTable,
        graph_labels: ValueTable,
        with_graph: bool,
        with_arcs: bool,
        misc_names: Iterable[bytes],
    ) -> None: ...
    def look_for(self, rare: Condition | None, columns: Collection[int], others_may: bool) -> None: ...
