from array import array
from collections.abc import Iterable, Sequence

from treewright.features.encoder import Encoder
from treewright.systems.system import System
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.interner import Interner

from treewright.treebank.graphs.graph import Graphs

class EncodedSentences:
    def __init__(self, blocks: Iterable[Block], encoder: Encoder, root_last: bool) -> None: ...
    n_sentences: int
    n_words: int
    longest: int
    def keep_derivable(self, system: System) -> int: ...

class Corpus(EncodedSentences):
    def __init__(
        self,
        blocks: Iterable[Block],
        encoder: Encoder,
        root_last: bool,
        heads: Sequence[int],
        labels: Sequence[int],
    ) -> None: ...

class GraphCorpus(EncodedSentences):
    def __init__(self, blocks: Iterable[Block], encoder: Encoder, graphs: Graphs, root_last: bool = True) -> None: ...

def trees_of(blocks: Iterable[Block], interner: Interner) -> tuple[array[int], array[int]]: ...
def sentence_offsets(blocks: Iterable[Block]) -> array[int]: ...
def collect_classes(
    offsets: array[int], heads: array[int], labels: array[int], system: System
) -> tuple[list[tuple[int, int]], list[int], list[int]]: ...
