"""What all commands share: choosing one, errors, warnings, exit codes.

0: done. 1: the answer is no (a treebank that is not valid). 2: the user can fix it, and one line says how.
70: a fault of treewright's own, with a request to report it; TREEWRIGHT_DEBUG=1 shows where. 130: interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any, TextIO

from treewright.apps.cli.argument_parser import ArgumentParser
from treewright.apps.cli.in_and_out import check_outputs
from treewright.apps.cli.overview import COMMANDS, overview
from treewright.apps.cli.signals import Terminated, die_of, raise_on_signals, restore
from treewright.apps.cli.streams import prepare_streams
from treewright.apps.cli.terminal import for_message
from treewright.errors import TreewrightError, TreewrightWarning

FAULT = 70  # EX_SOFTWARE of sysexits.h
HELP = ("--help", "-h")


def build_parser(command: str | None) -> ArgumentParser:
    """Return the parser of the command line, with the arguments of one command."""
    from treewright import __version__

    parser = ArgumentParser(prog="treewright")
    parser.add_argument("--version", action="version", version=f"treewright {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command", parser_class=ArgumentParser)
    # A parser takes a third of a millisecond to make: with a command, that of no other is needed.
    for name in COMMANDS if command not in COMMANDS else [command]:
        subparser = commands.add_parser(name)
        if name == command:
            module = command_module(name)
            module.add_arguments(subparser)
            subparser.description = module.__doc__.strip()
    return parser


def command_module(name: str) -> Any:
    """Return the module of a command."""
    return import_module(f"treewright.apps.cli.commands.{name}_command")


def run(argv: Sequence[str] | None = None) -> int:
    """Run the command line and turn what can happen into exit codes."""
    prepare_streams()
    handlers = raise_on_signals()
    words = _help_behind(sys.argv[1:] if argv is None else argv)
    command = _whole_command(words)
    name = f"treewright {command}" if command in COMMANDS else "treewright"
    warnings.showwarning = show_warning
    warnings.simplefilter("always", TreewrightWarning)
    try:
        return _run_command(command, words)
    except TreewrightError as error:
        say(f"{name}: {error}")
        return 2
    except BrokenPipeError:
        # The reader of our output has gone: nothing is wrong.
        _abandon_output()
        return 0
    except OSError as error:
        # Files that a user names have errors of their own; what is left is what we print.
        _abandon_output()
        say(f"{name}: {error.filename or 'standard output'}: {error.strerror or error}. Check the path and the disk")
        return 2
    except KeyboardInterrupt:
        say("interrupted")
        return 130
    except MemoryError:
        say(f"{name}: out of memory. Give smaller input, or fewer threads")
        return 2
    except RecursionError:
        say(f"{name}: the input is nested too deeply")
        return 2
    except Terminated as stop:
        return die_of(stop.number)
    except Exception as error:
        return _fault(name, error)
    finally:
        restore(handlers)
        try:
            _flush()
        except OSError:
            _abandon_output()


def _fault(name: str, error: Exception) -> int:
    """Say in one line that treewright itself is wrong; no input may come here."""
    if os.environ.get("TREEWRIGHT_DEBUG"):
        import traceback

        traceback.print_exception(error)
    what = f"{type(error).__name__}: {error}"[:200].replace("\n", " ")
    say(
        f"{name}: a fault in treewright, not in your input ({what}). Please report it with the command and the"
        " input. TREEWRIGHT_DEBUG=1 shows where it is"
    )
    return FAULT


def _whole_command(words: list[str]) -> str | None:
    """Return the command; an abbreviation that means one command is replaced by it."""
    for place, word in enumerate(words):
        if word in COMMANDS:
            return word
        if not word.startswith("-"):
            matches = [name for name in COMMANDS if name.startswith(word)]
            if len(matches) == 1:
                words[place] = matches[0]
            return words[place]
    return None


def _help_behind(words: Sequence[str]) -> list[str]:
    """Return the words of a command line; ``--help parse`` and ``help parse`` become ``parse --help``."""
    first, *others = words or ("",)
    if first == "help" or (first in HELP and others):
        return [*others[:1], HELP[0], *others[1:]]
    return list(words)


def _run_command(command: str | None, words: Sequence[str]) -> int:
    if not words or words[0] in HELP:
        print(overview(), end="")
        return 0
    parser = build_parser(command)
    try:
        arguments = _parsed(parser, words)
    except SystemExit:
        _flush()
        raise
    check_outputs(arguments)
    code = int(command_module(arguments.command).run(arguments) or 0)
    _flush()
    return code


def _parsed(parser: ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Parse the command line; files may follow options, as in ``parse MODEL --confidence INPUT``.

    argparse gives up optional files at the first option behind a file.
    """
    arguments: argparse.Namespace
    arguments, rest = parser.parse_known_args(words)
    if arguments.command is None:
        parser.error(f"unrecognized arguments: {' '.join(rest)}" if rest else "no command")
    if not rest:
        return arguments
    late = [word for word in rest if word == "-" or not word.startswith("-")]
    unknown = [word for word in rest if word not in late]
    own = subparser_of(parser, arguments)
    for name in own.optional_arguments() if not unknown else ():
        value = getattr(arguments, name)
        if isinstance(value, list):
            value.extend(late)
            late.clear()
        elif late and value is None:
            setattr(arguments, name, late.pop(0))
    if unknown:
        from treewright.apps.cli.suggestions import no_option

        own.error(no_option(own, unknown[0].partition("=")[0]))
    if late:
        own.error(f"unrecognized arguments: {' '.join(late)}")
    return arguments


def subparser_of(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> ArgumentParser:
    """Return the parser of a command's own arguments, or of its action if one was chosen."""
    found = parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction) and hasattr(chosen, action.dest):
            found = subparser_of(action.choices[getattr(chosen, action.dest)], chosen)
    assert isinstance(found, ArgumentParser)
    return found


def _flush() -> None:
    """Write what was printed now, while a full disk can still be told; at exit it is too late."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _abandon_output() -> None:
    """Send what is still to be written nowhere: Python would try again at exit, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def say(message: str) -> None:
    """Print to standard error, without control characters: messages quote files and models."""
    if sys.stderr is not None:
        print(for_message(message), file=sys.stderr, flush=True)


def show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Show a warning as one line, without the place in our code."""
    say(f"warning: {message}")
