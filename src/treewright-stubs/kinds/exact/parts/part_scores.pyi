from treewright.kinds.exact.parts.parts import PartScratch
from treewright.kinds.exact.parts.scorer import PartScorer, TripleWeights
from typing_extensions import Buffer

class PartScores:
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
