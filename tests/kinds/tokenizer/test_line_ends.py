"""Ends of lines, judged one by one: mails, lists, headings, tables, poems, quoted text."""

from __future__ import annotations

import importlib.util
import random
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.boundaries.line_ends import Lines
from treewright.kinds.tokenizer.boundaries.lines import line_style

import treewright as tw
from treewright.kinds.tokenizer import tokenizer as tokenizer_module
from treewright.kinds.tokenizer.tokenizer import Tokenizer

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "line_ends.py"
TEXTS_BY_HAND = Path(__file__).parents[2] / "suites" / "lines.txt"
TEXTS = 60

pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="benchmarks/ is not part of the package")


@cache
def suite() -> Any:
    """The script that makes texts and scores models on them."""
    spec = importlib.util.spec_from_file_location("line_ends_suite", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["line_ends_suite"] = module
    spec.loader.exec_module(module)
    return module


@cache
def english() -> tw.Step:
    return tw.load("english-fast")


def sentences(text: str, newlines: str = "auto") -> list[str]:
    found = tokenizer().tokenize(text, newlines=newlines).decode()
    return [line.removeprefix("# text = ") for line in found.split("\n") if line.startswith("# text")]


def tokenizer() -> Tokenizer:
    step = english().steps["tokenizer"]
    assert isinstance(step, Tokenizer)
    return step


def counting_ends(text: str) -> set[int]:
    """Return the places of the ends of lines that end sentences, whatever stands between."""
    characters = Characters(text.encode())
    line_style(characters).mark(characters)
    spaces = characters.space_kinds()
    return {place for place, kind in spaces if kind in ("\n", "\u2029")}


@pytest.mark.parametrize(
    ("kind", "cut", "found"),
    [
        ("plain", 0, 0.99),
        ("mail", 0.02, 0.98),
        ("mail_with_list", 0.02, 0.98),
        ("answer", 0.02, 0.98),
        ("report", 0.02, 0.98),
        ("programming", 0.02, 0.94),
        ("verse", 0.15, 0.95),
        ("novel", 0.02, 0.98),
        ("lines", 0, 0.98),
    ],
)
def test_texts_are_not_cut_inside_sentences(kind: str, cut: float, found: float) -> None:
    scores = suite().score(english(), kind, "en", TEXTS)
    assert scores[0] <= cut, scores
    assert scores[1] >= found, scores


def test_texts_that_people_lay_out() -> None:
    cut, missed = suite().score_suite(english(), TEXTS_BY_HAND)
    assert cut <= 0.02
    assert missed <= 0.13


@pytest.mark.parametrize(
    "title", ["list with long items", "novel with indented", "answer in two depths", "tab in prose"]
)
def test_line_ends_of_any_kind_mean_the_same(title: str) -> None:
    text = next(marked.text for marked in suite().marked_texts(TEXTS_BY_HAND) if marked.title.startswith(title))
    found = [sentence.split() for sentence in sentences(text)]
    for other in (text.replace("\n", "\r\n"), text.rstrip("\n"), text.replace("\n", " \n"), "\n\n" + text):
        assert [sentence.split() for sentence in sentences(other)] == found


def test_what_a_line_begins_with_ends_no_sentence() -> None:
    text = (
        "<anna> hey is anybody here\n[09:15] Lewis: not yet\n00:00:12,000 --> 00:00:14,500\n2.1 Every boat is marked.\n"
    )
    assert sentences(text) == text.rstrip().split("\n")
    assert sentences("From: Susan Pryce\nTo: all staff\n") == ["From: Susan Pryce", "To: all staff"]


def test_a_list_of_short_items_lacks_no_full_stops() -> None:
    items = [
        "Aufbau der Tische und Bänke am Freitag ab 16 Uhr auf der Wiese",
        "Getränke ausschenken und Kuchen verkaufen",
    ]
    text = "".join(f"* {item}\n" for item in items * 3)
    assert sentences(text) == text.rstrip().split("\n")


@pytest.mark.parametrize("language", ["en", "hu", "it"])
@pytest.mark.parametrize("kind", ["mail", "mail_with_list", "answer", "report", "novel"])
def test_lines_are_judged_without_a_model(kind: str, language: str) -> None:
    maker = suite().Maker(language, random.Random(f"{kind} {language}"))
    cut = missed = ends = 0
    for _ in range(TEXTS):
        text = getattr(maker, kind)()
        found = counting_ends(text.text)
        cut += any(a < place < b for place in found for a, b in text.sentences)
        unpunctuated = {b for _, b in text.sentences if text.text[b - 1] not in ".?!" and text.text[b] == "\n"}
        ends += len(unpunctuated)
        missed += len(unpunctuated - found)
    assert cut <= 0.02 * TEXTS
    assert missed <= 0.05 * ends


@pytest.mark.parametrize(
    "kinds", [("mail", "mail_with_list", "answer", "report", "novel", "verse"), ("verse",), ("mail_with_list",)]
)
def test_a_stretch_of_text_goes_on_where_the_one_before_ended(
    kinds: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    maker = suite().Maker("en", random.Random(3))
    parts = [getattr(maker, maker.chance.choice(kinds))().text for _ in range(60)]
    text = "\n\n".join(parts).replace(".\n\n", ".\n")
    whole = tokenizer().tokenize(text)
    for stretch in (600, 1300, 1500, 2777, 4096):
        monkeypatch.setattr(tokenizer_module, "STRETCH", stretch)
        assert tokenizer().tokenize(text) == whole


def test_a_hyphen_at_the_end_of_a_line_ends_nothing() -> None:
    text = "She bought a beautiful second-\nHand bicycle from the well-\nknown shop near the old har-\nbour. He paid.\n"
    assert len(sentences(text)) == 2
    assert "second- Hand" in sentences(text)[0]


def test_marks_of_lists_and_quotations_begin_sentences() -> None:
    text = "Please bring:\n\n+ It is cold, so a coat.\n+ Its keys.\n\n> I have never been there.\n> > It is far away.\n"
    assert sentences(text)[1:] == [
        "+ It is cold, so a coat.",
        "+ Its keys.",
        "> I have never been there.",
        "> > It is far away.",
    ]


@pytest.mark.parametrize("newlines", ["paragraph", "sentence", "ignore"])
def test_what_one_says_of_lines_holds(newlines: str) -> None:
    text = "Dear Anna,\nthe baker sang a\nsong.\n\nThe girl slept"
    found = sentences(text, newlines)
    if newlines == "sentence":
        assert found == ["Dear Anna,", "the baker sang a", "song.", "The girl slept"]
    else:
        assert "the baker sang a song." in " ".join(found)
        assert "Dear Anna, the baker sang a song." in found


def test_the_width_of_a_text_and_what_it_explains() -> None:
    maker = suite().Maker("en", random.Random(1))
    text = suite().Text()
    text.add_prose(maker.some(20, 20), 72)
    lines = Lines(Characters(text.text.encode()))
    support, _, width, long_lines, ends, _, _, _ = lines.style()
    assert width == max(map(len, text.text.split("\n")))
    assert support == long_lines == ends == text.text.strip().count("\n")
