from collections.abc import Callable

from treewright.kinds.transition.engines.chooser import Chooser
from treewright.kinds.transition.engines.walk import Walker
from treewright.kinds.transition.learning.corpus import EncodedSentences
from treewright.learners.problem import Problem
from treewright.systems.system import Parse

class InstanceCollector(Walker):
    decisions: int
    mistakes: int
    def __init__(
        self,
        parser: Chooser,
        corpus: EncodedSentences,
        problem: Problem,
        name: Callable[[Parse, int], None] | None = None,
    ) -> None: ...
    def follow_oracle(self, first: int, end: int) -> None: ...
    def follow_model(self, first: int, end: int) -> None: ...
