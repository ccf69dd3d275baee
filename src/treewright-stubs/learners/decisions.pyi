from collections.abc import Sequence
from typing import Any

from treewright.learners.feature_index import FeatureIndex
from treewright.learners.learner import Moves, Scorer
from treewright.systems.system import System

UNKNOWN: float

def plain_kinds(system: System) -> list[int]: ...
def decision_names(system: System, moves: Moves, relations: Sequence[str]) -> list[str]: ...

class DecisionScorer(Scorer):
    n_decisions: int
    index: FeatureIndex
    def __init__(self, index: FeatureIndex, plain: Sequence[int], n_classes: int) -> None: ...
    def decision_scores(self, numbers: Sequence[int]) -> list[float]: ...

class ForeignScorer(DecisionScorer):
    model: Any
    def __init__(self, index: FeatureIndex, plain: Sequence[int], n_classes: int, model: Any) -> None: ...
