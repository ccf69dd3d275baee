"""Arguments that several commands have: the same thing has the same name and the same words everywhere."""

from __future__ import annotations

import argparse

GUESSED = "default: guessed"


def add_choice(
    target: argparse._ActionsContainer,
    flag: str,
    choices: tuple[str, ...],
    what: str,
    default: str | None = None,
    usual: str = "",
    metavar: str = "NAME",
) -> None:
    """Declare an option with values to choose from, which the help lists; ``usual``: the default in words."""
    listed = f": {', '.join(choices)}" if choices else ""
    help_text = f"{what}{listed} (default: {usual or default})"
    target.add_argument(flag, choices=choices or None, default=default, metavar=metavar, help=help_text)


def add_number(target: argparse._ActionsContainer, flag: str, default: float, what: str, metavar: str = "N") -> None:
    """Declare an option that is a number, whole if its default is."""
    help_text = f"{what} (default: {default:g})" if isinstance(default, float) else f"{what} (default: {default})"
    target.add_argument(flag, type=type(default), default=default, metavar=metavar, help=help_text)


def add_treebanks(parser: argparse.ArgumentParser, purpose: str = "treebanks to learn from") -> None:
    """Declare the treebanks that a command takes first."""
    parser.add_argument("treebank", nargs="+", metavar="TREEBANK", help=f"{purpose}: files, globs or folders")


def add_dev(parser: argparse.ArgumentParser, help: str, required: bool = False) -> None:
    """Declare the treebanks to judge on."""
    parser.add_argument("--dev", action="append", required=required, metavar="FILE", help=help)


def add_from(parser: argparse.ArgumentParser, what: str = "input") -> None:
    """Declare the format of what is read."""
    parser.add_argument("--from", dest="format", metavar="FORMAT", help=f"format of the {what} ({GUESSED})")


def add_to(
    parser: argparse.ArgumentParser,
    what: str = "format of the output",
    usual: str = "by its name",
    choices: tuple[str, ...] = (),
    default: str | None = None,
) -> None:
    """Declare the format of what is written; without ``choices``, those of treebanks."""
    add_choice(parser, "--to", choices, what, default, usual, "FORMAT")


def add_output(parser: argparse.ArgumentParser, help: str = "file to write (default: standard output)") -> None:
    """Declare the file to write; without one, results go to standard output."""
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help=help)


def add_output_or_folder(parser: argparse.ArgumentParser, usual: str) -> None:
    """Declare where the results of several inputs go; ``usual``: the default in words."""
    what = f"file to write, or a folder, which gets a file for each input (default: {usual})"
    parser.add_argument("-o", "--output", metavar="FILE", help=what)


def add_required_output(parser: argparse.ArgumentParser, metavar: str, help: str) -> None:
    """Declare the file or folder to write, where results have no other place."""
    parser.add_argument("-o", "--output", required=True, metavar=metavar, help=help)


def add_json(parser: argparse.ArgumentParser, help: str = "print JSON") -> None:
    """Declare the option that prints JSON."""
    parser.add_argument("--json", action="store_true", help=help)


def add_quiet(parser: argparse.ArgumentParser, help: str = "show no progress") -> None:
    """Declare the option that shows the result and errors alone."""
    parser.add_argument("-q", "--quiet", action="store_true", help=help)


def add_on_error(parser: argparse.ArgumentParser) -> None:
    """Declare what becomes of bad trees."""
    add_choice(parser, "--on-error", ("fail", "skip", "fix"), "what to do with bad trees", "fail")


def add_training(parser: argparse.ArgumentParser) -> None:
    """Declare what all commands have that train a model and write it."""
    add_required_output(parser, "MODEL", "model file to write")
    add_dev(parser, "treebank to choose the best round on")
    parser.add_argument("--config", metavar="FILE", help="read options from a TOML file; those given here override it")
    add_on_error(parser)
    add_from(parser, "treebanks")
    parser.add_argument("--licence", default="", metavar="TEXT", help="licence of the model, kept in it")
    parser.add_argument("--description", default="", metavar="TEXT", help="a line about the model, kept in it")
    add_json(parser, "print the result as JSON")
    add_quiet(parser)
