from collections.abc import Collection, Iterable, Sequence

from treewright.query.engine.block_reader import BlockReader, Condition
from treewright.query.engine.sentence_graph import SentenceGraph
from treewright.treebank.blocks.block import Block

class Matcher:
    count: int
    n_sentences: int
    def __init__(
        self,
        graph: SentenceGraph,
        reader: BlockReader | None,
        conditions: Iterable[Condition],
        free_nodes: Sequence[bool],
        n_edges: int,
        n_found_nodes: int,
        outputs: Sequence[tuple[int, int, int]],
        structures: tuple[int, int],
        most_steps: int,
    ) -> None: ...
    def set_program(self, steps: Sequence[tuple[Sequence[int], float]]) -> None: ...
    def look_for(self, rare: Condition | None, columns: Collection[int], others_may: bool) -> None: ...
    def find(self, block: Block, first: int, keep: bool, most: int) -> tuple[bytes, int, bool]: ...
    def find_in_graph(self) -> tuple[bytes, bool]: ...
    def shares(self, block: Block, conditions: Sequence[Condition]) -> list[int]: ...
    def fill(
        self,
        masks: Sequence[int],
        values: Sequence[Sequence[float]],
        parents: Sequence[int],
        arcs: Iterable[tuple[int, int, int, Sequence[float]]],
    ) -> None: ...
