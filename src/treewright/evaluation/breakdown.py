"""Scores by relation, tag, sentence length, arc length and sentence."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from functools import partial
from typing import Literal, NamedTuple, TypeAlias, overload

from treewright.errors import TreewrightError, unknown
from treewright.evaluation.attachment import Convention, check_convention
from treewright.evaluation.comparison import FLAGS, Comparison, Names
from treewright.evaluation.score import Score, percent
from treewright.evaluation.stretches import comparisons
from treewright.evaluation.tables import table_lines
from treewright.evaluation.tally import bucket_numbers, count_by_key, right_per_sentence
from treewright.treebank.files.source import Source

LENGTHS = (1, 6, 11, 16, 21, 31, 41, 51)
DISTANCES = (0, 1, 2, 3, 4, 6, 11, 21)
SIGNED_DISTANCES = (-20, -10, -5, -3, -2, -1, 0, 1, 2, 3, 4, 6, 11, 21)
_FAR_LEFT = -(2**31)


@dataclass(frozen=True)
class RelationRow:
    """One relation: labelled scores, and the share of its gold words with the correct head."""

    deprel: str
    gold: int
    system: int
    correct: int
    precision: float
    recall: float
    f1: float
    uas: float


@dataclass(frozen=True)
class TagRow:
    """The words with one gold UPOS."""

    upos: str
    words: int
    uas: float
    las: float
    label_accuracy: float


@dataclass(frozen=True)
class LengthRow:
    """The sentences of a range of lengths, in words."""

    length: str
    sentences: int
    words: int
    uas: float
    las: float
    exact_match: float


@dataclass(frozen=True)
class DistanceRow:
    """The arcs of a range of lengths: precision over the system's arcs, recall over the gold arcs."""

    distance: str
    gold: int
    system: int
    precision: float
    recall: float
    f1: float
    unlabelled_precision: float
    unlabelled_recall: float
    unlabelled_f1: float


@dataclass(frozen=True)
class SentenceRow:
    """One sentence; ``line`` is its first line in the gold file."""

    line: int
    words: int
    uas: float
    las: float
    sent_id: str


Row: TypeAlias = RelationRow | TagRow | LengthRow | DistanceRow | SentenceRow
Key: TypeAlias = "Callable[[Comparison], tuple[array[int], array[int]]]"


class _Counts(NamedTuple):
    """The counts of one key."""

    gold: int
    system: int
    heads: int
    labels: int
    both: int

    @property
    def labelled(self) -> Score:
        """The score of arcs with their relations."""
        return Score(self.gold, self.system, self.both)


def _count(pairs: Iterable[Comparison], keys: Key, n_keys: Callable[[], int], convention: Convention) -> list[_Counts]:
    """Sum the counts by key.

    ``n_keys`` is called after ``keys``, which may add new ones.
    """
    totals: list[int] = []
    for pair in pairs:
        gold, system = keys(pair)
        counts = count_by_key(pair, gold, system, n_keys(), convention.ignored_flags, convention.right_flags)
        totals += [0] * (len(counts) - len(totals))
        for place, count in enumerate(counts):
            totals[place] += count
    return [_Counts(*totals[place : place + 5]) for place in range(0, len(totals), 5)]


def _by_relation(gold: Source, system: Source, convention: Convention) -> list[Row]:
    names = Names(convention.relation == "universal")
    counts = _count(
        comparisons(gold, system, names),
        lambda pair: (pair.relation_numbers(False), pair.relation_numbers(True)),
        lambda: len(names.relations),
        convention,
    )
    rows: list[RelationRow] = []
    for relation, count in zip(names.relations.strings, counts, strict=True):
        if count.gold or count.system:
            uas = percent(count.heads, count.gold)
            rows.append(RelationRow(relation, count.gold, count.system, count.both, *count.labelled.rates, uas))
    return [*sorted(rows, key=lambda row: (-row.gold, row.deprel))]


def _by_tag(gold: Source, system: Source, convention: Convention) -> list[Row]:
    names = Names()

    def keys(pair: Comparison) -> tuple[array[int], array[int]]:
        tags = pair.tag_numbers()
        return tags, tags

    counts = _count(comparisons(gold, system, names), keys, lambda: len(names.tags), convention)
    rows = [
        TagRow(tag, count.gold, *(percent(right, count.gold) for right in (count.heads, count.both, count.labels)))
        for tag, count in zip(names.tags.strings, counts, strict=True)
        if count.gold
    ]
    return [*sorted(rows, key=lambda row: (-row.words, row.upos))]


