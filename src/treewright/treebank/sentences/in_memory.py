"""Sentences in memory as blocks, so that whatever reads a treebank also takes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from treewright.errors import TreewrightError
from treewright.treebank.blocks.block import Block, Layout
from treewright.treebank.blocks.stretches import BOM, missing_blank

if TYPE_CHECKING:
    from treewright.treebank.files.source import Source
    from treewright.treebank.files.treebank import Treebank
    from treewright.treebank.sentences.document import Document
    from treewright.treebank.sentences.sentence import Sentence

#: one item in memory, or any number of them
Item: TypeAlias = "Sentence | Document | Block"
InMemory: TypeAlias = "Item | Treebank | Iterable[Item]"

BATCH_BYTES = 1 << 20  # of sentences that become one block


def list_of(sources: Source | Sequence[Source]) -> list[Source]:
    """Return one or several sources as a list; a list of sentences, documents or blocks is one source."""
    from treewright.treebank.sentences.document import Document
    from treewright.treebank.sentences.sentence import Sentence

    first = sources[0] if isinstance(sources, (list, tuple)) and sources else None
    if first is None or isinstance(first, (Sentence, Document, Block)):
        return [cast("Source", sources)]
    return list(cast("Sequence[Source]", sources))


def blocks_in_memory(source: InMemory) -> Iterator[Block]:
    """Yield the sentences of a source in memory as blocks; sentences of one layout are collected."""
    from treewright.treebank.files.treebank import Treebank

    if not isinstance(source, Treebank):
        yield from _collected(_items(source))
    elif source.on_error == "skip":
        for block in source.blocks():
            yield from _collected(source.sentences_of(block)) if block.problems else (block,)
    else:
        yield from source.blocks()


def _items(source: InMemory) -> Iterator[Sentence | Block]:
    """Yield sentences and blocks one by one, those of documents too."""
    from treewright.treebank.sentences.sentence import Sentence

    if isinstance(source, (Sentence, Block)):
        yield source
    elif isinstance(source, Iterable) and not isinstance(source, (str, bytes, dict)):
        for item in source:
            yield from _items(item)
    else:
        raise _unusable(source)


def _unusable(source: object) -> TreewrightError:
    remedy = "Create sentences with Sentence.from_words or Sentence.from_conllu, or give a path."
    if isinstance(source, (str, bytes)):
        remedy = "Read a file with treewright.read; create sentences with Sentence.from_words."
    return TreewrightError(f"a sentence is needed here, not {type(source).__name__}. {remedy}")


def _collected(items: Iterable[Sentence | Block]) -> Iterator[Block]:
    """Collect sentences of one layout into blocks; pass blocks through."""
    batch = bytearray()
    layout: Layout | None = None
    source = ""
    gap = b""
    for item in items:
        is_block = isinstance(item, Block)
        if batch and layout is not None and (is_block or not _same(layout, item.layout) or len(batch) > BATCH_BYTES):
            yield Block(bytes(batch), layout, source)
            batch.clear()
        if isinstance(item, Block):
            yield item
            continue
        layout, source = item.layout, item.source
        data = item.to_bytes()
        if batch:
            batch += gap
            data = data.removeprefix(BOM)
        batch += data
        gap = missing_blank(data)
    if batch and layout is not None:
        yield Block(bytes(batch), layout, source)


def _same(one: Layout, other: Layout) -> bool:
    return one is other or (one.name, one.columns) == (other.name, other.columns)
