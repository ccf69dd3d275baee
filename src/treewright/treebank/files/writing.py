"""Write sentences and blocks to files in any format."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Sequence

from treewright.errors import TreebankWarning
from treewright.treebank.blocks.block import Block
from treewright.treebank.files.output import open_output
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.source import Source, name_of
from treewright.treebank.formats.registry import Format, FormatWriter, format_for_path, format_named
from treewright.treebank.sentences.in_memory import list_of, missing_blank


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


def write_pieces(pieces: Iterable[Block | bytes], path: str | os.PathLike[str], format: Format | None) -> None:
    """Write blocks to a file, in the given format or that of the first; bytes are in that format already."""
    writer: FormatWriter | None = None
    try:
        with open_output(path) as output:
            writer = format.writer() if format is not None else None
            separator = b""
            for piece in pieces:
                if writer is None and isinstance(piece, Block):
                    format = format_named(piece.layout.name)
                    writer = format.writer()
                data = writer.write(piece) if writer is not None and isinstance(piece, Block) else piece
                assert isinstance(data, bytes)
                if data:
                    output.write(separator)
                    output.write(data)
                    separator = missing_blank(data) if writer is None or writer.needs_blanks else b""
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
