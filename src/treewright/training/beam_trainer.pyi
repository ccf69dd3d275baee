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
        policy: str,
        k: int,
        p: float,
        seed: int,
    ) -> None: ...
    @property
    def decisions(self) -> int: ...
    @property
    def mistakes(self) -> int: ...
    @property
    def round(self) -> int: ...
    def start_round(self) -> None: ...
    def learn(self, first: int, end: int) -> None: ...
    def compared(self, sentence: int) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]] | None: ...
