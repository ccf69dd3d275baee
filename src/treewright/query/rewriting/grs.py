"""From text to rules: the files of Grew that end with .grs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from treewright.query.language.pattern import Feature, LabelTest
from treewright.query.language.patterns import PatternReader, check_label_feature
from treewright.query.language.tokens import END, NUMBER, STRING, WORD, PatternError, Token
from treewright.query.language.well_formed import names_of
from treewright.query.pattern_files import text_of_file
from treewright.query.rewriting import rules as data
from treewright.query.rewriting.known_names import Known
from treewright.query.rewriting.rules import Apply, Combined, Package, Rule, Strategy

#: strategies, with how many others they are made of
STRATEGIES = {
    "Onf": (1, 1),
    "Iter": (1, 1),
    "Seq": (0, 99),
    "Pick": (1, 1),
    "Try": (1, 1),
    "If": (3, 3),
    "Empty": (0, 0),
}
REFUSED = {"Alt": "it gives several graphs for a sentence, and a treebank has one"}
DECLARATIONS = ("rule", "package", "strat", "import", "include")
DEEPEST = 40
_OF_EDGE = re.compile(r"(\w+)\.(\w+)")


def read_rules(path: str) -> Package:
    """Return the rules of a file, with those that it imports and includes."""
    return _read(path, Package(""), ())


def parse_rules(text: str, source: str = "the rules", folder: str | None = None) -> Package:
    """Return the rules of a text. ``folder``: where files that it names are; without one, it may name none."""
    top = Package("")
    GrsReader(text, source, folder, ()).declarations(top, END)
    return top


def parse_strategy(text: str) -> Strategy:
    """Return a strategy as it is written on a command line."""
    reader = GrsReader(text, "the strategy", None, ())
    found = reader.strategy()
    if reader.token.kind != END:
        raise reader.unexpected("the end of the strategy")
    return found


def _read(path: str, into: Package, around: tuple[str, ...]) -> Package:
    real = os.path.realpath(path)
    if real in around or len(around) > DEEPEST:
        raise PatternError(f"{path}: is included in itself")
    GrsReader(text_of_file(path), path, os.path.dirname(path), (*around, real)).declarations(into, END)
    return into


class GrsReader(PatternReader):
    """Reads declarations."""

    def __init__(self, text: str, source: str, folder: str | None, around: tuple[str, ...]) -> None:
        super().__init__(text, source)
        self._folder, self._around, self._depth = folder, around, 0

    def declarations(self, package: Package, end: str) -> None:
        """Add all declarations up to an end to a package."""
        while not (self.token.kind == END if end == END else self.is_sign(end)):
            word = self.name("rule, package, strat, import or include")
            if word.text not in DECLARATIONS:
                why = ", which are not supported" if word.text in ("features", "labels") else ""
                raise word.place.error(f"expected {', '.join(DECLARATIONS)}, found {word.shown}{why}")
            if word.text in ("import", "include"):
                self._other_file(word.text == "import", package)
                continue
            name = self.name(f"the name of a {word.text}")
            if package.holds(name.text):
                raise name.place.error(f"a second {name.text!r}")
            if word.text == "rule":
                package.rules[name.text] = self._rule(name)
            elif word.text == "package":
                package.packages[name.text] = inner = Package(name.text, package)
                self.expect("{")
                self._deeper(name)
                self.declarations(inner, "}")
                self._depth -= 1
                self.take()
            else:
                self.expect("{")
                package.strategies[name.text] = self.strategy()
                self.expect("}", ", which ends the strategy")

    def _deeper(self, token: Token) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise token.place.error("this is nested too deeply")

    def _other_file(self, as_package: bool, package: Package) -> None:
        token = self.token
        if token.kind != STRING:
            raise self.unexpected("the name of a file in quotes")
        self.take()
        self.accept(";")
        if self._folder is None:
            raise token.place.error(f"the file {token.text!r} cannot be named here: give the rules as a file")
        path = os.path.join(self._folder, token.text)
        if as_package:
            name = os.path.splitext(os.path.basename(path))[0]
            if package.holds(name):
                raise token.place.error(f"a second {name!r}")
            package.packages[name] = package = Package(name, package)
        _read(path, package, self._around)

    # Strategies

    def strategy(self) -> Strategy:
        """Return the strategy that stands here."""
        name = self.name("a strategy: the name of a rule or a package, Onf (…), Seq (…)")
        if self.is_sign("("):
            return self._combined(name)
        if name.text == "Empty":
            return Combined("Empty", (), name.place)
        parts = [name.text]
        while self.accept("."):
            parts.append(self.name("a name").text)
        return Apply(tuple(parts), name.place)

    def _combined(self, name: Token) -> Strategy:
        if name.text not in STRATEGIES:
            why = f": {REFUSED[name.text]}" if name.text in REFUSED else ""
            raise name.place.error(f"the strategy {name.text} is not supported{why}. There are {', '.join(STRATEGIES)}")
        self.expect("(")
        self._deeper(name)
        parts: list[Strategy] = []
        while not self.accept(")"):
            parts.append(self.strategy())
            if not self.accept(",") and not self.is_sign(")"):
                raise self.unexpected("`,` or `)`")
        self._depth -= 1
        least, most = STRATEGIES[name.text]
        if not least <= len(parts) <= most:
            raise name.place.error(f"{name.text} is made of {least} strategies, and here are {len(parts)}")
        return Combined(name.text, tuple(parts), name.place)

    # Rules

    def _rule(self, name: Token) -> Rule:
        if self.is_sign("("):
            raise self.token.place.error("rules with lexicons are not supported")
        self.expect("{")
        pattern = self.pattern()
        if not self.is_word("commands"):
            raise self.unexpected("commands { … }")
        self.take()
        self.expect("{")
        known = Known(names_of(pattern.clauses))
        commands = []
        while not self.accept("}"):
            command = self._command()
            known.check(command)
            commands.append(command)
            if not self.accept(";") and not self.is_sign("}"):
                raise self.unexpected("`;` or `}` behind a command")
        known.finish(name.place)
        self.expect("}", ", which ends the rule")
        return Rule(name.text, pattern, tuple(commands), name.place)

    def _command(self) -> data.Command:
        word = self.name("a command")
        read: dict[str, Callable[[Token], data.Command]] = {
            "del_edge": self._delete_edge,
            "add_edge": self._add_edge,
            "del_node": lambda word: data.DeleteNode(self._node().text, word.place),
            "add_node": self._add_node,
            "unorder": lambda word: data.Unorder(self._node().text, word.place),
            "insert": self._insert,
            "shift": self._shift,
            "shift_in": self._shift,
            "shift_out": self._shift,
            "del_feat": lambda word: data.DeleteFeature(self._feature_behind(self._node()), word.place),
            "append_feats": self._copy_features,
            "prepend_feats": self._copy_features,
        }
        if word.text in read:
            return read[word.text](word)
        if not self.is_sign("."):
            raise word.place.error(f"unknown command {word.shown}. There are {', '.join(read)}, and X.f = …")
        feature = self._feature_behind(word)
        self.expect("=")
        return data.SetFeature(feature, self._value(), word.place)

    def _feature_behind(self, owner: Token) -> Feature:
        self.expect(".")
        return self._feature_of(owner)

    def _delete_edge(self, word: Token) -> data.DeleteEdge:
        first = self._node()
        if not self.is_sign("-[", "->"):
            return data.DeleteEdge(first.text, "", "", "", word.place)
        if self.is_sign("->"):
            raise self.unexpected("a label: X -[obj]-> Y; or name the edge in the pattern")
        self.take()
        label = self._plain_label("]->")
        return data.DeleteEdge(None, first.text, self._node().text, label, word.place)

    def _plain_label(self, end: str) -> str:
        token = self.token
        label = self.label(end).test
        if label is None or label.kind != "in" or label.expressions or len(label.values) != 1:
            raise token.place.error("one label is needed here, such as nsubj or aux:pass")
        return next(iter(label.values))

    def _add_edge(self, word: Token) -> data.AddEdge:
        first, name = self._node(), None
        if self.accept(":"):
            name, first = first.text, self._node()
        label: str | tuple[tuple[str, data.Literal | data.Part], ...] = ""
        if self.accept("->"):
            if name is None:
                raise word.place.error("a new edge needs a label, or a name so that it gets one: add_edge f: X -> Y")
        else:
            self.expect("-[", " or `->`")
            label = self._label_of_features() if self.ahead().text == "=" else self._plain_label("]->")
        return data.AddEdge(name, first.text, self._node().text, label, word.place)

    def _label_of_features(self) -> tuple[tuple[str, data.Literal | data.Part], ...]:
        """Return `1=suj, 2=e.2`: features with values that may be those of another edge."""
        found: list[tuple[str, data.Literal | data.Part]] = []
        while True:
            name = self.name("the name of a feature of a label")
            check_label_feature(name)
            self.expect("=")
            if self.token.kind not in (WORD, STRING):
                raise self.unexpected("a value")
            value = self.take()
            other = _OF_EDGE.fullmatch(value.text) if value.kind == WORD else None
            found.append((name.text, data.Part(Feature(other[1], other[2])) if other else data.Literal(value.text)))
            if not self.accept(","):
                break
        self.expect("]->", " or `,`")
        return tuple(found)

    def _add_node(self, word: Token) -> data.AddNode:
        node = self._node().text
        if not self.is_sign(":<", ":>"):
            return data.AddNode(node, None, False, word.place)
        after = self.take().text == ":>"
        return data.AddNode(node, self._node().text, after, word.place)

    def _insert(self, word: Token) -> data.Insert:
        node = self._node().text
        if not self.is_sign(":<", ":>"):
            raise self.unexpected("`:<` (before) or `:>` (after)")
        after = self.take().text == ":>"
        return data.Insert(node, self._node().text, after, word.place)

    def _shift(self, word: Token) -> data.Shift:
        source = self._node().text
        label = self._arrow()
        into, out = word.text != "shift_out", word.text != "shift_in"
        return data.Shift(source, self._node().text, into, out, label, word.place)

    def _arrow(self) -> LabelTest:
        if self.accept("==>"):
            return LabelTest()
        self.expect("=[", " or `==>`")
        return self.label("]=>")

    def _copy_features(self, word: Token) -> data.CopyFeatures:
        separator = self.take().text if self.token.kind == STRING else ""
        source = self._node().text
        names = self._arrow()
        target = self._node().text
        return data.CopyFeatures(source, target, separator, names, word.text == "prepend_feats", word.place)

    def _value(self) -> data.Value:
        parts: list[data.Literal | data.Part] = []
        while True:
            token = self.token
            if token.kind not in (WORD, NUMBER, STRING):
                raise self.unexpected("a value: a text in quotes, a word, or a feature such as Y.f")
            self.take()
            if token.kind == WORD and self.is_sign("."):
                feature = self._feature_behind(token)
                parts.append(data.Part(feature, *self._slice()))
            else:
                parts.append(data.Literal(token.text))
            if not self.accept("+"):
                return tuple(parts)

    def _slice(self) -> tuple[int | None, int | None]:
        """Return the borders in `[1:-1]`, as Python has them."""
        if not self.accept("["):
            return None, None
        first = self._border()
        self.expect(":")
        last = self._border()
        self.expect("]")
        return first, last

    def _border(self) -> int | None:
        if self.token.kind != NUMBER:
            return None
        token = self.take()
        try:
            return int(token.text[:12])
        except ValueError:
            raise token.place.error(f"expected a whole number, found {token.shown}") from None
