from treewright.systems.graph_system import GraphSystem

class DagArcEager(GraphSystem):
    def __init__(self) -> None: ...
