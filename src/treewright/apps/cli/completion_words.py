"""What can be completed: commands, their options, and the values that these take, read from the arguments declared."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field

from treewright.apps.cli.argument_parser import ArgumentParser
from treewright.apps.cli.help_page import describe
from treewright.apps.cli.overview import COMMANDS
from treewright.apps.cli.program import build_parser

#: arguments that name a model, which may be one that is found by name
MODELS = {("parse", "model"), ("info", "model"), ("package", "model"), ("train", "init_from")}
NUMBERS = ("N", "X", "X.Y.Z", "K")


@dataclass(frozen=True)
class CompletedOption:
    """An option: its flags, what it is for, and what may follow it.

    ``values`` are those to choose from; behind ``--help`` there may be a topic, or nothing. Without any, ``takes`` says
    what follows: nothing (""), a number ("number") or something else, maybe a file ("file").
    """

    flags: tuple[str, ...]
    help: str
    takes: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class CompletedCommand:
    """A command with its options; ``values`` are what its argument may be, ``models`` says whether that is a model."""

    name: str
    help: str
    options: list[CompletedOption] = field(default_factory=list)
    values: tuple[str, ...] = ()
    models: bool = False


def described_commands() -> list[CompletedCommand]:
    """Return all commands; this declares the arguments of each."""
    return [_described(name, text) for name, text in COMMANDS.items()]


def _described(name: str, text: str) -> CompletedCommand:
    parser = build_parser(name)
    describe(parser, brief=False)
    options, models = [], False
    values: tuple[str, ...] = ()
    for action in parser._actions:
        if action.option_strings:
            options.append(_option(parser, action))
        else:
            values = values or tuple(map(str, action.choices or ()))
            models = models or (name, action.dest) in MODELS
    return CompletedCommand(name, text, options, values, models)


def _option(parser: ArgumentParser, action: argparse.Action) -> CompletedOption:
    help_text = parser._get_formatter()._expand_help(action) if action.help else ""
    short = help_text.partition(" (default")[0].partition(": ")[0]
    flags = tuple(action.option_strings)
    if action.dest == "help":
        return CompletedOption(flags, short, values=parser.topics)
    if action.nargs == 0:
        return CompletedOption(flags, short)
    values = tuple(map(str, action.choices or ())) or _known_values(action)
    takes = "number" if action.metavar in NUMBERS else "file"
    return CompletedOption(flags, short, takes, values)


def _known_values(action: argparse.Action) -> tuple[str, ...]:
    """Return the values of an option that is declared in a recipe, or of one that names a format."""
    from treewright.recipes.catalogue import all_options

    if action.dest == "features":
        from treewright.features.bundled import bundled_models

        return tuple(bundled_models())
    if action.metavar == "FORMAT":
        from treewright.treebank.formats.registry import formats

        return tuple(sorted(format.name for format in formats()))
    option = all_options().get(action.dest)
    return tuple(map(str, option.known_values())) if option is not None else ()
