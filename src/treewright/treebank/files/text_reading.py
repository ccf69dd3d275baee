"""How raw text is read."""

from __future__ import annotations

from dataclasses import dataclass

from treewright.treebank.files.sentence_names import PLAIN_NAMES, SentenceNames


@dataclass(frozen=True)
class TextReading:
    """``ranges``: write the characters of each token to MISC; ``newlines``: what the ends of lines mean."""

    ranges: bool = False
    newlines: str = "auto"
    names: SentenceNames = PLAIN_NAMES


PLAINLY = TextReading()
