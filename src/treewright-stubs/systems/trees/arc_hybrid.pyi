from treewright.systems.system import System

class ArcHybrid(System):
    def __init__(self, single_root: bool = True) -> None: ...
