"""Read one part as blocks of words, as the whole input would have given them.

What cannot be read is set aside, with the reason: a row of a table at once; a sentence of a treebank or a paragraph
of a text in a second, careful reading, which takes the part apart.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import IO, Any, cast

from treewright.apps.corpus.borders import BLANK_LINE, finder_for
from treewright.apps.corpus.parquet_files import rows_of
from treewright.apps.corpus.plan import JSON_LINES, PARQUET, TEXT, TREEBANK, Header, Part
from treewright.apps.corpus.storage import open_bytes, read_bytes, size_of
from treewright.errors import CombinationError, TreebankError
from treewright.kinds.tokenizer.excerpt import Excerpt
from treewright.kinds.tokenizer.tokenizer import SAMPLE
from treewright.steps.blocks import BLOCK_BYTES
from treewright.steps.call import TAGS, Call
from treewright.steps.call import TEXT as RAW_TEXT
from treewright.steps.step import Step
from treewright.steps.text import GivenText, split
from treewright.treebank.blocks.block import NO_FINAL_BLANK, Block
from treewright.treebank.blocks.stretches import check_raw_text, check_text, lines_of
from treewright.treebank.checks.problems import check, error_for
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.sentence_names import SentenceNames
from treewright.treebank.files.source import open_input
from treewright.treebank.formats.conllu import CONLLU

PIECE = 1 << 20
LOOK_AHEAD = 1024  # characters beyond the end of a part that the tokeniser may see; it needs 256
MOST_AHEAD = 1 << 20  # bytes
TAKEN_TO_PIECES = "conllu"  # the treebank format in which a bad sentence can be told from the others
MOST_QUOTED = 2000  # characters of what is set aside that are kept


@dataclass
class PartReader:
    """Reads a part for a parser, and counts."""

    parser: Step | None  # not needed for rows of tables
    header: Header
    part: Part
    call: Call
    careful: bool = False  # take the part to pieces, and set aside what is bad
    aside: list[dict[str, Any]] = field(default_factory=list)
    sentences: int = 0
    words: int = 0

    def blocks(self) -> Iterator[Block]:
        """Yield the words of the part."""
        read = {TEXT: self._text, TREEBANK: self._treebank, JSON_LINES: self._rows, PARQUET: self._rows}
        for block in read[self.part.kind]():
            check(block)
            self.sentences += block.n_sentences
            self.words += block.n_words
            yield block

    # Text

    def names(self) -> SentenceNames:
        """Return how the next sentences are called."""
        number = 0 if self.part.sentences is None else self.part.sentences
        return SentenceNames(id_prefix(self.header, self.part), self.part.document, number + self.sentences)

    def _text(self) -> Iterator[Block]:
        if self.careful:
            yield from self._careful_text()
        elif self.part.is_whole:
            with open_bytes(self.part.file) as file:
                yield from self._split(named(file, self.part.file), None)
        else:
            excerpt = self._excerpt()  # before the file is opened: some file systems have one place for all readers
            with open_bytes(self.part.file, self.part.start) as file:
                source = _Range(file, self.part.file, self.part.end - self.part.start)
                yield from self._split(source, excerpt)

    def _split(self, source: Any, excerpt: Excerpt | None) -> Iterator[Block]:
        text = GivenText(open_input(source), self.header.layout, self.names(), excerpt)
        yield from split(self._splitter(), text, replace(self.call, newlines=self.header.newlines))

    def _splitter(self) -> Step:
        """Return the model, if it can split text."""
        assert self.parser is not None
        if {RAW_TEXT, TAGS} <= self.parser.lacks.keys():
            raise CombinationError(f"{self.part.file}: {self.parser.lacks[RAW_TEXT]}")
        return self.parser

    def _excerpt(self) -> Excerpt:
        part = self.part
        head = read_bytes(part.file, 0, SAMPLE)
        return Excerpt(head, text_after(part), part.characters, part.lines, part.goes_on, part.new_paragraph)

    def _careful_text(self) -> Iterator[Block]:
        """Split paragraphs that can be read; set the others aside."""
        data = self._all_bytes()
        head = data[:SAMPLE] if self.part.is_whole else read_bytes(self.part.file, 0, SAMPLE)
        finder = finder_for(TEXT, self.header, head)
        starts, place = [0], 1
        while finder is not None and (border := finder(data, place)) is not None:
            starts.append(border.place)
            place = border.place + 1
        good: list[tuple[int, int]] = []
        for begin, end in zip(starts, [*starts[1:], len(data)], strict=True):
            line = self.part.lines + data.count(b"\n", 0, begin) + 1
            try:
                check_raw_text(data[begin:end], self.part.file, line)
            except TreebankError as error:
                self._set_aside(error, data[begin:end], line)
                continue
            if good and good[-1][1] == begin:
                good[-1] = (good[-1][0], end)
            else:
                good.append((begin, end))
        goes_on = self.part.goes_on
        for begin, end in good:
            before = data[:begin]
            characters = self.part.characters + sum(byte & 0xC0 != 0x80 for byte in before)
            lines = self.part.lines + before.count(b"\n")
            excerpt = Excerpt(head, b"", characters, lines, goes_on, begin > 0 or self.part.new_paragraph)
            counted = self.sentences
            yield from self._split(named(io.BytesIO(data[begin:end]), self.part.file), excerpt)
            goes_on = goes_on or self.sentences > counted

    # Treebanks

    def _treebank(self) -> Iterator[Block]:
        part = self.part
        if self.careful:
            yield from self._careful_treebank()
            return
        with open_bytes(part.file, part.start) as file:
            source = cast("IO[bytes]", _Range(file, part.file, part.end - part.start))
            yield from read_blocks(source, part.format or None)

    def _careful_treebank(self) -> Iterator[Block]:
        """Read the sentences that can be read; set the others aside."""
        data, begin, line = self._all_bytes(), 0, self.part.lines + 1
        pending, first = b"", line
        for end in [*(match.end() for match in BLANK_LINE.finditer(data)), len(data)]:
            sentence = data[begin:end]
            try:
                check_text(sentence, self.part.file, line)
                pending += sentence
            except TreebankError as error:
                self._set_aside(error, sentence, line)
                yield from self._readable(pending, first)
                pending, first = b"", line + sentence.count(b"\n")
            begin, line = end, line + sentence.count(b"\n")
            if len(pending) > BLOCK_BYTES:
                yield from self._readable(pending, first)
                pending, first = b"", line
        yield from self._readable(pending, first)

    def _readable(self, data: bytes, line: int) -> Iterator[Block]:
        """Yield the sentences of some text without those that have problems."""
        block = Block(data, CONLLU, self.part.file, line)
        bad = {sentence: (where, code) for sentence, where, code in block.problems if code != NO_FINAL_BLANK}
        for sentence, (where, code) in bad.items():
            self._set_aside(error_for(block, sentence, where, code), block.text_of(sentence), where)
        if bad:
            kept = [block.text_of(number) for number in range(block.n_sentences) if number not in bad]
            block = Block(b"".join(kept), CONLLU, self.part.file, line)
        if block.n_sentences:
            yield block

    # Rows with a text: each is a document

    def _rows(self) -> Iterator[Block]:
        parser, pieces, size, counted = self._splitter(), [], 0, 0
        for row, text, name, quoted in self.rows():
            if not isinstance(text, str):
                self._set_aside_row(row, no_text(self.header.text_field, text), quoted)
                continue
            shown = f"{self.part.document}-{row}" if name is None else str(name)
            names = self.names()
            names = SentenceNames(names.prefix, shown, names.before + counted)
            try:
                words, n_found = parser.split(text, self.call, names)
            except TreebankError as error:
                self._set_aside_row(row, str(error), quoted)
                continue
            counted += n_found
            pieces.append(words)
            size += len(words)
            if size > BLOCK_BYTES:
                counted = 0  # the block is counted when it is yielded
                yield Block(b"".join(pieces), CONLLU, self.part.file)
                pieces, size = [], 0
        if size:
            yield Block(b"".join(pieces), CONLLU, self.part.file)

    def rows(self) -> Iterator[tuple[int, object, object, object]]:
        """Yield the number of each row, its text, its name, and what to quote of it."""
        return self._json_rows() if self.part.kind == JSON_LINES else self._parquet_rows()

    def _json_rows(self) -> Iterator[tuple[int, object, object, object]]:
        part, header = self.part, self.header
        with open_bytes(part.file, part.start) as file:
            stream = open_input(cast("IO[bytes]", _Range(file, part.file, part.end - part.start)))
            for row, line in enumerate(lines_of(stream), part.lines + 1):
                if not line.strip():
                    continue
                try:
                    values = json.loads(line)
                except (ValueError, RecursionError) as error:
                    self._set_aside_row(row, f"no JSON ({error})", line)
                    continue
                if not isinstance(values, dict):
                    self._set_aside_row(row, "no JSON object", line)
                elif header.id_field and header.id_field not in values:
                    self._set_aside_row(row, f"no field {header.id_field!r}", line)
                else:
                    yield row, values.get(header.text_field), values.get(header.id_field), line

    def _parquet_rows(self) -> Iterator[tuple[int, object, object, object]]:
        for row, (text, name) in enumerate(rows_of(self.part, self.header), self.part.rows + 1):
            yield row, text, name, text

    # What is set aside

    def _set_aside(self, error: TreebankError, data: bytes, line: int) -> None:
        self.aside.append({"file": self.part.file, "line": line, "reason": str(error), "text": _quoted(data)})

    def _set_aside_row(self, row: int, reason: str, quoted: object) -> None:
        reason = f"{self.part.file}: row {row}: {reason}"
        self.aside.append({"file": self.part.file, "row": row, "reason": reason, "text": _quoted(quoted)})

    def _all_bytes(self) -> bytes:
        with open_bytes(self.part.file, self.part.start) as file:
            stream = open_input(cast("IO[bytes]", _Range(file, self.part.file, self.part.end - self.part.start)))
            return b"".join(iter(lambda: stream.read(PIECE), b""))


def id_prefix(header: Header, part: Part) -> str:
    """Return what each sent_id of a text begins with: the number of the part, too, where numbers are not known yet."""
    return header.id_prefix if part.sentences is not None else f"{header.id_prefix}{part.number}-"


def check_unchanged(part: Part) -> None:
    """Reject a part whose file is not the one that was planned."""
    size = size_of(part.file)
    remedy = "Put the old file back, or plan again."
    if size != part.size:
        raise TreebankError(f"has {size} bytes now, {part.size} when it was planned", source=part.file, remedy=remedy)
    digest, left = hashlib.sha256(), part.end - part.start
    with open_bytes(part.file, part.start) as file:
        while left > 0 and (piece := _read(file, min(PIECE, left), part.file)):
            digest.update(piece)
            left -= len(piece)
    if digest.hexdigest() != part.sha256:
        where = f"bytes {part.start} to {part.end} are not those that were planned"
        raise TreebankError(where, source=part.file, remedy=remedy)


def text_after(part: Part) -> bytes:
    """Return the beginning of what follows a part: as much as the tokeniser may look at, and valid UTF-8."""
    wanted = 4 * LOOK_AHEAD
    while True:
        data = read_bytes(part.file, part.end, min(wanted, part.size - part.end)) if part.end < part.size else b""
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            text = data[: error.start].decode()
        text = text.partition("\0")[0]
        enough = sum(map(len, text.split())) >= LOOK_AHEAD
        if enough or part.end + len(data) >= part.size or wanted >= MOST_AHEAD:
            return text.encode()
        wanted *= 4


class _Range:
    """Some bytes of a file, as a file object with the file's name."""

    def __init__(self, file: IO[bytes], name: str, length: int) -> None:
        self.file, self.name, self.left = file, name, length

    def read(self, size: int) -> bytes:
        data = _read(self.file, min(size, self.left), self.name)
        self.left -= len(data)
        return data


def named(file: IO[bytes], name: str) -> Any:
    """Return a file object with a name for messages."""
    return _Range(file, name, 1 << 62)


def _read(file: IO[bytes], size: int, name: str) -> bytes:
    try:
        return file.read(size)
    except OSError as error:
        reason = error.strerror or str(error)
        raise TreebankError(f"cannot be read ({reason})", source=name, remedy="Check the disk.") from None


def no_text(name: str, value: object) -> str:
    """Return why a row of a table has no text."""
    if value is None:
        return f"no text in {name!r}"
    return f"{name!r} is {json.dumps(value, default=str)[:40]}, not a text"


def _quoted(data: object) -> str:
    text = data.decode("utf-8", "backslashreplace") if isinstance(data, bytes) else str(data)
    return text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]}…"
