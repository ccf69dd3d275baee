from array import array
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from treewright.kinds.exact.parts.parts import PartProgram, PartScratch
from treewright.kinds.exact.parts.scorer import PartScorer, TripleWeights
from treewright.kinds.exact.parts.triples import TripleKeys
from treewright.kinds.exact.parts.weights import WeightTable

_Triples: TypeAlias = tuple[array[int], dict[int, tuple[int, int]]]
_Features: TypeAlias = tuple[array[int], array[int], _Triples, _Triples]

TABLES: dict[str, tuple[str, str, str]]

class TripleCounts:
    def __init__(self, parts: TripleKeys) -> None: ...
    def found(self, cutoff: int) -> _Triples: ...

class FeatureCounts:
    def __init__(self, parts: PartScratch) -> None: ...
    def found(self, cutoff: int) -> _Features: ...

class LearntTriples:
    keys: array[int]
    def __init__(
        self, keys: array[int], bounded: Mapping[int, tuple[int, int]], base: TripleWeights | None, initial: float
    ) -> None: ...
    @property
    def n_features(self) -> int: ...
    def bounds(self, weights: array[float]) -> list[tuple[array[int], array[float]]]: ...
    def with_weights(self, weights: array[float], bounded: bool = True) -> TripleWeights: ...
    def averaged(self, time: float) -> TripleWeights: ...
    def frozen(self, time: float, least: float) -> list[tuple[array[int], array[float]]]: ...

def placed(keys: array[int], base: WeightTable | None) -> tuple[Any, Any, array[float]]: ...
def without_small(
    keys: array[int], slots: array[int], weights: array[float], least: float
) -> tuple[array[int], array[float]]: ...

class LearntWeights:
    relation_settings: dict[str, Any]
    arc_keys: array[int]
    relation_keys: array[int]
    grandparents: LearntTriples
    siblings: LearntTriples
    def __init__(
        self,
        program: PartProgram,
        relations: dict[str, Any],
        features: _Features,
        base: tuple[PartScorer, Sequence[int]] | None,
        initial: float,
    ) -> None: ...
    def check_base(self) -> None: ...
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
