"""What is seen of lines, and what the ends of some are taken for, without the weights that judge most of them."""

from __future__ import annotations

import pytest
from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.boundaries.line_ends import Lines
from treewright.kinds.tokenizer.boundaries.lines import LineStyle, lacking_marks

LINE_END, NO_STOPS = "\n", 2
AFTER_ITEMS = 7  # the feature that tells what a line is an item of


def features(text: str, width: int = 40, wide: int = 2) -> list[list[int]]:
    """Return the features of the ends of lines, which a width explains well."""
    return [found for _, found in Lines(Characters(text.encode()), wide).features_of_ends(width, 10, 4)]


def ends_kept(text: str) -> int:
    """Count the ends of lines that end sentences where nearly all do."""
    characters = Characters(text.encode())
    LineStyle("sentence", each=True, guessed=True).mark(characters)
    return sum(kind == LINE_END for _, kind in characters.space_kinds())


@pytest.mark.parametrize(("end", "kept"), [(".", 1), ('."', 1), (".)", 1), ("", 0), ('"', 0)])
def test_a_small_letter_goes_on_with_the_line_before_unless_that_ended(end: str, kept: int) -> None:
    assert ends_kept(f"She said it{end}\nthen left.\n\nIt rained") == kept


def test_a_word_that_would_just_have_fitted_was_not_moved_for_lack_of_room() -> None:
    text = "a" * 30 + " it\n" + "b" * 6 + " and more"  # with a space, 40 columns
    assert features(text, 40) != features(text, 39)


def test_ideographs_move_with_the_signs_that_no_line_begins_with() -> None:
    """So lines of 36 and 40 columns may both be as wide as there was room."""
    rows = ["字" * 20, "字" * 18, "字" * 20]
    assert Lines(Characters("\n".join(rows).encode())).style()[0] == 2


def test_what_follows_an_item_belongs_to_it() -> None:
    found = [features(f"{first} of the list\nthat goes on\nand on")[1] for first in ("1. item", "The item")]
    assert found[0][AFTER_ITEMS] != found[1][AFTER_ITEMS]


@pytest.mark.parametrize(("length", "joined"), [(9, False), (10, True), (11, False)])
def test_lines_that_are_as_long_as_all_are_cut_within_words(length: int, joined: bool) -> None:
    """Where ideographs count as one column."""
    text = Characters(f"{'a' * length}\nb c".encode())
    before = text.n
    LineStyle("sentence", 10, 1, each=True, guessed=True).mark(text)
    assert (text.n < before) == joined


@pytest.mark.parametrize(("stop", "lacks"), [("it etc. and", False), ("it ab. and", True), ("it 10. and", True)])
def test_stops_after_a_few_letters_end_no_sentence_for_sure(stop: str, lacks: bool) -> None:
    assert lacking_marks(Characters(f"He saw {stop} so on, ".encode() * 10)) & NO_STOPS == (NO_STOPS if lacks else 0)


@pytest.mark.parametrize(
    ("text", "lacks"), [("字" * 40, False), ("字" * 80, True), ("字" * 40 + "，" + "字" * 40, False)]
)
def test_two_ideographs_are_about_a_word(text: str, lacks: bool) -> None:
    """Thirty words without a full stop are needed to miss one, and with commas between ideographs none is missed."""
    assert bool(lacking_marks(Characters(text.encode()))) == lacks
