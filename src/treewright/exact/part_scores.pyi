from typing_extensions import Buffer

from treewright.exact.parts import PartScratch
from treewright.exact.scorer import PartScorer, TripleWeights

class PartScores:
    n: int
    siblings: bool

class ModelParts(PartScores):
    def __init__(
        self, weights: TripleWeights, parts: PartScratch, siblings: bool = False, bounded: bool = True
    ) -> None: ...

def sources_of(
    scorer: PartScorer, parts: PartScratch, bounded: bool = True
) -> tuple[ModelParts | None, ModelParts | None]: ...

class GivenParts(PartScores):
    def __init__(self, scores: Buffer, siblings: bool = False) -> None: ...
