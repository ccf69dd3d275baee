"""Help pages: the commands in groups, the options that people use, and the rest by topic."""

import pytest

from tests.apps.cli.running import refuse, succeed
from treewright.apps.cli.overview import COMMANDS, GROUPS
from treewright.apps.cli.program import build_parser, command_module
from treewright.options.topics import COMMON, TOPICS, WORDS
from treewright.recipes.catalogue import all_options


def helped(*words: str) -> str:
    return succeed(*words).decode()


def test_the_overview_fits_on_a_screen_and_has_every_command() -> None:
    page = helped("--help")
    assert page == helped() == helped("help")
    assert all(f"\n{title}:\n" in page for title in GROUPS)
    assert all(f"\n  {name} " in page for name in COMMANDS)
    assert len(page.splitlines()) <= 48
    assert max(map(len, page.splitlines())) <= 80


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_page_of_a_screen_or_two(command: str) -> None:
    page = helped(command, "--help")
    assert page == helped("--help", command) == helped("help", command)
    assert page.startswith(f"usage: treewright {command} ")
    assert len(page.splitlines()) <= 75
    assert command_module(command).__doc__.split()[0] in page


def test_common_options_come_first_and_the_rest_by_topic() -> None:
    page = helped("train", "--help")
    assert "--system" in page
    assert "--hidden" not in page
    assert len(page.splitlines()) <= 68
    assert "(default: explore)" in page
    assert "`treewright train --help TOPIC`" in page
    topic = helped("train", "--help", "neural")
    assert "--hidden" in topic
    assert "--system" not in topic
    everything = helped("train", "--help", "all")
    assert all(f"--{name.replace('_', '-')}" in everything for name in all_options())
    assert "TOPIC`" not in everything


def test_common_options_are_options_and_topics_have_words() -> None:
    assert set(all_options()) >= COMMON
    assert set(WORDS) == set(TOPICS)
    assert len(set(WORDS.values())) == len(TOPICS)


def test_an_unknown_topic_gets_the_list() -> None:
    assert "unknown topic 'nueral'. Did you mean 'neural'? Choose from parser," in refuse("train", "--help", "nueral")
    assert "one page has all options" in refuse("convert", "--help", "neural")


def test_actions_of_a_command_have_topics_too() -> None:
    assert "--tighten" not in helped("corpus", "run", "--help")
    assert "--tighten" in helped("corpus", "run", "--help", "exact")


def test_the_page_of_a_command_needs_no_other() -> None:
    assert build_parser("info").format_help().startswith("usage: treewright")
