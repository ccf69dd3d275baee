from treewright.learners.learner import OnlineLearner
from treewright.parsing.greedy import GreedyParser, Scratch
from treewright.training.corpus import Corpus
from treewright.training.rounds import Rounds

POLICIES: dict[str, int]
COST_SENSITIVITIES: dict[str | None, int]

class OnlineTrainer(Rounds):
    def __init__(
        self,
        parser: GreedyParser,
        learner: OnlineLearner,
        corpus: Corpus,
        policy: str,
        k: int,
        p: float,
        seed: int,
        exploration: str = ...,
        zero_cost: str = ...,
        cost_sensitive: str | None = ...,
    ) -> None: ...

def accuracy(parser: GreedyParser, corpus: Corpus, scratch: Scratch | None = None) -> tuple[int, int, int]: ...
