"""Read treebanks as blocks of whole sentences: the entry point for bulk reading."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from treewright.errors import TreebankError
from treewright.treebank.blocks.block import Block
from treewright.treebank.files.source import ByteSource, Source, holds_bytes, open_input
from treewright.treebank.formats.registry import SAMPLE_BYTES, Sample, format_named, guess

if TYPE_CHECKING:
    from treewright.treebank.sentences.in_memory import InMemory

BLOCK_BYTES = 1 << 19  # small enough that threads end at about the same time, large enough that Python hardly counts


def read_blocks(source: Source, format: str | None = None, block_bytes: int = BLOCK_BYTES) -> Iterator[Block]:
    """Read a treebank as a stream of blocks; memory use does not grow with the file.

    ``source`` is a path, ``-`` for standard input, a binary file object, or bytes; gzip, bzip2 and xz are recognised by
    content. ``format`` overrides the guess. A block has about ``block_bytes`` bytes, more only if a single sentence is
    longer. An empty file gives no blocks. Sentences in memory (also those of ``read``) become blocks as they come.
    """
    if block_bytes < 1:
        raise ValueError("block_bytes must be at least 1")
    if format is not None:
        format_named(format)
    if not holds_bytes(source):
        if format is not None:
            raise TreebankError(f"the format {format} is given for sentences in memory", remedy="Leave it out.")
        from treewright.treebank.sentences.in_memory import blocks_in_memory

        return blocks_in_memory(cast("InMemory", source))
    return _blocks(source, format, block_bytes)


def _blocks(source: ByteSource, format: str | None, block_bytes: int) -> Iterator[Block]:
    stream = open_input(source)
    try:
        sample = Sample(stream.peek(SAMPLE_BYTES), stream.source)
        if sample.raw:
            chosen = guess(sample) if format is None else format_named(format)
            yield from chosen.read(stream, sample, block_bytes)
    finally:
        stream.close()
