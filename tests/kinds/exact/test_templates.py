"""The feature language with the words of a part of a tree: what it shares with that of moves, and what differs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.errors import FeatureModelError
from treewright.features.language import parse_model
from treewright.features.templates import MAPPINGS, Address, Attribute, Measure
from treewright.kinds.exact.parts.templates import PARTS, PartLine, key_text, parse_templates

REST = "[arc]\np(head)\n[relation]\np(child)\n"
PIECES = st.sampled_from(
    [*PARTS, *PartLine.attributes, *PartLine.measures, *MAPPINGS, "head", "child", "token", "Case", "0", "1", "12"]
    + list("()[],&+-|# \n") * 3
)


@given(st.text() | st.lists(PIECES, max_size=40).map("".join))
def test_any_text_is_a_model_or_an_error(text):
    try:
        model = parse_templates(REST + text)
    except FeatureModelError:
        return
    assert str(parse_templates(str(model))) == str(model)


def test_templates_are_made_of_the_same_functions_as_those_of_moves():
    model = parse_templates(f"{REST}[arc]\nsuffix(lower(w(token[child - 20])), 3) & between(x) & distance(head, child)")
    template = model.of("arc")[1]
    assert template.functions == (
        Attribute("w", Address("child", steps=(-20,)), mappings=(("lower", 0), ("suffix", 3))),
        Measure("between", (), "x"),
        Measure("distance", (Address("head"), Address("child"))),
    )
    assert str(template) == "suffix(lower(w(token[child - 20])), 3) & between(x) & distance(head, child)"
    assert model.columns == ("UPOS", "FORM", "XPOS")


def test_keys_are_made_of_part_and_text():
    model = parse_templates(f"{REST}adviser(child) & advised(head, child)\n[sibling]\nadviser(sibling)\n")
    assert [key_text(template) for template in model.templates] == [
        "arc: p(head)",
        "relation: p(child)",
        "relation: guide(child) & guided(head, child)",
        "sibling: guide(sibling)",
    ]


@pytest.mark.parametrize("mistake", ["p(head", "p(head) $", "p(head) &", "suffix(w(head))", "lower(lower(w(head)))"])
def test_mistakes_are_told_in_the_same_words_as_those_of_moves(mistake):
    with pytest.raises(FeatureModelError) as of_parts:
        parse_templates(mistake, "x")
    with pytest.raises(FeatureModelError) as of_moves:
        parse_model(mistake.replace("head", "stack[0]"), "x")
    said = [str(error.value).split(": ", 1)[1].split(" (")[0] for error in (of_parts, of_moves)]
    assert said[0] == said[1].replace("stack[0]", "head")
