"""The parts of a feature model: the names of the feature language, and templates built with them.

Templates print themselves in the feature language. ``language.py`` reads it; other notations have modules of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

#: address functions: name → what they lead to, in words
STEPS = {
    "h": "the head",
    # in graphs
    "h2": "the head before the latest",
    "h3": "the head before the two latest",
    # as Hall, Nivre & Nilsson 2005 define them, on either side of the head
    "lc": "the leftmost dependent",
    "rc": "the rightmost dependent",
    "ls": "the next sibling on the left",
    "rs": "the next sibling on the right",
    # on one side of the head, as in MaltParser 1.x (ldep, rdep, lsib, rsib) and in Zhang & Nivre 2011
    "ld": "the leftmost left dependent",
    "rd": "the rightmost right dependent",
    "ld2": "the second leftmost left dependent",
    "rd2": "the second rightmost right dependent",
    "lss": "the next sibling on the left, on the same side of the head,",
    "rss": "the next sibling on the right, on the same side of the head,",
}
#: where addresses begin: the stack, from the top; the buffer, from the front; the context (Covington); and the list
#: around the place of the move (easy-first)
BASES = ("stack", "input", "context", "list")
#: attributes: name → column it needs ("" for those of the parse so far)
ATTRIBUTES = {"w": "FORM", "lemma": "LEMMA", "p": "UPOS", "x": "XPOS", "feats": "FEATS", "l": ""}
MAPPINGS = ("suffix", "prefix", "lower", "shape", "each", "cluster")
#: columns that a parser predicts
ANSWERS = ("HEAD", "DEPREL", "DEPS")
SIDES = ("left", "right")
#: steps to further heads, which only words of graphs have
TO_FURTHER_HEADS = ("h2", "h3")
#: measures: name → how many addresses they take
MEASURES = {"distance": 2, "valency": 1, "labels": 1, "heads": 1, "exists": 1, "linked": 2, "move": 0}
#: measures that accept user-defined classes of numbers
COUNTED = ("distance", "valency")
PARTS = ("moves", "labels")
#: the columns of all attributes; that of an adviser's relations is for parts of a tree (kinds/exact/parts/templates.py)
_COLUMNS = {**ATTRIBUTES, "feat": "FEATS", "plugin": "", "adviser": "DEPREL"}
#: names in the text that keys are made of, where it has others: the keys of trained models must not change
_IN_KEYS = {
    **{"ld": "lc", "rd": "rc", "ld2": "lc2", "rd2": "rc2", "lss": "ls", "rss": "rs"},
    **{step: f"{step} of both sides" for step in ("lc", "rc", "ls", "rs")},
    **{"adviser": "guide", "advised": "guided"},
}


@dataclass(frozen=True)
class Address:
    """A word: where it begins, with steps from there, innermost first. Only places of BASES have an index."""

    base: str
    index: int = 0
    steps: tuple[str | int, ...] = ()  # a name of STEPS, or a linear offset

    def __str__(self) -> str:
        before = ["token[" if isinstance(step, int) else f"{step}(" for step in reversed(self.steps)]
        after = [f" {'-' if step < 0 else '+'} {abs(step)}]" if isinstance(step, int) else ")" for step in self.steps]
        return "".join((*before, f"{self.base}[{self.index}]" if self.base in BASES else self.base, *after))


@dataclass(frozen=True)
class Attribute:
    """A value of one word: a column, or its relation so far; mappings innermost first."""

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

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The words it looks at."""
        return (self.address,)

    @property
    def many(self) -> bool:
        """Whether it gives any number of values: each single FEATS of a word."""
        return ("each", 0) in self.mappings

    @property
    def of_arcs(self) -> bool:
        """Whether it tells of what has been built, whichever word it looks at."""
        return self.name == "l"

    @property
    def column(self) -> str:
        """The column of the treebank that it reads, '' for the relations of the parse and for plug-ins."""
        return self.argument if self.name == "column" else _COLUMNS[self.name]

    @property
    def encoded(self) -> tuple[str, str, tuple[tuple[str, int], ...]]:
        """The attribute of an Encoder."""
        return self.column, self.argument if self.name in ("feat", "plugin") else "", self.mappings


@dataclass(frozen=True)
class Measure:
    """A number about several words or the configuration: a distance, a valency, a set of relations, a past move."""

    many: ClassVar[bool] = False

    name: str
    addresses: tuple[Address, ...] = ()
    argument: str = ""
    classes: tuple[int, ...] = ()  # the numbers at which a new class of values begins, from 0

    def __str__(self) -> str:
        classes = ["|".join(map(str, self.classes))] if self.classes else []
        inner = ", ".join([*([self.argument] if self.argument else []), *map(str, self.addresses), *classes])
        return f"{self.name}({inner})"

    @property
    def of_arcs(self) -> bool:
        """Whether it tells of what has been built, arcs or moves."""
        return self.name not in ("distance", "exists")


Function = Attribute | Measure


@dataclass(frozen=True)
class Template:
    """Joined feature functions, and what they help to decide."""

    functions: tuple[Function, ...]
    parts: tuple[str, ...] = PARTS
    line: int = field(default=0, compare=False)  # where it was read

    def __str__(self) -> str:
        return " & ".join(map(str, self.functions))

    @property
    def key_text(self) -> str:
        """The text that keys are made of."""
        return re.sub(r"\b([a-z]+2?)\(", lambda found: f"{_IN_KEYS.get(found[1], found[1])}(", str(self))


@dataclass(frozen=True)
class FeatureModel:
    """A list of templates with a name."""

    name: str
    templates: tuple[Template, ...]
    decision: str = "joint"  # or "split": the kind of a move is decided before its relation

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
    def addresses(self) -> tuple[Address, ...]:
        """The words of a configuration that the templates look at."""
        return tuple(dict.fromkeys(word for function in self._functions for word in function.addresses))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the treebank that the templates look at."""
        columns = (function.column for function in self._functions if isinstance(function, Attribute))
        return tuple(dict.fromkeys(filter(None, columns)))

    @property
    def has_lists(self) -> bool:
        """Whether some templates give any number of features."""
        return any(function.many for function in self._functions)

    @property
    def _functions(self) -> Iterator[Function]:
        return (function for template in self.templates for function in template.functions)
