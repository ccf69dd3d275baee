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

from collections.abc import Callable, Sequence
from typing import ClassVar

from treewright.errors import FeatureModelError, meant
from treewright.features.lines import Line, is_header, names_in_header, numbered_lines, shown
from treewright.features.templates import (
    ANSWERS,
    ATTRIBUTES,
    BASES,
    COUNTED,
    MAPPINGS,
    MEASURES,
    PARTS,
    SIDES,
    STEPS,
    Address,
    Attribute,
    FeatureModel,
    Function,
    Measure,
    Template,
)

MOST_STEPS = 99_999
_MOST_CLASSES = 12


def parse_model(text: str, name: str = "features") -> FeatureModel:
    """Read a feature model; an error names line and column and what was expected there."""
    parts: tuple[str, ...] = PARTS
    decision = "joint"
    templates: list[Template] = []
    expected = "[moves], [labels] or [moves labels] (or [split], before all templates)"
    for number, line in numbered_lines(text):
        if line.strip() == "[split]" and not templates:
            decision = "split"
        elif is_header(line):
            parts = names_in_header(line, PARTS, len(PARTS), f"{name}:{number}", expected)
        else:
            templates.append(parse_template(line, name, number, parts))
    return checked_model(name, templates, decision)


def parse_template(text: str, source: str, line: int, parts: tuple[str, ...] = PARTS) -> Template:
    """Read one template; ``source`` and ``line`` say where it stands, for messages."""
    return Template(TemplateLine(text, source, line).functions(), parts, line)


def checked_model(name: str, templates: Sequence[Template], decision: str = "joint") -> FeatureModel:
    """Return the model of these templates; reject repeated templates and models that decide nothing."""
    reject_repeated(name, templates)
    if not templates:
        raise FeatureModelError(f"{name}: the file has no templates")
    if not any("moves" in template.parts for template in templates):
        raise FeatureModelError(f"{name}: no template helps to decide the kind of move ([moves])")
    return FeatureModel(name, tuple(templates), decision)


def reject_repeated(name: str, templates: Sequence[Template], text: Callable[[Template], str] = str) -> None:
    """Reject templates whose text was on an earlier line."""
    seen: dict[str, int] = {}
    for template in templates:
        key = text(template)
        if key in seen:
            raise FeatureModelError(f"{name}:{template.line}:1: the template {template} is already on line {seen[key]}")
        seen[key] = template.line


