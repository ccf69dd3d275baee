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
from typing import Any, NoReturn, TextIO

from treewright.apps.cli.in_and_out import check_outputs
from treewright.apps.cli.signals import Terminated, die_of, raise_on_signals, restore
from treewright.apps.cli.streams import prepare_streams
from treewright.apps.cli.terminal import for_message
from treewright.errors import TreewrightError, TreewrightWarning

#: name → what it does, in a line; the code is in the module of that name
COMMANDS = {
    "train": "train a parser on a treebank",
    "parse": "parse text with a trained parser",
    "corpus": "parse a corpus of any size, on one machine or many",
    "trace": "show a parse step by step",
    "eval": "score a parse against a gold treebank",
    "analyze": "say what a parse gets wrong, or two parses do differently",
    "tune": "search for the templates and options that suit a treebank",
    "distill": "teach a fast parser with a slow one and raw text",
    "crossval": "cross-validate a parser on a treebank",
    "validate": "check a treebank and say what is wrong where",
    "convert": "convert a treebank from one format to another",
    "show": "draw the trees and graphs of a treebank",
    "serve": "answer over HTTP, for existing clients and browsers",
    "info": "show what a model is and how it was made",
    "models": "list the models that are found by name",
    "compose": "make one model of the steps of several",
    "package": "make a package of a model that pip installs",
    "completion": "print the completion script of a shell",
    "experiment": "run a grid of trainings and compare what they give",
    "presets": "list what training as in a paper sets, and where the paper says so",
    "features": "show, check and convert feature models",
}
#: options that were renamed; the old names go on with a warning
OLD_FLAGS = {"--guide": "--adviser", "--kbest": "--k-best"}
FAULT = 70  # EX_SOFTWARE of sysexits.h
EXAMPLES = """\
examples:
  treewright train train.conllu --dev dev.conllu -o english.tw
  treewright parse english.tw input.conllu -o parsed.conllu
  treewright eval gold.conllu parsed.conllu --by deprel
"""


class ArgumentParser(argparse.ArgumentParser):
    """An argument parser whose errors are one line and a remedy."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Reject an unknown value or command, with the nearest known one."""
        if action.choices is not None and value not in action.choices:
            from treewright.errors import nearest

            known = [str(choice) for choice in action.choices]
            match = nearest(str(value), known)
            hint = f"did you mean {match}?" if match else f"choose from {', '.join(known)}"
            is_command = isinstance(action, argparse._SubParsersAction)
            what = f"no command {value!r}" if is_command else f"unknown value {value!r}"
            raise argparse.ArgumentError(None if is_command else action, f"{what}, {hint}")

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with 2."""
        end = "" if message.endswith("?") else "."
        self.exit(2, for_message(f"{self.prog}: {message.rstrip('.')}{end} See `{self.prog} --help`") + "\n")


def build_parser(command: str | None) -> ArgumentParser:
    """Return the parser of the command line, with the arguments of one command."""
    from treewright import __version__

    parser = ArgumentParser(
        prog="treewright",
        description="Build dependency parsers: train, parse, score.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"treewright {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command", parser_class=ArgumentParser)
    # A parser takes a third of a millisecond to make: with a command, that of no other is needed.
    for name, help_text in COMMANDS.items() if command not in COMMANDS else [(command, COMMANDS[command])]:
        subparser = commands.add_parser(name, help=help_text, description=help_text.capitalize() + ".")
        if name == command:
            module = command_module(name)
            module.add_arguments(subparser)
            if module.__doc__:
                subparser.description = module.__doc__.split("\n\n")[0]
    return parser


def command_module(name: str) -> Any:
    """Return the module of a command."""
    return import_module(f"treewright.apps.cli.commands.{name}_command")


def run(argv: Sequence[str] | None = None) -> int:
    """Run the command line and turn what can happen into exit codes."""
    prepare_streams()
    handlers = raise_on_signals()
    words = _current_flags(sys.argv[1:] if argv is None else argv)
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
    place = next((place for place, word in enumerate(words) if not word.startswith("-")), None)
    if place is None:
        return None
    matches = [name for name in COMMANDS if name.startswith(words[place])]
    if words[place] not in COMMANDS and len(matches) == 1:
        words[place] = matches[0]
    return words[place]


def _run_command(command: str | None, words: Sequence[str]) -> int:
    parser = build_parser(command)
    try:
        arguments = _parsed(parser, words)
    except SystemExit:
        _flush()
        raise
    if arguments.command is None:
        parser.print_help()
        return 0
    check_outputs(arguments)
    code = int(command_module(arguments.command).run(arguments) or 0)
    _flush()
    return code


def _parsed(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Parse the command line; files may follow options, as in ``parse MODEL --confidence INPUT``.

    argparse gives up optional files at the first option behind a file. A command names its own in LATE.
    """
    arguments, rest = parser.parse_known_args(words)
    if rest and arguments.command is None:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    names = getattr(command_module(arguments.command), "LATE", ()) if rest else ()
    late = [word for word in rest if word == "-" or not word.startswith("-")]
    unknown = [word for word in rest if word not in late]
    for name in names if not unknown else ():
        value = getattr(arguments, name)
        if isinstance(value, list):
            value.extend(late)
            late.clear()
        elif late and value in (None, "-"):
            setattr(arguments, name, late.pop(0))
    if unknown or late:
        subparser_of(parser, arguments.command).error(_unknown_words(parser, arguments.command, unknown or late))
    return arguments


def _current_flags(words: Sequence[str]) -> list[str]:
    """Return the words of a command with renamed options under their new names, with a warning."""
    current = []
    for word in words:
        flag, sign, value = word.partition("=")
        if flag in OLD_FLAGS:
            say(f"warning: {flag} is now called {OLD_FLAGS[flag]}")
            word = OLD_FLAGS[flag] + sign + value
        current.append(word)
    return current


def subparser_of(parser: argparse.ArgumentParser, command: str) -> argparse.ArgumentParser:
    """Return the parser of a command's own arguments."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found: argparse.ArgumentParser = action.choices[command]
            return found
    return parser


def _unknown_words(parser: argparse.ArgumentParser, command: str, words: list[str]) -> str:
    """Return what to say of arguments that a command does not have, with the nearest option that it has."""
    from treewright.errors import nearest

    known = [flag for action in subparser_of(parser, command)._actions for flag in action.option_strings]
    match = nearest(words[0].partition("=")[0], known)
    hint = f". Did you mean {match}?" if match else ""
    return f"unrecognized arguments: {' '.join(words)}{hint}"


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
