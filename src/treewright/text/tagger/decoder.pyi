from array import array
from collections.abc import Sequence

from typing_extensions import Buffer

from treewright.features.word_clusters import WordClusters
from treewright.learners.learner import Scorer
from treewright.text.tagger.lexicon import KnownLemmas, Lexicon
from treewright.text.tagger.tags import TagSet
from treewright.text.tagger.words import EncodedWords
from treewright.treebank.block import Block

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
