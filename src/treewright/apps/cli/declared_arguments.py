"""Arguments of the command line from declared options: recipes for `train`, options of a call for `parse`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Container, Iterable, Mapping
from typing import Any

from treewright.apps.cli.argument_parser import ArgumentParser, Topic
from treewright.options.option import Option, flag_of, flags_of, options_of
from treewright.options.topics import COMMON, TOPICS, WORDS


def add_recipe_arguments(parser: ArgumentParser, leave_out: Container[str] = ()) -> None:
    """Declare an argument for every option of a recipe, by topic."""
    from treewright.recipes.catalogue import all_options

    parser.common_title = "model and training"
    options = [option for name, option in all_options().items() if name not in leave_out]
    for option in sorted(options, key=lambda option: TOPICS.index(option.first.topic)):
        first = option.first
        topic = parser.topic(WORDS[first.topic], first.topic)
        # To list learners, all installed packages are looked at.
        values = () if option.name == "learner" else option.known_values()
        _add(topic, first, option.default_in_words, values, option.name in COMMON)


def add_option_arguments(
    parser: ArgumentParser,
    declared: type,
    topics: Mapping[str, tuple[str, str]],
    common: Container[str],
    leave_out: Container[str] = (),
) -> None:
    """Declare an argument for every option of a class; ``topics``: topic → the word that asks for it, and its title."""
    for word, title in topics.values():
        parser.topic(word, title)
    for option in options_of(declared).values():
        if option.name not in leave_out:
            topic = parser.topic(*topics[option.topic])
            _add(topic, option, option.default_in_words, option.known_values(), option.name in common)


def given_options(arguments: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Return the options that were given on the command line."""
    return {name: getattr(arguments, name) for name in names if hasattr(arguments, name)}


def _add(topic: Topic, option: Option, default: str, choices: tuple[str, ...], common: bool) -> None:
    """Add one argument. Values are checked by the recipe, which names the nearest known one."""
    flag = flag_of(option.name)
    help_text = option.help
    if choices:
        help_text += f": {', '.join(choices)}" if len(choices) > 2 else f": {' or '.join(choices)}"
    if option.type is bool:
        action: Any = argparse.BooleanOptionalAction if option.default else "store_true"
        shown = " (default: yes)" if option.default else ""
        topic.add(flag, action=action, default=argparse.SUPPRESS, help=help_text + shown, common=common)
        return
    brief = help_text
    if default != "none":
        brief = f"{help_text} (default: {_usual(default)})"
        help_text += f" (default: {default})"
    if option.many:
        settings = {"nargs": "+", "metavar": option.metavar, "default": argparse.SUPPRESS}
        topic.add(flag, action=_Lines, help=help_text, common=common, **settings)
        return
    topic.add(
        *flags_of(option),
        dest=option.name,
        type=_number(option) if option.type in (int, float) else str,
        metavar=option.metavar or {int: "N", float: "X"}.get(option.type, "NAME"),
        default=argparse.SUPPRESS,
        help=help_text.replace("%", "%%"),
        common=common,
        brief=brief.replace("%", "%%"),
    )


def _usual(default: str) -> str:
    """Return a default in few words: that of the usual parser, without those of other kinds and cases."""
    return re.split("; | where | else ", default)[0].rstrip(",")


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
