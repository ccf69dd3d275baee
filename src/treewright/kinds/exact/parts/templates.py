"""The templates of an exact parser: the features of the parts of a tree, in the notation of the feature language.

One template per line, one feature function or several joined by ``&``::

    [arc]                                              # how good an arc is
    p(head) & p(child) & distance(head, child)
    each(feats(head)) & each(feats(child))
    p(head) & between(p) & p(child)                    # each tag between the two
    [relation]                                         # which relation it has
    w(child) & p(head)
    [grandparent]                                      # how good two arcs in a row are
    p(grandparent) & p(head) & p(child) & order()
    [sibling]                                          # how good two children in a row are
    p(head) & p(sibling) & p(child) & direction(head, child)

The words are ``head`` and ``child`` of an arc; ``grandparent``, the head of the head; and ``sibling``, the child of the
head before this one, on the same side and nearer to the head. The first child on a side has no sibling: the values are
those of a missing word. ``token[head + 1]`` is the word after one of them. Attributes and mappings are those of the
feature language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from treewright.errors import FeatureModelError, meant
from treewright.features.bundled import names_in, text_of
from treewright.features.templates import ANSWERS, MAPPINGS, Attribute, column_of
from treewright.features.templates import Address as _Address

PARTS = ("arc", "relation", "grandparent", "sibling")
#: parts of three words, by the name of the third
TRIPLES = ("grandparent", "sibling")
ATTRIBUTES = ("w", "lemma", "p", "x", "feats", "feat", "column", "adviser")
MEASURES = ("direction", "distance", "between", "order", "advised")
#: names in models of format 1
OLD_NAMES = {"guide": "adviser", "guided": "advised"}
MOST_FUNCTIONS = 6
FARTHEST = 9  # words away from head or child
_FOLDER = Path(__file__).parents[1] / "models"
_TOKEN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_:]*|[0-9]+|[\[\](),&+\-])")


@dataclass(frozen=True)
class Value:
    """An attribute of a word; ``mappings`` are applied innermost first."""

    name: str
    word: str
    offset: int = 0
    argument: str = ""
    mappings: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        place = f"token[{self.word} {'+' if self.offset > 0 else '-'} {abs(self.offset)}]" if self.offset else self.word
        text = f"{self.name}({self.argument + ', ' if self.argument else ''}{place})"
        for mapping, size in self.mappings:
            text = f"{mapping}({text}, {size})" if size else f"{mapping}({text})"
        return text

    @property
    def many(self) -> bool:
        """Whether it yields any number of values."""
        return ("each", 0) in self.mappings

    @property
    def column(self) -> str:
        """The column of the treebank that it reads; the adviser's relations are in DEPREL."""
        if self.name == "adviser":
            return "DEPREL"
        return column_of(Attribute(self.name, _Address(self.word, 0), self.argument))

    @property
    def encoded(self) -> tuple[str, str, tuple[tuple[str, int], ...]]:
        """The attribute of an Encoder."""
        return self.column, self.argument if self.name == "feat" else "", self.mappings


@dataclass(frozen=True)
class Measure:
    """A relation between the words of a part: a direction, a distance, the tags between, the order of three."""

    name: str
    words: tuple[str, ...]
    attribute: Value | None = None

    def __str__(self) -> str:
        if self.attribute is not None:
            return f"between({self.attribute.name})"
        return f"{self.name}({', '.join(self.words)})"


Function = Value | Measure


@dataclass(frozen=True)
class Template:
    """Joined functions, for one kind of part."""

    part: str
    functions: tuple[Function, ...]

    def __str__(self) -> str:
        return " & ".join(map(str, self.functions))


