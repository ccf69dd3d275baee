"""Levels: no two arcs on each other, inner ones below, as low as the rule allows."""

from hypothesis import given
from hypothesis import strategies as st

from treewright.display.levels import Skyline, assign_levels

SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).map(lambda pair: tuple(sorted(pair))), max_size=25)


def brute_force(spans):
    levels = []
    for k, (left, right) in enumerate(spans):
        below = [levels[j] for j in range(k) if spans[j][0] <= right and left <= spans[j][1]]
        levels.append(max(below, default=0) + 1)
    return levels


@given(SPANS)
def test_levels_are_those_of_the_definition(spans):
    assert assign_levels(spans) == brute_force(spans)


@given(SPANS)
def test_spans_on_one_level_share_no_point_and_inner_spans_are_below(spans):
    spans = sorted(spans, key=lambda span: span[1] - span[0])
    levels = assign_levels(spans)
    for j, (a, b) in enumerate(spans):
        for k, (c, d) in enumerate(spans):
            if j < k and a <= d and c <= b:
                assert levels[j] < levels[k]


def test_nothing_to_place():
    assert assign_levels([]) == []


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 9))))
def test_the_skyline_answers_as_a_list_would(steps):
    skyline, heights = Skyline(13), [0] * 13
    for one, other, level in steps:
        left, right = min(one, other), max(one, other)
        assert skyline.highest(left, right) == max(heights[left : right + 1])
        skyline.raise_to(left, right, level)
        heights[left : right + 1] = [max(height, level) for height in heights[left : right + 1]]
    assert [skyline.highest(k, k) for k in range(13)] == heights
