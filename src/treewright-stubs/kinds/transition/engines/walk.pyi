from treewright.features.extractor import Extractor
from treewright.learners.learner import Moves
from treewright.systems.kept_arcs import KeptArcs
from treewright.systems.system import System

class Scratch:
    def __new__(cls, extractor: Extractor) -> Scratch: ...
    def keep(self, kept: KeptArcs | None, tag_price: float = ...) -> None: ...

class Walker:
    system: System
    extractor: Extractor
    moves: Moves
