"""From text to patterns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treewright.errors import meant
from treewright.query.language import pattern as data
from treewright.query.language.pattern import (
    COMPARISONS,
    DELTA,
    IDENTITY,
    IN_MISC,
    LABEL_FEATURES,
    LENGTH,
    STRUCTURES,
    Clause,
    Feature,
    FeatureTest,
    LabelTest,
    Pattern,
    Test,
)
from treewright.query.language.regular import compiled
from treewright.query.language.tokens import (
    END,
    NUMBER,
    PERL_REGEX,
    REGEX,
    SIGN,
    STRING,
    WORD,
    PatternError,
    Reader,
    Token,
)
from treewright.query.language.well_formed import completed

ITEMS = ("pattern", "with", "without", "global")
ANY_NODE = "*"
DEPTH = "depth"
SAME = {"≤": "<=", "≥": ">="}
MIRRORED = {">": "<", ">>": "<<"}


def parse_pattern(text: str, source: str = "the pattern") -> Pattern:
    """Return the only pattern of a text."""
    found = parse_patterns(text, source)
    if len(found) != 1:
        raise PatternError(f"{source}: {len(found)} patterns, where one is needed")
    return found[0]


def parse_patterns(text: str, source: str = "the pattern") -> list[Pattern]:
    """Return the patterns of a text, as of a `.req` file.

    Several patterns are named: `name { pattern { … } without { … } }`, or `request name { … }`. A text behind the name
    is what a check says.
    """
    reader = PatternReader(text, source)
    if reader.token.kind == END:
        raise reader.token.place.error("there is no pattern. Write pattern { … }")
    if reader.is_word(*ITEMS):
        return [replace(reader.pattern(), text=text.strip())]
    found: dict[str, Pattern] = {}
    while reader.token.kind != END:
        if reader.is_word("request") and reader.ahead().kind == WORD:
            reader.take()
        name = reader.name("pattern, with, without, global, or the name of a pattern")
        if name.text in found:
            raise name.place.error(f"a second pattern {name.text!r}")
        message = reader.take().text if reader.token.kind == STRING else ""
        if not reader.is_sign("{") or not (reader.ahead().kind == WORD and reader.ahead().text in ITEMS):
            near = meant(name.text, ITEMS)
            raise name.place.error(f"expected pattern, with, without or global, found {name.shown}{near}")
        reader.take()
        found[name.text] = replace(reader.pattern(), name=name.text, message=message)
        reader.expect("}", ", which ends the pattern")
    return list(found.values())


class PatternReader(Reader):
    """Reads the items of a pattern."""

    def pattern(self) -> Pattern:
        """Return a pattern: all items that stand here."""
        items: list[data.Item] = []
        filters: list[data.Filter] = []
        structures: list[data.Structure] = []
        metadata: list[data.Metadata] = []
        start = self.token.place
        while self.is_word(*ITEMS) and self.ahead().text == "{":
            word = self.take()
            self.expect("{")
            if word.text == "global":
                self._global(structures, metadata)
                continue
            clauses = tuple(self._clauses())
            if word.text == "pattern":
                items.append(data.Item(clauses, word.place))
            else:
                filters.append(data.Filter(clauses, word.place, word.text == "with"))
        if not (items or filters or structures or metadata):
            raise self.unexpected("pattern { … }")
        if self.token.kind != END and not self.is_sign("}") and not self.is_word("commands"):
            raise self.unexpected(f"{', '.join(ITEMS)} or the end")
        return completed(Pattern(tuple(items), tuple(filters), tuple(structures), tuple(metadata)), start)

    def _clauses(self) -> Iterable[Clause]:
        """Yield the clauses up to the closing brace."""
        clauses: list[Clause] = []
        while not self.accept("}"):
            clauses.append(self._clause())
            if not self.accept(";") and not self.is_sign("}"):
                raise self.unexpected("`;` or `}` behind a clause")
        return clauses

    def _clause(self) -> Clause:
        if self.is_sign(ANY_NODE):
            return self._edge(self.take())
        if self.token.kind == NUMBER:
            return self._number_first()
        name = self.name("a clause: a node, an edge or a condition")
        if self.is_sign("[") or self.is_sign(";", "}"):
            return data.Node(name.text, self._alternatives(name), name.place)
        if self.accept(":"):
            return self._edge(self._node(), name.text)
        if self.is_sign("->", "-["):
            return self._edge(name)
        if self.accept("->>"):
            return data.Path(name.text, self._node().text, name.place)
        if self.accept("."):
            return self._about_feature(name)
        if name.text in (LENGTH, DELTA, DEPTH) and self.is_sign("("):
            return self._distance(name)
        if self.is_sign("<", "<<", ">", ">>", "><", "<>"):
            return self._order(name)
        raise self.unexpected(f"[ … ], an edge or a condition behind {name.text}")

    # Nodes

    def _alternatives(self, name: Token) -> tuple[tuple[FeatureTest, ...], ...]:
        if not self.is_sign("["):
            raise self.unexpected(f"`[`: a node is written {name.text} []")
        found = [self._features()]
        while self.accept("|"):
            found.append(self._features())
        return tuple(found)

    def _features(self) -> tuple[FeatureTest, ...]:
        self.expect("[")
        found: list[FeatureTest] = []
        while not self.accept("]"):
            found.append(self._feature())
            if not self.accept(",") and not self.is_sign("]"):
                raise self.unexpected("`,` or `]` behind a feature")
        return tuple(found)

    def _feature(self) -> FeatureTest:
        if self.accept("!"):
            return FeatureTest(self._feature_name().text, Test("undefined"))
        name = self._feature_name()
        if self.is_sign("/"):
            raise self.unexpected("`,` or `]`: alternatives are written [ … ]|[ … ]")
        if not self.is_sign("=", "<>"):
            return FeatureTest(name.text, Test("defined"))
        return FeatureTest(name.text, self._test(self.take().text == "<>"))

    def _feature_name(self) -> Token:
        name = self.name("the name of a feature")
        if name.text == IDENTITY or name.text in ("__RAW_MISC__", IN_MISC) or name.text.endswith("$"):
            raise name.place.error(f"{name.text} is no feature with a value")
        return name

    def _test(self, negated: bool) -> Test:
        """Return what stands behind `=` or `<>`: a star, or values and expressions with bars between them."""
        if self.is_sign("*"):
            star = self.take()
            if negated:
                raise star.place.error("`<> *`: a feature that is missing is written !Name")
            return Test("defined")
        values, expressions = set(), []
        while True:
            token = self.token
            if token.kind in (REGEX, PERL_REGEX):
                expressions.append(compiled(self.take()))
            elif token.kind in (WORD, NUMBER, STRING):
                values.add(self.take().text)
            else:
                raise self.unexpected("a value, a text in quotes or a regular expression")
            if self.is_sign("."):
                raise token.place.error(f"{token.text}.…: lexicons are not supported; compare features as in X.f = Y.g")
            if not self.accept("|"):
                break
        return Test("not in" if negated else "in", frozenset(values), tuple(expressions))

    # Edges

    def _node(self) -> Token:
        return self.take() if self.is_sign(ANY_NODE) else self.name("the name of a node")

    def _edge(self, source: Token, name: str | None = None) -> data.Edge:
        if self.accept("->"):
            label = LabelTest()
        else:
            self.expect("-[", " or `->`")
            label = self.label("]->")
        target = self._node()
        return data.Edge(source.text, target.text, label, source.place, name)

    def label(self, end: str) -> LabelTest:
        """Return what stands within the brackets of an edge, whose sign at the end is taken, too."""
        negated = self.accept("^")
        features: list[FeatureTest] = []
        if not negated and (self.is_sign("!") or (self.ahead().kind == SIGN and self.ahead().text in ("=", "<>"))):
            while True:
                features.append(self._label_feature())
                if not self.accept(","):
                    break
            self._end_label(end)
            return LabelTest(features=tuple(features))
        if self.is_sign(end):
            raise self.unexpected("a label, or features of one; an edge with any label is written ->")
        test = self._test(bool(negated))
        self._end_label(end)
        return LabelTest(test)

    def _end_label(self, end: str) -> None:
        if self.is_sign("]->>"):
            raise self.token.place.error("a path with labels is not supported: write X ->> Y")
        self.expect(end, ", `|` or `,`")

    def _label_feature(self) -> FeatureTest:
        missing = self.accept("!")
        name = self.name("the name of a feature of a label")
        check_label_feature(name)
        if missing:
            return FeatureTest(name.text, Test("undefined"))
        if not self.is_sign("=", "<>"):
            raise self.unexpected(f"`=`: a feature with any value is written {name.text}=*")
        return FeatureTest(name.text, self._test(self.take().text == "<>"))

    # Conditions

    def _about_feature(self, owner: Token) -> Clause:
        """Return what stands behind `X.`: a feature that is compared."""
        left = self._feature_of(owner)
        operator = self._operator()
        numeric = left.name in (LENGTH, DELTA)
        if self.token.kind == NUMBER and (numeric or operator not in ("=", "<>")):
            number = self.take()
            return self._with_number(left, operator, number, owner)
        if numeric:
            raise self.unexpected("a number")
        if self.token.kind == WORD and self.ahead().text == ".":
            other = self.take()
            self.take()
            return data.Compare(left, operator, self._feature_of(other), owner.place)
        if operator not in ("=", "<>"):
            raise self.unexpected("a number, or a feature such as Y.f")
        if self.token.kind == SIGN:
            raise self.unexpected("a value")
        return data.Has(owner.text, FeatureTest(left.name, self._test(operator == "<>")), owner.place)

    def _with_number(self, left: Feature, operator: str, number: Token, owner: Token) -> Clause:
        if left.name in (LENGTH, DELTA):
            return data.Distance(left.name, owner.text, "", operator, _whole(number), owner.place)
        return data.Compare(left, operator, _number(number), owner.place)

    def _feature_of(self, owner: Token) -> Feature:
        if self.token.kind not in (WORD, NUMBER):
            raise self.unexpected("the name of a feature")
        return Feature(owner.text, self.take().text)

    def _number_first(self) -> Clause:
        """Return `3 < X.f` as `X.f > 3`."""
        number = self.take()
        operator = self._operator()
        owner = self.name("a feature such as X.f")
        self.expect(".")
        turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(operator, operator)
        return self._with_number(self._feature_of(owner), turned, number, owner)

    def _operator(self) -> str:
        sign = self.take() if self.token.kind == SIGN else None
        operator = SAME.get(sign.text, sign.text) if sign else ""
        if sign is None or operator not in COMPARISONS:
            raise (sign or self.token).place.error(
                f"expected {', '.join(COMPARISONS)}, found {(sign or self.token).shown}"
            )
        return operator

    def _distance(self, what: Token) -> data.Distance:
        self.expect("(")
        first, second = self.name("the name of a node").text, ""
        if what.text != DEPTH:
            self.expect(",")
            second = self.name("the name of a node").text
        self.expect(")")
        operator = self._operator()
        if self.token.kind != NUMBER:
            raise self.unexpected("a whole number")
        return data.Distance(what.text, first, second, operator, _whole(self.take()), what.place)

    def _order(self, first: Token) -> Clause:
        sign = self.take().text
        second = self.name("the name of a node or of an edge")
        if sign in ("><", "<>"):
            return data.EdgeOrder(first.text, sign, second.text, first.place)
        one, other = (second, first) if sign in MIRRORED else (first, second)
        return data.Order(one.text, other.text, len(sign) == 1, first.place)

    # The whole sentence

    def _global(self, structures: list[data.Structure], metadata: list[data.Metadata]) -> None:
        while not self.accept("}"):
            name = self.name("is_projective, is_tree, … or a key of the comments")
            if self.is_sign("=", "<>"):
                metadata.append(data.Metadata(name.text, self._test(self.take().text == "<>")))
            else:
                structures.append(_structure(name))
            if not self.accept(";") and not self.is_sign("}"):
                raise self.unexpected("`;` or `}`")


def check_label_feature(name: Token) -> None:
    """Reject a name that no label has: it would never match."""
    if name.text not in LABEL_FEATURES:
        raise name.place.error(f"no label has a feature {name.text!r}: there are {', '.join(LABEL_FEATURES)}")


def _structure(name: Token) -> data.Structure:
    text = name.text.removeprefix("is_")
    wanted = not text.startswith("not_")
    text = text.removeprefix("not_")
    if not name.text.startswith("is_") or text not in STRUCTURES:
        known = [f"is_{each}" for each in STRUCTURES]
        raise name.place.error(f"unknown {name.shown}{meant(name.text, known)}. Known are {', '.join(known)}, is_not_…")
    return data.Structure(text, wanted)


def _number(number: Token) -> float:
    try:
        return float(number.text)
    except ValueError:
        raise number.place.error(f"expected a number, found {number.shown}") from None


def _whole(number: Token) -> int:
    try:
        value = int(number.text)
    except ValueError:
        raise number.place.error(f"expected a whole number, found {number.shown}") from None
    if abs(value) > 1 << 30:
        raise number.place.error("the number is too large")
    return value
