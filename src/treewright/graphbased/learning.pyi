from array import array
from typing import Any

from treewright.graphbased.learnt_weights import LearntWeights
from treewright.graphbased.parts import PartProgram
from treewright.graphbased.scorer import GraphScorer
from treewright.training.corpus import Corpus

class GraphLearner:
    weights: LearntWeights
    round: int
    log_likelihood: float
    words: int
    wrong: int
    n_features: int
    def __init__(
        self,
        program: PartProgram,
        corpus: Corpus,
        guide: array[int],
        relations: dict[str, Any],
        options: dict[str, Any],
    ) -> None: ...
    def start_round(self, round: int, order: array[int], all_arcs: bool) -> None: ...
    def learn(self, first: int, last: int) -> None: ...
    def averaged_scorer(self) -> GraphScorer: ...
    def extend(self, cutoff: int) -> None: ...
    def frozen(self, least: float) -> tuple[dict[str, Any], float]: ...
