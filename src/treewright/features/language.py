"""The feature language: what the guide looks at, written down (Hall, Nivre & Nilsson 2005, §3.2).

One template per line; a template is one feature function or several joined by ``&``::

    p(stack[0])                        # the part of speech of the top of the stack
    w(stack[0]) & p(input[0])          # a pair
    l(lc(stack[0]))                    # the relation of its leftmost dependent
    suffix(w(input[0]), 3)             # the last three characters of the next word

A section header says what the templates below it help to decide: ``[moves]`` the kind of move,
``[labels]`` the relation, ``[moves labels]`` both (so without a header). ``[split]`` on a line before all templates
makes the parser decide the kind of move first and its relation afterwards, which is faster; without it, both are
decided together, which is better.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from treewright.errors import FeatureModelError

#: address functions: name → what they lead to, in words
STEPS = {
    "h": "the head of",
    "lc": "the leftmost dependent of",
    "rc": "the rightmost dependent of",
    "lc2": "the second leftmost dependent of",
    "rc2": "the second rightmost dependent of",
    "ls": "the left sibling of",
    "rs": "the right sibling of",
}
#: where addresses begin
BASES = {
    "stack": "the stack, from the top",
    "input": "the buffer, from the front",
    "context": "the context (Covington)",
    "list": "the list around the place of the move (easy-first)",
}
#: attributes: name → column it needs ("" for those of the parse so far)
ATTRIBUTES = {
    "w": "FORM",
    "lemma": "LEMMA",
    "p": "UPOS",
    "x": "XPOS",
    "feats": "FEATS",
    "l": "",
}
MAPPINGS = {
    "suffix": "the last characters of",
    "prefix": "the first characters of",
    "lower": "the lower-cased",
    "shape": "the shape of",
    "each": "each single feature of",
}
SIDES = ("left", "right")
PARTS = ("moves", "labels")


@dataclass(frozen=True)
class Address:
    """A word of the configuration: a base with steps from it, innermost first."""

    base: str
    index: int
    steps: tuple[str | int, ...] = ()  # a name of STEPS, or a linear offset

    def __str__(self) -> str:
        text = f"{self.base}[{self.index}]"
        for step in self.steps:
            text = f"token[{text} {step:+d}]" if isinstance(step, int) else f"{step}({text})"
        return re.sub(r" ([+-])(\d)", r" \1 \2", text)


@dataclass(frozen=True)
class Attribute:
    """A value of one word: a column, or the relation it got; mappings innermost first."""

    name: str
    address: Address
    argument: str = ""
    mappings: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        first = f"{self.argument}, " if self.argument else ""
        text = f"{self.name}({first}{self.address})"
        for mapping, size in self.mappings:
            text = f"{mapping}({text}, {size})" if size else f"{mapping}({text})"
        return text


@dataclass(frozen=True)
class Measure:
    """A number about the configuration: a distance, a valency, a set of relations, a past move."""

    name: str
    addresses: tuple[Address, ...] = ()
    argument: str = ""

    def __str__(self) -> str:
        inner = ", ".join([*([self.argument] if self.argument else []), *map(str, self.addresses)])
        return f"{self.name}({inner})"


Function = Attribute | Measure


@dataclass(frozen=True)
class Template:
    """Feature functions joined, and what they help to decide."""

    functions: tuple[Function, ...]
    parts: tuple[str, ...] = PARTS
    line: int = 0

    def __str__(self) -> str:
        return " & ".join(map(str, self.functions))


@dataclass(frozen=True)
class FeatureModel:
    """A list of templates with a name."""

    name: str
    templates: tuple[Template, ...]
    decision: str = "joint"  # whether kind and relation of a move are decided together, or one after the other

    def __str__(self) -> str:
        lines: list[str] = ["[split]"] if self.decision == "split" else []
        parts: tuple[str, ...] = PARTS
        for template in self.templates:
            if template.parts != parts:
                parts = template.parts
                lines.append(f"[{' '.join(parts)}]")
            lines.append(str(template))
        return "\n".join(lines) + "\n"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the treebank that the templates look at."""
        needed: dict[str, None] = {}
        for template in self.templates:
            for function in template.functions:
                if isinstance(function, Attribute):
                    column = column_of(function)
                    if column:
                        needed[column] = None
        return tuple(needed)


def column_of(attribute: Attribute) -> str:
    """Return the column an attribute reads, '' for the relations of the parse."""
    if attribute.name == "feat":
        return "FEATS"
    if attribute.name == "column":
        return attribute.argument
    return ATTRIBUTES[attribute.name]


_TOKEN = re.compile(r"\s*(?:([A-Za-z_][A-Za-z0-9_]*)|(\d+)|([\[\](),&+\-]))")


