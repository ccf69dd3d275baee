"""Standard input answered as it comes, line by line or paragraph by paragraph: for chats and pipes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from treewright.errors import TreewrightError
from treewright.steps.documents import parsed_documents
from treewright.treebank.blocks.block import Block
from treewright.treebank.files.text_format import is_treebank
from treewright.treebank.formats.registry import Sample, format_named

if TYPE_CHECKING:
    from treewright.steps.call import Call
    from treewright.steps.step import Step
    from treewright.treebank.sentences.document import Document

UNITS = ("line", "paragraph")
#: formats of which each piece is a file
WRITTEN = ("conllu", "jsonl", "conllx", "conll09", "malt-tab")


def answer(step: Step, call: Call, unit: str, to: str | None) -> None:
    """Parse standard input to its end; what has been parsed is written before more is read."""
    format = None if to is None and sys.stdout.isatty() else format_named(to or WRITTEN[0])
    if format is not None and format.name not in WRITTEN:
        known = f"choose --to from {', '.join(WRITTEN)}"
        raise TreewrightError(f"{format.name} is written as a whole, and --flush writes piece by piece: {known}")
    pieces = ((text, None) for text in pieces_of(sys.stdin.buffer, unit))
    for document, _ in parsed_documents(step, pieces, 1, 1, call):
        if format is None:
            _show_drawn(document, None if "DEPS" in step.gives else False)
        else:  # complete, with the end of a file of the format, so that its reader does not wait for more
            writer = format.writer()
            text = writer.write(Block(document.to_bytes(), document.layout))
            sys.stdout.buffer.write(text + b"".join(writer.finish()))
        sys.stdout.flush()


def pieces_of(stream: BinaryIO, unit: str) -> Iterator[str]:
    """Yield the lines or paragraphs of a stream as soon as each has ended; treebanks come by paragraphs, always."""
    kept: list[str] = []
    for line in stream:
        text = line.decode("utf-8", "surrogateescape")
        if not kept and unit == "line" and (text.startswith("# ") or is_treebank(Sample(line, ""))):
            unit = "paragraph"
        if text.strip():
            kept.append(text)
        if kept and (unit == "line" or not text.strip()):
            yield "".join(kept)
            kept = []
    if kept:
        yield "".join(kept)


def _show_drawn(document: Document, graph: bool | None) -> None:
    from treewright.apps.cli.tree_printer import TreePrinter
    from treewright.display.from_sentence import picture_of

    printer = TreePrinter(sys.stdout)
    for sentence in document:
        printer.show(picture_of(sentence, graph=graph))
