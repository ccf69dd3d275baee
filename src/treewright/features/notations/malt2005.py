"""The tab-separated feature specification of Hall, Nivre & Nilsson 2005, Figure 5.

One feature per line: its type (POS, DEP or LEX), the structure it starts from (STACK, INPUT or CONTEXT), and up to six
numbers: the place in the structure, the linear offset, steps to the head, to children (negative leftmost, positive
rightmost), to siblings (negative left, positive right), and for LEX the length of the suffix (0: the whole word).
Zeros at the end may be left out. Children and siblings are those of the paper, on either side of the head.
"""

from __future__ import annotations

import re

from treewright.errors import FeatureModelError
from treewright.features.language import MOST_STEPS, checked_model
from treewright.features.lines import MOST
from treewright.features.templates import PARTS as BOTH
from treewright.features.templates import Address, Attribute, FeatureModel, Function, Template

TYPES = {"POS": "p", "DEP": "l", "LEX": "w"}
STRUCTURES = {"STACK": "stack", "INPUT": "input", "CONTEXT": "context"}
_TYPE_OF = {attribute: name for name, attribute in TYPES.items()}
_STRUCTURE_OF = {base: name for name, base in STRUCTURES.items()}
#: columns 3 to 8: what they are, whether they may be negative, and from where on larger ones mean the same
_NUMBERS = (
    ("the place in the structure", False, MOST),
    ("the linear offset", True, MOST),
    ("the steps to the head", False, MOST_STEPS // 3),
    ("the steps to children", True, MOST_STEPS // 3),
    ("the steps to siblings", True, MOST_STEPS // 3),
    ("the length of the suffix", False, MOST),
)


def looks_like_malt2005(text: str) -> bool:
    """Return whether the first line that is not blank begins with a type."""
    return re.match(r"\s*(POS|DEP|LEX)[ \t]", text) is not None


def parse_malt2005(text: str, name: str = "features") -> FeatureModel:
    """Read a specification; an error names line and column and what was expected there.

    A line that says the same as an earlier one adds nothing and is left out.
    """
    templates: dict[str, Template] = {}
    for number, line in enumerate(re.split("\r\n|\r|\n", text), 1):
        if line.strip():
            template = Template((_function(line, name, number),), BOTH, number)
            templates.setdefault(str(template), template)
    return checked_model(name, list(templates.values()))


def _function(line: str, source: str, number: int) -> Attribute:
    """Return what one line of the specification looks at."""
    cells = line.rstrip(" \t").split("\t")
    starts = [sum(len(cell) + 1 for cell in cells[:i]) + 1 for i in range(len(cells))]

    def error(column: int, problem: str) -> FeatureModelError:
        return FeatureModelError(f"{source}:{number}:{column}: {problem}")

    if cells[0] not in TYPES:
        hint = ". Columns are separated by tabs" if cells[0].split(" ")[0] in TYPES else ""
        raise error(1, f"expected {_one_of(TYPES)}, found {cells[0]!r}{hint}")
    if len(cells) < 2 or cells[1] not in STRUCTURES:
        found = repr(cells[1]) if len(cells) > 1 else "the end of the line"
        raise error(starts[1] if len(cells) > 1 else len(line) + 1, f"expected {_one_of(STRUCTURES)}, found {found}")
    most = 8 if cells[0] == "LEX" else 7
    if len(cells) > most:
        raise error(starts[most], f"a {cells[0]} feature has {most} columns at most, found {len(cells)}")
    values = []
    for cell, start, (meaning, signed, largest) in zip(cells[2:], starts[2:], _NUMBERS, strict=False):
        if not re.fullmatch(r"[+-]?[0-9]+" if signed else "[0-9]+", cell, re.ASCII):
            raise error(start, f"expected {meaning}, a number{'' if signed else ' from 0'}, found {cell!r}")
        # More than any sentence or word has leads nowhere, however much more it is.
        size = int(cell.lstrip("+-").lstrip("0")[:10] or 0)
        values.append(min(size, largest) * (-1 if cell.startswith("-") else 1))
    place, offset, heads, children, siblings, suffix = values + [0] * (6 - len(values))
    steps: list[str | int] = [offset] if offset else []
    steps += ["h"] * heads
    steps += ["rc" if children > 0 else "lc"] * abs(children)
    steps += ["rs" if siblings > 0 else "ls"] * abs(siblings)
    address = Address(STRUCTURES[cells[1]], place, tuple(steps))
    return Attribute(TYPES[cells[0]], address, mappings=(("suffix", suffix),) if suffix else ())


def _one_of(names: dict[str, str]) -> str:
    listed = list(names)
    return f"{', '.join(listed[:-1])} or {listed[-1]}"


def to_malt2005(model: FeatureModel) -> str:
    """Return a model as a specification; reject templates that it cannot express."""
    if model.decision == "split":
        raise FeatureModelError(f"{model.name}: the 2005 specification has no [split]")
    lines = []
    for template in model.templates:
        where = f"{model.name}:{template.line}: the 2005 specification cannot express {template}"
        if template.parts != BOTH:
            raise FeatureModelError(f"{where} in a section of its own: leave out [{' '.join(template.parts)}]")
        if len(template.functions) > 1:
            raise FeatureModelError(f"{where}: it has no joined features. Convert to xml")
        columns = _columns(template.functions[0])
        if columns is None:
            raise FeatureModelError(
                f"{where}: it has p, l and w (of which a suffix), of addresses with at most one linear offset,"
                " then heads, then children, then siblings. Convert to xml, or leave the template out"
            )
        lines.append("\t".join(columns) + "\n")
    return "".join(lines)


def _columns(function: Function) -> list[str] | None:
    if not isinstance(function, Attribute) or function.name not in _TYPE_OF:
        return None
    if function.address.base not in _STRUCTURE_OF:
        return None
    numbers = _numbers(function.address)
    if numbers is None:
        return None
    if function.mappings:
        if function.name != "w" or len(function.mappings) > 1 or function.mappings[0][0] != "suffix":
            return None
        numbers.append(function.mappings[0][1])
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return [_TYPE_OF[function.name], _STRUCTURE_OF[function.address.base], *map(str, numbers)]


def _numbers(address: Address) -> list[int] | None:
    """Return place, offset, heads, children, siblings; None where the steps come in another order."""
    letters = {"h": "h", "lc": "l", "rc": "r", "ls": "L", "rs": "R"}
    steps = "".join("t" if isinstance(step, int) else letters.get(step, "?") for step in address.steps)
    if not re.fullmatch("t?h*(l*|r*)(L*|R*)", steps):
        return None
    offset = next((step for step in address.steps if isinstance(step, int)), 0)
    return [
        address.index,
        offset,
        steps.count("h"),
        steps.count("r") - steps.count("l"),
        steps.count("R") - steps.count("L"),
    ]
