from collections.abc import Iterable

from treewright.kinds.tagger.lemmas.lemmatizer import Lemmatizer
from treewright.kinds.tagger.tags import TagSet
from treewright.treebank.blocks.block import Block
from typing_extensions import Buffer

def with_tags(
    block: Block, tags: Buffer, tag_set: TagSet, lemmatizer: Lemmatizer | None, columns: Iterable[str]
) -> bytes: ...
