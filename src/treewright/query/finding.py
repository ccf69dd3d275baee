"""Matches of patterns in files: as a stream, with a limit or a sample, in one thread or several."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from treewright.errors import MissingExtraError, TreewrightError
from treewright.query.index.reading import blocks_for
from treewright.query.keys import features_of_keys, parse_keys, usual_keys, values_of
from treewright.query.language.pattern import Feature, Pattern
from treewright.query.language.patterns import parse_pattern
from treewright.query.matching import ALL, Match, Query, SentenceMatches
from treewright.steps.in_order import zip_in_order
from treewright.treebank.blocks.block import Block
from treewright.treebank.files.source import Source
from treewright.treebank.sentences.in_memory import list_of
from treewright.treebank.sentences.sentence import Sentence


@dataclass(frozen=True)
class Scope:
    """Where is looked, and how: the format of files, whether graphs count, threads."""

    sources: Sequence[Source]
    format: str | None = None
    tree: bool = False
    threads: int = 1

    def blocks(self, query: Query) -> Iterator[Block]:
        """Yield all that is to be read: of files with an index, only what may have matches."""
        for source in self.sources:
            yield from blocks_for(source, self.format, query.plan)

    def all_blocks(self) -> Iterator[Block]:
        """Yield the sources to the end, whatever is looked for."""
        for source in self.sources:
            yield from blocks_for(source, self.format, None)


class Found:
    """The matches of a pattern, found anew by each iteration. A path can be read any number of times."""

    def __init__(
        self, pattern: Pattern, scope: Scope, limit: int | None = None, wanted: Sequence[Feature] = ()
    ) -> None:
        self.pattern, self.scope, self.limit = pattern, scope, limit
        self._wanted = tuple(wanted)

    def __iter__(self) -> Iterator[Match]:
        for each in self.sentences():
            yield from each

    def sentences(self) -> Iterator[SentenceMatches]:
        """Yield the sentences that have matches, each with all of them."""
        query = self.query()
        left = ALL if self.limit is None else self.limit
        if self.scope.threads == 1 or left != ALL:
            for block in self.scope.blocks(query):
                if left <= 0:
                    return
                for each in query.in_block(block, left):
                    each.rows = each.rows[:left]
                    left -= len(each)
                    yield each
                    if left <= 0:
                        return
            return
        for _, found in zip_in_order(
            lambda block: list(query.in_block(block)), self._blocks(query), self.scope.threads
        ):
            yield from found

    def _blocks(self, query: Query) -> Iterator[Block | None]:
        yield from self.scope.blocks(query)

    def with_keys(self, keys: Sequence[str]) -> Found:
        """Return the same matches, each of which has the values that keys need."""
        return Found(self.pattern, self.scope, self.limit, features_of_keys(parse_keys(keys, self.pattern)))

    def query(self) -> Query:
        """Return the pattern ready to be matched."""
        return Query(self.pattern, self.scope.tree, self._wanted)

    def count(self) -> int:
        """Return how many matches there are."""
        return self.counts()[0]

    def counts(self) -> tuple[int, int]:
        """Return how many matches there are, and how many sentences have some."""
        query = self.query()
        if self.limit is not None or self.scope.threads == 1:
            matches = sentences = 0
            for block in self.scope.blocks(query):
                left = ALL if self.limit is None else self.limit - matches
                if left <= 0:
                    break
                more = query.count(block, left)
                matches, sentences = matches + min(left, more[0]), sentences + more[1]
            return matches, sentences
        pairs = [pair for _, pair in zip_in_order(query.count, self._blocks(query), self.scope.threads)]
        return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)

    def count_by(self, *keys: str) -> Counter[tuple[str | None, ...]]:
        """Return how many matches have which values of keys, such as ``V.lemma`` and ``S.upos``."""
        if not keys:
            raise TreewrightError("count_by needs a key, such as V.lemma")
        parsed = parse_keys(keys, self.pattern)
        counts: Counter[tuple[str | None, ...]] = Counter()
        for each in self.with_keys(keys).sentences():
            for match in each:
                counts[tuple(values_of(parsed, match))] += 1
        return counts

    def rows(self, *columns: str) -> Iterator[dict[str, str | None]]:
        """Yield a dictionary for each match; ``columns`` are keys as in ``count_by``, or ``V.id``, ``text``."""
        chosen = columns or tuple(usual_keys(self.pattern))
        keys = parse_keys(chosen, self.pattern)
        for each in self.with_keys(chosen).sentences():
            for match in each:
                yield dict(zip(chosen, values_of(keys, match), strict=True))

    def to_arrow(self, *columns: str) -> Any:
        """Return a pyarrow Table with a row for each match."""
        try:
            import pyarrow
        except ImportError:
            raise MissingExtraError("a table of matches", "pyarrow", "data") from None
        names = columns or tuple(usual_keys(self.pattern))
        rows = list(self.rows(*names))
        kinds = pyarrow.schema([(name, pyarrow.string()) for name in names])
        return pyarrow.table({name: [row[name] for row in rows] for name in names}, schema=kinds)

    def to_pandas(self, *columns: str) -> Any:
        """Return a pandas DataFrame with a row for each match."""
        try:
            import pandas
        except ImportError:
            raise MissingExtraError("a table of matches", "pandas", "data") from None
        names = columns or tuple(usual_keys(self.pattern))
        return pandas.DataFrame(list(self.rows(*names)), columns=list(names))

    def sample(self, count: int, seed: int = 1) -> list[Match]:
        """Return some of the matches by chance, in their order; all are looked at, few are kept."""
        chance = random.Random(seed)
        kept: list[tuple[int, Match]] = []
        for number, match in enumerate(self):
            if len(kept) < count:
                kept.append((number, match))
            elif (place := chance.randrange(number + 1)) < count:
                kept[place] = (number, match)
        return [match for _, match in sorted(kept, key=lambda pair: pair[0])]

    def without(self) -> Iterator[Sentence]:
        """Yield the sentences without a match."""
        query = self.query()
        for block in self.scope.all_blocks():
            found = {each.number for each in query.in_block(block)}
            for number in range(block.n_sentences):
                if number not in found:
                    yield Sentence.from_block(block, number)

    def __repr__(self) -> str:
        return f"<Found {self.pattern.text[:60]}>"


def find(
    source: Source | Sequence[Source],
    pattern: str | Pattern,
    *,
    format: str | None = None,
    tree: bool = False,
    limit: int | None = None,
    threads: int = 1,
) -> Found:
    """Return the matches of a pattern in Grew's notation, as a stream.

    ``source`` is whatever ``read`` takes or returns, or a list of such. ``tree`` leaves out empty nodes and the arcs of
    DEPS. The result is iterated, or asked: ``count()``, ``count_by("V.lemma")``, ``rows()``, ``to_pandas()``.
    """
    parsed = parse_pattern(pattern) if isinstance(pattern, str) else pattern
    if limit is not None and limit < 0:
        raise TreewrightError(f"limit={limit}: it counts matches, from 0")
    if threads < 1:
        raise TreewrightError(f"threads={threads}: give 1 or more")
    return Found(parsed, Scope(tuple(list_of(source)), format, tree, threads), limit)


def grouped(matches: Iterable[Match]) -> Iterator[list[Match]]:
    """Yield matches by sentence."""
    group: list[Match] = []
    for match in matches:
        if group and match.of is not group[-1].of:
            yield group
            group = []
        group.append(match)
    if group:
        yield group
