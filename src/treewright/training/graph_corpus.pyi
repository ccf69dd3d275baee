from collections.abc import Iterable

from treewright.features.encoder import Encoder
from treewright.training.corpus import EncodedSentences
from treewright.treebank.block import Block
from treewright.treebank.graph import Graphs

class GraphCorpus(EncodedSentences):
    def __init__(self, blocks: Iterable[Block], encoder: Encoder, graphs: Graphs, root_last: bool = True) -> None: ...
