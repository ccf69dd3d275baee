from treewright.systems.trees.cycles import AcyclicSystem

class Planar(AcyclicSystem):
    def __init__(self, single_root: bool = True) -> None: ...
