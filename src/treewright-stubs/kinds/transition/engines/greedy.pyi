from treewright.features.extractor import Extractor
from treewright.kinds.transition.engines.chooser import Chooser
from treewright.kinds.transition.engines.walk import Scratch
from treewright.learners.learner import Moves, Scorer
from treewright.systems.system import System
from treewright.treebank.blocks.block import Block
from treewright.treebank.lifting.deprojectivizer import Deprojectivizer
from typing_extensions import Buffer

class GreedyParser(Chooser):
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
    def deprojectivizer(self) -> Deprojectivizer | None: ...
    def parse_block(self, block: Block, heads: Buffer, labels: Buffer, scratch: Scratch | None = None) -> None: ...
    def relabel(
        self, block: Block, sentence: int, heads: Buffer, labels: Buffer, words: Buffer, scratch: Scratch
    ) -> None: ...
