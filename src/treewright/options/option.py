"""An option: declared once as a field of a recipe, with its type, default, range, help and topic.

The command line, Python signatures, TOML files, experiment grids, error messages, model headers and the reference page
all read this declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, cast

from treewright.errors import CombinationError, unknown

T = TypeVar("T")
OptionValue = str | int | float | bool | None
_TYPES = {"str": str, "int": int, "float": float, "bool": bool}
LARGEST = (1 << 31) - 1  # compiled code counts in 32 bits where an option names no other maximum
_IN_WORDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


@dataclass(frozen=True)
class Option:
    """What is known about an option of one kind of recipe."""

    help: str
    topic: str
    minimum: float | None = None
    maximum: float | None = None
    choices: Callable[[], Iterable[str]] | tuple[str, ...] = ()
    metavar: str = ""
    usual: str = ""  # the default in words, where it depends on other options
    many: bool = False  # text of several values, one a line: the command line takes them one after the other
    name: str = ""
    type: type = str
    default: OptionValue = None

    def known_values(self) -> tuple[str, ...]:
        """Return the values to choose from; none means that any value of the type will do."""
        return tuple(self.choices()) if callable(self.choices) else self.choices

    def check(self, value: object) -> None:
        """Reject a value of another type, out of range, or not among the choices."""
        if value is None and self.default is None:
            return
        wanted = (int, float) if self.type is float else (self.type,)
        if not isinstance(value, wanted) or (isinstance(value, bool) and self.type is not bool):
            raise CombinationError(f"{self.name} is {_IN_WORDS[self.type]}, not {value!r}")
        # A default needs no list of choices: for learners, the list takes a look at every installed package.
        known = () if value == self.default else self.known_values()
        if known and value not in known:
            raise CombinationError(unknown(self.name, str(value), known))
        too_low = self.minimum is not None and cast(float, value) < self.minimum
        too_high = self.maximum is not None and not cast(float, value) <= self.maximum
        if too_low or too_high:
            raise CombinationError(f"{self.name} is {value}, but must be {self.range_in_words()}")
        if self.type is int and self.maximum is None and cast(int, value) > LARGEST:
            raise CombinationError(f"{self.name} is {value}, but must be less than 2**31")

    def range_in_words(self) -> str:
        """Return the range of a number, for messages and the reference page."""
        if self.minimum is None:
            return "any number"
        if self.maximum is None:
            return f"at least {self.minimum:g}"
        top = f"{self.maximum:g}"
        if self.maximum > 1e6 and (int(self.maximum) + 1).bit_count() == 1:
            top = f"2**{int(self.maximum).bit_length()} - 1"
        return f"from {self.minimum:g} to {top}"

    @property
    def default_in_words(self) -> str:
        """The default as the help and the reference page show it."""
        if self.usual:
            return self.usual
        if isinstance(self.default, bool):
            return "yes" if self.default else "no"
        return "none" if self.default in (None, "") else f"{self.default}"


def option(
    default: T,
    help: str,
    topic: str,
    minimum: float | None = None,
    maximum: float | None = None,
    *,
    choices: Callable[[], Iterable[str]] | tuple[str, ...] = (),
    metavar: str = "",
    usual: str = "",
    many: bool = False,
) -> T:
    """Declare an option as the field of a recipe."""
    declared = Option(help, topic, minimum, maximum, choices, metavar, usual, many)
    made: T = field(default=default, metadata={"option": declared})
    return made


def choice(
    default: T,
    choices: Callable[[], Iterable[str]] | tuple[str, ...],
    help: str,
    topic: str,
    metavar: str = "NAME",
    usual: str = "",
) -> T:
    """Declare an option with a list of values to choose from."""
    return option(default, help, topic, choices=choices, metavar=metavar, usual=usual)


def count(default: T, help: str, topic: str, minimum: int = 1, maximum: int | None = None, usual: str = "") -> T:
    """Declare an option that is a number of things."""
    return option(default, help, topic, minimum, maximum, metavar="N", usual=usual)


#: shorter names of options
SHORT_NAMES = {"as": "as_paper"}


def flag_of(name: str) -> str:
    """Return how a name is written on the command line."""
    return f"--{name.replace('_', '-')}"


def flags_of(option: Option) -> list[str]:
    """Return how an option is written on the command line; what is on by default can be switched off."""
    flags = [flag_of(option.name)]
    for short, name in SHORT_NAMES.items():
        if name == option.name:
            flags.insert(0, f"--{short}")
    return [*flags, f"--no-{flags[-1][2:]}"] if option.type is bool and option.default else flags


_DECLARED: dict[type, dict[str, Option]] = {}


def options_of(recipe: type) -> dict[str, Option]:
    """Return the options that a class of recipes declares, by name, in their order."""
    if recipe in _DECLARED:
        return _DECLARED[recipe]
    options: dict[str, Option] = {}
    _DECLARED[recipe] = options
    for each in fields(recipe):
        if "option" in each.metadata:
            declared: Option = each.metadata["option"]
            name = each.type.__name__ if isinstance(each.type, type) else str(each.type).split(" ")[0]
            kind = _TYPES[name]
            values: dict[str, Any] = {**declared.__dict__, "name": each.name, "type": kind, "default": each.default}
            options[each.name] = Option(**values)
    return options
