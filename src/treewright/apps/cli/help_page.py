"""The help page of a command: what people use, the options of one topic, or all of them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from textwrap import wrap
from typing import TYPE_CHECKING

from treewright.apps.cli.argument_parser import ALL, ArgumentParser
from treewright.options.option import Option

if TYPE_CHECKING:
    from treewright.apps.cli.argument_parser import Described


def help_page(parser: ArgumentParser, word: str | None) -> str:
    """Return the page of the options that people use, or of a topic, or of all options."""
    describe(parser, brief=word is None)
    formatter = _Formatter(parser.prog)
    formatter.add_usage(parser.usage_line(), (), ())
    if word in parser.topic_of:
        _add_group(formatter, parser.topic_of[word].group, ())
        return formatter.format_help()
    formatter.add_text(parser.description)
    if word is None:
        _add_common(formatter, parser)
    else:
        for group in parser._action_groups:
            _add_group(formatter, group, ())
    formatter.add_text(_more(parser) if word is None else parser.epilog)
    return formatter.format_help()


def describe(parser: ArgumentParser, brief: bool) -> None:
    """Give declared options their help, and say whether a topic may follow ``--help``."""
    for topic in parser.topic_of.values():
        for action, described in topic.described.items():
            action.help = _help_of(described, brief)
    if parser.topics:
        told = f"show this help, or the options of a topic, or {ALL}"
        parser.help_action.metavar, parser.help_action.help = "TOPIC", told
    else:
        parser.help_action.nargs = 0


class _Formatter(argparse.HelpFormatter):
    """Wraps lines between words, so that names with hyphens can be copied."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrap(text, width, break_on_hyphens=False)


def _add_common(formatter: argparse.HelpFormatter, parser: ArgumentParser) -> None:
    """Add what people use: of many topics under one title, and in few words."""
    topics = parser.topic_of.values()
    rare = {action for topic in topics for action in topic.rare}
    merged = [topic.group for topic in topics] if parser.common_title else []
    for group in parser._action_groups:
        if group not in merged:
            _add_group(formatter, group, rare)
    if merged:
        formatter.start_section(parser.common_title)
        formatter.add_arguments(a for group in merged for a in group._group_actions if a not in rare)
        formatter.end_section()


def _add_group(
    formatter: argparse.HelpFormatter, group: argparse._ArgumentGroup, left_out: Iterable[argparse.Action]
) -> None:
    actions = [action for action in group._group_actions if action not in left_out]
    if actions:
        formatter.start_section(group.title)
        formatter.add_text(group.description)
        formatter.add_arguments(actions)
        formatter.end_section()


def _more(parser: ArgumentParser) -> str | None:
    """Return the last line of a page that leaves options out: how to see them."""
    if not parser.topics:
        return parser.epilog
    *words, last = parser.topics
    topics = f"{', '.join(words)} or {last}"
    return f"There are more options: see `{parser.prog} --help TOPIC`, where TOPIC is {topics}."


def _help_of(listed: Described, brief: bool) -> str:
    """Return the help of a declared option; a brief one names the usual default alone."""
    option = listed if isinstance(listed, Option) else listed.first
    # To list learners, all installed packages are looked at.
    choices = () if listed.name == "learner" else listed.known_values()
    text, default = option.help, listed.default_in_words
    if choices:
        text += f": {', '.join(choices)}" if len(choices) > 2 else f": {' or '.join(choices)}"
    if option.type is bool:
        text += " (default: yes)" if option.default else ""
    elif default != "none":
        text += f" (default: {_usual(default) if brief and not option.many else default})"
    return text.replace("%", "%%")


def _usual(default: str) -> str:
    """Return a default in few words: that of the usual parser, without those of other kinds and cases."""
    return re.split("; | where | else ", default)[0].rstrip(",")
