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
from treewright.apps.cli.overview import COMMANDS
from treewright.apps.cli.signals import Terminated, die_of, raise_on_signals, restore
from treewright.apps.cli.streams import prepare_streams
from treewright.apps.cli.terminal import for_message
from treewright.errors import TreewrightError, TreewrightWarning, unknown

FAULT = 70  # EX_SOFTWARE of sysexits.h
HELP = ("--help", "-h")


def build_parser(command: str) -> ArgumentParser:
    """Return the parser of a command's arguments."""
    module = command_module(command)
    parser = ArgumentParser(prog=f"treewright {command}", description=module.__doc__.strip())
    module.add_arguments(parser)
    return parser


def command_module(name: str) -> Any:
    """Return the module of a command."""
    return import_module(f"treewright.apps.cli.commands.{name}_command")


def run(argv: Sequence[str] | None = None) -> int:
    """Run the command line and turn what can happen into exit codes."""
    prepare_streams()
    handlers = raise_on_signals()
    command, words = _chosen(sys.argv[1:] if argv is None else argv)
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
            sys.stdout.flush()
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


def _chosen(words: Sequence[str]) -> tuple[str | None, Sequence[str]]:
    """Return the command, and the other words. An abbreviation that means one command counts as it.

    ``--help parse`` and ``help parse`` are ``parse --help``.
    """
    first, *others = words or ("",)
    if first == "help" or (first in HELP and others):
        words = [*others[:1], HELP[0], *others[1:]]
    for place, word in enumerate(words):
        if not word.startswith("-"):
            others = [*words[:place], *words[place + 1 :]]
            return word if word in COMMANDS else _meant(word), others
    return None, words


def _meant(word: str) -> str:
    """Return the only command that begins so, or the word itself."""
    matches = [name for name in COMMANDS if name.startswith(word)]
    return matches[0] if len(matches) == 1 else word


def _run_command(command: str | None, words: Sequence[str]) -> int:
    if command not in COMMANDS:
        return _without_command(command, words)
    parser = build_parser(command)
    try:
        arguments = _parsed(parser, words)
    except SystemExit:
        sys.stdout.flush()  # so that a full disk is still reported; at exit it is too late
        raise
    check_outputs(arguments)
    code = int(command_module(command).run(arguments) or 0)
    sys.stdout.flush()
    return code


def _without_command(command: str | None, words: Sequence[str]) -> int:
    """Say what commands there are, or which version this is; reject what is neither."""
    if command is not None:
        message = unknown("command", command, COMMANDS)
        raise TreewrightError(f"{message}{'' if message.endswith('?') else '.'} See `treewright --help`")
    if words and words[0] == "--version":
        from treewright import __version__

        print(f"treewright {__version__}")
    elif words and words[0] not in HELP:
        raise TreewrightError(f"unrecognized arguments: {' '.join(words)}. See `treewright --help`")
    else:
        from treewright.apps.cli.overview import overview

        print(overview(), end="")
    sys.stdout.flush()
    return 0


def _parsed(parser: ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Parse the arguments of a command; files may follow options, as in ``parse MODEL --confidence INPUT``.

    argparse gives up optional files at the first option behind a file.
    """
    arguments: argparse.Namespace
    arguments, rest = parser.parse_known_args(words)
    if not rest:
        return arguments
    late = [word for word in rest if word == "-" or not word.startswith("-")]
    strange = [word for word in rest if word not in late]
    own = subparser_of(parser, arguments)
    for name in own.optional_arguments() if not strange else ():
        value = getattr(arguments, name)
        if isinstance(value, list):
            value.extend(late)
            late.clear()
        elif late and value is None:
            setattr(arguments, name, late.pop(0))
    if strange:
        from treewright.apps.cli.suggestions import no_option

        own.error(no_option(own, strange[0].partition("=")[0]))
    if late:
        own.error(f"unrecognized arguments: {' '.join(late)}")
    return arguments


def subparser_of(parser: ArgumentParser, chosen: argparse.Namespace) -> ArgumentParser:
    """Return the parser of a command, or of its action if one was chosen."""
    chosen_parser = parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction) and hasattr(chosen, action.dest):
            chosen_parser = action.choices[getattr(chosen, action.dest)]
    return chosen_parser


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
