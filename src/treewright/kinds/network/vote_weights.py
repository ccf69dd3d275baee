"""How much the votes of a hybrid's members count: the weights that get the most words of dev right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

WEIGHTS = (0.0, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)  # tried on dev
PARTS = 4  # of dev: on each one, weights that were fitted on the others are tried
FEW_WORDS = 8_000  # of dev: with fewer, weights may fit it by chance

RightByPart = Callable[[tuple[float, ...]], Sequence[int]]


def fitted_weights(right_by_part: RightByPart, n_weights: int, n_words: int) -> tuple[float, ...]:
    """Return the best weights, or none at all where a small dev set shows that they would not hold elsewhere.

    ``right_by_part`` says how many words are right with some weights, in each part of dev.
    """
    right = cache(right_by_part)
    nothing = (0.0,) * n_weights
    if n_words < FEW_WORDS:
        parts = range(len(right(nothing)))
        elsewhere = sum(right(_climbed(_without(right, part), nothing))[part] for part in parts)
        if elsewhere < sum(right(nothing)):
            return nothing
    return _climbed(lambda weights: sum(right(weights)), nothing)


def _without(right: RightByPart, part: int) -> Callable[[tuple[float, ...]], int]:
    """Return a function that counts the right words outside of a part."""
    return lambda weights: sum(right(weights)) - right(weights)[part]


def _climbed(right: Callable[[tuple[float, ...]], int], start: tuple[float, ...]) -> tuple[float, ...]:
    """Set one weight after the other to its best value, the others as they are, until no change helps."""
    weights, best, improved = start, right(start), True
    while improved:
        improved = False
        for place in range(len(weights)):
            for weight in WEIGHTS:
                tried = (*weights[:place], weight, *weights[place + 1 :])
                n_right = right(tried)
                if n_right > best:
                    weights, best, improved = tried, n_right, True
    return weights
