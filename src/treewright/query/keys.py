"""What matches are counted by, and what a table of them has as columns: `V.lemma`, `e.label`, `delta(X, Y)`, `X#Y`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from treewright.query.language.pattern import DELTA, LABEL, LENGTH, Feature, Pattern
from treewright.query.language.tokens import END, NUMBER, WORD, PatternError, Reader
from treewright.query.language.well_formed import Names, names_of
from treewright.query.matching import Match

UNDEFINED = "__undefined__"
NONE, SEVERAL = "__none__", "__multi__"
#: of a whole match
OF_MATCH = ("sent_id", "text", "file", "line")
IDENTIFIER = "id"


@dataclass(frozen=True)
class Key:
    """A value of a match: the features it needs, and how it is made of them."""

    text: str
    features: tuple[Feature, ...]
    value: Callable[[Match, Sequence[str | None]], str | None]


def parse_keys(texts: Sequence[str], pattern: Pattern) -> list[Key]:
    """Return keys from text; each must be about nodes and edges of the pattern."""
    names = names_of(pattern.clauses)
    return [_KeyReader(text, names).key() for text in texts]


class _KeyReader(Reader):
    def __init__(self, text: str, names: Names) -> None:
        super().__init__(text, "the key")
        self._text, self._names = text, names

    def key(self) -> Key:
        """Return the key that is all of the text."""
        if self._text in OF_MATCH:
            return Key(self._text, (), lambda match, _: of_match(match, self._text))
        made = self._key()
        if self.token.kind != END:
            raise self.unexpected("the end of the key")
        return made

    def _key(self) -> Key:
        name = self.name(f"a key: X.lemma, e.label, delta(X, Y), X#Y, X -> Y or {', '.join(OF_MATCH)}")
        if name.text in (LENGTH, DELTA) and self.accept("("):
            first = self._node()
            self.expect(",")
            second = self._node()
            self.expect(")")
            return _distance(self._text, first, second, name.text == DELTA)
        if self.accept("."):
            return self._feature(name.text)
        self._names.node(name.text, name.place)
        if self.is_sign("#"):
            nodes = [name.text]
            while self.accept("#"):
                nodes.append(self._node())
            return Key(self._text, (), lambda match, _: _order(match, nodes))
        if self.is_sign("->", "<->"):
            both = self.take().text == "<->"
            second = self._node()
            return Key(self._text, (), lambda match, _: _relation(match, name.text, second, both))
        raise self.unexpected(f"a feature: {name.text}.form, {name.text}.upos, …")

    def _node(self) -> str:
        name = self.name("the name of a node")
        self._names.node(name.text, name.place)
        return name.text

    def _feature(self, owner: str) -> Key:
        place, found = self.token.place, []
        while True:
            if self.token.kind not in (WORD, NUMBER):
                raise self.unexpected("the name of a feature")
            found.append(Feature(owner, self.take().text))
            if not self.accept("/"):
                break
        first = found[0].name
        if owner in self._names.edges and first in (LENGTH, DELTA):
            edge = self._names.edges[owner]
            return _distance(self._text, edge.source, edge.target, first == DELTA)
        if first == IDENTIFIER:
            self._names.node(owner, place)
            return Key(self._text, (), lambda match, _: _identifier(match, owner))
        for feature in found:
            self._names.feature(feature, place)
        return Key(
            self._text, tuple(found), lambda _, values: next((each for each in values if each is not None), None)
        )


def of_match(match: Match, name: str) -> str | None:
    """Return what is known of the whole match."""
    sentence = match.sentence
    if name == "sent_id":
        return sentence.sent_id or None
    return {"text": sentence.text, "file": sentence.source, "line": str(sentence.line)}[name]


def _identifier(match: Match, node: str) -> str:
    token = match.nodes[node]
    return "0" if token is None else str(token.id)


def _distance(text: str, first: str, second: str, is_signed: bool) -> Key:
    def value(match: Match, _: Sequence[str | None]) -> str:
        delta = match.positions[second] - match.positions[first]
        return str(delta if is_signed else abs(delta))

    return Key(text, (), value)


def _order(match: Match, nodes: Sequence[str]) -> str:
    """Return nodes by position, as in `X << Y`."""
    positions = match.positions
    return " << ".join(sorted(nodes, key=lambda node: positions[node]))


def _relation(match: Match, first: str, second: str, both: bool) -> str:
    """Return the label of the arc from one node to another, or, with a minus sign, back."""
    one, other = match.positions[first], match.positions[second]
    labels = match.labels_between(one, other)
    if both:
        labels += [f"-{label}" for label in match.labels_between(other, one)]
    return NONE if not labels else labels[0] if len(labels) == 1 else SEVERAL


def features_of_keys(keys: Sequence[Key]) -> tuple[Feature, ...]:
    """Return all features that keys need, one after the other."""
    return tuple(feature for key in keys for feature in key.features)


def values_of(keys: Sequence[Key], match: Match) -> list[str | None]:
    """Return the values of keys for a match of a query that wanted their features."""
    given = match.values
    found: list[str | None] = []
    at = 0
    for key in keys:
        found.append(key.value(match, given[at : at + len(key.features)]))
        at += len(key.features)
    return found


def usual_keys(pattern: Pattern) -> list[str]:
    """Return the columns of a table, if nobody chooses some: which sentence, each node and the label of each edge."""
    names = names_of(pattern.clauses)
    nodes = [f"{name}.{feature}" for name in names.nodes for feature in (IDENTIFIER, "form")]
    return ["sent_id", *nodes, *(f"{name}.{LABEL}" for name in names.edges)]


def check_keys(keys: Sequence[str], most: int) -> None:
    """Reject more keys than can be shown."""
    if len(keys) > most:
        raise PatternError(f"{len(keys)} keys to count by, and at most {most} can be shown")
