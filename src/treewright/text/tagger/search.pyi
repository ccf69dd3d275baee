from array import array

from typing_extensions import Buffer

from treewright.features.word_clusters import WordClusters
from treewright.learners.learner import Scorer
from treewright.text.tagger.decoder import Decoder
from treewright.text.tagger.known_lemmas import KnownLemmas
from treewright.text.tagger.lexicon import Lexicon
from treewright.text.tagger.tags import TagSet
from treewright.treebank.block import Block

MOST: int
SEARCHES: tuple[str, ...]

class SearchingDecoder(Decoder):
    width: int
    first_order: bool
    def __init__(
        self,
        tags: TagSet,
        lexicon: Lexicon,
        scorer: Scorer,
        open_tags: array[int],
        known: KnownLemmas | None = None,
        clusters: WordClusters | None = None,
        *,
        search: str,
        width: int,
    ) -> None: ...
    def best_score(self, block: Block, tags: Buffer | None = None) -> float: ...
