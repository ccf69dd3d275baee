"""The parser of one command's arguments: help by topic, and errors that are one line and a remedy.

A help page shows the options that people use. The others belong to topics: ``--help TOPIC`` shows one, ``--help all``
everything.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
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


class _Formatter(argparse.HelpFormatter):
    """Wraps lines between words, so that names with hyphens can be copied."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        from textwrap import wrap

        return wrap(text, width, break_on_hyphens=False)


class ArgumentParser(argparse.ArgumentParser):
    """An argument parser with topics."""

    def __init__(self, **settings: Any) -> None:
        # What checks the arguments need not know how wide the terminal is; the pages ask for themselves.
        super().__init__(add_help=False, formatter_class=partial(_Formatter, width=80), **settings)
        self._positionals.title = "arguments"
        self._topics: dict[str, Topic] = {}
        self._words: Sequence[str] = ()
        self.common_title = ""  # of the options that people use of all topics; without it, each topic has its own
        self._help = self.add_argument("-h", "--help", action=_Help, nargs="?", help="show this help")

    def topic(self, word: str, title: str) -> Topic:
        """Return the options that ``--help WORD`` shows, headed by a title."""
        if word not in self._topics:
            self._topics[word] = Topic(self.add_argument_group(title), set(), {})
        return self._topics[word]

    @property
    def topics(self) -> tuple[str, ...]:
        """What may follow ``--help``; nothing if the page shows all options anyway."""
        return (*self._topics, ALL) if any(topic.rare for topic in self._topics.values()) else ()

    def help_on(self, word: str | None) -> str:
        """Return the help page: what people use, one topic, or all."""
        if word is not None and word not in self.topics:
            if not self.topics:
                self.error(f"{word!r} is no topic of the help: one page has all options")
            self.error(unknown("topic", word, self.topics))
        self.describe(brief=word is None)
        formatter = _Formatter(self.prog)
        formatter.add_usage(self.usage_line(), (), ())
        if word in self._topics:
            self._add_group(formatter, self._topics[word].group, ())
            return formatter.format_help()
        formatter.add_text(self.description)
        if word is None:
            self._add_common(formatter)
        else:
            for group in self._action_groups:
                self._add_group(formatter, group, ())
        formatter.add_text(self._more() if word is None else self.epilog)
        return formatter.format_help()

    def _add_common(self, formatter: _Formatter) -> None:
        """Add what people use: of many topics under one title, and in few words."""
        rare = {action for topic in self._topics.values() for action in topic.rare}
        merged = [topic.group for topic in self._topics.values()] if self.common_title else []
        for group in self._action_groups:
            if group not in merged:
                self._add_group(formatter, group, rare)
        if merged:
            formatter.start_section(self.common_title)
            formatter.add_arguments(a for group in merged for a in group._group_actions if a not in rare)
            formatter.end_section()

    def describe(self, brief: bool) -> None:
        """Give declared options their help, and say whether a topic may follow ``--help``."""
        from treewright.apps.cli.declared_arguments import help_of

        for topic in self._topics.values():
            for action, described in topic.described.items():
                action.help = help_of(described, brief)
        if self.topics:
            self._help.metavar, self._help.help = "TOPIC", f"show this help, or the options of a topic, or {ALL}"
        else:
            self._help.nargs = 0

    def _add_group(
        self, formatter: argparse.HelpFormatter, group: argparse._ArgumentGroup, left_out: Iterable[argparse.Action]
    ) -> None:
        actions = [action for action in group._group_actions if action not in left_out]
        if actions:
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(actions)
            formatter.end_section()

    def _more(self) -> str | None:
        """Return the last line of a page that leaves options out: how to see them."""
        if not self.topics:
            return self.epilog
        *words, last = self.topics
        topics = f"{', '.join(words)} or {last}"
        return f"There are more options: see `{self.prog} --help TOPIC`, where TOPIC is {topics}."

    def format_help(self) -> str:
        """Return the help page."""
        return self.help_on(None)

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
