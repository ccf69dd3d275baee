from treewright.learners.perceptron import Perceptron
from treewright.parsing.greedy import GreedyParser
from treewright.training.corpus import Corpus

UPDATES: tuple[str, ...]

class BeamTrainer:
    def __init__(
        self,
        parser: GreedyParser,
        learner: Perceptron,
        corpus: Corpus,
        width: int,
        update: str,
        retarget: bool,
        seed: int,
        static: bool = False,
        target_width: int = 0,
    ) -> None: ...
    @property
    def decisions(self) -> int: ...
    @property
    def mistakes(self) -> int: ...
    @property
    def round(self) -> int: ...
    def start_round(self) -> None: ...
    def learn(self, first: int, end: int) -> None: ...
