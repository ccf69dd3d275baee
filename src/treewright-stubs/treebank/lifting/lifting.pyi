from array import array
from typing import TypeAlias

from treewright.treebank.blocks.interner import Interner

_Ints: TypeAlias = array[int] | memoryview

def projectivize(heads: _Ints, labels: _Ints, sentence_word: _Ints, relations: Interner, scheme: str) -> int: ...
