from collections.abc import Sequence

class TreeView: ...

class TreePaths:
    n_relations: int
    n_nodes: int
    ends: list[int]
    def __init__(
        self,
        paths: Sequence[tuple[Sequence[tuple[bool, int]], Sequence[int]]],
        n_relations: int,
        n_graph_relations: int,
    ) -> None: ...
