from collections.abc import Sequence

from treewright.learners.decisions import DecisionScorer
from treewright.learners.feature_index import FeatureIndex

class KernelMachine:
    decisions: list[int]
    n_vectors: int
    def __init__(self, text: bytes, n_features: int) -> None: ...

class KernelScorer(DecisionScorer):
    def __init__(
        self,
        index: FeatureIndex,
        plain: Sequence[int],
        n_classes: int,
        machines: Sequence[tuple[int, KernelMachine]],
        column: int = -1,
    ) -> None: ...
