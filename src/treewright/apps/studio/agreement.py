"""How far two annotators agree: attachment, relations, and Cohen's kappa for each relation; and where they do not.

Agreement is counted over words that both have, sentence by sentence. Kappa compares the agreement seen with that of two
annotators who draw relations by chance, each with their own frequencies (Cohen 1960).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from treewright.apps.studio.drafts import DEPREL, FORM, HEAD, Draft
from treewright.errors import TreewrightError


class AnnotatorDisagreement(NamedTuple):
    """A word that two annotators see differently."""

    sentence: int
    word: int
    first: tuple[str, str]  # head and relation
    second: tuple[str, str]


class OfRelation(NamedTuple):
    """Agreement on one relation: how often each uses it, how often both do, and kappa."""

    relation: str
    first: int
    second: int
    both: int
    kappa: float | None


class AnnotatorAgreement(NamedTuple):
    """Agreement of two annotators."""

    sentences: int
    skipped: int  # not annotated by both, or not the same words
    words: int
    uas: float | None
    las: float | None
    kappa: float | None  # of relations
    relations: list[OfRelation]
    differences: list[AnnotatorDisagreement]


def agreement(first: Sequence[str], second: Sequence[str]) -> AnnotatorAgreement:
    """Compare two annotations of the same sentences."""
    if len(first) != len(second):
        raise TreewrightError(
            f"{len(first)} and {len(second)} sentences: two annotators are compared on the same sentences"
        )
    pairs: Counter[tuple[str, str]] = Counter()
    differences: list[AnnotatorDisagreement] = []
    skipped = heads = arcs = 0
    for number, texts in enumerate(zip(first, second, strict=True)):
        sides = [[cells for _, cells in Draft(text).words()] for text in texts]
        if not comparable(*sides):
            skipped += 1
            continue
        for word, (one, other) in enumerate(zip(*sides, strict=True), 1):
            pairs[one[DEPREL], other[DEPREL]] += 1
            heads += one[HEAD] == other[HEAD]
            arcs += one[HEAD : DEPREL + 1] == other[HEAD : DEPREL + 1]
            if one[HEAD : DEPREL + 1] != other[HEAD : DEPREL + 1]:
                choices = (one[HEAD], one[DEPREL]), (other[HEAD], other[DEPREL])
                differences.append(AnnotatorDisagreement(number, word, *choices))
    words = pairs.total()
    return AnnotatorAgreement(
        len(first) - skipped,
        skipped,
        words,
        heads / words if words else None,
        arcs / words if words else None,
        kappa(pairs),
        by_relation(pairs),
        differences,
    )


def comparable(one: Sequence[Sequence[str]], other: Sequence[Sequence[str]]) -> bool:
    """Have both sides the same words, each with a head?"""
    same = [cells[FORM] for cells in one] == [cells[FORM] for cells in other]
    return same and all(cells[HEAD] != "_" for cells in (*one, *other))


def kappa(pairs: Counter[tuple[str, str]]) -> float | None:
    """Return Cohen's kappa of paired choices; None where chance alone would agree on everything, or without any."""
    total = pairs.total()
    if not total:
        return None
    seen = sum(count for (one, other), count in pairs.items() if one == other) / total
    first, second = _sides(pairs)
    chance = sum(first[choice] * second[choice] for choice in first) / total**2
    return None if chance == 1 else (seen - chance) / (1 - chance)


def by_relation(pairs: Counter[tuple[str, str]]) -> list[OfRelation]:
    """Return agreement on each relation, as a choice of that relation or any other; the frequent ones first."""
    first, second = _sides(pairs)
    found = []
    for relation in sorted(set(first) | set(second), key=lambda name: (-first[name] - second[name], name)):
        own: Counter[tuple[str, str]] = Counter()
        for (one, other), count in pairs.items():
            own[str(one == relation), str(other == relation)] += count
        found.append(OfRelation(relation, first[relation], second[relation], pairs[relation, relation], kappa(own)))
    return found


def _sides(pairs: Counter[tuple[str, str]]) -> tuple[Counter[str], Counter[str]]:
    first: Counter[str] = Counter()
    second: Counter[str] = Counter()
    for (one, other), count in pairs.items():
        first[one] += count
        second[other] += count
    return first, second
