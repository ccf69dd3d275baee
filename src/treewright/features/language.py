"""The feature language: a notation for what a classifier looks at (Hall, Nivre & Nilsson 2005, §3.2).

One template per line; a template is one feature function or several joined by ``&``::

    p(stack[0])                        # the part of speech of the top of the stack
    w(stack[0]) & p(input[0])          # a pair
    l(lc(stack[0]))                    # the relation of its leftmost dependent
    suffix(w(input[0]), 3)             # the last three characters of the next word

A section header says what the templates below it help to decide: ``[moves]`` the kind of move, ``[labels]`` the
relation, ``[moves labels]`` both (the default). With ``[split]`` on a line before all templates, the parser decides the
kind of move first and its relation afterwards, which is faster. Without it, the parser decides both together, which is
more accurate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from treewright.errors import FeatureModelError, meant
from treewright.features.templates import (
    ANSWERS,
    ATTRIBUTES,
    BASES,
    COUNTED,
    MAPPINGS,
    MEASURES,
    PARTS,
    RENAMED,
    SIDES,
    STEPS,
    Address,
    Attribute,
    FeatureModel,
    Function,
    Measure,
    Template,
)

# A name (CoNLL-U Plus names columns like PARSEME:MWE), a number, or a sign.
_TOKEN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*(?::[A-Za-z0-9_]+)*|[0-9]+|[\[\](),&+|\-])")
MOST_STEPS = 99_999
MOST = 999_999_999  # places, offsets and lengths: more than any sentence or word has
_MOST_CLASSES = 12


class _Line:
    """The tokens of a line without white space at its end, their columns, and a current place."""

    def __init__(self, text: str, source: str, number: int) -> None:
        self.text, self.source, self.number = text, source, number
        self.tokens: list[tuple[str, int]] = []
        position = 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            if not match:
                position += len(text[position:]) - len(text[position:].lstrip())
                raise self.error(f"an unexpected {text[position]!r}", position)
            self.tokens.append((match.group(1), match.start(1)))
            position = match.end()
        self.place = 0

    def error(self, problem: str, column: int | None = None) -> FeatureModelError:
        if column is None:
            done = self.place >= len(self.tokens)
            column = len(self.text) if done else self.tokens[self.place][1]
        return FeatureModelError(f"{self.source}:{self.number}:{column + 1}: {problem}")

    def peek(self) -> str:
        return self.tokens[self.place][0] if self.place < len(self.tokens) else ""

    def next(self) -> str:
        token = self.peek()
        self.place += 1
        return token

    def expect(self, *wanted: str) -> str:
        if self.peek() not in wanted:
            raise self.error(f"expected {_one_of(wanted)}, found {_shown(self.peek())}")
        return self.next()

    def expect_name(self) -> None:
        if not re.match("[A-Za-z_]", self.peek()):
            raise self.error(f"expected a name, found {_shown(self.peek())}")

    def number_token(self, *, most: int = MOST) -> int:
        token = self.peek()
        if not token.isdigit() or len(token) > 9 or int(token) > most:
            span = "from 0" if most == MOST else f"from 0 to {most}"
            raise self.error(f"expected a number {span}, found {_shown(token)}")
        return int(self.next())


def _shown(token: str) -> str:
    return repr(token) if token else "the end of the line"


def _one_of(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(map(repr, names[:-1])) + f" or {names[-1]!r}" if len(names) > 1 else repr(names[0])


def parse_model(text: str, name: str = "features") -> FeatureModel:
    """Read a feature model; an error names line and column and what was expected there."""
    parts: tuple[str, ...] = PARTS
    decision = "joint"
    templates: list[Template] = []
    for number, raw in enumerate(re.split("\r\n|\r|\n", text), 1):
        line = raw.split("#", 1)[0].rstrip()
        if not line.strip():
            continue
        if line.strip() == "[split]" and not templates:
            decision = "split"
            continue
        if line.strip().startswith("["):
            parts = _section(line, name, number)
            continue
        templates.append(parse_template(line, name, number, parts))
    return checked_model(name, templates, decision)


def parse_template(text: str, source: str, line: int, parts: tuple[str, ...] = PARTS) -> Template:
    """Read one template; ``source`` and ``line`` say where it stands, for messages."""
    return Template(tuple(_functions(_Line(text, source, line))), parts, line)


def checked_model(name: str, templates: Sequence[Template], decision: str = "joint") -> FeatureModel:
    """Return the model of these templates; reject repeated templates and models that decide nothing."""
    seen: dict[str, int] = {}
    for template in templates:
        key = str(template)
        if key in seen:
            raise FeatureModelError(f"{name}:{template.line}:1: the template {key} is already on line {seen[key]}")
        seen[key] = template.line
    if not templates:
        raise FeatureModelError(f"{name}: the file has no templates")
    if not any("moves" in template.parts for template in templates):
        raise FeatureModelError(f"{name}: no template helps to decide the kind of move ([moves])")
    return FeatureModel(name, tuple(templates), decision)


def _section(line: str, source: str, number: int) -> tuple[str, ...]:
    words = line.strip()[1:-1].split() if line.strip().endswith("]") else []
    if not words or any(word not in PARTS for word in words):
        raise FeatureModelError(
            f"{source}:{number}:1: expected [moves], [labels] or [moves labels]"
            " (or [split], before all templates),"
            f" found {line.strip()!r}"
        )
    return tuple(part for part in PARTS if part in words)


def _functions(line: _Line) -> Iterator[Function]:
    many = 0
    count = 0
    while True:
        function = _function(line)
        count += 1
        many += isinstance(function, Attribute) and ("each", 0) in function.mappings
        if count > 4:
            raise line.error("a template joins four functions at most")
        if many > 2:
            raise line.error("a template may contain 'each' twice at most")
        yield function
        if line.place >= len(line.tokens):
            return
        line.expect("&")


def _function(line: _Line, mappings: int = 0) -> Function:
    name = line.peek()
    known = [*ATTRIBUTES, "feat", "column", "plugin", *MAPPINGS, *MEASURES]
    if name not in known:
        raise line.error(f"expected a feature function ({', '.join(known)}), found {_shown(name)}{meant(name, known)}")
    if name in MAPPINGS and mappings == 2:
        raise line.error(f"a column takes two mappings at most, found a third: {name}")
    line.next()
    line.expect("(")
    function: Function
    if name in MAPPINGS:
        function = _mapping(line, name, mappings + 1)
    elif name in MEASURES:
        function = _measure(line, name)
    else:
        argument = ""
        if name in ("feat", "column", "plugin"):
            argument = _name(line, name)
            line.expect(",")
        function = Attribute(name, _address(line), argument)
    line.expect(")")
    return function


def _measure(line: _Line, name: str) -> Measure:
    if name == "move":
        return Measure(name, (), str(line.number_token(most=1)))
    argument = ""
    if name in ("valency", "labels"):
        argument = line.expect(*SIDES, "all" if name == "valency" else "heads")
        line.expect(",")
    addresses = [_address(line)]
    for _ in range(MEASURES[name] - 1):
        line.expect(",")
        addresses.append(_address(line))
    classes: tuple[int, ...] = ()
    if name in COUNTED and line.peek() == ",":
        line.next()
        classes = _classes(line)
    return Measure(name, tuple(addresses), argument, classes)


def _classes(line: _Line) -> tuple[int, ...]:
    """Read the numbers at which classes begin, such as 0|1|2|5."""
    found: list[int] = []
    while True:
        start = line.place
        number = line.number_token(most=9999)
        if (number != 0) if not found else (number <= found[-1]):
            line.place = start
            rule = "each class must begin above the one before" if found else "the first class must begin at 0"
            raise line.error(f"{rule}, found {number}")
        found.append(number)
        if len(found) > _MOST_CLASSES:
            raise line.error(f"a measure has {_MOST_CLASSES} classes at most")
        if line.peek() != "|":
            return tuple(found)
        line.next()


def _name(line: _Line, function: str) -> str:
    """Read the name of a column, or of a feature of FEATS such as Case or Number[psor]."""
    line.expect_name()
    if function == "column" and line.peek() in ANSWERS:
        raise line.error(f"{line.peek()} is what the parser predicts: features cannot look at it")
    name = line.next()
    if function == "feat" and line.peek() == "[":
        line.next()
        line.expect_name()
        name += f"[{line.next()}]"
        line.expect("]")
    return name


def _mapping(line: _Line, name: str, mappings: int) -> Attribute:
    start = line.place
    inner = _function(line, mappings)
    if not isinstance(inner, Attribute) or inner.name in ("l", "plugin"):
        line.place = start
        raise line.error(f"{name} takes a column such as w(stack[0]), found {inner}")
    previous = [mapping for mapping, _ in inner.mappings]
    cuts = name in ("suffix", "prefix")
    if previous and not (cuts and previous == ["lower"]):
        line.place = start
        raise line.error(f"{name} takes a column{' or its lower' if cuts else ''} such as w(…), found {inner}")
    size = 0
    if cuts:
        line.expect(",")
        size = line.number_token()
        if size == 0:
            line.place -= 1
            raise line.error("expected a number of characters from 1 on, found '0'")
    if name == "cluster":
        if inner.name != "w" or previous:
            line.place = start
            raise line.error(f"cluster takes w(…), found {inner}")
        if line.peek() == ",":
            line.next()
            size = line.number_token(most=32)
    if name == "each" and inner.name != "feats":
        line.place = start
        raise line.error(f"each takes feats(…), found {inner}")
    return Attribute(inner.name, inner.address, inner.argument, (*inner.mappings, (name, size)))


def _address(line: _Line) -> Address:
    """Read the steps from the outermost on, then the place where they begin, then what closes each step."""
    opened: list[str] = []
    while line.peek() == "token" or line.peek() in STEPS:
        if len(opened) == MOST_STEPS:
            raise line.error(f"an address takes {MOST_STEPS:,} steps at most")
        opened.append(line.next())
        line.expect("[" if opened[-1] == "token" else "(")
    name = line.peek()
    if name in RENAMED:
        raise line.error(f"{name} is now called {RENAMED[name]}")
    if name not in BASES:
        raise line.error(f"expected an address ({', '.join([*BASES, 'token', *STEPS])}), found {_shown(name)}")
    line.next()
    line.expect("[")
    # Places in the list are counted from the move; those to its left have negative numbers.
    sign = -1 if name == "list" and line.peek() == "-" and line.next() else 1
    index = sign * line.number_token()
    line.expect("]")
    steps: list[str | int] = []
    for step in reversed(opened):
        if step == "token":
            sign = -1 if line.expect("+", "-") == "-" else 1
            steps.append(sign * line.number_token())
        else:
            steps.append(step)
        line.expect("]" if step == "token" else ")")
    return Address(name, index, tuple(steps))
