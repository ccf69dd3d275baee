from treewright.features.extractor import Extractor
from treewright.features.language import Address, Function
from treewright.systems.system import Parse
from treewright.treebank.block import Block

def words(extractor: Extractor, parse: Parse) -> dict[Address, int | None]: ...
def values(
    extractor: Extractor, parse: Parse, block: Block, sentence: int
) -> dict[Function, str | None]: ...
def keys(extractor: Extractor, parse: Parse, block: Block, sentence: int) -> list[list[int]]: ...
