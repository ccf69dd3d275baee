"""The features of taggers, lemmatisers and tokenisers: lists for people to read, from which keys are made.

A line of ``lists/*.features`` is a feature: up to three values joined by ``&``, or several that differ by a number
(``suffix(word[0], 1..5)``). Features count on from the number in front of the latest line that has one (``10:``). The
number is part of a feature's key, by which trained models know its weights. So the numbers of features that there are
must stay, and those that are left out were features of the past or are free.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

Feature = tuple[int, tuple[str, ...]]  # its number, its values

_FOLDER = Path(__file__).parent / "lists"
_RANGE = re.compile(r"(\d+)\.\.(\d+)")
#: whose features are such lists
LISTED = ("tagger", "lemmatizer", "tokenizer", "splits", "enhanced")


def text_of_features(name: str) -> str:
    """Return the list as it is written."""
    return (_FOLDER / f"{name}.features").read_text(encoding="utf-8")


@cache
def listed_features(name: str) -> dict[str, list[Feature]]:
    """Return the features of each section of a list."""
    sections: dict[str, list[Feature]] = {}
    number = 0
    for raw in text_of_features(name).splitlines():
        line = raw.partition("#")[0].strip()
        if line.startswith("["):
            features = sections.setdefault(line.strip("[]"), [])
        elif line:
            first, _, joined = line.rpartition(": ")
            number = int(first or number)
            span = _RANGE.search(joined)
            for k in range(int(span[1]), int(span[2]) + 1) if span else (0,):
                features.append((number, tuple(_RANGE.sub(str(k), joined).split(" & "))))
                number += 1
    return sections
