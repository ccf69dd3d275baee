from collections.abc import Callable

from treewright.learners.problem import Problem
from treewright.parsing.greedy import GreedyParser
from treewright.systems.system import Parse
from treewright.training.corpus import Corpus

class InstanceCollector:
    decisions: int
    mistakes: int
    def __init__(
        self,
        parser: GreedyParser,
        corpus: Corpus,
        problem: Problem,
        name: Callable[[Parse, int], None] | None = None,
    ) -> None: ...
    def follow_oracle(self, first: int, end: int) -> None: ...
    def follow_model(self, first: int, end: int) -> None: ...
