from collections.abc import Iterable, Sequence
from typing import Any

from treewright.features.word_clusters import WordClusters
from treewright.kinds.tokenizer.boundaries.alphabet import Alphabet
from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.boundaries.lexicon import WordLexicon
from treewright.learners.learner import Scorer
from typing_extensions import Buffer

CELL_COUNT: int
SPAN_COUNT: int
LETTERS: str
LOOK_AHEAD: int

class BoundaryModel:
    scorer: Scorer
    spaces_inside: bool
    longest: int
    marks: int
    alphabet: Alphabet
    lexicon: WordLexicon
    clusters: WordClusters | None
    def __init__(self, scorer: Scorer, settings: dict[str, Any], clusters: WordClusters | None = None) -> None: ...
    def prepare(self, text: Characters) -> None: ...
    def set_eager(self, values: Sequence[float]) -> None: ...
    def label(self, text: Characters, out: Buffer, whole_lines: bool = False) -> None: ...

def read_labels(saved: str, n: int) -> bytes: ...
def write_labels(labels: Iterable[int]) -> str: ...
