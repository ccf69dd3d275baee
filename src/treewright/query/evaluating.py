"""What the tests of a pattern say of a value: asked once for each value, the answers are kept in compiled tables."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

from treewright.query.language.pattern import (
    COLUMNS,
    COMPUTED,
    IN_MISC,
    LABEL,
    FeatureTest,
    LabelTest,
    Test,
    column_name,
    features_of,
)
from treewright.query.language.tokens import PatternError

#: the columns that tests look at, in the order of block_reader.pxd
FORM, LEMMA, UPOS, XPOS, FEATS, MISC, TEXT_FORM, WORD_FORM, RELATION = range(9)
N_COLUMNS = 9
_PLAIN = {"FORM": FORM, "LEMMA": LEMMA, "UPOS": UPOS, "XPOS": XPOS, "TEXTFORM": TEXT_FORM, "WORDFORM": WORD_FORM}
_KEYED = (FEATS, MISC)
MOST_TESTS = 62  # bits of a word

#: a term: tests that must hold, tests that must not, as bits
Term = tuple[int, int]
#: alternatives of clauses of terms: what a node must be
Alternatives = list[list[list[Term]]]


class Values:
    """Numbers values that are compared, for all threads and sentences."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.texts: list[str] = []

    def number(self, text: str) -> int:
        """Return the number of a text."""
        number = self._numbers.setdefault(text, len(self.texts))
        if number == len(self.texts):
            self.texts.append(text)
        return number


@dataclass
class Bits:
    """Things that get a bit each."""

    what: str
    number: dict[Hashable, int] = field(default_factory=dict)

    def of(self, thing: Hashable) -> int:
        """Return the bit of a thing."""
        if thing not in self.number and len(self.number) == MOST_TESTS:
            raise PatternError(f"more than {MOST_TESTS} different {self.what} in a pattern. Ask for less at a time")
        return self.number.setdefault(thing, len(self.number))


