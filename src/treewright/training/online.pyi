from collections.abc import Sequence

from treewright.learners.learner import OnlineLearner
from treewright.parsing.chooser import Chooser
from treewright.parsing.greedy import GreedyParser
from treewright.parsing.walk import Scratch
from treewright.training.corpus import Corpus, EncodedSentences
from treewright.training.rounds import Rounds
from treewright.training.rounds_policy import RoundsPolicy

COST_SENSITIVITIES: dict[str | None, int]
AGGRESSIVE: dict[str | None, int]
ZERO_COSTS: dict[str, int]

class OnlineTrainer(Rounds):
    parser: Chooser
    learner: OnlineLearner
    def __init__(
        self,
        parser: Chooser,
        learner: OnlineLearner,
        corpus: EncodedSentences,
        policy: RoundsPolicy,
        cost_sensitive: str | None = ...,
        passive_aggressive: str | None = ...,
        aggressiveness: float = ...,
        arc_weights: Sequence[int] | None = ...,
    ) -> None: ...

def accuracy(parser: GreedyParser, corpus: Corpus, scratch: Scratch | None = None) -> tuple[int, int, int]: ...
