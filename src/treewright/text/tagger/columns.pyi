from collections.abc import Iterable

from typing_extensions import Buffer

from treewright.text.tagger.lemmatizer import Lemmatizer
from treewright.text.tagger.tags import TagSet
from treewright.treebank.block import Block

def with_tags(
    block: Block, tags: Buffer, tag_set: TagSet, lemmatizer: Lemmatizer | None, columns: Iterable[str]
) -> bytes: ...
