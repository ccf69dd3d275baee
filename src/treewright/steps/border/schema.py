"""How a header is described: small checks that are put together.

A check takes a value and the name of its place, and raises ModelFileError where the value is not as it should be.
Tables may have further entries, which later versions may add: nothing reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from treewright.errors import ModelFileError

Check: TypeAlias = Callable[[object, str], None]
LARGEST = 1e30  # of any number in a header
MOST_ITEMS = 4_000_000  # of any list or table


def damaged(place: str, problem: str) -> ModelFileError:
    """Return the error for a value that is not as it should be."""
    return ModelFileError(f"the model is damaged: {place} {problem}")


def shown(value: object) -> str:
    """Return a value for a message, shortened."""
    text = f"{type(value).__name__} of {len(value)}" if isinstance(value, (dict, list, str)) else repr(value)
    return text if len(text) < 60 else f"{text[:57]}..."


def whole(low: int, high: int) -> Check:
    """A whole number in a range, both ends included."""

    def check(value: object, place: str) -> None:
        if type(value) is not int or not low <= value <= high:
            raise damaged(place, f"is not a whole number from {low} to {high}")

    return check


def number(low: float = -LARGEST, high: float = LARGEST) -> Check:
    """A finite number in a range, both ends included."""

    def check(value: object, place: str) -> None:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise damaged(place, f"is not a number from {low:g} to {high:g}")

    return check


def text(most: int = 1 << 20, forbidden: str = "") -> Check:
    """A text of limited length, without certain characters."""

    def check(value: object, place: str) -> None:
        if not isinstance(value, str) or len(value) > most:
            raise damaged(place, f"is not a text of at most {most} characters")
        if any(sign in value for sign in forbidden):
            raise damaged(place, "has a tab or the end of a line in it")

    return check


def flag(value: object, place: str) -> None:
    """Yes or no."""
    if not isinstance(value, bool):
        raise damaged(place, "is neither true nor false")


def scalar(value: object, place: str) -> None:
    """A text, yes or no, or a number: what an option of a recipe can be."""
    if isinstance(value, str):
        text(4 << 20)(value, place)
    elif not isinstance(value, bool):
        number()(value, place)


def anything(value: object, place: str) -> None:
    """Whatever JSON can hold: nothing relies on it."""


def one_of(*known: str) -> Check:
    """One of some texts."""

    def check(value: object, place: str) -> None:
        if not isinstance(value, str) or value not in known:
            raise damaged(place, f"is none of {', '.join(known)}")

    return check


def optional(inner: Check) -> Check:
    """Null, or what another check demands."""

    def check(value: object, place: str) -> None:
        if value is not None:
            inner(value, place)

    return check


def list_of(item: Check, least: int = 0, most: int = MOST_ITEMS) -> Check:
    """A list of items that are all alike."""

    def check(value: object, place: str) -> None:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise damaged(place, f"is not a list of {least} to {most} items")
        inside = f"an item of {place}"
        for each in value:
            item(each, inside)

    return check


def row(*items: Check) -> Check:
    """A list of certain items, in their order."""

    def check(value: object, place: str) -> None:
        if not isinstance(value, list) or len(value) != len(items):
            raise damaged(place, f"is not a list of {len(items)} items")
        for item, each in zip(items, value, strict=True):
            item(each, f"an item of {place}")

    return check


def map_of(item: Check, key: Check | None = None, most: int = MOST_ITEMS) -> Check:
    """A table from any names to items that are all alike."""

    def check(value: object, place: str) -> None:
        if not isinstance(value, dict) or len(value) > most:
            raise damaged(place, f"is not a table of at most {most} entries")
        inside = f"an entry of {place}"
        for name, each in value.items():
            if key is not None:
                key(name, f"a name in {place}")
            item(each, inside)

    return check


def table(needed: Mapping[str, Check], perhaps: Mapping[str, Check] | None = None) -> Check:
    """A table with certain entries; those of ``perhaps`` may be missing."""

    def check(value: object, place: str) -> None:
        if not isinstance(value, dict):
            raise damaged(place, f"is not a table but {shown(value)}")
        for name, inner in needed.items():
            if name not in value:
                raise damaged(place, f"lacks {name!r}")
            inner(value[name], _within(place, name))
        for name, inner in (perhaps or {}).items():
            if name in value:
                inner(value[name], _within(place, name))

    return check


def _within(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name
