from array import array
from collections.abc import Iterable

from treewright.features.encoder import Encoder
from treewright.kinds.enhanced.tree_paths import TreePaths
from treewright.learners.learner import Scorer
from treewright.treebank.blocks.block import Block

KINDS: int
ATTRIBUTES: tuple[tuple[str, str, tuple[tuple[str, int], ...]], ...]

class ArcFinder:
    paths: TreePaths
    def __init__(
        self,
        paths: TreePaths,
        encoder: Encoder,
        scorer: Scorer | None,
        wanted: Iterable[int],
        markers: Iterable[int],
        gaps: Iterable[int] = (),
    ) -> None: ...
    def find(
        self, block: Block, heads: array[int], labels: array[int], copies: array[int], connected: bool
    ) -> tuple[array[int], array[int], array[int]]: ...
