from treewright.features.extractor import Extractor
from treewright.features.templates import Function
from treewright.learners.learner import Moves, Scorer
from treewright.parsing.greedy import GreedyParser
from treewright.parsing.walk import Scratch
from treewright.systems.system import System
from treewright.treebank.deprojectivizer import Deprojectivizer

def sees_anywhere(function: Function) -> bool: ...

class ListScratch(Scratch): ...

class EasyFirstParser(GreedyParser):
    def __init__(
        self,
        system: System,
        extractor: Extractor,
        moves: Moves,
        scorer: Scorer,
        split: bool = False,
        deprojectivizer: Deprojectivizer | None = None,
    ) -> None: ...
