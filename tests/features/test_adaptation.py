"""Bundled models look at the pair that arc-eager may link; arc-standard and arc-hybrid link others."""

import pytest

from treewright.features.adaptation import for_arc_hybrid, for_arc_standard
from treewright.features.bundled import MADE_FOR_A_PAIR, bundled_models, feature_model_for, load_feature_model
from treewright.features.language import parse_model


@pytest.mark.parametrize(
    ("template", "moved"),
    [
        ("w(stack[0]) & p(input[0])", "w(stack[1]) & p(stack[0])"),
        ("p(input[1])", "p(input[0])"),
        ("l(rd(stack[1]))", "l(rd(stack[2]))"),
        ("lemma(token[stack[0] - 1])", "lemma(token[stack[1] - 1])"),
        ("distance(stack[0], input[0])", "distance(stack[1], stack[0])"),
        ("valency(left, input[0])", "valency(left, stack[0])"),
        ("each(feats(stack[0]))", "each(feats(stack[1]))"),
        ("move(1)", "move(1)"),
    ],
)
def test_every_address_moves_up_by_one(template, moved):
    assert str(for_arc_standard(parse_model(template))) == moved + "\n"


def test_arc_hybrid_links_two_pairs():
    model = parse_model(
        "[moves]\np(stack[0])\np(stack[1]) & p(stack[0])\n[moves labels]\np(stack[0]) & p(input[0])\n"
        "l(ld(stack[0])) & p(input[1])\np(context[0])\n"
    )
    assert str(for_arc_hybrid(model)).splitlines() == [
        "[moves]",
        "p(stack[0])",
        "[moves labels]",
        "p(stack[1]) & p(stack[0])",
        "p(stack[0]) & p(input[0])",
        "l(ld(stack[0])) & p(input[1])",
        "p(context[0])",
        "[moves]",
        "p(stack[1])",
        "p(stack[2]) & p(stack[1])",
        "[moves labels]",
        "l(ld(stack[1])) & p(input[0])",
    ]


def test_arc_hybrid_has_no_heads_on_the_stack():
    model = parse_model(
        "p(stack[0])\nl(stack[0])\np(h(stack[0])) & p(stack[0])\np(lss(input[0]))\np(h(ld(stack[0])))\n"
    )
    assert [str(t) for t in for_arc_hybrid(model).templates] == [
        "p(stack[0])",
        "p(h(ld(stack[0])))",
        "p(stack[1])",
        "p(h(ld(stack[1])))",
    ]
    nothing_left = parse_model("l(stack[0])\n")
    assert for_arc_hybrid(nothing_left) is nothing_left


@pytest.mark.parametrize("made_for", [for_arc_standard, for_arc_hybrid])
@pytest.mark.parametrize("name", MADE_FOR_A_PAIR)
def test_bundled_models_stay_models(name, made_for):
    model = made_for(load_feature_model(name))
    assert parse_model(str(model), name).templates == tuple(
        type(t)(t.functions, t.parts, line) for t, line in zip(model.templates, lines_of(str(model)), strict=True)
    )


def test_only_bundled_models_are_adapted(tmp_path):
    assert set(MADE_FOR_A_PAIR) <= set(bundled_models())
    assert feature_model_for("rich", "arc-eager") == load_feature_model("rich")
    assert feature_model_for("rich", "arc-hybrid") == for_arc_hybrid(load_feature_model("rich"))
    assert feature_model_for("rich", "arc-standard") == for_arc_standard(load_feature_model("rich"))
    path = tmp_path / "my.features"
    path.write_text("p(stack[0])\np(input[0])\n")
    assert str(feature_model_for(str(path), "arc-hybrid")) == path.read_text()


def lines_of(text):
    return [number for number, line in enumerate(text.splitlines(), 1) if not line.startswith("[")]
