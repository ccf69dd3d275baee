from typing_extensions import Buffer

from treewright.features.extractor import Extractor
from treewright.learners.learner import Moves, Scorer
from treewright.systems.system import System
from treewright.treebank.block import Block
from treewright.treebank.deprojectivizer import Deprojectivizer

class Scratch:
    def __new__(cls, extractor: Extractor) -> Scratch: ...

class GreedyParser:
    def __init__(
        self,
        system: System,
        extractor: Extractor,
        moves: Moves,
        scorer: Scorer,
        split: bool = False,
        deprojectivizer: Deprojectivizer | None = None,
        fast: bool = True,
    ) -> None: ...
    @property
    def system(self) -> System: ...
    @property
    def extractor(self) -> Extractor: ...
    @property
    def moves(self) -> Moves: ...
    @property
    def scorer(self) -> Scorer: ...
    @property
    def split(self) -> bool: ...
    @property
    def deprojectivizer(self) -> Deprojectivizer | None: ...
    def new_scratch(self) -> Scratch: ...
    def parse_block(self, block: Block, heads: Buffer, labels: Buffer, scratch: Scratch | None = None) -> None: ...
