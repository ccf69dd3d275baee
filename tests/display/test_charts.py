"""Charts: values stand where they belong, and the drawing is well-formed whatever is in it."""

from __future__ import annotations

import re
from math import cos, radians, sin
from xml.dom.minidom import parseString

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.display.charts.chart import HEIGHT, MARKS, SLANT, WIDTH, Axes, Point, Series, chart, legend
from treewright.display.charts.heat_map import heat_map
from treewright.display.charts.scale import scale_for, shown
from treewright.display.charts.style import DARK, LETTER, LIGHT, chart_style
from treewright.evaluation.breakdown import ranges

values = st.lists(st.floats(1e-6, 1e12), min_size=1, max_size=20)


@given(values, st.booleans())
def test_all_values_and_ticks_are_within_the_axis(found, log):
    scale = scale_for(found, 10, 90, log)
    for value in found:
        assert 10 - 1e-6 <= scale.place(value) <= 90 + 1e-6
    ticks = scale.ticks()
    assert 1 <= len(ticks) <= 12
    assert ticks == sorted(set(ticks))
    for tick in ticks:
        assert 10 - 0.1 <= scale.place(tick) <= 90 + 0.1


@given(values, st.booleans())
def test_order_is_kept(found, log):
    scale = scale_for(found, 90, 10, log)
    places = [scale.place(value) for value in sorted(found)]
    assert places == sorted(places, reverse=True)


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (0.25, "0.25"), (82.5, "82.5"), (1500, "1,500"), (20_000, "20k"), (3.5e6, "3.5M")]
)
def test_numbers_at_axes(value, text):
    assert shown(value) == text


@given(st.lists(st.tuples(st.floats(0, 1e6), st.floats(-100, 100), st.none() | st.floats(0, 5)), max_size=8), st.text())
def test_charts_are_well_formed(points, name):
    name = re.sub("[^ -~<>&\"'äλ]", "", name)
    series = [Series(name, [Point(x, y, name, spread) for x, y, spread in points], 3, True)]
    drawn = parseString(chart(series, Axes(name, "LAS"), name))
    circles = drawn.getElementsByTagName("circle")
    assert len(circles) == len(points)
    for circle in circles:
        assert 0 <= float(circle.getAttribute("cx")) <= WIDTH
        assert 0 <= float(circle.getAttribute("cy")) <= HEIGHT
    parseString(legend(series))


def test_every_mark_has_its_own_shape():
    drawn = {chart([Series("s", [Point(1, 5)], mark=mark)], Axes("x", "y")) for mark in range(MARKS)}
    assert len(drawn) == MARKS
    for text in drawn:
        dots = re.findall('class="dot"', text)
        assert len(dots) == 1
        parseString(text)
        assert all(f".m{mark} " in chart_style() for mark in range(1, MARKS))


def test_names_at_an_axis_stand_only_where_there_are_values():
    text = chart([Series("s", [Point(1, 5), Point(2, 6)])], Axes("length", "LAS", names=["short", "middle", "long"]))
    assert "middle" in text
    assert "long" in text
    assert "short" not in text


def test_names_without_room_side_by_side_are_slanted_and_stay_within_the_chart():
    names = [f"{side} {k}-{k + 9}" for side in ("left", "right") for k in range(1, 80, 10)]
    series = [Series("s", [Point(k, 5) for k in range(len(names))])]
    drawn = parseString(chart(series, Axes("x", "y", names=names))).documentElement
    turned = [node for node in drawn.getElementsByTagName("text") if node.hasAttribute("transform")]
    assert [node.firstChild.data for node in turned] == [*names, "y"]
    height = float(drawn.getAttribute("viewBox").split()[3])
    for node in turned[:-1]:
        x, y = map(float, re.match(r"translate\((\S+) (\S+)\) rotate\(-40\)", node.getAttribute("transform")).groups())
        length = LETTER * len(node.firstChild.data)
        assert x - length * cos(radians(SLANT)) >= 0
        assert y + length * sin(radians(SLANT)) <= height - 12  # the name of the axis is below
    short = parseString(chart(series, Axes("x", "y", names="abcdefghijklmnop"))).documentElement
    assert float(short.getAttribute("viewBox").split()[3]) == HEIGHT


def test_a_level_and_what_is_covered_are_on_the_axis():
    def ticks(axes):
        return [float(tick) for tick in re.findall(r'class="tick end"[^>]*>([-\d.]+)<', chart(series, axes))]

    series = [Series("s", [Point(1, 5), Point(2, 6)])]
    assert max(ticks(Axes("x", "y"))) == 6
    assert max(ticks(Axes("x", "y", covers=[9]))) > 8
    assert min(ticks(Axes("x", "y", level=-3))) < 0
    assert 'class="level"' in chart(series, Axes("x", "y", level=1))
    assert 'class="level"' not in chart(series, Axes("x", "y"))


def test_ranges_are_named():
    assert ranges((1, 2, 4, 6)) == ["1", "2-3", "4-5", "6+"]


def test_what_is_counted_has_no_fractions():
    rounds = [Series("s", [Point(1, 5), Point(2, 6)])]
    assert ">1.2<" in chart(rounds, Axes("round", "LAS"))
    assert ">1.2<" not in chart(rounds, Axes("round", "LAS", whole=True))


def test_heat_maps_mark_the_best():
    drawn = parseString(heat_map({("0.1", "1"): 70.0, ("0.9", "1"): 72.0}, ["0.1", "0.9"], ["1"], ("p", "k"), "a<b"))
    bold = [node for node in drawn.getElementsByTagName("text") if node.getAttribute("font-weight")]
    assert [node.firstChild.data for node in bold] == ["72.00"]
    assert len(drawn.getElementsByTagName("rect")) == 2


def test_long_names_have_room_in_heat_maps():
    name = "covington-projective"
    drawn = parseString(heat_map({("static", name): 70.0}, ["static"], [name], ("policy", "system")))
    left = min(float(node.getAttribute("x")) for node in drawn.getElementsByTagName("rect"))
    assert left > 6 * len(name)


def test_every_colour_has_a_light_and_a_dark_side():
    assert len(LIGHT) == len(DARK) == len(set(LIGHT)) == len(set(DARK))
    assert "prefers-color-scheme:dark" in chart_style()
    assert chart_style().count("{") == chart_style().count("}")
