from array import array
from collections.abc import Sequence
from typing import Any

from treewright.exact.learnt_triples import LearntTriples
from treewright.exact.parts import PartProgram
from treewright.exact.scorer import PartScorer, TripleWeights

TABLES: dict[str, tuple[str, str, str]]

class LearntWeights:
    relation_settings: dict[str, Any]
    arc_keys: array[int]
    relation_keys: array[int]
    grandparents: LearntTriples
    siblings: LearntTriples
    def __init__(self, program: PartProgram, relations: dict[str, Any], initial: float) -> None: ...
    def start_from(self, scorer: PartScorer, relation_numbers: Sequence[int]) -> None: ...
    def lay_out(
        self,
        arc_keys: array[int],
        relation_keys: array[int],
        grandparents: tuple[array[int], dict[int, tuple[int, int]]],
        siblings: tuple[array[int], dict[int, tuple[int, int]]],
    ) -> None: ...
    def lay_out_arcs(self) -> None: ...
    def lay_out_rows(self) -> array[float]: ...
    @property
    def n_features(self) -> int: ...
    def make_scorer(
        self,
        arc_weights: array[float],
        rows: array[float],
        grandparents: TripleWeights,
        siblings: TripleWeights,
    ) -> PartScorer: ...
    def frozen(self, time: float, least: float) -> tuple[dict[str, Any], float]: ...
    def averaged_scorer(self, time: float) -> PartScorer: ...
