from collections.abc import Sequence

from treewright.kinds.transition.engines.chooser import Chooser
from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.kinds.transition.engines.walk import Scratch
from treewright.kinds.transition.learning.corpus import Corpus, EncodedSentences
from treewright.kinds.transition.learning.rounds import Rounds
from treewright.learners.learner import OnlineLearner

from treewright.kinds.transition.learning.rounds_policy import RoundsPolicy

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
