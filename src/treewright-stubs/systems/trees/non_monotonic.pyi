from treewright.systems.system import System

class NonMonotonic(System):
    def __init__(self, single_root: bool = True) -> None: ...
