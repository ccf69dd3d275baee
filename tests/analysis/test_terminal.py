"""Colours of an analysis on a terminal: what is significant stands out, and nothing else does."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.console import Console
from rich.style import Style
from rich.text import Text

import treewright as tw
from tests.analysis.made import conllu
from treewright.analysis.as_text import is_word, print_rich
from treewright.analysis.breakdowns import BreakdownRow

SENTENCE = ([0, 1], ["root", "obj"], ["VERB", "NOUN"])
ROWS = [
    BreakdownRow("NOUN", 200, 100, 100, 101, 101, 2, 3, 0.0001, significant=True),  # half a point better
    BreakdownRow("VERB", 100, 50, 50, 48, 48, 2, 0, 0.01, significant=True),
    BreakdownRow("ADJ", 100, 50, 50, 57, 57, 0, 7, 0.5),
    BreakdownRow("X", 100, 50, 50, 50, 50, 0, 0, 1.0),
]
PLAIN, GREEN, RED = Style(), "color(2)", "color(1)"


@pytest.fixture(scope="module")
def lines() -> list[Text]:
    """Return what a coloured terminal gets, line by line."""
    text = conllu([SENTENCE])
    analysis = replace(tw.analyze(text, text, text, by=["upos"]), tables={"upos": ROWS})
    stream = io.StringIO()
    with pytest.MonkeyPatch.context() as environment:
        for name, value in (("FORCE_COLOR", "1"), ("TERM", "xterm-256color"), ("COLUMNS", "120")):
            environment.setenv(name, value)
        environment.delenv("NO_COLOR", raising=False)
        print_rich(analysis, 9, stream)
    return [Text.from_ansi(line) for line in stream.getvalue().splitlines()]


@pytest.fixture
def style(lines: list[Text]) -> Callable[[str, str], Style]:
    """Return the style of a word, where it stands last in the first line that begins with another."""

    def of(start: str, word: str) -> Style:
        line = next(line for line in lines if line.plain.startswith(start))
        return line.get_style_at_offset(Console(), line.plain.rindex(word))

    return of


def test_significant_rows_are_bold(style: Callable[[str, str], Style]):
    for name, words in (("NOUN", "200"), ("VERB", "100")):
        assert style(name, name) == style(name, words) == Style(bold=True)
    for name in ("ADJ", "X"):
        assert style(name, name) == style(name, "100") == PLAIN


def test_significant_gains_are_green_and_losses_red(style: Callable[[str, str], Style]):
    assert style("NOUN", "50.50") == Style(bold=True)
    assert style("NOUN", "0.50") == Style(bold=True, color=GREEN)
    assert style("VERB", "-2.00") == Style(bold=True, color=RED)
    assert style("ADJ", "7.00") == PLAIN
    assert style("X", "0.00") == PLAIN


def test_headers_and_notes_are_dim_and_titles_bold(style: Callable[[str, str], Style]):
    assert style("upos", "upos") == style("upos", "words") == Style(dim=True)
    assert style("only A: words", "McNemar") == Style(dim=True)
    assert style("By tag", "gold") == Style(bold=True)


def test_the_summary_has_no_colours(lines: list[Text]):
    summary = lines[: next(place for place, line in enumerate(lines) if not line.plain)]
    assert summary[0].plain == "gold  (text): 2 words, 1 sentences"
    assert len(summary) >= 5
    assert [line.spans for line in summary] == [[] for _ in summary]


def test_names_stand_to_the_left_and_numbers_to_the_right(lines: list[Text]):
    header = next(place for place, line in enumerate(lines) if line.plain.startswith("upos"))
    table = [line.plain for line in lines[header : header + 5]]
    assert [line.rstrip() for line in table] == [
        "upos  words  LAS A  LAS B  B - A  only A  only B          p",
        "NOUN    200  50.00  50.50   0.50       2       3  < 0.001 *",
        "VERB    100  50.00  48.00  -2.00       2       0    0.010 *",
        "ADJ     100  50.00  57.00   7.00       0       7      0.500",
        "X       100  50.00  50.00   0.00       0       0",
    ]


@pytest.mark.parametrize(
    ("cell", "word"),
    [("obj", True), ("< 0.001", False), ("0.210", False), ("12 (3)", False), ("", False), (None, False), (1.5, False)],
)
def test_what_is_a_word(cell: str | float | None, word: bool):
    assert is_word(cell) is word
