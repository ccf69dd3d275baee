"""Write sentences and blocks to files in any format."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator

from treewright.errors import TreebankWarning, TreewrightError
from treewright.treebank.block import Block, Layout
from treewright.treebank.formats.registry import Format, FormatWriter, format_for_path, format_named
from treewright.treebank.output import open_output
from treewright.treebank.reading import BLOCK_BYTES, read_blocks
from treewright.treebank.sentence import Sentence
from treewright.treebank.source import Source
from treewright.treebank.stretches import BOM


def write(
    items: Iterable[Sentence | Block] | Sentence | Block,
    path: str | os.PathLike[str],
    format: str | None = None,
) -> None:
    """Write sentences or blocks to a file, completely or not at all.

    Without ``format``, the file name determines the format; otherwise the format that was read is kept. Whatever the
    format cannot hold is left out, and one warning lists it.
    """
    if isinstance(items, (Sentence, Block)):
        items = [items]
    _write_blocks(_as_blocks(items), path, _target_format(path, format))


def convert(
    source: Source,
    target: str | os.PathLike[str],
    to: str | None = None,
    from_: str | None = None,
) -> None:
    """Read a treebank and write it in another format, as a stream.

    Formats are guessed from the content of ``source`` and the name of ``target`` unless they are given. Whatever the
    format cannot hold is left out, and one warning lists it.
    """
    _write_blocks(read_blocks(source, from_), target, _target_format(target, to))


def _target_format(path: str | os.PathLike[str], name: str | None) -> Format | None:
    return format_named(name) if name is not None else format_for_path(os.fspath(path))


def _write_blocks(blocks: Iterable[Block], path: str | os.PathLike[str], format: Format | None) -> None:
    writer: FormatWriter | None = None
    try:
        with open_output(path) as output:
            writer = format.writer() if format is not None else None
            separator = b""
            for block in blocks:
                if writer is None:
                    format = format_named(block.layout.name)
                    writer = format.writer()
                data = writer.write(block)
                if data:
                    output.write(separator)
                    output.write(data)
                    separator = missing_blank(data)
            for piece in writer.finish() if writer is not None else ():
                output.write(piece)
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


def _as_blocks(items: Iterable[Sentence | Block]) -> Iterator[Block]:
    """Collect sentences of one layout into blocks; pass blocks through."""
    batch = bytearray()
    layout: Layout | None = None
    source = ""
    gap = b""
    for item in items:
        if not isinstance(item, (Sentence, Block)):
            raise TreewrightError(
                f"cannot write {type(item).__name__}: only sentences and blocks."
                " Create sentences with Sentence.from_words or Sentence.from_conllu."
            )
        is_block = isinstance(item, Block)
        if batch and layout is not None and (is_block or not _same(layout, item.layout) or len(batch) > BLOCK_BYTES):
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


def missing_blank(data: bytes) -> bytes:
    """Return the line ends that must follow ``data`` before the next sentence."""
    if data.endswith((b"\n\n", b"\n\r\n")):
        return b""
    line_end = b"\r\n" if data.find(b"\r\n", max(0, len(data) - 1000)) >= 0 else b"\n"
    last = data.removesuffix(b"\n").removesuffix(b"\r")
    last = last[last.rfind(b"\n") + 1 :]
    blank = not last.strip(b" \t")
    if data.endswith(b"\n"):
        return b"" if blank else line_end
    return line_end if blank else 2 * line_end
