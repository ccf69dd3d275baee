from treewright.systems.system import System

class CovingtonLists(System):
    def __init__(self, name: str, root: str, single_root: bool) -> None: ...
