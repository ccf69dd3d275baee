from treewright.systems.system import System

class CovingtonLists(System):
    def __init__(self, name: str, root: str, single_root: bool) -> None: ...

class Covington(CovingtonLists):
    def __init__(self, root: str = "last", single_root: bool = True) -> None: ...
