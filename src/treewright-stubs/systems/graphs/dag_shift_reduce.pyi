from treewright.systems.graphs.graph_system import GraphSystem

class DagShiftReduce(GraphSystem):
    def __init__(self) -> None: ...
