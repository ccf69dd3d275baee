"""SVG drawings: nothing lies on anything else, and whatever the text is, the result is XML."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.display.made import pictures
from treewright.display import svg, svg_style
from treewright.display.picture import Arc, Picture, Word, make_picture
from treewright.display.relation_colours import COLOURS, colour_of
from treewright.display.svg_layout import lay_out
from treewright.errors import TreewrightError

SVG = "{http://www.w3.org/2000/svg}"


@settings(max_examples=80, deadline=None)
@given(pictures())
def test_arcs_and_labels_keep_clear_of_each_other(picture):
    layout = lay_out(picture)
    for side in (False, True):
        bows = [bow for bow in layout.bows if bow.arc.below is side]
        for one in bows:
            half = one.label_width / 2
            for other in bows:
                if one is other:
                    continue
                runs_meet = one.left <= other.right and other.left <= one.right
                upright = one.arc.is_upright or other.arc.is_upright
                assert upright or not (runs_meet and one.height == other.height), "two arcs lie on each other"
                labels_meet = abs(one.label_x - other.label_x) < half + other.label_width / 2
                assert not (labels_meet and one.height == other.height), "two labels lie on each other"
                for leg in (other.left, other.right):
                    crossed = abs(leg - one.label_x) < half and other.height > one.height
                    assert not crossed, "a leg crosses a label"


@settings(max_examples=50, deadline=None)
@given(pictures())
def test_labels_stand_on_their_arcs_and_in_the_drawing(picture):
    layout = lay_out(picture)
    for bow in layout.bows:
        assert bow.label_x - bow.label_width / 2 >= 0
        assert bow.label_x + bow.label_width / 2 <= layout.width
        if not bow.arc.is_upright:
            assert bow.left < bow.label_x - bow.label_width / 2
            assert bow.label_x + bow.label_width / 2 < bow.right


@settings(max_examples=50, deadline=None)
@given(pictures())
def test_words_do_not_overlap(picture):
    layout = lay_out(picture)
    for k in range(len(layout.edges) - 1):
        assert layout.edges[k] + layout.widths[k] < layout.edges[k + 1]


@given(st.text(), st.text(), st.text())
def test_any_text_gives_xml(word, tag, label):
    picture = Picture([Word(word, tag), Word("x")], [Arc(2, 1, label), Arc(1, 2, label, below=True)], label, word)
    root = ElementTree.fromstring(svg.draw_pictures([picture, picture]))
    assert root.tag == SVG + "svg"


def test_text_is_escaped():
    drawn = svg.draw(["<script>alert(1)</script>", "&amp;"], [(1, 2, "<b>\"'&")])
    texts = [node.text for node in ElementTree.fromstring(drawn).iter(SVG + "text")]
    assert sorted(texts) == sorted(["<script>alert(1)</script>", "&amp;", "<b>\"'&"])
    assert "<script" not in drawn


def test_plain_data():
    drawn = svg.draw(["We", "saw", "it"], [(2, 1, "nsubj"), (0, 2, "root"), (2, 3, "obj")])
    root = ElementTree.fromstring(drawn)
    assert [node.text for node in root.iter(SVG + "text")] == ["nsubj", "root", "obj", "We", "saw", "it"]
    assert len([node for node in root.iter(SVG + "path") if node.get("class") == "tw-arrow"]) == 3


def test_nothing_at_all():
    assert ElementTree.fromstring(svg.draw([], [])).tag == SVG + "svg"


@pytest.mark.parametrize("arc", [(3, 1, "x"), (1, 3, "x"), (-1, 1, "x"), (1, 0, "x")])
def test_arcs_to_words_that_are_not_there_are_refused(arc):
    with pytest.raises(TreewrightError, match="out of range"):
        svg.draw(["a", "b"], [arc])


def test_a_word_may_be_its_own_head():
    assert "↺self" in svg.draw(["a"], [(1, 1, "self")])


def test_right_to_left_is_mirrored():
    layout = lay_out(make_picture(["אחת", "שתיים"], [(1, 2, "x")]))
    assert [word.text for word in layout.picture.words] == ["שתיים", "אחת"]
    assert layout.bows[0].arrow == layout.bows[0].left


def test_dark_ground_is_in_the_style_sheet():
    drawn = svg.draw(["a"], [(0, 1, "root")])
    light, dark = drawn.split("@media (prefers-color-scheme:dark)")
    assert COLOURS["root"].light in light
    assert COLOURS["root"].dark in dark
    assert "<style>" not in svg.draw_pictures([make_picture(["a"], [])], styled=False)


def contrast(one, other):
    def luminance(colour):
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", COLOURS.values(), ids=COLOURS)
def test_colours_can_be_read_on_their_ground(colour):
    assert contrast(colour.light, svg_style.GROUND[0]) >= 4.5
    assert contrast(colour.dark, svg_style.GROUND[1]) >= 4.5


def test_relations_have_colours():
    assert colour_of("nsubj:pass") is colour_of("nsubj") is COLOURS["core"]
    assert colour_of("OBL") is COLOURS["oblique"]
    assert colour_of("nobody-has-this") is colour_of("nobody-has-this:sub")
    assert colour_of("nsubj", "wrong-head") is COLOURS["wrong"]


def test_size_grows_with_the_sentence_not_faster():
    def length(n):
        return len(svg.draw(["word"] * n, [(k, k + 1, "dep") for k in range(1, n)]))

    assert length(800) < 2.2 * length(400)


def test_positions_are_short_numbers():
    drawn = svg.draw(["a", "b"], [(1, 2, "x")])
    assert not re.search(r"\d\.\d\d", drawn.split("</style>")[1])
