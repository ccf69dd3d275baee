from treewright.learners.perceptron import Perceptron
from treewright.parsing.greedy import GreedyParser
from treewright.training.corpus import Corpus
from treewright.training.rounds import Rounds
from treewright.training.rounds_policy import RoundsPolicy

UPDATES: tuple[str, ...]

class BeamTrainer(Rounds):
    def __init__(
        self,
        parser: GreedyParser,
        learner: Perceptron,
        corpus: Corpus,
        width: int,
        update: str,
        policy: RoundsPolicy,
    ) -> None: ...
    def compared(self, sentence: int) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]] | None: ...
