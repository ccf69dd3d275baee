"""Two annotations of the same sentences, word by word, and what somebody decides where they differ.

Decisions go to a third file. A comment of its sentence, ``# adjudicated = 2 5``, says which words have been decided, so
that decisions last, travel with the file, and can be undone like any edit.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from treewright.apps.studio.agreement import comparable
from treewright.apps.studio.alignment import unique
from treewright.apps.studio.drafts import DEPREL, FORM, HEAD, Draft
from treewright.apps.studio.drawings import drawn_from, sentence_of
from treewright.apps.studio.sentence_names import sent_id
from treewright.apps.studio.treebank_file import TreebankFile

DECIDED = "adjudicated"
Name = tuple[str, ...]  # of a sentence in several files: its words, and its sent_id


class Disagreement(NamedTuple):
    """A word that two annotators see differently, and what was decided."""

    word: int
    form: str
    first: tuple[str, str]  # head and relation
    second: tuple[str, str]
    decided: tuple[str, str] | None


def same_sentences(first: TreebankFile, second: TreebankFile) -> Iterator[tuple[int, int]]:
    """Yield the numbers of sentences that stand in both files, by their words and sent_ids."""
    there: defaultdict[Name, deque[int]] = defaultdict(deque)
    for number, name in enumerate(_names(second)):
        there[name].append(number)
    for number, name in enumerate(_names(first)):
        if there[name]:
            yield number, there[name].popleft()


def place_in(target: TreebankFile, source: TreebankFile, number: int) -> int | None:
    """Return the number of a sentence in another file; None where it is not there."""
    return next((other for own, other in same_sentences(source, target) if own == number), None)


def disagreements(first: str, second: str, target: str | None) -> list[Disagreement]:
    """Return the words that two annotations of a sentence differ in; none unless both are finished."""
    one, other = _words(first), _words(second)
    if not comparable(one, other):
        return []
    known = decided(target) if target is not None else set()
    there = _words(target) if target is not None else []
    return [
        Disagreement(
            number,
            own[FORM],
            (own[HEAD], own[DEPREL]),
            (theirs[HEAD], theirs[DEPREL]),
            (there[number - 1][HEAD], there[number - 1][DEPREL]) if number in known else None,
        )
        for number, (own, theirs) in enumerate(zip(one, other, strict=True), 1)
        if own[HEAD : DEPREL + 1] != theirs[HEAD : DEPREL + 1]
    ]


def decided(text: str) -> set[int]:
    """Return the words of a sentence that somebody has decided."""
    for comment in Draft(text).comments:
        name, _, value = comment.lstrip("#").partition("=")
        if name.strip() == DECIDED:
            return {int(word) for word in value.split() if word.isdecimal()}
    return set()


def decide(draft: Draft, word: int, head: int, relation: str) -> None:
    """Write a decision into a sentence, and that it was made."""
    draft.attach(word, head, relation)
    words = " ".join(map(str, sorted(decided(draft.text) | {word})))
    others = [one for one in draft.comments if one.lstrip("#").partition("=")[0].strip() != DECIDED]
    draft.set_comments([*others, f"# {DECIDED} = {words}"])


def drawings(first: str, second: str, width: int) -> list[str]:
    """Return the drawings of both annotations, each with its differences from the other."""
    one, other = sentence_of(first), sentence_of(second)
    return [drawn_from(one, other, "upos", (), width), drawn_from(other, one, "upos", (), width)]


def _names(file: TreebankFile) -> Iterable[Name]:
    ids = unique([sent_id(text) for text in file.texts])
    return ((own or "", *(cells[FORM] for cells in _words(text))) for own, text in zip(ids, file.texts, strict=True))


def _words(text: str) -> Sequence[Sequence[str]]:
    return [cells for _, cells in Draft(text).words()]
