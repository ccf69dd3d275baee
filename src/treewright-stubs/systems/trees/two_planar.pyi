from treewright.systems.trees.planar import Planar

class TwoPlanar(Planar):
    def __init__(self, single_root: bool = True) -> None: ...
