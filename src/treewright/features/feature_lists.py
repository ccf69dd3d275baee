"""The features of taggers, lemmatisers and tokenisers: lists for people to read, from which keys are made.

A line of ``features/*.features`` is a feature: up to three values joined by ``&``, or several that differ by a number
(``suffix(word[0], 1..5)``). Features count on from the number in front of the latest line that has one (``10:``). The
number is part of a feature's key, by which trained models know its weights. So the numbers of features that there are
must stay, and those that are left out were features of the past or are free.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

Feature = tuple[int, tuple[str, ...]]  # its number, its values

_FOLDER = Path(__file__).parent / "features"
_RANGE = re.compile(r"(\d+)\.\.(\d+)")
#: what has such a list
LISTED = ("tagger", "lemmatizer", "tokenizer", "splits")


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
            for feature in _spelled_out(joined):
                features.append((number, tuple(feature.split(" & "))))
                number += 1
    return sections


def _spelled_out(line: str) -> Iterator[str]:
    """Yield the features that a line stands for: one, or one for each number of a range."""
    found = _RANGE.search(line)
    if found is None:
        yield line
        return
    for number in range(int(found[1]), int(found[2]) + 1):
        yield _RANGE.sub(str(number), line)
