from treewright.systems.system import System

ORDERS: tuple[str, ...]

class Swap(System):
    def __init__(self, single_root: bool = True, order: str = "lazy") -> None: ...
