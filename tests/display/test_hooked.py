"""Drawings for pages: every word and every arc has its name, in one row or in several, in both directions."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.display.made import pictures
from treewright.display.hooked import hooked
from treewright.display.picture import Arc, Picture, Word
from treewright.display.svg import draw_hooked
from treewright.display.svg_rows import lay_out_rows


@settings(max_examples=60, deadline=None)
@given(pictures(), st.sampled_from([0, 200, 500]), st.booleans())
def test_words_and_arcs_have_names(picture, width, rtl):
    numbered = [Word(word.text, word.tag, str(n)) for n, word in enumerate(picture.words, 1)]
    drawn = draw_hooked(hooked(Picture(numbered, picture.arcs, right_to_left=rtl)), width)
    assert sorted(map(int, re.findall(r'data-id="(\d+)"', drawn))) == list(range(1, len(numbered) + 1))
    named = {
        (int(head), int(dependent))
        for head, dependent in re.findall(r'data-head="(\d+)" data-dependent="(\d+)"', drawn)
    }
    assert named == {(arc.head, arc.dependent) for arc in picture.arcs}


def test_what_is_suggested_is_stronger_the_less_sure_it_is():
    words = [Word(text, "", str(n)) for n, text in enumerate("abc", 1)]
    picture = Picture(words, [Arc(0, 1, "root"), Arc(1, 2, "obj"), Arc(1, 3, "obl")])
    drawn = draw_hooked(hooked(picture, {"2": 0.9, "3": 0.2}, suggested=True))
    weights = dict(re.findall(r'data-dependent="(\d)" style="--weight:([\d.]+)"', drawn))
    assert float(weights["3"]) > float(weights["2"])
    assert drawn.count("tw-suggested") == 2
    assert 'aria-label="3 c, obl of a, suggested, 20 % sure"' in drawn
    assert "tw-suggested" not in draw_hooked(hooked(picture, {"2": 0.9}))


def test_rows_are_evenly_full():
    """Nothing stands alone in the last row."""
    for n in range(12, 60):
        words = [Word(f"word{k}", "NOUN", str(k)) for k in range(1, n + 1)]
        rows = lay_out_rows(Picture(words, [Arc(k + 1, k, "dep") for k in range(1, n)]), 600)
        sizes = [len(row.picture.words) - sum(row.margins) for row in rows]
        assert len(rows) == 1 or min(sizes) > max(sizes) / 2
