"""How much of a text a model knows from its training: on a text in another language, its answers mean nothing."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

#: what a model is expected not to know of a text like its training data, where it does not say so itself
USUAL = 0.15
LEAST_WORDS = 6  # of a text of which some words are known
FEWEST_WORDS = 3  # of a text of which no word is known
LEAST_SHARE = 0.65  # of words that are not known
LEAST_SMALL = 0.5  # of these, without a capital: lists of names are no other language
SURE = 4.0  # standard deviations above what is expected


class Familiarity(NamedTuple):
    """The words of a text with a letter in them, how many of them the model has never seen, and how many are usual."""

    words: int
    unknown: int
    small: int  # of those never seen, without a capital at their start
    usual: float = USUAL

    @property
    def share(self) -> float:
        """The share of the words that the model has never seen."""
        return self.unknown / max(1, self.words)

    @property
    def is_foreign(self) -> bool:
        """Is the text so unlike the training data that this cannot be chance?"""
        enough = LEAST_WORDS if self.unknown < self.words else FEWEST_WORDS
        if self.words < enough or self.unknown < LEAST_SHARE * self.words:
            return False
        if self.small < max(2, LEAST_SMALL * self.unknown):
            return False
        usual = min(max(self.usual, 0.01), 0.99)
        chance = sqrt(usual * (1 - usual) / self.words)
        return (self.share - usual) / chance > SURE

    def __str__(self) -> str:
        return (
            f"the model knows {self.words - self.unknown:,} of {self.words:,} words; about"
            f" {100 * (1 - self.usual):.0f} % are usual in texts like its training data"
        )

    def __add__(self, other: object) -> Familiarity:
        if not isinstance(other, Familiarity):
            return NotImplemented
        return Familiarity(
            self.words + other.words, self.unknown + other.unknown, self.small + other.small, other.usual
        )