def _by_length(gold: Source, system: Source, convention: Convention) -> list[Row]:
    bounds = array("i", LENGTHS)
    totals = [[0] * 5 for _ in LENGTHS]
    for pair in comparisons(gold, system, Names()):
        starts = pair.first_word
        lengths = array("i", (starts[i + 1] - starts[i] for i in range(pair.n_sentences)))
        words, heads = right_per_sentence(pair, convention.ignored_flags, FLAGS["head"])
        _, both = right_per_sentence(pair, convention.ignored_flags, convention.right_flags)
        buckets = bucket_numbers(lengths, bounds)
        for bucket, scored, head, right in zip(buckets, words, heads, both, strict=True):
            if scored:
                add = (1, scored, head, right, right == scored)
                totals[bucket] = [a + b for a, b in zip(totals[bucket], add, strict=True)]
    rows: list[Row] = []
    for name, (sentences, n_words, n_heads, n_both, exact) in zip(ranges(LENGTHS), totals, strict=True):
        if sentences:
            shares = percent(n_heads, n_words), percent(n_both, n_words), percent(exact, sentences)
            rows.append(LengthRow(name, sentences, n_words, *shares))
    return rows


def _by_distance(gold: Source, system: Source, convention: Convention, signed: bool = False) -> list[Row]:
    bounds = array("i", (_FAR_LEFT, *SIGNED_DISTANCES) if signed else DISTANCES)
    names = signed_ranges() if signed else ["root", *ranges(DISTANCES[1:])]

    def keys(pair: Comparison) -> tuple[array[int], array[int]]:
        ours, theirs = (pair.distances(of_system) for of_system in (False, True))
        if not signed:
            ours, theirs = (array("i", map(abs, values)) for values in (ours, theirs))
        return bucket_numbers(ours, bounds), bucket_numbers(theirs, bounds)

    counts = _count(comparisons(gold, system, Names()), keys, lambda: len(bounds), convention)
    rows: list[Row] = []
    for name, count in zip(names, counts, strict=False):
        if count.gold or count.system:
            bare = Score(count.gold, count.system, count.heads)
            rows.append(DistanceRow(name, count.gold, count.system, *count.labelled.rates, *bare.rates))
    return rows


def ranges(bounds: tuple[int, ...]) -> list[str]:
    """Name the buckets that start at these numbers: 1, 2, 3-5, 6+."""
    ends = [bound - 1 for bound in bounds[1:]]
    inner = [str(a) if a == b else f"{a}-{b}" for a, b in zip(bounds, ends, strict=False)]
    return [*inner, f"{bounds[-1]}+"]


def signed_ranges() -> list[str]:
    """Name the buckets to the left and right of the word, with the root between them."""
    right = ranges(DISTANCES[1:])
    return [f"left {name}" for name in reversed(right)] + ["root"] + [f"right {n}" for n in right]


_TABLES: dict[str, tuple[type[Row], Callable[[Source, Source, Convention], list[Row]]]] = {
    "deprel": (RelationRow, _by_relation),
    "upos": (TagRow, _by_tag),
    "length": (LengthRow, _by_length),
    "distance": (DistanceRow, _by_distance),
    "signed-distance": (DistanceRow, partial(_by_distance, signed=True)),
}
BREAKDOWNS = (*_TABLES, "sentence")


@overload
def breakdown(
    gold: Source, system: Source, by: Literal["deprel"], *, punctuation: str = "all", relation: str = "full"
) -> list[RelationRow]: ...
@overload
def breakdown(
    gold: Source, system: Source, by: str, *, punctuation: str = "all", relation: str = "full"
) -> list[Row]: ...
def breakdown(
    gold: Source, system: Source, by: str, *, punctuation: str = "all", relation: str = "full"
) -> list[RelationRow] | list[Row]:
    """Return the scores by relation, tag, length, distance or sentence as rows.

    Both files must have the same words. A distance is positive if the head is to the right of the word. For the
    sentences of a large file, ``sentence_scores`` yields row by row.
    """
    if by == "sentence":
        rows: list[Row] = [*sentence_scores(gold, system, punctuation=punctuation, relation=relation)]
        return rows
    check_convention(punctuation, relation)
    if by not in _TABLES:
        raise TreewrightError(unknown("breakdown", by, BREAKDOWNS))
    return _TABLES[by][1](gold, system, Convention("las", punctuation, relation))


def sentence_scores(
    gold: Source, system: Source, *, punctuation: str = "all", relation: str = "full"
) -> Iterator[SentenceRow]:
    """Yield the scores of each sentence."""
    check_convention(punctuation, relation)
    convention = Convention("las", punctuation, relation)
    for pair in comparisons(gold, system, Names()):
        words, heads = right_per_sentence(pair, convention.ignored_flags, FLAGS["head"])
        _, both = right_per_sentence(pair, convention.ignored_flags, convention.right_flags)
        for number in range(pair.n_sentences):
            place = pair.gold_from + number
            yield SentenceRow(
                pair.gold.line_of(place),
                words[number],
                percent(heads[number], words[number]),
                percent(both[number], words[number]),
                pair.gold.sent_id(place),
            )


def breakdown_lines(by: str, rows: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of a breakdown as a plain table, row by row."""
    kind = SentenceRow if by == "sentence" else _TABLES[by][0]
    header = [field.name for field in fields(kind)]
    return table_lines(header, (astuple(row) for row in rows))
