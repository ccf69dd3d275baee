"""Make a plan: look at every input, cut it at borders into parts of similar size, and count sentences if asked to."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from treewright.apps.corpus.borders import Border, Finder, finder_for
from treewright.apps.corpus.plan import JSON_LINES, PARQUET, TEXT, TREEBANK, Header, Part, end_line, header_line
from treewright.apps.corpus.reading import PartReader, named
from treewright.apps.corpus.storage import local_output, open_bytes, read_bytes, size_of
from treewright.errors import CombinationError, TreebankError, TreewrightError
from treewright.kinds.tokenizer.tokenizer import SAMPLE
from treewright.steps.call import call_from
from treewright.steps.step import Step
from treewright.treebank.files.output import OutputFile
from treewright.treebank.files.source import BZIP2, GZIP, XZ, ZIP, ZSTANDARD, open_input
from treewright.treebank.files.text_format import RAW, TEXT_FORMATS, is_text
from treewright.treebank.formats.registry import SAMPLE_BYTES, Sample, guess, uncompressed_name

PIECE = 1 << 20  # bytes that are read at once
MARGIN = 4096  # bytes before a place where a border is looked for
CONTINUATION = bytes(range(0x80, 0xC0))  # bytes that begin no character of UTF-8
NEWDOC = re.compile(rb"^# newdoc(?: id = ?([^\r\n]*))?", re.MULTILINE)
CUT_FORMATS = ("conllu",)  # treebanks that are cut; others stay whole
JSON_ENDINGS = (".jsonl", ".ndjson")
PARQUET_ENDINGS = (".parquet", ".pq")


class Source(NamedTuple):
    """An input file, and the name of its text in ``# newdoc id``."""

    path: str
    document: str


@dataclass
class Planner:
    """Cuts inputs into parts."""

    header: Header
    part_bytes: int
    format: str | None = None  # of all inputs; None: guessed for each
    whole_files: bool = False
    progress: Callable[[int], None] = field(default=lambda n_bytes: None)

    def parts(self, sources: Sequence[Source]) -> Iterator[Part]:
        """Yield the parts of all inputs, numbered."""
        number = 0
        for source in sources:
            for part in self._parts_of(source):
                yield replace(part, number=number)
                number += 1

    def _parts_of(self, source: Source) -> Iterator[Part]:
        size = size_of(source.path)
        head = read_bytes(source.path, 0, SAMPLE)
        if head.startswith(ZIP):
            raise TreewrightError(f"{source.path}: is a zip archive. Unpack it and give the files in it")
        kind, format = self._kind(source.path, head)
        first = Part(0, source.path, kind, 0, size, size, "", format, document=source.document)
        if kind == TREEBANK:
            first = replace(first, document="")
            if self.header.id_prefix:
                raise CombinationError(
                    f"{source.path}: --id-prefix names the sentences of texts, and this is a treebank: leave it out"
                )
        if kind == PARQUET:
            yield from self._row_groups(first)
            return
        compressed = head.startswith((GZIP, BZIP2, XZ, ZSTANDARD))
        cut = not (self.whole_files or compressed or (kind == TREEBANK and format not in CUT_FORMATS))
        finder = finder_for(kind, self.header, head) if cut else None
        yield from self._ranges(first, finder)

    def _kind(self, path: str, head: bytes) -> tuple[str, str]:
        """Return what a file is read as, and the format of a treebank."""
        name = uncompressed_name(path.lower())
        if self.format in TEXT_FORMATS:
            return TEXT, ""
        if self.format is not None and self.format not in (JSON_LINES, PARQUET):
            return TREEBANK, self.format
        if self.format == JSON_LINES or (self.format is None and name.endswith(JSON_ENDINGS)):
            return JSON_LINES, ""
        if self.format == PARQUET or name.endswith(PARQUET_ENDINGS) or head.startswith(b"PAR1"):
            return PARQUET, ""
        with open_bytes(path) as file:
            stream = open_input(named(file, path))
            if is_text(Sample(stream.peek(SAMPLE_BYTES), stream.source)):
                return TEXT, ""
            return TREEBANK, guess(Sample(stream.peek(SAMPLE), stream.source)).name

    def _ranges(self, first: Part, finder: Finder | None) -> Iterator[Part]:
        """Yield the parts of a file of bytes, with the counters at the start of each."""
        part = first
        n_parts = max(1, round(first.size / self.part_bytes)) if finder is not None else 1
        for place in range(1, n_parts + 1):
            target = first.size * place // n_parts
            if target <= part.start and place < n_parts:
                continue
            border = self._border((first.file, first.size), target, finder) if place < n_parts and finder else None
            end = border.place if border is not None else first.size
            contents = _look_through(first.file, part.start, end, self.progress, part)
            if border is not None and part.kind == TEXT and not (part.goes_on or contents.has_text):
                continue  # spaces before the first word go with it
            yield replace(part, end=end, sha256=contents.sha256)
            if end == first.size:
                return
            assert border is not None
            part = replace(
                part,
                start=end,
                lines=part.lines + contents.lines,
                characters=part.characters + contents.characters,
                goes_on=part.goes_on or contents.has_text,
                new_paragraph=border.new_paragraph,
                document=contents.document,
            )

    def _border(self, where: tuple[str, int], target: int, finder: Finder) -> Border | None:
        """Return the first border at or after a place of a file; None if the file ends first."""
        path, size = where
        begin = max(0, target - MARGIN)
        with open_bytes(path, begin) as file:
            data = b""
            while piece := file.read(max(PIECE, len(data))):
                data += piece
                last = begin + len(data) >= size
                border = finder(data, target - begin)
                if border is not None and begin + border.place < size:
                    return border._replace(place=begin + border.place)
                if last:
                    break
        return None

    def _row_groups(self, first: Part) -> Iterator[Part]:
        """Yield parts of whole groups of rows, none smaller than wanted but the last."""
        from treewright.apps.corpus.parquet_files import groups_of

        part, start = first, None
        groups = groups_of(first.file, self.header)
        for place, group in enumerate(groups):
            start = group.start if start is None else start
            enough = group.end - start >= self.part_bytes and not self.whole_files
            if enough or place == len(groups) - 1:
                contents = _look_through(first.file, start, group.end, self.progress, part)
                part = replace(part, start=start, end=group.end, end_group=place + 1, sha256=contents.sha256)
                yield part
                part = replace(part, first_group=place + 1, rows=group.rows_before + group.rows)
                start = None


