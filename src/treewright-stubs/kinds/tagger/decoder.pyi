from array import array
from collections.abc import Sequence

from treewright.features.word_clusters import WordClusters
from treewright.kinds.tagger.lexicon import KnownLemmas, Lexicon
from treewright.kinds.tagger.tags import TagSet
from treewright.kinds.tagger.words import EncodedWords
from treewright.learners.learner import Scorer
from treewright.treebank.blocks.block import Block
from typing_extensions import Buffer

class Decoder:
    tags: TagSet
    lexicon: Lexicon
    scorer: Scorer
    open_tags: array[int]
    known: KnownLemmas | None
    clusters: WordClusters | None
    def __init__(
        self,
        tags: TagSet,
        lexicon: Lexicon,
        scorer: Scorer,
        open_tags: array[int],
        known: KnownLemmas | None = None,
        clusters: WordClusters | None = None,
    ) -> None: ...
    def tag(self, block: Block, scratch: EncodedWords, out: Buffer) -> None: ...

def sign_tags(tags: Sequence[tuple[str, str, str]]) -> list[list[int]]: ...
