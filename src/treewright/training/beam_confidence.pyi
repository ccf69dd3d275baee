from treewright.parsing.beam import BeamParser
from treewright.training.corpus import Corpus

TEMPERATURES: list[float]

class Agreement:
    def __init__(self, parser: BeamParser, corpus: Corpus) -> None: ...
    def fit(self, temperature: float) -> tuple[float, float]: ...

def fit_confidence(parser: BeamParser, corpus: Corpus) -> dict[str, float]: ...
