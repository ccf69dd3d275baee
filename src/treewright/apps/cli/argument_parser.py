"""The parser of one command's arguments: help by topic, and errors that are one line and a remedy.

A help page shows the options that people use. The others belong to topics: ``--help TOPIC`` shows one, ``--help all``
everything.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from treewright.apps.cli.terminal import for_message
from treewright.errors import unknown

if TYPE_CHECKING:
    from treewright.options.option import Option
    from treewright.recipes.catalogue import ListedOption

    Described = Option | ListedOption

ALL = "all"
REQUIRED = "the following arguments are required"  # how argparse begins this message


class Topic(NamedTuple):
    """Options that belong together; ``rare`` ones are on the pages of the topic and of all options alone."""

    group: argparse._ArgumentGroup
    rare: set[argparse.Action]
    described: dict[argparse.Action, Described]

    def add(self, *flags: str, common: bool = False, described: Described | None = None, **settings: Any) -> None:
        """Declare an option of the topic; what it is described with makes its help, when a page is wanted."""
        action = self.group.add_argument(*flags, **settings)
        if not common:
            self.rare.add(action)
        if described is not None:
            self.described[action] = described


class ArgumentParser(argparse.ArgumentParser):
    """An argument parser with topics."""

    def __init__(self, **settings: Any) -> None:
        # Checking arguments takes no terminal width; help pages look it up themselves.
        super().__init__(add_help=False, formatter_class=partial(argparse.HelpFormatter, width=80), **settings)
        self._positionals.title = "arguments"
        self.topic_of: dict[str, Topic] = {}  # by its word
        self._words: Sequence[str] = ()
        self.common_title = ""  # of the options that people use of all topics; without it, each topic has its own
        self.help_action = self.add_argument("-h", "--help", action=_Help, nargs="?", help="show this help")

    def topic(self, word: str, title: str) -> Topic:
        """Return the options that ``--help WORD`` shows, headed by a title."""
        if word not in self.topic_of:
            self.topic_of[word] = Topic(self.add_argument_group(title), set(), {})
        return self.topic_of[word]

    @property
    def topics(self) -> tuple[str, ...]:
        """What may follow ``--help``; nothing if the page shows all options anyway."""
        return (*self.topic_of, ALL) if any(topic.rare for topic in self.topic_of.values()) else ()

    def format_help(self) -> str:
        """Return the help page."""
        return self.help_on(None)

    def help_on(self, word: str | None) -> str:
        """Return the help page: what people use, one topic, or all."""
        from treewright.apps.cli.help_page import help_page

        if word is not None and word not in self.topics:
            if not self.topics:
                self.error(f"{word!r} is no topic of the help: one page has all options")
            self.error(unknown("topic", word, self.topics))
        return help_page(self, word)

    def usage_line(self) -> str:
        """Return how the command is called: its arguments and the options that it needs."""
        if self.usage is not None:
            return self.usage
        formatter = self._get_formatter()
        words = []
        for action in self._actions:
            if not action.option_strings:
                words.append(formatter._format_args(action, formatter._get_default_metavar_for_positional(action)))
            elif action.required:
                words.append(f"{action.option_strings[0]} {action.metavar}")
        return " ".join(["%(prog)s", *words, "[options]"])

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse what is known, and remember the words for messages."""
        self._words = args or ()
        known, rest = super().parse_known_args(args, namespace)
        return known, rest

    def optional_arguments(self) -> list[str]:
        """Return the names of arguments without a flag that may be left out, or be several."""
        return [
            action.dest for action in self._actions if not action.option_strings and action.nargs in ("?", "*", "+")
        ]

    def unknown_option(self) -> str | None:
        """Return the first of the words that looks like an option and is none, nor the beginning of one."""
        for word in self._words:
            if word == "--":
                return None
            flag = word.partition("=")[0]
            if flag.startswith("--") and not any(known.startswith(flag) for known in self._option_string_actions):
                return flag
        return None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Reject an unknown value or command, with the nearest known one."""
        if action.choices is not None and value not in action.choices:
            is_command = isinstance(action, argparse._SubParsersAction)
            message = unknown("command" if is_command else "value", str(value), map(str, action.choices))
            raise argparse.ArgumentError(None if is_command else action, message)

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with 2; an option that does not exist is more to the point than a missing one."""
        flag = self.unknown_option()
        if flag is not None and message.startswith(REQUIRED):
            from treewright.apps.cli.suggestions import no_option

            message = no_option(self, flag)
        end = "" if message.endswith("?") else "."
        self.exit(2, for_message(f"{self.prog}: {message.rstrip('.')}{end} See `{self.prog} --help`") + "\n")


class _Help(argparse.Action):
    """Prints the help page, or a part of it."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option_string: Any = None) -> None:
        assert isinstance(parser, ArgumentParser)
        print(parser.help_on(values), end="")
        parser.exit()
