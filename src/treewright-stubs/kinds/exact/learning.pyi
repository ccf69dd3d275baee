from array import array
from collections.abc import Sequence
from typing import Any

from treewright.kinds.exact.parts.learnt_weights import LearntWeights
from treewright.kinds.exact.parts.parts import PartProgram
from treewright.kinds.exact.parts.scorer import PartScorer
from treewright.kinds.transition.learning.corpus import Corpus

class PartLearner:
    weights: LearntWeights
    round: int
    log_likelihood: float
    words: int
    wrong: int
    def __init__(
        self,
        program: PartProgram,
        corpus: Corpus,
        adviser: array[int],
        relations: dict[str, Any],
        options: dict[str, Any],
        base: tuple[PartScorer, Sequence[int]] | None = None,
    ) -> None: ...
    @property
    def n_features(self) -> int: ...
    def start_round(self, number: int, order: array[int], all_arcs: bool) -> None: ...
    def learn(self, first: int, last: int) -> None: ...
    def averaged_scorer(self) -> PartScorer: ...
    def extend(self, cutoff: int) -> None: ...
    def frozen(self, least: float) -> tuple[dict[str, Any], float]: ...