@dataclass
class _Found:
    """What bytes hold."""

    sha256: str
    lines: int
    characters: int
    has_text: bool
    document: str


def _look_through(path: str, start: int, end: int, progress: Callable[[int], None], part: Part) -> _Found:
    """Count what a range of a file holds, in one pass; for JSON Lines, a row is a line."""
    digest, lines, characters, has_text, document = hashlib.sha256(), 0, 0, False, part.document
    with open_bytes(path, start) as file:
        left, tail = end - start, b""
        while left > 0 and (piece := file.read(min(PIECE, left))):
            left -= len(piece)
            digest.update(piece)
            lines += piece.count(b"\n")
            if part.kind == TEXT:
                characters += len(piece.translate(None, CONTINUATION))
                has_text = has_text or bool(piece.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").strip())
            elif part.kind == TREEBANK and b"# newdoc" in (joined := tail + piece):
                for name in NEWDOC.findall(joined)[-1:]:  # none, if it stands within a line
                    document = name.decode("utf-8", "replace")
            tail = piece[-MARGIN:]
            progress(len(piece))
    if left > 0:
        raise TreewrightError(f"{path}: became shorter while it was read. Plan again when nobody writes to it")
    return _Found(digest.hexdigest(), lines, characters, has_text, document)


def write_plan(path: str, header: Header, parts: Iterator[Part]) -> int:
    """Write a plan; return how many parts it has."""
    count = 0
    with local_output(path) as target, OutputFile(target) as output:
        output.write(header_line(header).encode() + b"\n")
        for part in parts:
            output.write(part.line().encode() + b"\n")
            count += 1
        if not count:
            raise TreewrightError("there is nothing in the inputs: no part to parse")
        output.write(end_line(count).encode() + b"\n")
    return count


def layout_of(format: str | None) -> str:
    """Return what is given in text of a format."""
    return format if format in TEXT_FORMATS and format != RAW and format is not None else "raw"


def numbered(parts: Iterable[Part], parser: Step, header: Header) -> Iterator[Part]:
    """Yield parts with the number of sentences before each; texts are split for it, not parsed."""
    total = 0
    for part in parts:
        part = replace(part, sentences=total)
        yield part
        total += _sentences_of(part, parser, header)


def _sentences_of(part: Part, parser: Step, header: Header) -> int:
    call = call_from({"newlines": header.newlines} if part.is_text else {})
    for careful in (False, True):
        reader = PartReader(parser, header, part, call, careful)
        try:
            for _ in reader.blocks():
                pass
        except TreebankError:
            continue
        return reader.sentences
    return 0  # the part will be set aside as a whole
