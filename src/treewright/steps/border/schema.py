"""How a header is described: as data, which one function reads.

A table may have further entries, which later versions may add: nothing reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from treewright.errors import ModelFileError, TreewrightError

LARGEST = 1e30  # of any number in a header
MOST_ITEMS = 4_000_000  # of any list or table


class Check(NamedTuple):
    """What a value must be. ``low`` and ``high``: the range of a number, or of how many parts there are."""

    form: str
    low: float = 0
    high: float = 0
    parts: Any = None  # what the form is made of


def whole(low: int, high: int) -> Check:
    """A whole number in a range, both ends included."""
    return Check("whole", low, high)


def number(low: float = -LARGEST, high: float = LARGEST) -> Check:
    """A finite number in a range, both ends included."""
    return Check("number", low, high)


def text(most: int = 1 << 20, forbidden: str = "") -> Check:
    """A text of limited length, without certain characters."""
    return Check("text", 0, most, forbidden)


def one_of(*known: str) -> Check:
    """One of some texts."""
    return Check("one of", parts=known)


def optional(inner: Check) -> Check:
    """Null, or what another check demands."""
    return Check("optional", parts=inner)


def list_of(item: Check, least: int = 0, most: int = MOST_ITEMS) -> Check:
    """A list of items that are all alike."""
    return Check("list", least, most, item)


def row(*items: Check) -> Check:
    """A list of certain items, in their order."""
    return Check("row", parts=items)


def map_of(item: Check, key: Check | None = None, most: int = MOST_ITEMS) -> Check:
    """A table from any names to items that are all alike."""
    return Check("map", 0, most, (item, key))


def table(needed: Mapping[str, Check], perhaps: Mapping[str, Check] | None = None) -> Check:
    """A table with certain entries; those of ``perhaps`` may be missing."""
    return Check("table", parts=(needed, perhaps or {}))


flag = Check("flag")  # yes or no
scalar = Check("scalar", parts=(text(4 << 20), number()))  # what an option of a recipe can be
anything = Check("anything")  # whatever JSON can hold: nothing relies on it


#: what a step raises when it is made of a header that passed the border and is wrong nevertheless
FAULTS = (TreewrightError, KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError)


def damaged(place: str, problem: str) -> ModelFileError:
    """Return the error for a value that is not as it should be."""
    return ModelFileError(f"the model is damaged: {place} {problem}")


def shown(value: object) -> str:
    """Return a value for a message, shortened."""
    text = f"{type(value).__name__} of {len(value)}" if isinstance(value, (dict, list, str)) else repr(value)
    return text if len(text) < 60 else f"{text[:57]}..."


def require(wanted: Check, value: object, place: str = "") -> None:
    """Reject a value that breaks its schema; ``place`` says where it is, for messages."""
    form, low, high, parts = wanted
    if form == "text":
        if not isinstance(value, str) or len(value) > high:
            raise damaged(place, f"is not a text of at most {high} characters")
        if any(map(value.__contains__, parts)):
            raise damaged(place, "has a tab or the end of a line in it")
    elif form == "whole":
        if type(value) is not int or not low <= value <= high:
            raise damaged(place, f"is not a whole number from {low} to {high}")
    elif form == "number":
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise damaged(place, f"is not a number from {low:g} to {high:g}")
    elif form == "flag":
        if not isinstance(value, bool):
            raise damaged(place, "is neither true nor false")
    elif form == "one of":
        if not isinstance(value, str) or value not in parts:
            raise damaged(place, f"is none of {', '.join(parts)}")
    elif form == "scalar":
        if not isinstance(value, bool):
            require(parts[0] if isinstance(value, str) else parts[1], value, place)
    elif form == "optional":
        if value is not None:
            require(parts, value, place)
    elif form != "anything":
        _require_inside(wanted, value, place)


def _require_inside(wanted: Check, value: object, place: str) -> None:
    """Reject a list or table, or what is in it."""
    form, low, high, parts = wanted
    if form == "list":
        if not isinstance(value, list) or not low <= len(value) <= high:
            raise damaged(place, f"is not a list of {low} to {high} items")
        for each in value:
            require(parts, each, f"an item of {place}")
    elif form == "row":
        if not isinstance(value, list) or len(value) != len(parts):
            raise damaged(place, f"is not a list of {len(parts)} items")
        for item, each in zip(parts, value, strict=True):
            require(item, each, f"an item of {place}")
    elif form == "map":
        if not isinstance(value, dict) or len(value) > high:
            raise damaged(place, f"is not a table of at most {high} entries")
        item, key = parts
        for name, each in value.items():
            if key is not None:
                require(key, name, f"a name in {place}")
            require(item, each, f"an entry of {place}")
    else:
        if not isinstance(value, dict):
            raise damaged(place, f"is not a table but {shown(value)}")
        needed, perhaps = parts
        for name, inner in (*needed.items(), *perhaps.items()):
            if name in value:
                require(inner, value[name], f"{place}.{name}" if place else name)
            elif name in needed:
                raise damaged(place, f"lacks {name!r}")
