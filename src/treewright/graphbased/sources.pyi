from typing_extensions import Buffer

from treewright.graphbased.parts import PartScratch
from treewright.graphbased.scorer import GraphScorer

class PartSource:
    n: int

class ModelParts(PartSource):
    def __init__(self, scorer: GraphScorer, parts: PartScratch, bounded: bool = True) -> None: ...

class GivenParts(PartSource):
    def __init__(self, scores: Buffer) -> None: ...
