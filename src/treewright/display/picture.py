"""A drawing as plain data: words in order, and arcs between their positions."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Union

from treewright.errors import TreewrightError, unknown

#: The result of comparing an arc with gold; "" without a comparison.
RIGHT, WRONG_HEAD, WRONG_LABEL, MISSED = "right", "wrong-head", "wrong-label", "missed"
MARKS = ("", RIGHT, WRONG_HEAD, WRONG_LABEL, MISSED)


class WordHook(NamedTuple):
    """What a page needs to know of a word that can be chosen."""

    description: str  # for screen readers
    doubt: float = 0.0  # shades the word


class ArcHook(NamedTuple):
    """What a page needs to know of an arc that can be chosen: the numbers of its words, and whether it is certain."""

    head: str
    dependent: str
    suggested: bool = False
    sure: float | None = None


@dataclass(frozen=True)
class Word:
    """A word of a drawing."""

    text: str
    tag: str = ""  # shown below the word
    number: str = ""  # as in the treebank: "3", or "3.1" for an empty node
    lemma: str = ""
    is_empty: bool = False  # a node without a word in the text
    wrong_tag: bool = False  # a comparison found the tag wrong
    is_marked: bool = False  # to be looked at: a pattern found it
    hook: WordHook | None = None


@dataclass(frozen=True)
class Arc:
    """An arc from head to dependent, given as positions of words from 1; head 0 is the root."""

    head: int
    dependent: int
    label: str = ""
    below: bool = False  # below the words: an additional head, or a missed arc
    mark: str = ""
    hook: ArcHook | None = None

    @property
    def left(self) -> int:
        """The position of the left end; for an arc from the root, that of the word."""
        return min(self.head, self.dependent) if self.head else self.dependent

    @property
    def right(self) -> int:
        """The position of the right end."""
        return max(self.head, self.dependent)

    @property
    def is_upright(self) -> bool:
        """Whether the arc has no horizontal part: from the root, or from a word to itself."""
        return self.head in (0, self.dependent)

    @property
    def is_wrong(self) -> bool:
        """Whether a comparison found the arc wrong."""
        return self.mark not in ("", RIGHT)

    @property
    def shown_label(self) -> str:
        """The label, with a sign if the arc leads from a word to itself."""
        return f"↺{self.label}" if self.head == self.dependent else self.label


@dataclass(frozen=True)
class CutArc(Arc):
    """A part of an arc whose other end is in another row: what stands at the margin names that end."""

    at_left: str = ""
    at_right: str = ""


class MultiwordToken(NamedTuple):
    """A token that stands for several words (French *du* for *de le*), from position ``first`` to ``last``."""

    first: int
    last: int
    text: str


@dataclass(frozen=True)
class Picture:
    """A sentence to draw."""

    words: Sequence[Word]
    arcs: Sequence[Arc]
    title: str = ""
    text: str = ""
    right_to_left: bool = False
    notes: Sequence[str] = field(default=())
    tokens: Sequence[MultiwordToken] = field(default=())
    numbered: bool = False  # whether words show their numbers; those of pictures in rows always do

    def __post_init__(self) -> None:
        for arc in self.arcs:
            if not (0 <= arc.head <= len(self.words) and 1 <= arc.dependent <= len(self.words)):
                raise TreewrightError(
                    f"the arc from {arc.head} to {arc.dependent} is out of range for {len(self.words)} words."
                    " Words are numbered from 1, and head 0 is the root."
                )
            if arc.mark not in MARKS:
                raise TreewrightError(unknown("mark of an arc", arc.mark, MARKS[1:]))

    def mirrored(self) -> Picture:
        """Return the picture from right to left: the first word comes last."""
        last = len(self.words) + 1
        arcs = [
            replace(arc, head=last - arc.head if arc.head else 0, dependent=last - arc.dependent) for arc in self.arcs
        ]
        tokens = [MultiwordToken(last - token.last, last - token.first, token.text) for token in self.tokens]
        return replace(self, words=self.words[::-1], arcs=arcs, tokens=tokens)

    @property
    def description(self) -> str:
        """What the arcs say, in words."""

        def name(place: int) -> str:
            return self.words[place - 1].text if place else "the root"

        arcs = sorted(self.arcs, key=lambda arc: (arc.below, arc.dependent))
        told = [f"{name(arc.dependent)}: {arc.label or 'depends'} of {name(arc.head)}" for arc in arcs]
        return "; ".join(told).replace(": root of the root", ": root")


PlainWord = Union[str, Word]  # noqa: UP007 (evaluated in Python 3.10)
PlainArc = Union["tuple[int, int, str]", Arc]


def make_picture(words: Iterable[PlainWord], arcs: Iterable[PlainArc], title: str = "") -> Picture:
    """Return a picture from plain data: words as strings, arcs as (head, dependent, label)."""
    made = [Word(word, number=str(place)) if isinstance(word, str) else word for place, word in enumerate(words, 1)]
    text = " ".join(word.text for word in made if not word.is_empty)
    drawn = [arc if isinstance(arc, Arc) else Arc(*arc) for arc in arcs]
    return Picture(made, drawn, title, text, is_right_to_left(text))


def is_right_to_left(text: str) -> bool:
    """Return whether most letters of a text are written from right to left."""
    balance = 0
    for character in text:
        direction = unicodedata.bidirectional(character)
        balance += (direction in ("R", "AL")) - (direction == "L")
    return balance > 0
