from treewright.systems.system import System

class ArcEager(System):
    def __init__(self, root: str = "last", single_root: bool = True) -> None: ...

class PrintedArcEager(ArcEager):
    def __init__(self, year: str, root: str = "last", single_root: bool = True) -> None: ...
