"""Arguments of the command line from declared options: recipes for `train`, options of a call for `parse`."""

from __future__ import annotations

import argparse
from collections.abc import Container, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from treewright.apps.cli.argument_parser import ArgumentParser, Topic
from treewright.options.option import Option, flag_of, flags_of, options_of

if TYPE_CHECKING:
    from treewright.recipes.catalogue import ListedOption


def add_recipe_arguments(parser: ArgumentParser, leave_out: Container[str] = ()) -> None:
    """Declare an argument for every option of a recipe, by topic."""
    from treewright.options.topics import COMMON, TOPICS, WORDS
    from treewright.recipes.catalogue import all_options

    parser.common_title = "model and training"
    options = [option for name, option in all_options().items() if name not in leave_out]
    for option in sorted(options, key=lambda option: TOPICS.index(option.first.topic)):
        first = option.first
        topic = parser.topic(WORDS[first.topic], first.topic)
        _add(topic, option, first, option.name in COMMON)


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
            _add(topic, option, option, option.name in common)


def given_options(arguments: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Return the options that were given on the command line; several values are lines of one text."""
    given = {}
    for name in names:
        if hasattr(arguments, name):
            value = getattr(arguments, name)
            given[name] = "\n".join(value) if isinstance(value, list) else value
    return given


def _add(topic: Topic, listed: Option | ListedOption, option: Option, common: bool) -> None:
    """Add one argument. Values are checked by the recipe, which names the nearest known one."""
    usual: dict[str, Any] = {"default": argparse.SUPPRESS, "described": listed, "common": common}
    if option.type is bool:
        action: Any = argparse.BooleanOptionalAction if option.default else "store_true"
        topic.add(flag_of(option.name), action=action, **usual)
    elif option.many:
        topic.add(flag_of(option.name), action="extend", nargs="+", metavar=option.metavar, **usual)
    else:
        topic.add(
            *flags_of(option),
            dest=option.name,
            type=_number(option) if option.type in (int, float) else str,
            metavar=option.metavar or {int: "N", float: "X"}.get(option.type, "NAME"),
            **usual,
        )


def _number(option: Option) -> Any:
    """Return what reads a number; argparse names the type in its message."""

    def read(text: str) -> float:
        value: float = option.type(text)
        return value

    read.__name__ = "whole number" if option.type is int else "number"
    return read
