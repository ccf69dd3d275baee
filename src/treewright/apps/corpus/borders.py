"""Where a file may be cut so that its pieces, parsed alone, give what the whole gives.

A treebank is cut after a blank line, JSON Lines after a line. Text is cut before the first character of a paragraph,
or of a line where lines are known to end sentences. The spaces before belong to the piece before: its last token has
them in MISC. What the tokeniser sees beyond a border goes with the part as an Excerpt.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from treewright.apps.corpus.plan import JSON_LINES, TEXT, TREEBANK, Header
from treewright.kinds.tokenizer.boundaries.characters import Characters, kind_number
from treewright.kinds.tokenizer.boundaries.lines import line_style
from treewright.treebank.blocks.stretches import BOM

SPACE = kind_number(" ")
FURTHEST = 256  # bytes of spaces to look back over
ONE_END = "\n\r\x0b\x0c\x85\u2028"  # as in kinds/tokenizer/boundaries/characters.pyx
BLANK_LINE = re.compile(rb"\n[ \t]*\r?\n")
END_OF_LINE = re.compile(rb"\n")
#: lines that end like a sentence end one in every style but that of wrapped text
SENTENCE_AT_LINE_END = re.compile(rb"[.!?]\r?\n")


class Border(NamedTuple):
    """A place to cut at, and whether a paragraph begins there."""

    place: int
    new_paragraph: bool


Finder = Callable[[bytes, int], Border | None]


def finder_for(kind: str, header: Header, head: bytes) -> Finder | None:
    """Return what finds the first border at or after a place of some bytes; None if the file has to stay whole."""
    if kind == TREEBANK:
        return _after(BLANK_LINE)
    if kind == JSON_LINES:
        return _after(END_OF_LINE)
    if kind != TEXT or (header.layout == "raw" and header.newlines == "ignore"):
        return None
    lines = _counting_lines(header, head)
    return lambda data, place: _in_text(data, place, lines)


def _after(pattern: re.Pattern[bytes]) -> Finder:
    def find(data: bytes, place: int) -> Border | None:
        match = pattern.search(data, max(0, place - 1))
        return Border(match.end(), True) if match else None

    return find


def _counting_lines(header: Header, head: bytes) -> re.Pattern[bytes] | None:
    """Return the ends of lines that certainly end sentences; None: only blank lines do."""
    if header.layout in ("presegmented", "horizontal"):
        return END_OF_LINE
    if header.layout == "vertical" or header.newlines == "paragraph":
        return None
    if header.newlines == "sentence":
        return END_OF_LINE
    style = line_style(Characters(head))
    return SENTENCE_AT_LINE_END if style.each else None


def _in_text(data: bytes, place: int, lines: re.Pattern[bytes] | None) -> Border | None:
    """Return the first place at or after another where a paragraph begins, or a line that counts."""
    start = max(0, place - 2)
    while True:
        blank = BLANK_LINE.search(data, start)
        line = lines.search(data, start, blank.end() if blank else len(data)) if lines is not None else None
        match = line or blank
        if match is None:
            return None
        begin = _begin_of_text(data, match.end())
        if begin is None:
            return None
        # A byte order mark is a space where a text begins, and nowhere else.
        if begin >= max(place, 1) and not data.startswith(BOM, begin):
            ends = _ends_of_line(data, match.start(), begin)
            if ends > 1 or (ends == 1 and lines is not None):
                return Border(begin, ends > 1)
        start = begin


def _begin_of_text(data: bytes, at: int) -> int | None:
    """Return where the next character is that is no space; None if the bytes end before that is certain."""
    while at < len(data):
        lead = data[at]
        length = 1 if lead < 0xC0 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        if at + length > len(data):
            return None
        character = data[at : at + length].decode("utf-8", "replace")[:1]
        if not _is_space(character):
            return at
        at += length
    return None


def _ends_of_line(data: bytes, start: int, end: int) -> int:
    """Return how many ends of lines the spaces around a place have, as the tokeniser counts them; 0: not certain."""
    before = data[max(0, start - FURTHEST) : start].decode("utf-8", "ignore")
    text = before.rstrip("".join(filter(_is_space, set(before))))
    if not text:
        return 0
    count, last = 0, ""
    for character in before[len(text) :] + data[start:end].decode("utf-8", "ignore"):
        if character in ONE_END and not (character == "\n" and last == "\r"):
            count += 1
        elif character == "\u2029":
            count += 2
        last = character
    return count


def _is_space(character: str) -> bool:
    return bool(kind_number(character) == SPACE)
