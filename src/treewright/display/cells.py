"""Measure, cut and clean text for the cells of a terminal."""

from __future__ import annotations

import unicodedata

from treewright.display.picture import is_right_to_left

RIGHT_TO_LEFT_ISOLATE, POP_ISOLATE, LEFT_TO_RIGHT_MARK = "\u2067", "\u2069", "\u200e"


def cell_width(text: str) -> int:
    """Return the number of terminal cells of a text: two for wide characters, none for combining marks."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def cut(text: str, width: int, sign: str = "…") -> str:
    """Return at most ``width`` cells of a text, with a sign if it was cut."""
    if cell_width(text) <= width:
        return text
    room, kept = width - cell_width(sign), []
    for character in text:
        room -= cell_width(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept) + sign


def printable(text: str) -> str:
    """Return a text without characters that move the cursor, change colours or change the writing direction."""
    if text.isprintable():
        return text
    shown = (" " if c.isspace() else _visible(c) for c in text)
    return "".join(shown)


def _visible(character: str) -> str:
    kind = unicodedata.category(character)
    if character in "\u200c\u200d":  # joiners are part of the script
        return character
    if kind in ("Cc", "Cs") or (kind == "Cf" and unicodedata.bidirectional(character) != "BN"):
        return "\ufffd"
    return character


def isolated(text: str) -> str:
    """Return a text that stays in its column on terminals with right-to-left support."""
    return RIGHT_TO_LEFT_ISOLATE + text + POP_ISOLATE if is_right_to_left(text) else text
