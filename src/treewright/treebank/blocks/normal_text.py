"""Text that is not in normal form, rewritten: composed (NFC), without what cannot be seen.

Python's Unicode database knows how letters are composed: of Latin and Greek, of Hangul, and which are never composed,
as those of Hebrew with points. `normal_form.pyx` says when there is anything to do.
"""

from __future__ import annotations

import re
from array import array
from functools import cache, lru_cache
from unicodedata import normalize

from treewright.treebank.blocks.normal_form import in_normal_form, rare_characters

#: soft hyphen, spaces of no width, marks of direction
UNSEEN = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
#: after these a joiner, or what prevents joining, may mean something: Arabic, Indic and so on; emoji
_JOINING = "\u0590-\u061b\u061d-\u180d\u180f-\u1cff\u2600-\u27bf\u2b00-\u2bff\u3001-\ufefe\uff00-\U0010ffff"
_UNSEEN = re.compile(f"[{UNSEEN}]+")
_JOINERS = "\u200c\u200d"
_IDLE = re.compile(f"(?<![{_JOINING}])[{_JOINERS}]+")
_HIDDEN = re.compile(f"[{UNSEEN}{_JOINERS}]+")
_BREAK = "\u200b"  # between words of scripts without spaces: a space without width


def normal_form(text: str) -> str:
    """Return a word or other text in normal form; what nobody sees stays where there is nothing else."""
    if text.isascii() or in_normal_form(text.encode("utf-8", "surrogateescape")):
        return text
    return _composed(text) or normalize("NFC", text)


def normal_bytes(text: bytes) -> bytes:
    """Return a word in UTF-8 in normal form."""
    return normal_form(text.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def normal_lines(text: str) -> str:
    """Return text of a treebank with every column in normal form."""
    if text.isascii() or in_normal_form(text.encode("utf-8", "surrogateescape")):
        return text
    return "".join(normal_form(part) for part in re.split(r"([\t\n])", text))


def rewritten(text: bytes) -> tuple[bytes, array[int]]:
    """Return raw text in normal form, and where it differs, as triples of numbers.

    They are the bytes since the last difference, those of the text that are replaced, and those that replace them.
    Where nobody sees anything between words, there is a space: at a break, before spaces, at the beginning.
    """
    whole = text.decode("utf-8", "surrogateescape")
    pieces: list[str] = []
    changes = array("i")
    done = same = 0
    for match in _rare().finditer(whole):
        between = whole[done : match.start()]
        pieces.append(between)
        same += _size(between)
        done = match.end()
        for old, new in _rewritten(match[0], match.start() == 0, not whole[done : done + 1].strip()):
            pieces.append(new)
            if old == new:
                same += _size(old)
            else:
                changes.extend((same, _size(old), _size(new)))
                same = 0
    pieces.append(whole[done:])
    return "".join(pieces).encode("utf-8", "surrogateescape"), changes


@cache
def _rare() -> re.Pattern[str]:
    """Return what finds a character and all after it that it may be composed with, or that nobody sees."""
    rare = rare_characters()
    return re.compile(f"[^{rare}]?[{rare}]+", re.DOTALL)


def _composed(text: str) -> str:
    """Return a text composed, without what nobody sees; marks have their order before joiners are judged."""
    text = normalize("NFC", _UNSEEN.sub("", text))
    return normalize("NFC", _IDLE.sub("", text))


@lru_cache(1 << 14)
def _rewritten(text: str, begins: bool, ends: bool) -> list[tuple[str, str]]:
    """Return the parts of a stretch of raw text, each as written and in normal form, spaces apart from letters.

    ``begins``: the text begins here; ``ends``: a space follows.
    """
    parts, start = [], 0
    for found in _HIDDEN.finditer(text):
        at_edge = (begins and found.start() == 0) or (ends and found.end() == len(text))
        if (at_edge or _BREAK in found[0]) and not _composed(text[: found.end()]).endswith(tuple(_JOINERS)):
            parts += [text[start : found.start()], found[0]]
            start = found.end()
    return [(part, _composed(part) or " ") for part in (*parts, text[start:]) if part]


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))
