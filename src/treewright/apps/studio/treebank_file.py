"""A treebank file that is being edited: its sentences as text, and what it looked like on disk.

The file is the sentences joined, byte for byte. Saving replaces it as a whole or not at all. Whoever changes it on disk
meanwhile is noticed: sentences that only one side has changed are merged, those that both have changed are conflicts.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from treewright.errors import TreebankError
from treewright.treebank.blocks.block import Block
from treewright.treebank.files.output import OutputFile
from treewright.treebank.formats.conllu import CONLLU

ENCODING = ("utf-8", "surrogateescape")  # a byte that is no UTF-8 comes back as it was


class Stamp(NamedTuple):
    """What tells one version of a file on disk from another."""

    nanoseconds: int  # when it was written
    size: int


class Conflict(NamedTuple):
    """A sentence that was changed here and on disk."""

    sentence: int
    mine: str
    theirs: str


class TreebankFile:
    """The sentences of a file; ``saved`` are those that are on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.saved, self.stamp = self._read()
        self.sentences = list(self.saved)
        self.revisions = [0] * len(self.saved)
        self.problem = ""  # why the version that is on disk now cannot be read
        self.unread: Stamp | None = None  # which version that is

    def _read(self) -> tuple[list[str], Stamp]:
        before = stamp_of(self.path)
        block = Block(self.path.read_bytes(), CONLLU, str(self.path))
        unreadable = [problem for problem in block.problems if problem[2] in ("columns", "id")]
        if unreadable:
            _, line, code = unreadable[0]
            raise TreebankError(
                f"a line that cannot be read ({code})",
                source=str(self.path),
                line=line,
                remedy="Correct it first: `treewright validate` lists what is wrong",
            )
        return [block.text_of(number).decode(*ENCODING) for number in range(block.n_sentences)], before

    # Editing

    def put(self, sentence: int, text: str) -> None:
        """Replace a sentence, here only."""
        self.sentences[sentence] = text
        self.revisions[sentence] += 1

    @property
    def changed(self) -> list[int]:
        """The sentences that differ from those on disk."""
        return [n for n, pair in enumerate(zip(self.sentences, self.saved, strict=True)) if pair[0] != pair[1]]

    # The disk

    @property
    def is_stale(self) -> bool:
        """Has the file on disk changed since it was read or saved?"""
        return stamp_of(self.path) not in (self.stamp, self.unread)

    def save(self, sentence: int) -> None:
        """Write the file with the changes of one sentence; call ``refresh`` first where it is stale."""
        sentences = list(self.saved)
        sentences[sentence] = self.sentences[sentence]
        with OutputFile(self.path) as output:
            output.write("".join(sentences).encode(*ENCODING))
        self.saved = sentences
        self.stamp = stamp_of(self.path)

    def refresh(self) -> list[Conflict]:
        """Read the file again and merge what changed there; return the sentences that both sides have changed.

        In a conflict, our version stays until someone decides. Where sentences came or went on disk, our changes
        follow their sentences.
        """
        base, mine, revisions = self.saved, self.sentences, self.revisions
        try:
            self.saved, self.stamp = self._read()
        except TreebankError as error:  # what is here stays; it cannot be saved until the file is in order
            self.problem, self.unread = str(error), stamp_of(self.path)
            return []
        self.problem, self.unread = "", None
        places = _places(base, self.saved)
        conflicts: list[Conflict] = []
        self.sentences, self.revisions = list(self.saved), [0] * len(self.saved)
        for number, place in places.items():
            theirs, own = self.saved[place], mine[number]
            self.revisions[place] = revisions[number] + int(theirs != base[number])
            if own != base[number]:
                self.sentences[place] = own
                if theirs not in (own, base[number]):
                    conflicts.append(Conflict(place, own, theirs))
        # Changes without a place belong to sentences that are gone: nothing is lost, they stay in the journal.
        return conflicts


def _places(old: list[str], new: list[str]) -> dict[int, int]:
    """Return where sentences are in another version of their file: the same ones, then those that were changed."""
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    places = {first + k: second + k for first, second, size in blocks for k in range(size)}
    taken = set(places.values())
    moved = {text: place for place, text in enumerate(new) if place not in taken}
    for number, text in enumerate(old):
        if number not in places and text in moved:
            places[number] = moved.pop(text)
    taken = set(places.values())
    if len(old) == len(new):
        places |= {number: number for number in range(len(old)) if number not in places and number not in taken}
    return places


def stamp_of(path: Path) -> Stamp:
    """Return the stamp of a file; zeros where there is none."""
    try:
        found = path.stat()
    except OSError:
        return Stamp(0, 0)
    return Stamp(found.st_mtime_ns, found.st_size)
