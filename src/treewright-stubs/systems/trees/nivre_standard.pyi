from treewright.systems.trees.arc_standard import ArcStandard

class NivreStandard(ArcStandard):
    def __init__(self, single_root: bool = True) -> None: ...
