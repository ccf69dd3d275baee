"""Fields of a JSON object, checked as they are read: each error names the field and what it should be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from treewright.errors import TreewrightError, unknown


class JsonFields:
    """A JSON object from a client. Read what is known, then call ``finish``: what is left is unknown."""

    def __init__(self, values: Mapping[str, object], place: str = "") -> None:
        self._values = dict(values)
        self._place = place
        self._known: list[str] = []

    def __contains__(self, name: str) -> bool:
        return self._values.get(name) is not None

    def text(self, name: str, default: str | None = None) -> str:
        """Return a string; without a default it is required."""
        value = self._value(name, default)
        if not isinstance(value, str):
            raise self._wrong(name, "a string")
        return _encodable(value, self._place + name)

    def integer(self, name: str, default: int | None = None, minimum: int = 0, maximum: int = 2**31) -> int:
        """Return a whole number within bounds."""
        value = self._value(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not minimum <= value <= maximum:
            raise self._wrong(name, f"a whole number from {minimum} to {maximum}")
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        """Return true or false."""
        value = self._value(name, default)
        if not isinstance(value, bool):
            raise self._wrong(name, "true or false")
        return value

    def choice(self, name: str, choices: Sequence[str], default: str | None = None) -> str:
        """Return one of some strings."""
        value = self.text(name, default)
        if value not in choices:
            raise TreewrightError(unknown(self._place + name, value, choices))
        return value

    def values(self, name: str, wanted: str, fits: Callable[[object], bool] = lambda value: True) -> list[Any]:
        """Return a list whose values fit; ``wanted`` says in messages what it should be."""
        value = self._value(name, None)
        if not isinstance(value, (list, tuple)) or not all(map(fits, value)):
            raise self._wrong(name, wanted)
        return list(value)

    def texts(self, name: str) -> list[str]:
        """Return a list of strings."""
        texts = self.values(name, "a list of strings", lambda value: isinstance(value, str))
        return [_encodable(each, self._place + name) for each in texts]

    def fields(self, name: str) -> JsonFields:
        """Return an object within this one; an empty one if it is missing."""
        value = self._value(name, {})
        if not isinstance(value, dict):
            raise self._wrong(name, "an object {...}")
        return JsonFields(value, f"{self._place}{name}.")

    def raw(self, name: str, default: object = None) -> object:
        """Return a value of any type, unchecked."""
        return self._value(name, default)

    def declare(self, *names: str) -> None:
        """Name fields that are known, though they were not read."""
        self._known.extend(names)

    def finish(self) -> None:
        """Reject fields that nobody read."""
        for name in self._values:
            if name not in self._known:
                raise TreewrightError(unknown("field", self._place + name, self._known))

    def _value(self, name: str, default: object) -> object:
        self._known.append(name)
        value = self._values.get(name)
        if value is None:
            value = default
        return value

    def _wrong(self, name: str, wanted: str) -> TreewrightError:
        if name in self:
            return TreewrightError(f"{self._place}{name}: must be {wanted}")
        return TreewrightError(f"{self._place}{name} is missing: give {wanted}")


def _encodable(text: str, place: str) -> str:
    """Return text that can be written as UTF-8; JSON can escape halves of surrogate pairs, which cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise TreewrightError(f"{place}: half of a surrogate pair is no character") from None
    return text
