from collections.abc import Iterable

from treewright.kinds.tokenizer.boundaries.characters import Characters

SIMILAR: tuple[str, ...]

class Alphabet:
    known: str
    def __init__(self, known: str) -> None: ...
    def reads_as(self, character: str) -> str | None: ...

def known_characters(texts: Iterable[Characters], least: int) -> str: ...
