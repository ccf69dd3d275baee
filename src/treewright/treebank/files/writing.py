"""Write sentences and blocks to files in any format."""

from __future__ import annotations

import os
import warnings
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from treewright.errors import TreebankWarning
from treewright.treebank.blocks.block import Block, Layout
from treewright.treebank.blocks.stretches import missing_blank
from treewright.treebank.files.output import OutputFile
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.source import Source, name_of
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.formats.registry import Format, format_for_path, format_named

if TYPE_CHECKING:
    from treewright.treebank.formats.writers import FormatWriter

#: formats whose text can be copied around the columns that change
WRITTEN_AS_READ = ("conllu", "conllx", "malt-tab")
COLUMNS = b"# global.columns"  # begins a line that a file has once


def write(items: Source, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Write a treebank to a file, completely or not at all.

    ``items`` are sentences, documents, blocks, or what ``read`` takes and returns. Without ``format``, the file name
    determines the format; otherwise the format that was read is kept. Whatever the format cannot hold is left out,
    and one warning lists it.
    """
    write_pieces(read_blocks(items), path, _target_format(path, format))


def convert(
    source: Source | Sequence[Source], target: str | os.PathLike[str], to: str | None = None, from_: str | None = None
) -> None:
    """Read a treebank, or several as one, and write it in another format, as a stream.

    Formats are guessed from the content of ``source`` and the name of ``target`` unless they are given. Whatever the
    format cannot hold is left out, and one warning lists it.
    """
    from treewright.treebank.sentences.in_memory import list_of

    sources = list_of(source)
    write_pieces(_all_blocks(sources, from_), target, _target_format(target, to))


def _all_blocks(sources: Sequence[Source], format: str | None) -> Iterator[Block]:
    for source in sources:
        empty = True
        for block in read_blocks(source, format):
            empty = empty and not block.n_sentences
            yield block
        if empty:
            warnings.warn(f"{name_of(source)}: no sentences in it", TreebankWarning, stacklevel=4)


def _target_format(path: str | os.PathLike[str], name: str | None) -> Format | None:
    return format_named(name) if name is not None else format_for_path(os.fspath(path))


class Changed(NamedTuple):
    """A block and its text after a change, which is copied where the format stays."""

    block: Block
    text: bytes

    @property
    def layout(self) -> Layout:
        """The layout of the text: formats without trees became CoNLL-U."""
        return self.block.layout if self.block.layout.head >= 0 else CONLLU

    def as_block(self) -> Block:
        """Return the text as a block."""
        return Block(self.text, self.layout, self.block.source, self.block.first_line)


def _begins_a_file(piece: Block | Changed) -> bool:
    block = piece if isinstance(piece, Block) else piece.block
    return block.first_line == 1


def write_pieces(
    pieces: Iterable[Block | Changed],
    path: str | os.PathLike[str],
    format: Format | None,
    as_read: Container[str] = WRITTEN_AS_READ,
) -> None:
    """Write blocks to a file, in the given format or that of the first; ``as_read``: formats whose texts are copied."""
    writer: FormatWriter | None = None
    try:
        with OutputFile(path) as output:
            separator = None
            for piece in pieces:
                format = format or format_named(piece.layout.name)
                if isinstance(piece, Changed) and piece.layout.name == format.name in as_read:
                    data = piece.text
                else:
                    writer = writer or format.writer()
                    data = writer.write(piece if isinstance(piece, Block) else piece.as_block())
                if separator is not None and data.startswith(COLUMNS) and _begins_a_file(piece):
                    data = data.partition(b"\n")[2]
                if data:
                    output.write(separator or b"")
                    output.write(data)
                    separator = missing_blank(data) if writer is None or writer.needs_blanks else b""
            if separator is None and writer is None and format is not None:
                writer = format.writer()  # also a file without sentences may have a beginning and an end
            for rest in writer.finish() if writer is not None else ():
                output.write(rest)
    finally:
        if writer is not None:
            writer.close()
    if format is not None and writer is not None and writer.dropped:
        listed = ", ".join(f"{count:,} {what}" for what, count in writer.dropped.items())
        warnings.warn(
            f"{os.fspath(path)}: {format.name} cannot hold everything; left out: {listed}",
            TreebankWarning,
            stacklevel=3,
        )
