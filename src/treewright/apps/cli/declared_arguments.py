"""Arguments of the command line from declared options: recipes for `train`, options of a call for `parse`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from treewright.options.flags import flags_of
from treewright.options.option import Option, options_of
from treewright.options.topics import TOPICS


def add_recipe_arguments(parser: argparse.ArgumentParser, leave_out: Iterable[str] = ()) -> None:
    """Declare an argument for every option of a recipe, grouped by topic."""
    from treewright.recipes.catalogue import all_options

    listed = all_options()
    for topic in TOPICS:
        group = parser.add_argument_group(topic)
        for name, option in listed.items():
            if option.first.topic == topic and name not in leave_out:
                _add(group, option.first, option.default_in_words, option.known_values())


def add_option_arguments(
    parser: argparse.ArgumentParser, declared: type, titles: dict[str, str], leave_out: Iterable[str] = ()
) -> None:
    """Declare an argument for every option of a class; ``titles``: topic → how its group is headed."""
    for topic, title in titles.items():
        group = parser.add_argument_group(title)
        for option in options_of(declared).values():
            if option.topic == topic and option.name not in leave_out:
                _add(group, option, option.default_in_words, option.known_values())


def given_options(arguments: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Return the options that were given on the command line."""
    return {name: getattr(arguments, name) for name in names if hasattr(arguments, name)}


def _add(group: Any, option: Option, default: str, choices: tuple[str, ...]) -> None:
    """Add one argument. Values are checked by the recipe, which names the nearest known one."""
    flag = f"--{option.name.replace('_', '-')}"
    help_text = option.help
    if choices and option.name != "learner":
        help_text += f": {', '.join(choices)}" if len(choices) > 2 else f": {' or '.join(choices)}"
    if option.type is bool:
        action: Any = argparse.BooleanOptionalAction if option.default else "store_true"
        shown = " (default: yes)" if option.default else ""
        group.add_argument(flag, action=action, default=argparse.SUPPRESS, help=help_text + shown)
        return
    if default != "none":
        help_text += f" (default: {default})"
    if option.many:
        group.add_argument(
            flag, action=_Lines, nargs="+", metavar=option.metavar, default=argparse.SUPPRESS, help=help_text
        )
        return
    group.add_argument(
        *flags_of(option),
        dest=option.name,
        type=_number(option) if option.type in (int, float) else str,
        metavar=option.metavar or {int: "N", float: "X"}.get(option.type, "NAME"),
        default=argparse.SUPPRESS,
        help=help_text.replace("%", "%%"),
    )


class _Lines(argparse.Action):
    """Joins several values, given at once or in several places, as lines of one text."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: Any = None
    ) -> None:
        before = [getattr(namespace, self.dest)] if hasattr(namespace, self.dest) else []
        setattr(namespace, self.dest, "\n".join([*before, *values]))


def _number(option: Option) -> Any:
    """Return what reads a number; argparse names the type in its message."""

    def read(text: str) -> float:
        value: float = option.type(text)
        return value

    read.__name__ = "whole number" if option.type is int else "number"
    return read