@dataclass(frozen=True)
class PartModel:
    """The templates of a model, by part, in the order of their file."""

    name: str
    templates: tuple[Template, ...]

    def of(self, part: str) -> list[Template]:
        """Return the templates of one kind of part."""
        return [template for template in self.templates if template.part == part]

    def __str__(self) -> str:
        return "".join(f"[{part}]\n" + "".join(f"{t}\n" for t in self.of(part)) for part in PARTS if self.of(part))

    @property
    def values(self) -> list[Value]:
        """All attributes that the templates look at."""
        functions = [function for template in self.templates for function in template.functions]
        inner = [f.attribute for f in functions if isinstance(f, Measure) and f.attribute is not None]
        return [f for f in functions if isinstance(f, Value)] + inner

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the treebank that the templates look at."""
        return tuple(dict.fromkeys(value.column for value in self.values if value.name != "adviser"))

    @property
    def advised(self) -> bool:
        """Whether any template looks at the tree of an adviser."""
        functions = [function for template in self.templates for function in template.functions]
        return any(function.name in ("adviser", "advised") for function in functions)

    def without(self, part: str = "", adviser: bool = False) -> PartModel:
        """Return the model without the templates of a part, or without those that look at an adviser."""
        kept = [
            t
            for t in self.templates
            if t.part != part and not (adviser and any(f.name in ("adviser", "advised") for f in t.functions))
        ]
        return PartModel(self.name, tuple(kept))


class _Line:
    """A line of a file and a place in it."""

    def __init__(self, text: str, source: str, number: int, part: str) -> None:
        self.text, self.source, self.number, self.part = text, source, number, part
        self.at = 0

    def fail(self, problem: str) -> NoReturn:
        rest = self.text[self.at :]
        column = self.at + len(rest) - len(rest.lstrip()) + 1
        raise FeatureModelError(f"{self.source}:{self.number}:{column}: {problem}")

    def peek(self) -> str:
        match = _TOKEN.match(self.text, self.at)
        return match.group(1) if match else self.text[self.at :].strip()[:1]

    def next(self) -> str:
        token = self.peek()
        self.at = self.text.index(token, self.at) + len(token)
        return token

    def expect(self, *wanted: str) -> str:
        found = self.peek()
        if found not in wanted:
            shown = ", ".join(map(repr, wanted[:-1])) + f" or {wanted[-1]!r}" if len(wanted) > 1 else repr(wanted[0])
            self.fail(f"expected {shown}, found {found!r}" if found else f"expected {shown}, found the end of the line")
        return self.next()

    def name(self, what: str) -> str:
        if not re.match("[A-Za-z_]", self.peek()):
            self.fail(f"expected {what}, found {self.peek()!r}")
        return self.next()

    def number_up_to(self, most: int) -> int:
        if not self.peek().isdigit() or len(self.peek()) > 3 or not 1 <= int(self.peek()) <= most:
            self.fail(f"expected a number from 1 to {most}, found {self.peek()!r}")
        return int(self.next())


def parse_templates(text: str, name: str = "templates") -> PartModel:
    """Read templates; an error names line and column and what was expected there."""
    part = "arc"
    templates: list[Template] = []
    seen: dict[tuple[str, str], int] = {}
    for number, raw in enumerate(re.split("\r\n|\r|\n", text), 1):
        line = raw.split("#", 1)[0].rstrip()
        if not line.strip():
            continue
        if line.strip().startswith("["):
            part = line.strip()[1:-1].strip()
            if part not in PARTS or not line.strip().endswith("]"):
                raise FeatureModelError(f"{name}:{number}:1: expected [{'], ['.join(PARTS)}], found {line.strip()!r}")
            continue
        template = Template(part, tuple(_functions(_Line(line, name, number, part))))
        if (part, str(template)) in seen:
            before = seen[part, str(template)]
            raise FeatureModelError(f"{name}:{number}:1: the template {template} is already on line {before}")
        seen[part, str(template)] = number
        templates.append(template)
    for wanted in ("arc", "relation"):
        if not any(template.part == wanted for template in templates):
            raise FeatureModelError(f"{name}: no templates under [{wanted}]")
    return PartModel(name, tuple(templates))


def _functions(line: _Line) -> list[Function]:
    functions = [_function(line)]
    while line.peek():
        line.expect("&")
        functions.append(_function(line))
    if len(functions) > MOST_FUNCTIONS:
        line.fail(f"a template joins {MOST_FUNCTIONS} functions at most")
    many = [f for f in functions if isinstance(f, Value) and f.many]
    between = [f for f in functions if isinstance(f, Measure) and f.name == "between"]
    if len({f.word for f in many}) < len(many) or len(between) > 1 or (many and between):
        line.fail("'each' may occur once per word, and 'between' once and only without 'each'")
    if line.part in TRIPLES and (many or between):
        line.fail("'each' and 'between' are only for arcs and relations")
    return functions


def _function(line: _Line, depth: int = 0) -> Function:
    name = OLD_NAMES.get(line.peek(), line.peek())
    known = [*ATTRIBUTES, *MAPPINGS, *MEASURES]
    if name not in known:
        line.fail(f"expected a feature function ({', '.join(known)}), found {name!r}{meant(name, known)}")
    line.next()
    line.expect("(")
    function: Function
    if name in MAPPINGS:
        function = _mapping(line, name, depth)
    elif name in MEASURES:
        function = _measure(line, name)
    else:
        argument = ""
        if name in ("feat", "column"):
            argument = _argument(line, name)
        word, offset = _word(line)
        function = Value(name, word, offset, argument)
    line.expect(")")
    return function


def _argument(line: _Line, name: str) -> str:
    argument = line.name("a name")
    if name == "column" and argument in ANSWERS:
        line.fail(f"{argument} is what the parser predicts: features cannot look at it")
    if name == "feat" and line.peek() == "[":
        line.next()
        argument += f"[{line.name('a name')}]"
        line.expect("]")
    line.expect(",")
    return argument


def _mapping(line: _Line, name: str, depth: int) -> Value:
    inner = _function(line, depth + 1)
    cuts = name in ("suffix", "prefix")
    before = [mapping for mapping, _ in inner.mappings] if isinstance(inner, Value) else ["measure"]
    if not isinstance(inner, Value) or (before and not (cuts and before == ["lower"])) or depth > 1:
        line.fail(f"{name} takes a column{' or its lower' if cuts else ''} such as w(child), found {inner}")
    if name == "each" and (inner.name != "feats" or inner.offset):
        line.fail(f"each takes feats(head) or feats(child), found {inner}")
    size = 0
    if cuts:
        line.expect(",")
        size = line.number_up_to(15)
    return Value(inner.name, inner.word, inner.offset, inner.argument, (*inner.mappings, (name, size)))


def _measure(line: _Line, name: str) -> Measure:
    if name == "between":
        attribute = line.expect("p", "x")
        return Measure(name, ("head", "child"), Value(attribute, "head"))
    if name == "order":
        if line.part != "grandparent":
            line.fail("order() is only for the three words under [grandparent]")
        return Measure(name, ())
    if name == "advised" and line.part in TRIPLES:
        line.fail("advised(head, child) is only for arcs and relations")
    first = line.expect("grandparent", "head") if line.part == "grandparent" else line.expect("head")
    line.expect(",")
    if first == "grandparent":
        return Measure(name, (first, line.expect("head")))
    return Measure(name, (first, line.expect("sibling", "child") if line.part == "sibling" else line.expect("child")))


def _word(line: _Line) -> tuple[str, int]:
    words = (line.part, "head", "child") if line.part in TRIPLES else ("head", "child")
    if line.peek() != "token":
        return line.expect(*words, "token"), 0
    line.next()
    line.expect("[")
    word = line.expect(*words)
    sign = -1 if line.expect("+", "-") == "-" else 1
    offset = sign * line.number_up_to(FARTHEST)
    line.expect("]")
    return word, offset


def bundled_templates() -> list[str]:
    """Return the names of the template files that come with the package."""
    return names_in(_FOLDER)


def load_templates(name: str) -> PartModel:
    """Return the templates of a bundled file by name, or of any other file."""
    text, _ = text_of(name, _FOLDER, "template file")
    return parse_templates(text, name)
