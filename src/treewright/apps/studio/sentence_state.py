"""A sentence of a file: what it is on disk, what it is here, and its past."""

from __future__ import annotations

import re

from treewright.apps.studio.drafts import HEAD, MARK, Draft
from treewright.apps.studio.history import History
from treewright.apps.studio.sentence_names import ENCODING, core
from treewright.treebank.blocks.block import Block
from treewright.treebank.formats.conllu import CONLLU

CLOSED = re.compile(r"\n[ \t\r]*\n\Z")  # a blank line at the end


class SentenceState:
    """A sentence: ``text`` is how it is shown, ``saved`` how it is on disk (None: it is not there).

    ``base`` is the version on disk that the edits here began with. Where it is no longer what is on disk, both sides
    have changed the sentence: a conflict, until someone decides. ``key`` names the sentence as long as its file is
    known, whatever happens around it; ``revision`` names what is shown of it, and never comes again.
    """

    def __init__(self, key: str, text: str, revision: str = "") -> None:
        self.key, self.revision = key, revision
        self.text = text
        self.saved: str | None = text
        self.base: str | None = text
        self.noted: str | None = text  # the base that the journal knows of
        self.history: History | None = None

    @property
    def is_unsaved(self) -> bool:
        """Is the sentence not on disk as it is here?"""
        return self.text != self.saved

    @property
    def in_conflict(self) -> bool:
        """Has it been changed here and on disk?"""
        return self.base != self.saved

    def add(self, text: str) -> None:
        """Go on with a new version."""
        if self.history is None:
            self.history = History(self.text)
        self.history.add(text)
        self.text = text

    def step(self, by: int) -> None:
        """Go to the version before (-1) or after (1)."""
        if self.history is not None:
            self.text = framed(self.history.step(by), self.base)

    def meet(self, theirs: str | None) -> bool:
        """Take note of what is on disk now, None: nothing; return whether anything changes.

        A sentence without edits becomes what is on disk. Edits stay.
        """
        before = self.text, self.saved, self.base
        is_clean = self.text == self.base == self.saved
        if theirs is not None and core(theirs) in (core(self.text), core(self.base or "")):
            self.base = theirs if core(theirs) == core(self.base or "") else self.base
            self.text = framed(self.text, theirs)
            if self.history is not None:
                self.history.versions[self.history.at] = self.text
        self.saved = theirs
        if self.text == theirs:
            self.base = theirs
        elif is_clean and theirs is not None:
            self.text = self.base = theirs
            if self.history is not None:
                self.history.adopt(theirs)
        return (self.text, self.saved, self.base) != before

    def settle(self, text: str) -> None:
        """Take note that the sentence has been saved, as this text."""
        self.text = self.saved = self.base = text


def framed(text: str, model: str | None) -> str:
    """Return a sentence with the blank lines and the byte order mark that another version has around it."""
    inner = core(model or "")
    if model is None or not inner:
        return text
    before, _, after = model.partition(inner)
    return before + core(text) + after


def joined(texts: list[str]) -> str:
    """Return a file of sentences: a blank line between two, a byte order mark only at the beginning."""
    parts = [text.replace(MARK, "", 1) if text.startswith(MARK) else text for text in texts]
    for number, part in enumerate(parts[:-1]):
        end = "\r\n" if part.endswith("\r\n") else "\n"
        while not CLOSED.search(parts[number]):
            parts[number] += end
    return (MARK if any(text.startswith(MARK) for text in texts) else "") + "".join(parts)


def is_sentence(text: str) -> bool:
    """Is a text one sentence of CoNLL-U that can be read?"""
    try:
        block = Block(text.encode(*ENCODING), CONLLU, "")
    except UnicodeEncodeError:
        return False
    return block.n_sentences == 1 and not any(code in ("columns", "id") for _, _, code in block.problems)


def is_annotated(text: str) -> bool:
    """Has every word of a sentence a head?"""
    words = Draft(text).words()
    return bool(words) and all(cells[HEAD] != "_" for _, cells in words)
