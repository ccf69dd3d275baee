from treewright.systems.system import System

class SwapHybrid(System):
    def __init__(self, single_root: bool = True) -> None: ...
