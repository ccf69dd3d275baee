"""Long sentences in rows: every arc is there, whole or with both of its ends, and nothing is wider than asked for."""

import re
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.display.made import pictures
from treewright.display import svg
from treewright.display.picture import Arc, CutArc, MultiwordToken, Picture, Word
from treewright.display.svg_rows import MOST_STUBS, lay_out_rows

SVG = "{http://www.w3.org/2000/svg}"


def chain(n, rtl=False):
    """A sentence of n words, each with the next as its head, and the first word's arc from the last."""
    words = [Word(f"word{k}", "NOUN", str(k)) for k in range(1, n + 1)]
    arcs = [Arc(k + 1, k, "nmod:poss") for k in range(1, n)] + [Arc(0, n, "root"), Arc(n, 1, "punct")]
    return Picture(words, arcs, right_to_left=rtl)


def shown_words(layout):
    places = range(1, len(layout.picture.words) + 1)
    return [layout.picture.words[place - 1] for place in places if not layout.is_margin(place)]


@settings(max_examples=80, deadline=None)
@given(pictures(), st.sampled_from([0, 150, 300, 600]), st.booleans())
def test_rows_hold_every_word_once_and_every_arc(picture, width, rtl):
    numbered = [Word(word.text, word.tag, str(k)) for k, word in enumerate(picture.words, 1)]
    picture = Picture(numbered, picture.arcs, right_to_left=rtl)
    rows = lay_out_rows(picture, width)
    read = [shown_words(row)[:: -1 if rtl else 1] for row in rows]
    assert [word for row in read for word in row] == numbered
    if not width:
        assert len(rows) == 1
    if len(rows) == 1:
        assert len(rows[0].bows) == len(picture.arcs)
        return
    whole = sum(not isinstance(bow.arc, CutArc) for row in rows for bow in row.bows)
    at_dependent = sum(isinstance(bow.arc, CutArc) and bow.arrow is not None for row in rows for bow in row.bows)
    assert whole + at_dependent == len(picture.arcs)  # cut arcs are always there at their dependents
    for row in rows:
        assert row.width <= width or len(shown_words(row)) == 1
        for bow in row.bows:
            assert bow.open_left or bow.open_right or not isinstance(bow.arc, CutArc)
            assert bow.label_x - bow.label_width / 2 >= 0
            assert bow.label_x + bow.label_width / 2 <= row.width


def test_a_cut_arc_names_its_other_end():
    for rtl in (False, True):
        rows = lay_out_rows(chain(30, rtl), 500)
        (first,) = [bow for bow in rows[0].bows if isinstance(bow.arc, CutArc) and bow.arc.label == "punct"]
        (last,) = [bow for bow in rows[-1].bows if isinstance(bow.arc, CutArc) and bow.arc.label == "punct"]
        pointer = "▸" if rtl else "◂"  # to the first word, from the last
        assert first.label == (f"30{pointer} punct" if rtl else f"punct {pointer}30")
        assert last.label == (f"punct {pointer}1" if rtl else f"1{pointer} punct")
        assert first.arrow is not None
        assert last.arrow is None


def test_a_head_with_many_dependents_elsewhere_shows_the_nearest():
    words = [Word(f"word{k}", number=str(k)) for k in range(1, 101)]
    picture = Picture(words, [Arc(1, k, "conj") for k in range(2, 101)])
    rows = lay_out_rows(picture, 400)
    leaving = [bow.arc.at_right for bow in rows[0].bows if isinstance(bow.arc, CutArc)]
    assert len(leaving) == MOST_STUBS
    inside = len(rows[0].bows) - MOST_STUBS
    assert leaving[0] == f"▸{inside + 2}"


def test_a_drawing_in_rows_is_narrow_and_numbered():
    drawn = ElementTree.fromstring(svg.draw_pictures([chain(41)], width=700))
    assert float(drawn.get("width")) <= 700
    texts = [node.text for node in drawn.iter(SVG + "text")]
    assert {"word1", "word41", "1", "41"} <= set(texts)
    whole = ElementTree.fromstring(svg.draw_pictures([chain(41)], width=0))
    assert float(whole.get("width")) > 2000
    assert "41" not in [node.text for node in whole.iter(SVG + "text")]


def test_multiword_tokens_stand_over_their_words():
    words = [Word("de", "ADP", "1"), Word("le", "DET", "2"), Word("pain", "NOUN", "3")]
    picture = Picture(words, [Arc(3, 1, "case"), Arc(3, 2, "det")], tokens=[MultiwordToken(1, 2, "du")])
    drawn = svg.draw_pictures([picture])
    places = {
        node.text: (float(node.get("x")), float(node.get("y")))
        for node in ElementTree.fromstring(drawn).iter(SVG + "text")
    }
    assert places["du"][1] < places["de"][1] == places["le"][1]
    assert places["de"][0] < places["du"][0] < places["le"][0]
    assert picture.mirrored().tokens == [MultiwordToken(2, 3, "du")]
    # The arrows of its words end above it, the legs of the others go down to the words.
    feet = sorted({float(y) for y in re.findall(r"M[\d.]+ ([\d.]+)V", drawn)})
    assert feet[-1] - feet[0] > 10


def test_a_token_may_be_cut():
    words = [Word("w" * 30, number=str(k)) for k in range(1, 5)]
    picture = Picture(words, [Arc(1, 2, "a"), Arc(2, 3, "b"), Arc(3, 4, "c")], tokens=[MultiwordToken(1, 4, "all")])
    rows = lay_out_rows(picture, 500)
    assert len(rows) > 1
    assert all([token.text for token in row.picture.tokens] == ["all"] for row in rows)
