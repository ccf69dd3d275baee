from treewright.systems.trees.cycles import AcyclicSystem

class CovingtonLists(AcyclicSystem):
    def __init__(self, name: str, root: str, single_root: bool) -> None: ...

class Covington(CovingtonLists):
    def __init__(self, root: str = "last", single_root: bool = True) -> None: ...
