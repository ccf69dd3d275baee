"""A version of a treebank file: its bytes, and where its sentences are in them.

Of 100,000 sentences only places, digests and names are made when a file is opened; a text is decoded when somebody asks
for it. The bytes stand in chunks, so that another sentence in the file makes one of them anew.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import IO, NamedTuple

from treewright.apps.studio.alignment import Sentences
from treewright.apps.studio.drafts import MARK
from treewright.apps.studio.sentence_names import ENCODING, digest_of, digest_of_bytes, sent_id
from treewright.apps.studio.sentence_state import joined
from treewright.errors import TreebankError, TreewrightError
from treewright.treebank.blocks.block import Block
from treewright.treebank.formats.conllu import CONLLU

CHUNK = 1 << 20  # bytes, and a sentence
_MARK = MARK.encode()
_BLANK = b" \t\r\n"


class Chunk(NamedTuple):
    """Whole sentences as bytes."""

    data: bytes
    starts: array[int]  # of the sentences, and the end

    @property
    def size(self) -> int:
        """The number of sentences."""
        return len(self.starts) - 1

    def text(self, number: int) -> str:
        """Return the text of a sentence."""
        return self.data[self.starts[number] : self.starts[number + 1]].decode(*ENCODING)


class Names(NamedTuple):
    """What sentences are known by."""

    digests: list[str]
    ids: list[str | None]


class FileVersion:
    """The sentences of a file as it was read, or as it will be written. It never changes."""

    def __init__(self, chunks: Sequence[Chunk], names: Names, attached: bytearray) -> None:
        self.chunks = chunks
        self.digests, self.ids = names
        self.attached = attached  # 1 for every sentence of which every word has a head
        self._firsts = [0]  # the number of the first sentence of each chunk, and how many there are
        for chunk in chunks:
            self._firsts.append(self._firsts[-1] + chunk.size)

    @classmethod
    def of(cls, file: IO[bytes], source: str = "") -> FileVersion:
        """Read a version; TreebankError where there is a line that cannot be read."""
        chunks: list[Chunk] = []
        names, attached = Names([], []), bytearray()
        line = 1
        for data in _whole_sentences(file):
            chunk, flags = _scanned(data, source, line)
            if not chunk.size and chunks:  # blank lines at the end belong to the last sentence
                last = chunks.pop()
                del names.digests[-last.size :], names.ids[-last.size :], attached[-last.size :]
                line -= last.data.count(b"\n")
                chunk, flags = _scanned(last.data + data, source, line)
            chunks.append(chunk)
            _add_names(chunk, names)
            attached += flags
            line += chunk.data.count(b"\n")
        return cls(chunks, names, attached)

    @property
    def sentences(self) -> Sentences:
        """What the sentences are known by."""
        return Sentences(self.digests, self.ids, self.__getitem__)

    def some(self, numbers: Sequence[int]) -> Sentences:
        """Return what some sentences are known by."""
        return Sentences(
            [self.digests[n] for n in numbers], [self.ids[n] for n in numbers], lambda place: self[numbers[place]]
        )

    def __len__(self) -> int:
        return self._firsts[-1]

    def __getitem__(self, number: int) -> str:
        place = bisect_right(self._firsts, number) - 1
        return self.chunks[place].text(number - self._firsts[place])

    def __iter__(self) -> Iterator[str]:
        return (chunk.text(number) for chunk in self.chunks for number in range(chunk.size))

    def is_content_of(self, path: Path) -> bool:
        """Is a file this version, byte for byte?"""
        with path.open("rb") as file:
            return all(file.read(len(chunk.data)) == chunk.data for chunk in self.chunks) and not file.read(1)

    def with_sentence(self, number: int, text: str, instead: bool) -> FileVersion:
        """Return the version with a text instead of a sentence, or before it."""
        place = min(bisect_right(self._firsts, number), len(self.chunks)) - 1
        if place < 0 or not len(self):
            chunk, flags = _scanned(text.encode(*ENCODING), "", 1)
            return FileVersion([chunk], _add_names(chunk, Names([], [])), bytearray(flags))
        old, at = self.chunks[place], number - self._firsts[place]
        chunk = _with_text(old, at, text, instead, place == 0, place + 1 == len(self.chunks))
        if chunk.size != old.size + (not instead):
            raise TreewrightError("the sentence would not stay one sentence in its file")
        names = Names(self.digests.copy(), self.ids.copy())
        names.digests[number : number + instead] = [digest_of(text)]
        names.ids[number : number + instead] = [sent_id(text)]
        first = self._firsts[place]
        attached = self.attached[:first] + _scanned(chunk.data, "", 1 if place == 0 else 2)[1]
        attached += self.attached[first + old.size :]
        return FileVersion([*self.chunks[:place], chunk, *self.chunks[place + 1 :]], names, attached)


def _whole_sentences(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the bytes of a file, cut behind the first blank line after a sentence."""
    left = b""
    while piece := file.read(CHUNK):
        left += piece
        cut = _border(left)
        if cut:
            yield left[:cut]
            left = left[cut:]
    if left:
        yield left


def _border(data: bytes) -> int:
    """Return a place behind the blank line that ends a sentence, 0 where there is none."""
    end = len(data)
    while (end := max(data.rfind(b"\n\n", 0, end), data.rfind(b"\n\r\n", 0, end))) >= 0:
        line = data[data.rfind(b"\n", 0, end) + 1 : end]
        if line.strip(_BLANK).strip(_MARK):
            return end + (2 if data[end + 1 : end + 2] == b"\n" else 3)
        end += 1
    return 0


def _scanned(data: bytes, source: str, line: int) -> tuple[Chunk, bytes]:
    block = Block(data, CONLLU, source, line)
    for _, number, code in block.problems:
        if code in ("columns", "id"):
            raise TreebankError(
                f"a line that cannot be read ({code})",
                source=source,
                line=number,
                remedy="Correct it first: `treewright validate` lists what is wrong",
            )
    starts = array("i", [block.span_of(n)[0] for n in range(block.n_sentences)])
    starts.append(len(data))
    return Chunk(data, starts), block.attached()


def _add_names(chunk: Chunk, names: Names) -> Names:
    data, starts = chunk.data, chunk.starts
    has_marks = _MARK in data  # which digests leave out, as they do blank lines
    for start, end in pairwise(starts):
        piece = data[start:end]
        names.digests.append(digest_of(piece.decode(*ENCODING)) if has_marks else digest_of_bytes(piece))
        if data.find(b"sent_id", start, end) < 0:
            names.ids.append(None)
        else:
            header = piece[: piece.find(b"\n1")] if piece.startswith(b"#") else piece
            names.ids.append(sent_id(header.decode(*ENCODING)))
    return names


def _with_text(chunk: Chunk, at: int, text: str, instead: bool, is_first: bool, is_last: bool) -> Chunk:
    """Return a chunk with a text before a sentence, or instead of it, with blank lines between neighbours."""
    behind = at + instead
    before = [chunk.text(at - 1)] if at else []
    after = [chunk.text(behind)] if behind < chunk.size else [] if is_last else [""]
    if before or not is_first:
        text = text.removeprefix(MARK)
    middle = joined([*before, text, *after]).encode(*ENCODING)
    first, end = chunk.starts[at - len(before)], chunk.starts[min(behind + 1, chunk.size)]
    return _scanned(chunk.data[:first] + middle + chunk.data[end:], "", 1 if is_first else 2)[0]
