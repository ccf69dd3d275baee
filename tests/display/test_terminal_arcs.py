"""Drawings in the terminal: what a reader who follows the lines finds is what was to be drawn."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.display.made import Reading, pictures
from treewright.display.cells import cell_width
from treewright.display.picture import Arc, Picture, Word, make_picture
from treewright.display.terminal_arcs import draw_arcs

SENTENCE = make_picture(
    ["We", "painted", "the", "old", "boat", "."],
    [(2, 1, "nsubj"), (0, 2, "root"), (5, 3, "det"), (5, 4, "amod"), (2, 5, "obj"), (2, 6, "punct")],
)


def plain(picture):
    """Return a picture whose words cannot be taken for anything else."""
    words = [Word(f"w{place}", number=str(place)) for place in range(1, len(picture.words) + 1)]
    return Picture(words, picture.arcs)


def arcs_of(picture):
    return {(arc.head, arc.dependent, arc.label, arc.below) for arc in picture.arcs}


@settings(max_examples=150, deadline=None)
@given(pictures(), st.sampled_from([24, 40, 60, 80, 200]))
def test_every_arc_can_be_read_from_the_drawing(picture, width):
    picture = plain(picture)
    lines = draw_arcs(picture, width)
    words = {word.text for word in picture.words}
    assert Reading(lines, words).arcs == arcs_of(picture)


def test_rows_are_widened_until_no_leg_crosses_a_number():
    roots = [(0, place, f"r{place}") for place in (1, 2, 3, 4, 6, 7, 11)]
    others = [(1, 13, "r13"), (7, 10, "r10"), (9, 5, "r5"), (9, 12, "r12"), (10, 14, "r14"), (12, 8, "r8")]
    picture = plain(make_picture([f"w{place}" for place in range(1, 15)], roots + others))
    lines = draw_arcs(picture, 40)
    assert Reading(lines, {word.text for word in picture.words}).arcs == arcs_of(picture)


@settings(max_examples=60, deadline=None)
@given(pictures(), st.integers(30, 100), st.booleans())
def test_no_line_is_wider_than_the_terminal(picture, width, ascii_only):
    for line in draw_arcs(picture, width, ascii_only):
        assert cell_width(line) <= width


@settings(max_examples=60, deadline=None)
@given(pictures(), st.sampled_from([30, 80]))
def test_ascii_and_unicode_differ_in_signs_alone(picture, width):
    lines, simple = draw_arcs(plain(picture), width), draw_arcs(plain(picture), width, ascii_only=True)
    assert [len(line) for line in lines] == [len(line) for line in simple]
    assert all(line.isascii() for line in simple)


def test_a_sentence():
    lines = draw_arcs(SENTENCE, 80)
    assert lines[-1].split() == ["We", "painted", "the", "old", "boat", "."]
    assert [line.strip()[:1] for line in lines] == ["r", "│", "│", "│", "┌", "▼", "W"]
    arcs = {(head, dependent, label) for head, dependent, label, _ in Reading(lines, {"painted"}).arcs}
    assert arcs == {(arc.head, arc.dependent, arc.label) for arc in SENTENCE.arcs}


def test_dependents_have_arrows_and_heads_have_none():
    lines = draw_arcs(make_picture(["old", "boat"], [(2, 1, "amod")]), 80)
    assert lines == [" ┌─amod─┐", " ▼      │", "old    boat"]


def test_wide_characters_take_two_cells():
    picture = make_picture(["木", "を", "見る"], [(3, 1, "obj"), (1, 2, "case"), (0, 3, "root")])
    lines = draw_arcs(picture, 80)
    words = lines[-1]
    arrows = lines[-2]
    for text in ("木", "を", "見る"):
        start = cell_width(words[: words.index(text)])
        assert any(arrows[column] == "▼" for column in range(start, start + cell_width(text)))


def test_combining_marks_take_none():
    picture = make_picture(["e\u0301t\u00e9", "x"], [(1, 2, "a")])
    same = make_picture(["ete", "x"], [(1, 2, "a")])
    assert cell_width(draw_arcs(picture, 80)[-1]) == cell_width(draw_arcs(same, 80)[-1])


def test_right_to_left_starts_at_the_right_and_each_word_is_kept_in_its_place():
    picture = make_picture(["הילדה", "אכלה"], [(2, 1, "nsubj"), (0, 2, "root")])
    assert picture.right_to_left
    words = draw_arcs(picture, 80)[-1]
    assert words.index("אכלה") < words.index("הילדה")
    assert words.count("\u2067") == words.count("\u2069") == 2
    assert "\u2067" not in draw_arcs(picture, 80, ascii_only=True)[-1]


def test_colours_change_nothing_else():
    import re

    coloured = draw_arcs(SENTENCE, 40, coloured=True)
    assert any("\x1b[" in line for line in coloured)
    assert [re.sub("\x1b\\[[0-9;]*m", "", line) for line in coloured] == draw_arcs(SENTENCE, 40)


def test_text_cannot_give_orders_to_the_terminal():
    picture = make_picture(["a\x1b[31mb", "c\rd", "e\u202ef"], [(1, 2, "x\x07y")])
    text = "\n".join(draw_arcs(picture, 80))
    assert not set(text) & {"\x1b", "\r", "\x07", "\u202e"}


def test_a_word_wider_than_the_terminal_is_cut():
    lines = draw_arcs(make_picture(["x" * 300, "y"], [(1, 2, "a")]), 40)
    assert max(map(len, lines)) <= 40
    assert "…" in "".join(lines)


def test_arcs_of_many_dependents_elsewhere_do_not_fill_the_screen():
    n = 400
    picture = make_picture([f"w{k}" for k in range(n)], [(1, k, "dep") for k in range(2, n + 1)])
    lines = draw_arcs(picture, 80)
    first_row = lines[: lines.index("")]
    assert len(first_row) < 40
    assert len(Reading(lines, {"w0", "w399"} | {f"w{k}" for k in range(n)}).arcs) == n - 1


def test_marks_are_seen_without_colours():
    words = [Word("a"), Word("b"), Word("c")]
    arcs = [Arc(2, 1, "x", mark="wrong-head"), Arc(2, 3, "y→z", mark="wrong-label"), Arc(3, 1, "x", True, "missed")]
    text = "\n".join(draw_arcs(Picture(words, arcs), 80))
    assert "✗x" in text
    assert "y→z" in text
    assert "✓x" in text
    text = "\n".join(draw_arcs(Picture(words, arcs), 80, ascii_only=True))
    assert "!x" in text
    assert "y->z" in text
    assert "+x" in text


def test_nothing_to_draw():
    assert "".join(draw_arcs(Picture([], []), 80)) == ""


@pytest.mark.parametrize("width", [1, 5, 10])
def test_a_terminal_too_narrow_still_gets_a_drawing(width):
    lines = draw_arcs(SENTENCE, width)
    assert "painted" in "".join(lines)
