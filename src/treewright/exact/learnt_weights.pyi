from array import array
from collections.abc import Sequence
from typing import Any

from treewright.exact.parts import PartProgram
from treewright.exact.scorer import PartScorer

class LearntWeights:
    relation_settings: dict[str, Any]
    arc_keys: array[int]
    relation_keys: array[int]
    grandparent_keys: array[int]
    def __init__(self, program: PartProgram, relations: dict[str, Any], initial: float) -> None: ...
    def start_from(self, scorer: PartScorer, relation_numbers: Sequence[int]) -> None: ...
    def lay_out(
        self,
        arc_keys: array[int],
        relation_keys: array[int],
        grandparent_keys: array[int],
        bounded: dict[int, tuple[int, int]],
    ) -> None: ...
    def lay_out_rows(self) -> array[float]: ...
    @property
    def n_features(self) -> int: ...
    def bounds(self, weights: Sequence[float]) -> list[tuple[array[int], array[float]]]: ...
    def make_scorer(
        self,
        arc_weights: array[float],
        rows: array[float],
        grandparent_weights: array[float],
        bounded: bool = True,
    ) -> PartScorer: ...
    def frozen(self, time: float, least: float) -> tuple[dict[str, Any], float]: ...
    def averaged_scorer(self, time: float) -> PartScorer: ...
