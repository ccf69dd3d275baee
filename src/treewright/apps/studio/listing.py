"""Lists of the sentences of a file, page by page: all of them, or those that somebody looks for."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from treewright.apps.studio.checking import findings
from treewright.apps.studio.drafts import FORM, Draft
from treewright.apps.studio.sentence_names import sent_id
from treewright.apps.studio.sentence_state import is_annotated
from treewright.apps.studio.treebank_file import TreebankFile
from treewright.errors import TreewrightError, unknown
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks.validation import check_block
from treewright.treebank.formats.conllu import CONLLU

MOST = 500  # rows of a page
LONGEST = 200  # letters of a sentence in a list
TEXT = re.compile(r"^#[ \t]*text[ \t]*=[ \t]*(.*?)[ \t\r]*$", re.MULTILINE)
Doubts = dict[str, float]  # by the key of the sentence, the least sure first


class Search(NamedTuple):
    """What somebody looks for in a file."""

    file: str
    state: str = "all"
    text: str = ""


class Listing:
    """The lists of a project; the one that was asked for last is kept."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: object = None
        self._found: Sequence[int] = ()

    def numbers(self, file: TreebankFile, search: Search, doubts: Doubts) -> Sequence[int]:
        """Return the numbers of the sentences that somebody looks for."""
        if search.state not in STATES:
            raise TreewrightError(unknown("list of sentences", search.state, STATES))
        if search.state == "all" and not search.text:
            return range(len(file))
        with self._lock:
            asked = search, file.edition, list(doubts) if search.state == "unsure" else None
            if asked != self._asked:
                found = STATES[search.state](file, doubts)
                self._found = list(_with_text(file, found, search.text) if search.text else found)
                self._asked = asked
            return self._found


def rows(file: TreebankFile, numbers: Iterable[int], doubts: Doubts) -> list[dict[str, object]]:
    """Return what a list shows of sentences."""
    changed = {state.key: state for state in file.touched}
    return [
        {
            "n": number,
            "key": (key := file.keys[number]),
            **label_of(file.text_at(number)),
            "annotated": file.is_attached(number),
            "unsaved": key in changed and changed[key].is_unsaved,
            "conflict": key in changed and changed[key].in_conflict,
            "doubt": doubts.get(key),
        }
        for number in numbers
    ]


def label_of(text: str) -> dict[str, object]:
    """Return the name and the text of a sentence for a list."""
    return {"id": sent_id(text) or "", "text": shown_text(text)[:LONGEST]}


def shown_text(text: str) -> str:
    """Return the text of a sentence as people read it."""
    found = TEXT.search(text)
    return found[1] if found else " ".join(cells[FORM] for _, cells in Draft(text).words())


def number_named(file: TreebankFile, name: str) -> int | None:
    """Return the number of a sentence by its number from 1, or by its sent_id; None where there is none."""
    if name.isdecimal() and len(name) < 10 and 1 <= int(name) <= len(file):
        return int(name) - 1
    places = {file.disk_number(state.key) for state in file.seen}
    for state in file.seen:
        if sent_id(state.text) == name:
            return file.number_of(state.key)
    there = (n for n, own in enumerate(file.version.ids) if own == name and n not in places)
    found = next(there, None)
    return None if found is None else file.number_of(file.keys_on_disk[found])


def _with_text(file: TreebankFile, numbers: Iterable[int], text: str) -> Iterable[int]:
    looked_for = text.casefold()
    return (number for number in numbers if looked_for in shown_text(file.text_at(number)).casefold())


def _unsure(file: TreebankFile, doubts: Doubts) -> Iterable[int]:
    numbers = (file.number_of(key) for key in doubts if key in file)
    return (number for number in numbers if not file.is_attached(number))


def _invalid(file: TreebankFile, doubts: Doubts) -> Iterable[int]:
    """Return the sentences with errors; a sentence that is not finished yet has none of these."""
    bad: set[str] = set()
    keys, first = file.keys_on_disk, 0
    for chunk in file.version.chunks:
        problems = check_block(Block(chunk.data, CONLLU, "", 1 if not first else 2))
        errors = {each.sentence for each in problems if each.severity == "error" and each.sentence >= 0}
        bad |= {keys[first + n] for n in errors if file.version.attached[first + n]}
        first += chunk.size
    for state in file.seen:
        bad.discard(state.key)
        if is_annotated(state.text) and any(one.severity == "error" for one in findings(state.text)):
            bad.add(state.key)
    return sorted(map(file.number_of, bad))


#: what a list may hold → the numbers of those sentences
STATES: dict[str, Callable[[TreebankFile, Doubts], Iterable[int]]] = {
    "all": lambda file, doubts: range(len(file)),
    "waiting": lambda file, doubts: (n for n in range(len(file)) if not file.is_attached(n)),
    "done": lambda file, doubts: (n for n in range(len(file)) if file.is_attached(n)),
    "unsaved": lambda file, doubts: [file.number_of(state.key) for state in file.touched],
    "unsure": lambda file, doubts: [
        n for key in doubts if key in file and not file.is_attached(n := file.number_of(key))
    ],
    "invalid": _invalid,
}
