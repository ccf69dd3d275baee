from treewright.kinds.tagger.decoder import Decoder
from treewright.treebank.blocks.block import Block
from typing_extensions import Buffer

MOST: int
SEARCHES: tuple[str, ...]

class SearchingDecoder(Decoder):
    width: int
    first_order: bool
    def __init__(self, *parts: object, search: str, width: int) -> None: ...
    def best_score(self, block: Block, tags: Buffer | None = None) -> float: ...
