from typing_extensions import Buffer

from treewright.exact.parts import PartScratch
from treewright.exact.scorer import PartScorer

class PartScores:
    n: int

class ModelParts(PartScores):
    def __init__(self, scorer: PartScorer, parts: PartScratch, bounded: bool = True) -> None: ...

class GivenParts(PartScores):
    def __init__(self, scores: Buffer) -> None: ...
