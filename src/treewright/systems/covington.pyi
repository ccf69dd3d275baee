from treewright.systems.system import System

class Covington(System):
    def __init__(self, root: str = "last", single_root: bool = True) -> None: ...
