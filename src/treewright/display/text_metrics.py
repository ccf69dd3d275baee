"""Estimate the width of text in browser fonts: pictures are laid out before the font is known."""

from __future__ import annotations

import unicodedata

# Widths of Helvetica and Arial, in ems; common sans-serif fonts are similar.
_NARROW = dict.fromkeys("ijl'|", 0.24) | dict.fromkeys(" .,:;!ftI()[]/\\-`", 0.3) | dict.fromkeys('r"*{}', 0.36)
_WIDE = dict.fromkeys("mMW@%", 0.86) | dict.fromkeys("wCDGHNOQRU&ABEKPSVXY", 0.74) | {"—": 1.0, "…": 1.0}
USUAL, FULL_WIDTH, CAUTION = 0.57, 1.0, 1.06


def text_width(text: str, size: float) -> float:
    """Return the estimated width of a text at a font size, rather too large than too small."""
    return CAUTION * size * sum(map(_ems, text))


def _ems(character: str) -> float:
    known = _NARROW.get(character) or _WIDE.get(character)
    if known is not None:
        return known
    if character.isascii():
        return USUAL
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return FULL_WIDTH if ord(character) < 0x1F000 else 1.3  # emoji are drawn wider than their size
    return 0.72 if character.isupper() or unicodedata.category(character) == "Mc" else 0.62
