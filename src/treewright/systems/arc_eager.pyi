from treewright.systems.system import System

class ArcEager(System):
    def __init__(self, root: str = "last", single_root: bool = True) -> None: ...
