"""A treebank as a stream of sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treewright.errors import TreebankError, TreewrightError
from treewright.treebank.blocks.block import NO_FINAL_BLANK, Block
from treewright.treebank.checks.problems import error_for
from treewright.treebank.files.reading import BLOCK_BYTES, read_blocks
from treewright.treebank.files.source import Source, name_of
from treewright.treebank.formats.registry import format_named
from treewright.treebank.sentences.exports import Exports
from treewright.treebank.sentences.sentence import Sentence

ON_ERROR = ("fail", "skip")


class Treebank(Exports):
    """The sentences of a source, read one by one and not kept.

    A path or bytes can be read any number of times, standard input and file objects once.
    """

    def __init__(
        self,
        source: Source,
        format: str | None = None,
        on_error: str = "fail",
        block_bytes: int = BLOCK_BYTES,
    ) -> None:
        """Store the source; the file is opened on iteration."""
        if format is not None:
            format_named(format)
        if on_error not in ON_ERROR:
            raise TreewrightError(f"unknown on_error {on_error!r}; choose from {', '.join(ON_ERROR)}")
        self.source = source
        self.format = format
        self.on_error = on_error
        self.block_bytes = block_bytes
        self._used_up = False

    def blocks(self) -> Iterator[Block]:
        """Yield the sentences in blocks, for bulk processing."""
        if self._used_up:
            raise TreebankError(
                "was already read to its end",
                source=name_of(self.source),
                remedy="A stream can be read once: give a path, or keep the sentences in a list.",
            )
        self._used_up = name_of(self.source) == "<stdin>" or hasattr(self.source, "read")
        return read_blocks(self.source, self.format, self.block_bytes)

    def __iter__(self) -> Iterator[Sentence]:
        for block in self.blocks():
            yield from self.sentences_of(block)

    def sentences_of(self, block: Block) -> Iterator[Sentence]:
        """Yield the sentences of a block that can be read; for the others, do as ``on_error`` says."""
        problems = {
            sentence: (line, code) for sentence, line, code in reversed(block.problems) if code != NO_FINAL_BLANK
        }
        for index in range(block.n_sentences):
            if index not in problems:
                yield Sentence.from_block(block, index)
            elif self.on_error == "fail":
                raise error_for(block, index, *problems[index])

    def to_dict(self) -> dict[str, Any]:
        """Return the sentences as plain data, for JSON; see ``Sentence.to_dict``."""
        return {"source": name_of(self.source), "sentences": [sentence.to_dict() for sentence in self]}

    def __repr__(self) -> str:
        return f"<Treebank {name_of(self.source)}>"


def read(source: Source, format: str | None = None, on_error: str = "fail") -> Treebank:
    """Return the sentences of a treebank, as a stream.

    ``source`` is a path, ``-`` for standard input, a binary file object, or bytes, compressed or not. The format is
    guessed from the content unless it is given. A sentence that cannot be read raises an error that names its position,
    or is left out with ``on_error="skip"``.
    """
    return Treebank(source, format, on_error)
