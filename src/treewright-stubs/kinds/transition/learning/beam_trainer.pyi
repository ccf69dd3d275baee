from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.kinds.transition.learning.corpus import Corpus
from treewright.kinds.transition.learning.rounds import Rounds
from treewright.learners.perceptron import Perceptron

from treewright.kinds.transition.learning.rounds_policy import RoundsPolicy

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