class _Line:
    """The tokens of one line, with their columns, and a place in them."""

    def __init__(self, text: str, source: str, number: int) -> None:
        self.text, self.source, self.number = text, source, number
        self.tokens: list[tuple[str, int]] = []
        position = 0
        while text[position:].strip():
            match = _TOKEN.match(text, position)
            if not match:
                position += len(text[position:]) - len(text[position:].lstrip())
                raise self.error(f"an unexpected {text[position]!r}", position)
            self.tokens.append((match.group().strip(), match.start(match.lastindex or 0)))
            position = match.end()
        self.place = 0

    def error(self, problem: str, column: int | None = None) -> FeatureModelError:
        if column is None:
            done = self.place >= len(self.tokens)
            column = len(self.text.rstrip()) if done else self.tokens[self.place][1]
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

    def number_token(self, *, most: int = 99) -> int:
        token = self.peek()
        if not token.isdigit() or int(token) > most:
            raise self.error(f"expected a number from 0 to {most}, found {_shown(token)}")
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
    seen: dict[str, int] = {}
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.split("#", 1)[0].rstrip()
        if not line.strip():
            continue
        if line.strip() == "[split]" and not templates:
            decision = "split"
            continue
        if line.strip().startswith("["):
            parts = _section(line, name, number)
            continue
        template = Template(tuple(_functions(_Line(line, name, number))), parts, number)
        key = f"{template}"
        if key in seen:
            raise FeatureModelError(
                f"{name}:{number}:1: the template {key} stands already on line {seen[key]}"
            )
        seen[key] = number
        templates.append(template)
    if not templates:
        raise FeatureModelError(f"{name}: no templates in it")
    if not any("moves" in template.parts for template in templates):
        raise FeatureModelError(f"{name}: no template helps to decide the kind of move ([moves])")
    return FeatureModel(name, tuple(templates), decision)


def _section(line: str, source: str, number: int) -> tuple[str, ...]:
    words = line.strip()[1:-1].split() if line.strip().endswith("]") else []
    if not words or any(word not in PARTS for word in words):
        raise FeatureModelError(
            f"{source}:{number}:1: expected [moves], [labels] or [moves labels], found {line.strip()!r}"
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
            raise line.error("a template may hold 'each' twice at most")
        yield function
        if line.place >= len(line.tokens):
            return
        line.expect("&")


def _function(line: _Line) -> Function:
    name = line.peek()
    known = [*ATTRIBUTES, "feat", "column", *MAPPINGS, "distance", "valency", "labels", "move"]
    if name not in known:
        raise line.error(f"expected a feature function ({', '.join(known)}), found {_shown(name)}")
    line.next()
    line.expect("(")
    function: Function
    if name in MAPPINGS:
        function = _mapping(line, name)
    elif name == "distance":
        first = _address(line)
        line.expect(",")
        function = Measure(name, (first, _address(line)))
    elif name in ("valency", "labels"):
        side = line.expect(*SIDES)
        line.expect(",")
        function = Measure(name, (_address(line),), side)
    elif name == "move":
        function = Measure(name, (), str(line.number_token(most=1)))
    else:
        argument = ""
        if name in ("feat", "column"):
            argument = line.next()
            if not argument.replace("_", "").isalnum():
                raise line.error(f"expected a name, found {_shown(argument)}")
            line.expect(",")
        function = Attribute(name, _address(line), argument)
    line.expect(")")
    return function


def _mapping(line: _Line, name: str) -> Attribute:
    start = line.place
    inner = _function(line)
    if not isinstance(inner, Attribute) or inner.name == "l":
        line.place = start
        raise line.error(f"{name} takes a column such as w(stack[0]), found {inner}")
    previous = [mapping for mapping, _ in inner.mappings]
    if previous not in ([], ["lower"]) or (name == "lower" and previous):
        line.place = start
        raise line.error(f"{name} can be applied to a column or its lower, found {inner}")
    size = 0
    if name in ("suffix", "prefix"):
        line.expect(",")
        size = line.number_token(most=15)
        if size == 0:
            line.place -= 1
            raise line.error("expected a number of characters from 1 to 15, found '0'")
    if name == "each" and (inner.name != "feats" or previous):
        line.place = start
        raise line.error(f"each takes feats(…), found {inner}")
    return Attribute(inner.name, inner.address, inner.argument, (*inner.mappings, (name, size)))


def _address(line: _Line) -> Address:
    name = line.peek()
    if name in BASES:
        line.next()
        line.expect("[")
        index = line.number_token()
        line.expect("]")
        return Address(name, index)
    if name == "token":
        line.next()
        line.expect("[")
        inner = _address(line)
        sign = -1 if line.expect("+", "-") == "-" else 1
        step: str | int = sign * line.number_token()
        line.expect("]")
    elif name in STEPS:
        step = line.next()
        line.expect("(")
        inner = _address(line)
        line.expect(")")
    else:
        raise line.error(f"expected an address ({', '.join([*BASES, 'token', *STEPS])}), found {_shown(name)}")
    if len(inner.steps) >= 8:
        raise line.error("an address takes eight steps at most")
    return Address(inner.base, inner.index, (*inner.steps, step))
