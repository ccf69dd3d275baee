from treewright.systems.graphs.dag_arc_eager import DagArcEager

class DagCrossing(DagArcEager):
    def __init__(self) -> None: ...
