"""The raw text that CoNLL-U was made from: forms, and the spaces that MISC keeps."""

from __future__ import annotations

import re

ESCAPES = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "p": "|", "\\": "\\"}
_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|(.))")


def restored_text(conllu: str) -> str:
    """Return the text that a tokeniser split. Text of spaces only has no tokens, and cannot be restored."""
    text: list[str] = []
    covered = 0  # the last word of the current multiword token
    for line in conllu.split("\n"):
        columns = line.split("\t")
        if len(columns) != 10 or "." in columns[0]:
            covered = 0 if not line else covered
            continue
        first, _, last = columns[0].partition("-")
        if not last and int(first) <= covered:
            continue
        covered = int(last or 0)
        misc = dict(item.split("=", 1) for item in columns[9].split("|") if "=" in item)
        text.append(unescaped(misc.get("SpacesBefore", "")))
        text.append(unescaped(misc["SpacesInToken"]) if "SpacesInToken" in misc else columns[1])
        if misc.get("SpaceAfter") != "No":
            text.append(unescaped(misc.get("SpacesAfter", r"\s")))
    return "".join(text)


def unescaped(value: str) -> str:
    """Return spaces of MISC as they are in the text."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else ESCAPES.get(found[2], found[0]), value)
