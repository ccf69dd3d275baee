from typing_extensions import Buffer

from treewright.learners.learner import Scorer
from treewright.text.tokenizer.characters import Characters

class BoundaryModel:
    scorer: Scorer
    spaces_inside: bool
    def __init__(self, scorer: Scorer, usual: bytes | bytearray, spaces_inside: bool) -> None: ...
    def label(self, text: Characters, out: Buffer, lines: str = "") -> None: ...
