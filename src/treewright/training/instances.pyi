from collections.abc import Callable

from treewright.learners.problem import Problem
from treewright.parsing.chooser import Chooser
from treewright.parsing.walk import Walker
from treewright.systems.system import Parse
from treewright.training.corpus import EncodedSentences

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
