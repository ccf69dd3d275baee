from collections.abc import Iterable, Sequence

class WordLexicon:
    words: dict[str, int]
    unspaced: bool
    def __init__(self, words: dict[str, int]) -> None: ...

def word_classes(sentences: Iterable[Sequence[str]], known: str, least: int) -> dict[str, int]: ...
