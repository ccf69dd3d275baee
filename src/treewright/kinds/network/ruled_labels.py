"""The best relations of a tree among those that keep the rules: branch and bound over what stands in the way.

Most trees have the best relation of every arc and break no rule. Where two arcs do together, one of them must have
another relation: both ways are followed, the one that loses less first. The first that breaks none is the best.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import TypeAlias

from treewright.steps.parser import Trees
from treewright.systems.rules.rule import TAG_PRICE
from treewright.systems.rules.table import RuleTable

MOST_TRIED = 200  # choices of relations for one tree; then its relations stay as they were
#: the weights of votes for relations, the heads and the relations voted for, voter by voter
LabelVotes: TypeAlias = "tuple[array[float], array[int], array[int]]"


class RuledLabels:
    """The scores of relations, batch by batch, until the tags of all words are known."""

    def __init__(self) -> None:
        self.batches: list[tuple[memoryview, list[int], int, LabelVotes]] = []

    def add(self, scores: memoryview, lengths: Sequence[int], first: int, votes: LabelVotes) -> None:
        """Take the scores of a batch of sentences: rows of words and roots; its first word in the block."""
        self.batches.append((scores, list(lengths), first, votes))

    def keep(self, rules: RuleTable | None, trees: Trees, guesses: bool) -> Trees:
        """Change relations in trees where they break rules, and tags that are guesses."""
        if rules is None:
            return trees
        tags = rules.tags_in(trees.block)
        for scores, lengths, first, votes in self.batches:
            starts = accumulate(lengths, initial=0)
            for number, (row, end) in enumerate(pairwise(starts)):
                start = first + row - number  # every sentence before has a row for its root
                words = slice(start, start + end - row - 1)
                heads, labels = trees.heads[words], trees.labels[words]
                if rules.conflict(heads, labels, tags[words]) is not None:
                    rows, own = _Wanted(scores, row, start - first, heads, votes).rows(), tags[words]
                    if guesses:
                        rows, own = at_a_price(rules, rows, heads, own), bytes(len(own))
                    trees.labels[words] = best_within(rules, rows, heads, labels, own)
        return trees._replace(block=rules.fitted(trees.block, trees.heads, trees.labels)) if guesses else trees


def at_a_price(
    rules: RuleTable, rows: Iterable[Sequence[float]], heads: Iterable[int], tags: bytes
) -> list[list[float]]:
    """Return the scores of words' relations; those that a tag bars cost what it costs to have another tag."""
    return [
        [score - TAG_PRICE * (head > 0 and rules.bars_tag(label, tag)) for label, score in enumerate(row)]
        for row, head, tag in zip(rows, heads, tags, strict=True)
    ]


class _Wanted:
    """How much each relation of a sentence's words is wanted, votes included."""

    def __init__(self, scores: memoryview, row: int, word: int, heads: Sequence[int], votes: LabelVotes) -> None:
        self.scores, self.row, self.word, self.heads, self.votes = scores, row, word, heads, votes

    def rows(self) -> list[list[float]]:
        """Return the score of every relation, word by word."""
        n_labels = self.scores.shape[1] if self.scores.shape else 0
        found: list[list[float]] = []
        for number, head in enumerate(self.heads):
            own: list[float] = [self.scores[self.row + 1 + number, label] for label in range(n_labels)]
            for weight, voted_head, voted in self._votes_for(self.word + number):
                if voted_head == head and 0 <= voted < n_labels:
                    own[voted] += weight
            found.append(own)
        return found

    def _votes_for(self, word: int) -> list[tuple[float, int, int]]:
        weights, heads, labels = self.votes
        n_words = len(heads) // len(weights) if weights else 0
        return [
            (weight, heads[voter * n_words + word], labels[voter * n_words + word])
            for voter, weight in enumerate(weights)
        ]


def best_within(
    rules: RuleTable, rows: Sequence[Sequence[float]], heads: array[int], labels: array[int], tags: bytes
) -> array[int]:
    """Return the relations of a tree with the highest sum of scores among those that keep the rules.

    After MOST_TRIED choices, or where there are none, the relations that are given are returned.
    """
    order = [sorted(range(len(row)), key=row.__getitem__, reverse=True) for row in rows]
    start = tuple(_first_allowed(rules, order[word], heads[word], word + 1, tags[word]) for word in range(len(rows)))
    agenda = [(_loss(rows, order, start), start)]
    seen = {start}
    for _ in range(MOST_TRIED):
        if not agenda:
            break
        _, places = heapq.heappop(agenda)
        chosen = array("i", [order[word][place] for word, place in enumerate(places)])
        conflict = rules.conflict(heads, chosen, tags)
        if conflict is None:
            return chosen
        for word in conflict:
            after = _next_allowed(rules, order, heads, tags, places, word) if word else None
            if after is not None and after not in seen:
                seen.add(after)
                heapq.heappush(agenda, (_loss(rows, order, after), after))
    return labels


def _first_allowed(rules: RuleTable, order: Sequence[int], head: int, word: int, tag: int, place: int = 0) -> int:
    """Return the place of the best relation from a place on that may be by itself; of the first if none may."""
    for at in range(place, len(order)):
        if not rules.bars(head, word, order[at], tag):
            return at
    return place


def _next_allowed(
    rules: RuleTable, order: Sequence[Sequence[int]], heads: array[int], tags: bytes, places: tuple[int, ...], word: int
) -> tuple[int, ...] | None:
    """Return the choice in which a word has its next best relation; None if it has no other."""
    at = places[word - 1] + 1
    if at >= len(order[word - 1]):
        return None
    at = _first_allowed(rules, order[word - 1], heads[word - 1], word, tags[word - 1], at)
    return (*places[: word - 1], at, *places[word:])


def _loss(rows: Sequence[Sequence[float]], order: Sequence[Sequence[int]], places: Sequence[int]) -> float:
    """Return how much the relations at some places are worse than the best ones."""
    return sum(row[best[0]] - row[best[place]] for row, best, place in zip(rows, order, places, strict=True))
