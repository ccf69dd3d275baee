from treewright.treebank.blocks.block import Block

from treewright.errors import TreebankError

CONTENT_RELATIONS: frozenset[str]
FUNCTION_RELATIONS: frozenset[str]
UNIVERSAL_FEATURES: frozenset[str]

def universal_features(feats: str) -> str: ...

class Labels:
    def __init__(self) -> None: ...

PROBLEMS: dict[str, str]

class Side:
    block: Block
    rejection: TreebankError | None
    n_tokens: int
    def __init__(self, block: Block, labels: Labels, multiple_roots: bool = False) -> None: ...
    def text_from(self, sentence: int) -> int: ...
    def tokens_around(self, position: int, count: int) -> tuple[list[str], list[str], int]: ...
