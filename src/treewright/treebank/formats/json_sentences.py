"""JSON: a list with one sentence per line, each as ``Sentence.to_dict`` gives it; ``.jsonl`` has no list around it.

Comments, multiword tokens and empty nodes are kept, so that CoNLL-U comes back as it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from treewright.errors import TreebankError
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.stretches import lines_of
from treewright.treebank.formats.conllu import COLUMNS, CONLLU, ConllU
from treewright.treebank.formats.registry import Format, Sample
from treewright.treebank.formats.writers import FormatWriter, TabWriter

if TYPE_CHECKING:
    from treewright.treebank.blocks.stretches import ByteStream

REMEDY = "`treewright convert -o x.json` writes such files."


class JsonSentences(Format):
    """A list of sentences, one per line."""

    name = "json"
    description = "JSON, a sentence per line"
    start, between, end = b"[\n", b",\n", b"\n]\n"

    def confidence(self, sample: Sample) -> float:
        """Accept a list of sentences with tokens."""
        return 0.9 if sample.text.lstrip()[:1] in (b"[", b"{") and b'"tokens"' in sample.text else 0.0

    def read(self, stream: ByteStream, sample: Sample, block_bytes: int) -> Iterator[Block]:
        """Yield blocks in the layout of CoNLL-U."""
        texts: list[str] = []
        size = 0
        for number, line in enumerate(lines_of(stream), 1):
            row = line.strip().removesuffix(b",").strip()
            if row in (b"", b"[", b"]"):
                continue
            texts.append(_conllu(row, stream.source, number))
            size += len(texts[-1])
            if size >= block_bytes:
                yield Block("".join(texts).encode(), CONLLU, stream.source)
                texts, size = [], 0
        if texts:
            yield Block("".join(texts).encode(), CONLLU, stream.source)

    def writer(self) -> FormatWriter:
        """Return a new writer for one file."""
        return _JsonWriter(self.start, self.between, self.end)


class JsonLines(JsonSentences):
    """A sentence per line, nothing else."""

    name = "jsonl"
    description = "JSON Lines, a sentence per line"
    start, between, end = b"", b"\n", b"\n"

    def confidence(self, sample: Sample) -> float:
        """Accept lines that are sentences."""
        return 0.95 * super().confidence(sample) if sample.text.lstrip()[:1] == b"{" else 0.0


class _JsonWriter(FormatWriter):
    needs_blanks = False

    def __init__(self, start: bytes, between: bytes, end: bytes) -> None:
        super().__init__()
        self._before, self._between, self._end = start, between, end
        self._tables = TabWriter(ConllU())
        self.dropped = self._tables.dropped

    def write(self, block: Block) -> bytes:
        """Return the sentences of a block, one per line."""
        from treewright.treebank.checks.problems import checked
        from treewright.treebank.sentences.sentence import sentences_in

        if checked(block).layout.columns != CONLLU.columns:
            block = Block(self._tables.write(block), CONLLU, block.source, block.first_line)
        pieces = []
        for sentence in sentences_in([block]):
            row = json.dumps(sentence.to_dict(), ensure_ascii=False)
            pieces += [self._before, row.encode("utf-8", "replace")]
            self._before = self._between
        return b"".join(pieces)

    def finish(self) -> Iterable[bytes]:
        """Return the end of the list."""
        empty = self._before != self._between
        if empty and not self._before:
            return ()
        return (b"[\n]\n",) if empty else (self._end,)


def _conllu(row: bytes, source: str, line: int) -> str:
    """Return one sentence in JSON as CoNLL-U."""
    try:
        sentence = json.loads(row)
        comments = [_one_line(comment) for comment in sentence.get("comments", ())]
        rows = [_row(token) for token in sentence["tokens"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        problem = f"not a sentence in JSON, on one line ({str(error)[:60] or type(error).__name__})"
        raise TreebankError(problem, source=source, line=line, remedy=REMEDY) from None
    return "\n".join([*comments, *rows, "", ""])


def _row(token: dict[str, Any]) -> str:
    cells = [str(token.get(column.lower(), "_")) for column in COLUMNS]
    return "\t".join(_one_line(cell, "\t") or "_" for cell in cells)


def _one_line(text: str, also: str = "") -> str:
    if "\n" in text or "\r" in text or (also and also in text):
        raise ValueError("a tab or a line break in a value")
    return text
