from treewright.features.extractor import Extractor
from treewright.learners.learner import Moves
from treewright.systems.system import System

class Scratch:
    def __new__(cls, extractor: Extractor) -> Scratch: ...

class Walker:
    @property
    def system(self) -> System: ...
    @property
    def extractor(self) -> Extractor: ...
    @property
    def moves(self) -> Moves: ...