class TemplateLine(Line):
    """A line with a template of a parser by moves.

    Other parsers have other words and measures (``kinds/exact/parts/templates.py``).
    A method reads what it is called after, from the current place on.
    """

    attributes: ClassVar[Sequence[str]] = (*ATTRIBUTES, "feat", "column", "plugin")
    mappings: ClassVar[Sequence[str]] = MAPPINGS
    measures: ClassVar[Sequence[str]] = tuple(MEASURES)
    steps: ClassVar[Sequence[str]] = tuple(STEPS)
    most_steps: ClassVar[int] = MOST_STEPS
    most_functions: ClassVar[int] = 4
    example: ClassVar[str] = "w(stack[0])"
    bases: Sequence[str] = BASES

    def functions(self) -> tuple[Function, ...]:
        """Read the whole line."""
        functions = [self.function()]
        while self.peek():
            if len(functions) == self.most_functions:
                raise self.error(f"a template joins {self.most_functions} functions at most")
            self.expect("&")
            functions.append(self.function())
        self.check(functions)
        return tuple(functions)

    def check(self, functions: Sequence[Function]) -> None:
        """Reject functions that cannot be joined."""
        if sum(function.many for function in functions) > 2:
            raise self.error("a template may contain 'each' twice at most")

    def function(self, mappings: int = 0) -> Function:
        """``mappings``: how many are around it."""
        name = self.peek()
        known = [*self.attributes, *self.mappings, *self.measures]
        if name not in known:
            raise self.error(
                f"expected a feature function ({', '.join(known)}), found {shown(name)}{meant(name, known)}"
            )
        if name in self.mappings and mappings == 2:
            raise self.error(f"a column takes two mappings at most, found a third: {name}")
        self.next()
        self.expect("(")
        function: Function
        if name in self.mappings:
            function = self.mapping(name, mappings + 1)
        elif name in self.measures:
            function = self.measure(name)
        else:
            function = self.attribute(name)
        self.expect(")")
        return function

    def attribute(self, name: str) -> Attribute:
        """Read the word of an attribute, and before it the name of a column, or of a feature such as Number[psor]."""
        argument = ""
        if name in ("feat", "column", "plugin"):
            if name == "column" and self.peek() in ANSWERS:
                raise self.error(f"{self.peek()} is what the parser predicts: features cannot look at it")
            argument = self.name()
            if name == "feat" and self.peek() == "[":
                self.next()
                argument += f"[{self.name()}]"
                self.expect("]")
            self.expect(",")
        return Attribute(name, self.address(), argument)

    def mapping(self, name: str, mappings: int) -> Attribute:
        """Read what is mapped, and a size."""
        start = self.place
        inner = self.function(mappings)
        if not isinstance(inner, Attribute) or inner.name in ("l", "plugin"):
            raise self.error(f"{name} takes a column such as {self.example}, found {inner}", start)
        before = [mapping for mapping, _ in inner.mappings]
        cuts = name in ("suffix", "prefix")
        if before and not (cuts and before == ["lower"]):
            taken = "a column or its lower" if cuts else "a column"
            raise self.error(f"{name} takes {taken} such as w(…), found {inner}", start)
        if (name == "cluster" and (inner.name != "w" or before)) or (name == "each" and inner.name != "feats"):
            raise self.error(f"{name} takes {'w' if name == 'cluster' else 'feats'}(…), found {inner}", start)
        size = 0
        if cuts:
            self.expect(",")
            size = self.whole()
            if size == 0:
                raise self.error("expected a number of characters from 1 on, found '0'", self.place - 1)
        elif name == "cluster" and self.peek() == ",":
            self.next()
            size = self.whole(most=32)
        return Attribute(inner.name, inner.address, inner.argument, (*inner.mappings, (name, size)))

    def measure(self, name: str) -> Measure:
        """Read the arguments of a measure."""
        if name == "move":
            return Measure(name, (), str(self.whole(most=1)))
        argument = ""
        if name in ("valency", "labels"):
            argument = self.expect(*SIDES, "all" if name == "valency" else "heads")
            self.expect(",")
        addresses = [self.address()]
        for _ in range(MEASURES[name] - 1):
            self.expect(",")
            addresses.append(self.address())
        classes: tuple[int, ...] = ()
        if name in COUNTED and self.peek() == ",":
            self.next()
            classes = self.classes()
        return Measure(name, tuple(addresses), argument, classes)

    def classes(self) -> tuple[int, ...]:
        """Read the numbers at which classes begin, such as 0|1|2|5."""
        bounds: list[int] = []
        while True:
            start = self.place
            number = self.whole(most=9999)
            if (number != 0) if not bounds else (number <= bounds[-1]):
                rule = "each class must begin above the one before" if bounds else "the first class must begin at 0"
                raise self.error(f"{rule}, found {number}", start)
            bounds.append(number)
            if len(bounds) > _MOST_CLASSES:
                raise self.error(f"a measure has {_MOST_CLASSES} classes at most")
            if self.peek() != "|":
                return tuple(bounds)
            self.next()

    def address(self) -> Address:
        """Read the steps from the outermost on, then the place where they begin, then what closes each step."""
        opened: list[str] = []
        while self.peek() == "token" or self.peek() in self.steps:
            if len(opened) == self.most_steps:
                raise self.error(f"too many steps in an address: {self.most_steps:,} at most")
            opened.append(self.next())
            self.expect("[" if opened[-1] == "token" else "(")
        base = self.peek()
        if base not in self.bases:
            known = ", ".join([*self.bases, "token", *self.steps])
            raise self.error(f"expected an address ({known}), found {shown(base)}")
        self.next()
        index = self.index(base)
        steps: list[str | int] = []
        for step in reversed(opened):
            steps.append(self.offset() if step == "token" else step)
            self.expect("]" if step == "token" else ")")
        return Address(base, index, tuple(steps))

    def index(self, base: str) -> int:
        """Read a place. Those of the list are counted from the move: to its left they have negative numbers."""
        self.expect("[")
        sign = -1 if base == "list" and self.peek() == "-" and self.next() else 1
        index = sign * self.whole()
        self.expect("]")
        return index

    def offset(self) -> int:
        """Read how far a word is from another, such as + 1."""
        sign = -1 if self.expect("+", "-") == "-" else 1
        return sign * self.whole()
