from array import array

from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.interner import Interner

FLAGS: dict[str, int]

class Names:
    relations: Interner
    tags: Interner
    universal: bool
    def __init__(self, universal: bool = False) -> None: ...

class Comparison:
    gold: Block
    system: Block
    names: Names
    n_words: int
    n_sentences: int
    gold_from: int
    system_from: int
    flags: array[int]
    first_word: array[int]
    def __init__(
        self,
        gold: Block,
        gold_from: int,
        system: Block,
        system_from: int,
        n_sentences: int,
        names: Names,
    ) -> None: ...
    def relation_numbers(self, of_system: bool) -> array[int]: ...
    def tag_numbers(self) -> array[int]: ...
    def distances(self, of_system: bool) -> array[int]: ...
    def lengths(self) -> array[int]: ...

def only_punctuation(form: str) -> bool: ...
