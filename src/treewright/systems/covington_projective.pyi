from treewright.systems.system import System

class CovingtonProjective(System):
    def __init__(self, root: str = "last", single_root: bool = True) -> None: ...
