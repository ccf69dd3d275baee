"""A stretch of a longer text that is split by itself, as if the whole had been."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TypedDict

    class _ForWriter(TypedDict):
        characters: int
        goes_on: bool
        new_paragraph: bool


class Excerpt(NamedTuple):
    """What must be known of a text to split a stretch of it alone, with the result that the whole would give.

    The stretch begins and ends where a sentence does: see ``apps/corpus/borders.py``. Whether line ends mean anything
    is guessed from the beginning of the text (``head``), and decisions look ahead beyond the stretch (``after``).
    """

    head: bytes
    after: bytes
    characters: int  # of the text before the stretch
    lines: int
    goes_on: bool  # there were sentences before
    new_paragraph: bool

    def for_writer(self) -> _ForWriter:
        """Return what the writer of CoNLL-U takes."""
        return {"characters": self.characters, "goes_on": self.goes_on, "new_paragraph": self.new_paragraph}


#: a text from its first character
WHOLE = Excerpt(b"", b"", 0, 0, False, True)
