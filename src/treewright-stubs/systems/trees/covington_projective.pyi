from treewright.systems.trees.covington import CovingtonLists

class CovingtonProjective(CovingtonLists):
    def __init__(self, root: str = "last", single_root: bool = True) -> None: ...
