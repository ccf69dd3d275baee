"""The parts of a feature model: the names of the feature language, and templates built with them.

Templates print themselves in the feature language. ``language.py`` reads it; other notations have modules of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

#: address functions: name → what they lead to, in words
STEPS = {
    "h": "the head of",
    # in graphs
    "h2": "the head before the latest of",
    "h3": "the head before the two latest of",
    # as Hall, Nivre & Nilsson 2005 define them, on either side of the head
    "lc": "the leftmost dependent of",
    "rc": "the rightmost dependent of",
    "ls": "the next sibling to the left of",
    "rs": "the next sibling to the right of",
    # on one side of the head, as in MaltParser 1.x (ldep, rdep, lsib, rsib) and in Zhang & Nivre 2011
    "ld": "the leftmost left dependent of",
    "rd": "the rightmost right dependent of",
    "ld2": "the second leftmost left dependent of",
    "rd2": "the second rightmost right dependent of",
    "lss": "the next sibling to the left, on the same side of the head, of",
    "rss": "the next sibling to the right, on the same side of the head, of",
}
#: the names of the one-sided steps in the first models and feature files
RENAMED = {"lc": "ld", "rc": "rd", "lc2": "ld2", "rc2": "rd2", "ls": "lss", "rs": "rss"}
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
    "cluster": "the word cluster of",
}
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


@dataclass(frozen=True)
class Address:
    """A word of the configuration: a base with steps from it, innermost first."""

    base: str
    index: int
    steps: tuple[str | int, ...] = ()  # a name of STEPS, or a linear offset

    def __str__(self) -> str:
        before = ["token[" if isinstance(step, int) else f"{step}(" for step in reversed(self.steps)]
        after = [f" {'-' if step < 0 else '+'} {abs(step)}]" if isinstance(step, int) else ")" for step in self.steps]
        return "".join((*before, f"{self.base}[{self.index}]", *after))


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


@dataclass(frozen=True)
class Measure:
    """A number about the configuration: a distance, a valency, a set of relations, a past move."""

    name: str
    addresses: tuple[Address, ...] = ()
    argument: str = ""
    classes: tuple[int, ...] = ()  # the numbers at which a new class of values begins, from 0

    def __str__(self) -> str:
        classes = ["|".join(map(str, self.classes))] if self.classes else []
        inner = ", ".join([*([self.argument] if self.argument else []), *map(str, self.addresses), *classes])
        return f"{self.name}({inner})"


Function = Attribute | Measure


@dataclass(frozen=True)
class Template:
    """Joined feature functions, and what they help to decide."""

    functions: tuple[Function, ...]
    parts: tuple[str, ...] = PARTS
    line: int = 0

    def __str__(self) -> str:
        return " & ".join(map(str, self.functions))

    @property
    def key_text(self) -> str:
        """The text that keys are made of: steps have the names they had in the first models, which must not change."""
        return re.sub(r"\b([a-z]+2?)\(", lambda found: f"{_IN_KEYS.get(found[1], found[1])}(", str(self))


#: steps in the texts that keys are made of; those that came later must differ from all others
_IN_KEYS = {
    **{new: old for old, new in RENAMED.items()},
    **{step: f"{step} of both sides" for step in ("lc", "rc", "ls", "rs")},
}


def with_new_names(text: str) -> str:
    """Return a feature model in our notation, as the first versions wrote it, with today's names of steps."""
    return re.sub(r"\b(lc2?|rc2?|ls|rs)(\s*\()", lambda found: RENAMED[found[1]] + found[2], text)


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
        found: dict[Address, None] = {}
        for template in self.templates:
            for function in template.functions:
                found.update(dict.fromkeys(addresses_of(function)))
        return tuple(found)

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


def addresses_of(function: Function) -> tuple[Address, ...]:
    """Return the addresses of a feature function."""
    return function.addresses if isinstance(function, Measure) else (function.address,)


def column_of(attribute: Attribute) -> str:
    """Return the column an attribute reads, '' for the relations of the parse and for plug-ins."""
    if attribute.name == "feat":
        return "FEATS"
    if attribute.name == "column":
        return attribute.argument
    if attribute.name == "plugin":
        return ""
    return ATTRIBUTES[attribute.name]
