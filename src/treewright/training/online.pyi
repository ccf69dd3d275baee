from treewright.learners.learner import OnlineLearner
from treewright.parsing.greedy import GreedyParser, Scratch
from treewright.training.corpus import Corpus

POLICIES: dict[str, int]

class OnlineTrainer:
    def __init__(
        self,
        parser: GreedyParser,
        learner: OnlineLearner,
        corpus: Corpus,
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

def accuracy(
    parser: GreedyParser, corpus: Corpus, scratch: Scratch | None = None
) -> tuple[int, int, int]: ...
