from collections.abc import Iterable, Sequence

from treewright.features.word_clusters import WordClusters
from treewright.systems.leaf_tags import LeafTags
from treewright.systems.rules.table import RuleTable
from treewright.treebank.blocks.block import Block

MAPPING_CODES: dict[str, int]

class Encoded:
    def __new__(cls, n_attributes: int, has_items: bool) -> Encoded: ...

class Encoder:
    attributes: list[tuple[str, str, tuple[tuple[str, int], ...]]]
    has_items: bool
    leaf_tags: LeafTags
    rules: RuleTable | None
    clusters: WordClusters | None
    def __init__(
        self,
        attributes: Iterable[tuple[str, str, tuple[tuple[str, int], ...]]],
        has_items: bool,
        leaf_tags: Sequence[str] = (),
        clusters: WordClusters | None = None,
        rules: RuleTable | None = None,
    ) -> None: ...
    def text(self, block: Block, word: int, attribute: int) -> bytes: ...
