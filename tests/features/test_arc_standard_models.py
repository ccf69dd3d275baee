"""Bundled models look at the pair that arc-eager may link; arc-standard links another."""

import pytest

from treewright.features.bundled import bundled_models, for_arc_standard, load_feature_model
from treewright.features.language import parse_model


def test_every_address_moves_up_by_one():
    model = parse_model(
        "w(stack[0]) & p(input[0])\np(input[1])\nl(rc(stack[1]))\nlemma(token[stack[0] - 1])\n"
        "distance(stack[0], input[0])\nvalency(left, input[0])\neach(feats(stack[0]))\nmove(1)\n"
    )
    assert str(for_arc_standard(model)).splitlines() == [
        "w(stack[1]) & p(stack[0])", "p(input[0])", "l(rc(stack[2]))", "lemma(token[stack[1] - 1])",
        "distance(stack[1], stack[0])", "valency(left, stack[0])", "each(feats(stack[1]))", "move(1)",
    ]  # fmt: skip


@pytest.mark.parametrize("name", bundled_models())
def test_bundled_models_stay_models(name):
    model = for_arc_standard(load_feature_model(name))
    assert parse_model(str(model), name).templates == tuple(
        type(t)(t.functions, t.parts, line) for t, line in zip(model.templates, lines_of(str(model)), strict=True)
    )


def lines_of(text):
    return [number for number, line in enumerate(text.splitlines(), 1) if not line.startswith("[")]
