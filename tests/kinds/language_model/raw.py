"""A small text whose words say what stands beside them."""

from __future__ import annotations

import random
from typing import Any

SMALL: dict[str, Any] = {
    "hidden": 8,
    "word_width": 6,
    "ngram_width": 6,
    "buckets": 64,
    "vocabulary": 40,
    "endings": 10,
    "negatives": 12,
    "batch_words": 60,
    "rate": 0.02,
}
SUBJECTS, VERBS, OBJECTS = ("the dog", "a cat", "my horse"), ("sees", "chases", "likes"), ("birds", "mice", "fishes")


def paragraphs(n: int, seed: int = 1) -> list[str]:
    """Return paragraphs of two sentences each; numbers make each of them new."""
    chance = random.Random(seed)
    made = []
    for number in range(n):
        pairs = [(chance.choice(SUBJECTS), chance.choice(VERBS), chance.choice(OBJECTS)) for _ in range(2)]
        made.append(
            " ".join(f"{subject.capitalize()} {verb} {object} ." for subject, verb, object in pairs) + f" {number}"
        )
    return made


def sentences(n: int, seed: int = 1) -> list[list[str]]:
    """Return sentences of words."""
    return [words for paragraph in paragraphs(n, seed) for words in _cut(paragraph.split())]


def _cut(words: list[str]) -> list[list[str]]:
    middle = words.index(".") + 1
    return [words[:middle], words[middle:]]