class NodeTests:
    """The tests of nodes by column, as bits of one number; and the features that are compared."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._bits = Bits("conditions on words")
        self._tests: list[list[tuple[int, str, Test]]] = [[] for _ in range(N_COLUMNS)]
        self._relations: list[tuple[int, LabelTest]] = []
        self.slots: dict[tuple[str, bool], int] = {}

    def clause(self, test: FeatureTest) -> list[list[Term]]:
        """Return what a feature must be, as clauses."""
        places = _places(test.name)
        wanted = test.test
        if wanted.kind == "undefined":
            return [[(0, self._bit(place, name, Test("defined")))] for place, name in places]
        terms, missing = [], 0
        for place, name in places:  # the first place that has the feature counts
            terms.append((self._bit(place, name, wanted), missing))
            missing |= self._bit(place, name, Test("defined")) if len(places) > 1 else 0
        return [terms]

    def relation(self, test: LabelTest) -> list[list[Term]]:
        """Return that the arc of the tree to a node has a label, as clauses."""
        bit = self._bits.of((RELATION, test))
        if (bit, test) not in self._relations:
            self._relations.append((bit, test))
        return [[(1 << bit, 0)]]

    def slot(self, feature: str, is_number: bool) -> int:
        """Return the place of a feature that is compared, as a text or as a number."""
        return self.slots.setdefault((feature, is_number), len(self.slots))

    def _bit(self, column: int, name: str, test: Test) -> int:
        bit = self._bits.of((column, name, test))
        if (bit, name, test) not in self._tests[column]:
            self._tests[column].append((bit, name, test))
        return 1 << bit

    def columns(self, alternatives: Alternatives) -> set[int]:
        """Return the columns that a condition looks at."""
        asked = 0
        for clauses in alternatives:
            for terms in clauses:
                for must, must_not in terms:
                    asked |= must | must_not
        found = {column for column in range(N_COLUMNS) if any(asked >> bit & 1 for bit, _, _ in self._tests[column])}
        return found | ({RELATION} if any(asked >> bit & 1 for bit, _ in self._relations) else set())

    def is_used(self, column: int) -> bool:
        """Say whether any test looks at a column, or anything of it is compared."""
        if column == RELATION:
            return bool(self._relations)
        return bool(self._tests[column]) or any(self._compared(column))

    def constants(self, column: int) -> list[bytes] | None:
        """Return the values that tests of a column name, if that is all they do."""
        if column in (FEATS, MISC, RELATION) or any(self._compared(column)):
            return None
        tests = [test for _, _, test in self._tests[column]]
        if any(test.expressions for test in tests):
            return None
        return sorted({value.encode("utf-8", "surrogateescape") for test in tests for value in test.values})

    def evaluate(self, column: int, value: bytes | bool | None) -> tuple[int, list[float]]:
        """Return the tests that a value passes, as bits, and the numbers that are compared; False: any other value."""
        text = value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else None
        if column == RELATION:
            accepted = [1 << bit for bit, test in self._relations if text is not None and test.accepts(text)]
            return sum(accepted), [math.nan] * len(self.slots)
        pairs = pairs_of(text) if column in _KEYED else {"": "\0" if value is False else text}
        return self.answers(column, pairs)

    def answers(self, column: int, pairs: dict[str, str | None]) -> tuple[int, list[float]]:
        """Do as ``evaluate`` for the features of a column, by name; a column without has one, named ""."""
        mask = sum(1 << bit for bit, name, test in self._tests[column] if test.accepts(pairs.get(name)))
        values = [math.nan] * len(self.slots)
        for slot, name, is_number in self._compared(column):
            text = pairs.get(name)
            if text is not None:
                values[slot] = number_in(text) if is_number else self._values.number(text)
        return mask, values

    def misc_names(self) -> list[bytes]:
        """Return the features of MISC that tests name."""
        names = {name for _, name, _ in self._tests[MISC]} | {name for _, name, _ in self._compared(MISC)}
        return sorted(name.encode() for name in names)

    def _compared(self, column: int) -> Iterable[tuple[int, str, bool]]:
        for (feature, is_number), slot in self.slots.items():
            for place, name in _places(feature):
                if place == column:
                    yield slot, name, is_number


class LabelTests:
    """The tests of labels as bits, and the features of labels that are compared; the first is the whole label."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._bits = Bits("conditions on edges")
        self.slots: dict[tuple[str, bool], int] = {}

    def bit(self, test: LabelTest) -> int:
        """Return the bit of a test."""
        return self._bits.of(test)

    def test(self, bit: int) -> LabelTest:
        """Return the test of a bit."""
        return next(test for test, number in self._bits.number.items() if number == bit)  # type: ignore[return-value]

    def slot(self, feature: str, is_number: bool) -> int:
        """Return the place of a feature that is compared."""
        self.slots.setdefault((LABEL, False), 0)
        return self.slots.setdefault((feature, is_number), len(self.slots))

    @property
    def may_be_enhanced(self) -> bool:
        """Say whether any test accepts arcs of DEPS."""
        return any(isinstance(test, LabelTest) and test.may_be_enhanced for test in self._bits.number)

    def evaluate(self, label: bytes | bool | None, prefix: str = "") -> tuple[int, list[float]]:
        """Return the tests that a label passes, as bits, and the numbers that are compared."""
        if not isinstance(label, bytes):
            return 0, [math.nan] * len(self.slots)
        return self.answers(prefix + label.decode("utf-8", "surrogateescape"))

    def answers(self, label: str) -> tuple[int, list[float]]:
        """Do as ``evaluate`` for the text of a label."""
        mask = sum(1 << bit for test, bit in self._bits.number.items() if _accepts(test, label))
        features: dict[str, Any] = {**features_of(label), LABEL: label} if self.slots else {}
        values = [math.nan] * len(self.slots)
        for (name, is_number), slot in self.slots.items():
            text = features.get(name)
            if text is not None:
                values[slot] = number_in(text) if is_number else self._values.number(text)
        return mask, values


def _accepts(test: Any, label: str) -> bool:
    return bool(test.accepts(label))


def _places(feature: str) -> list[tuple[int, str]]:
    """Return the columns where a feature may be, and its name there."""
    if feature in COLUMNS:
        return [(_PLAIN[COLUMNS[feature]], "")]
    if feature in COMPUTED:
        return [(MISC, feature), (_PLAIN[COMPUTED[feature]], "")]
    if feature.startswith(IN_MISC):
        return [(MISC, column_name(feature.removeprefix(IN_MISC)))]
    return [(FEATS, column_name(feature)), (MISC, column_name(feature))]


def pairs_of(text: str | None) -> dict[str, str | None]:
    """Return FEATS or MISC as a dictionary; the first of two features with one name counts."""
    pairs: dict[str, str | None] = {}
    for item in (text or "").split("|"):
        name, equals, value = item.partition("=")
        if equals:
            pairs.setdefault(name, value)
    return pairs


def number_in(text: str) -> float:
    """Return a text as a number; NaN if it is none."""
    try:
        number = float(text)
    except ValueError:
        return math.nan
    return number if math.isfinite(number) and "_" not in text else math.nan
