"""A trace shows what the parser and the oracles do, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from treewright.systems.system import Parse

import treewright
from tests.toy import DYNAMIC, SYSTEMS, TEST, TRAIN, toy_parser
from treewright.apps.tracing.as_html import page_of
from treewright.apps.tracing.model_view import MoveScores
from treewright.apps.tracing.move_names import parse_moves
from treewright.apps.tracing.record import TraceArc
from treewright.errors import CombinationError, TreebankError, TreewrightError
from treewright.systems import make_system

WORDS = "He wrote her a letter ."
HEADS = [2, 0, 2, 5, 2, 2]
RELATIONS = ["SBJ", "PRD", "IOBJ", "DET", "DOBJ", "P"]
FIGURE_1 = {"heads": HEADS, "relations": RELATIONS, "root": "first"}
# Goldberg & Nivre 2012, section 2.2
FIRST = "SH LA(SBJ) RA(PRD) RA(IOBJ) SH LA(DET) RE RA(DOBJ) RE RA(P)"
SECOND = "SH LA(SBJ) RA(PRD) RA(IOBJ) RE SH LA(DET) RA(DOBJ) RE RA(P)"


@pytest.mark.parametrize("moves", [FIRST, SECOND])
def test_both_derivations_of_figure_1_cost_nothing(moves):
    traced = treewright.trace("arc-eager", WORDS, moves=moves, **FIGURE_1)
    assert [step.move.cost for step in traced.steps] == [0] * 10
    assert traced.end.loss == 0
    assert traced.end.terminal


def test_the_static_oracle_takes_the_first_derivation():
    traced = treewright.trace("arc-eager", WORDS, follow="static", **FIGURE_1)
    assert [(step.move.kind, step.move.relation) for step in traced.steps] == parse_moves(
        FIRST, ("SHIFT", "REDUCE", "LEFT", "RIGHT")
    )


def test_figure_3():
    """After a wrong SHIFT the static oracle loses two more arcs, the dynamic one none."""
    wrong = "SH LA(SBJ) RA(PRD) SH"
    static = treewright.trace("arc-eager", WORDS, moves=wrong, follow="static", **FIGURE_1)
    assert static.steps[4].lists == {"stack": [0, 2, 3], "buffer": [4, 5, 6]}
    assert [step.move.name for step in static.steps[4:]] == ["SHIFT", "LEFT(DET)", "SHIFT", "SHIFT"]
    assert static.end.missing == [TraceArc(2, 3, "IOBJ"), TraceArc(2, 5, "DOBJ"), TraceArc(2, 6, "P")]
    dynamic = treewright.trace("arc-eager", WORDS, moves=wrong, follow="dynamic", **FIGURE_1)
    assert dynamic.end.missing == [TraceArc(2, 3, "IOBJ")]
    paper = f"{wrong} SH LA(DET) LA(DET) RA(DOBJ) RE RA(P)"
    assert treewright.trace("arc-eager", WORDS, moves=paper, **FIGURE_1).end.loss == 1


def assert_leads_to(traced):
    """The moves lead to the tree that the parser returns, but for lifts that are undone."""
    tree = {arc.dependent: arc for arc in traced.tree}
    lifts = [arc for arc in traced.end.arcs if "↑" in arc.relation]
    if not lifts:
        assert set(traced.end.arcs) <= set(traced.tree)
    for arc in lifts:
        assert tree[arc.dependent].relation == arc.relation.split("↑")[0]


MODELS = tuple(dict.fromkeys((*SYSTEMS, ("covington", "last"), ("covington-projective", "last"))))


@pytest.mark.parametrize(("system", "root"), MODELS)
def test_the_model_makes_the_moves_that_it_makes_when_parsing(system, root):
    parser = toy_parser(system, root)
    for sentence in list(treewright.read(TEST))[:30]:
        traced = treewright.trace(parser, sentence)
        assert {step.by for step in traced.steps} == {"model"}
        parsed = [TraceArc(word.head, number, word.deprel) for number, word in enumerate(parser.parse(sentence), 1)]
        assert traced.tree == parsed
        assert_leads_to(traced)
        assert len(traced.end.arcs) + len(traced.end.headless) == len(sentence)


def test_a_model_that_decides_kind_and_relation_apart_is_followed():
    parser = treewright.train(TRAIN, features="lean", iterations=1, decision="split", seed=3)
    for sentence in list(treewright.read(TEST))[:30]:
        assert_leads_to(treewright.trace(parser, sentence))


@pytest.mark.parametrize(("system", "root"), MODELS)
def test_features_add_up_to_the_score(system, root):
    parser = toy_parser(system, root)
    traced = treewright.trace(parser, next(iter(treewright.read(TEST))), features=10**6)
    for step in traced.steps:
        assert sum(feature.weight for feature in step.features) == pytest.approx(step.move.score, abs=1e-3)
        assert all(feature.weight for feature in step.features)
    few = treewright.trace(parser, next(iter(treewright.read(TEST))), features=2)
    assert [step.features for step in few.steps] == [step.features[:2] for step in traced.steps]


def lists_of(parse):
    if parse.system.has_places:
        return {"list": parse.pending}
    if parse.system.name.startswith("covington"):
        return {"stack": parse.stack, "context": parse.context, "buffer": parse.buffer}
    return {"stack": parse.stack, "buffer": parse.buffer}


@pytest.mark.parametrize(("system", "root"), DYNAMIC)
def test_costs_and_moves_are_those_of_the_oracle(system, root):
    made = make_system(system, root=root)
    traced = treewright.trace(made, WORDS, heads=HEADS, relations=RELATIONS)
    parse = Parse(made, 6, HEADS)
    for step in traced.steps:
        assert step.lists == lists_of(parse)
        assert [move.kind for move in step.moves] == parse.legal()
        for move in step.moves:
            assert move.right == (move.kind in parse.correct())
            assert move.cost == parse.costs()[move.kind]
            arc = parse.arc(move.kind)
            assert (move.arc and (move.arc.head, move.arc.dependent)) == arc
        parse.apply(step.move.kind, 0 if step.move.arc else None)
    assert traced.end.loss == 0
    assert set(traced.end.arcs) == set(traced.gold)


def test_a_wrong_relation_costs_one_and_both_are_shown():
    traced = treewright.trace("arc-eager", WORDS, moves="SH LA(OBJ)", **FIGURE_1)
    left = [move for move in traced.steps[1].moves if move.kind == "LEFT"]
    assert [(move.relation, move.cost, move.right) for move in left] == [("OBJ", 1, False), ("SBJ", 0, True)]
    assert traced.end.loss == 1


def test_without_a_gold_tree_the_moves_given_are_all():
    traced = treewright.trace("arc-hybrid", "one two", moves="SHIFT SHIFT RIGHT(obj)")
    assert not traced.end.terminal
    assert traced.end.arcs == [TraceArc(1, 2, "obj")]
    assert traced.end.loss is None
    assert {move.cost for step in traced.steps for move in step.moves} == {None}
    assert "not at the end" in str(traced)


def test_a_system_that_can_build_the_tree_says_nothing_of_projectivity():
    traced = treewright.trace("covington", "a b c d", heads=[3, 4, 0, 3])
    assert traced.end.loss == 0
    assert "projective" not in str(traced)


def test_non_projective_gold_trees_are_pointed_out():
    traced = treewright.trace("arc-eager", "a b c d", heads=[3, 4, 0, 3])
    assert traced.gold_projective is False
    assert "each gold arc separately" in str(traced)
    # Of two moves that lose one arc, the first is made here, and it is the wrong one.
    assert traced.end.loss == 2
    assert treewright.trace("arc-eager", "a b c d", heads=[3, 4, 0, 3], moves="SH SH LA").end.loss == 1


def test_a_model_sees_the_gold_tree_as_it_learned_it():
    traced = treewright.trace(toy_parser(), "a b c d", heads=[3, 4, 0, 3], relations=["det", "obj", "root", "ccomp"])
    assert traced.gold[1] == TraceArc(3, 2, "obj↑ccomp")
    assert traced.gold_projective is False
    assert "lifted here" in str(traced)


@pytest.mark.parametrize(
    ("parser", "sentence", "choices", "message"),
    [
        ("arc-eager", "a b", {}, "give a gold tree"),
        ("arc-eagre", "a b", {}, "neither a model file nor a system. Did you mean 'arc-eager'"),
        ("arc-eager", "a b", {"heads": [2, 0], "follow": "model"}, "give a model file"),
        ("arc-eager", "a b", {"moves": "SHIFT", "follow": "static"}, "needs a gold tree"),
        ("arc-eager", "a b", {"heads": [2, 0], "follow": "me"}, "model, static, dynamic"),
        ("arc-eager", "a b", {"heads": [2]}, "2 words need 2 heads"),
        ("arc-eager", "a b", {"relations": ["x", "y"]}, "give the heads too"),
        (
            "arc-eager",
            "a b",
            {"heads": [2, 0], "moves": "REDUCE"},
            "move 1, REDUCE, is not legal there; choose from SHIFT",
        ),
        ("arc-eager", "a b", {"heads": [2, 0], "moves": "JUMP"}, "unknown move 'JUMP'"),
        ("arc-eager", "a b", {"heads": [2, 0], "moves": "SHIFT !"}, "'!' is not a move"),
        ("arc-eager", "a b", {"heads": [2, 0], "moves": "SHIFT(x)"}, "adds no arc"),
        ("arc-hybrid", "a", {"moves": "SHIFT RIGHT(r) SHIFT"}, "complete after 2 moves, but 1 more"),
    ],
)
def test_what_cannot_be_traced_is_rejected(parser, sentence, choices, message):
    with pytest.raises(CombinationError, match=message.replace("(", r"\(")):
        treewright.trace(parser, sentence, **choices)


def test_what_is_no_tree_or_no_sentence_is_rejected():
    with pytest.raises(TreebankError, match="does not lead to the root"):
        treewright.trace("arc-eager", "a b", heads=[2, 1])
    with pytest.raises(TreebankError, match="the head 7"):
        treewright.trace("arc-eager", "a b", heads=[7, 1])
    with pytest.raises(TreewrightError, match="without words"):
        treewright.trace("arc-eager", [], heads=[])


def test_a_model_rejects_what_it_does_not_know():
    parser = toy_parser()
    with pytest.raises(CombinationError, match="does not know the relation 'zzz'"):
        treewright.trace(parser, "a b", moves="SHIFT LEFT(zzz)")
    with pytest.raises(CombinationError, match="leave these options out"):
        treewright.trace(parser, "a b", root="first")


def test_gold_relations_that_a_model_does_not_know_are_lost_arcs():
    traced = treewright.trace(toy_parser(), "a b", heads=[2, 0], relations=["zzz", "root"], follow="dynamic")
    assert TraceArc(2, 1, "zzz") in traced.end.missing


def test_json_holds_what_the_trace_holds():
    traced = treewright.trace(toy_parser(), next(iter(treewright.read(TEST))), features=3)
    data = json.loads(traced.to_json())
    assert data == json.loads(json.dumps(traced.to_dict()))
    assert data["trace"] == 1
    assert [step["move"] for step in data["steps"]] == [step.move.name for step in traced.steps]
    assert len(data["words"]) == len(data["gold"]) == len(data["tree"])
    assert data["end"]["loss"] == len(data["end"]["missing"])
    documented = (Path(__file__).parents[3] / "docs" / "tracing.md").read_text(encoding="utf-8")
    step = max(data["steps"], key=lambda step: len(step["features"]))
    for part in (data, step, step["moves"][0], step["features"][0], data["end"], data["end"]["arcs"][0]):
        for key in part:
            assert f"`{key}`" in documented


NASTY = ["</script><script>alert(1)</script>", "<!--", "<img", "src=x", "&amp;", "'\"", "\u2028", "{title}"]


def test_no_word_is_read_as_markup():
    traced = treewright.trace("arc-eager", NASTY, heads=[0, 1, 2, 3, 4, 5, 6, 7], relations=["<b>"] * 8)
    page = traced.to_html()
    assert page.count("<script") == 2
    assert page.count("</script") == 2
    assert "<img" not in page
    assert "<b>" not in page
    assert "<!--" not in page
    inside = page.split('id="trace">')[1].split("</script>")[0]
    assert [word["form"] for word in json.loads(inside)["words"]] == NASTY


def test_the_page_needs_nothing_from_elsewhere():
    page = treewright.trace("arc-eager", WORDS, **FIGURE_1).to_html()
    assert "default-src 'none'" in page
    # The name of SVG is an address that nobody fetches.
    assert page.replace("http://www.w3.org/2000/svg", "").count("http") == page.count("http-equiv")
    for element in ("<link", "<img", "@import", "url(", "fetch(", "innerHTML"):
        assert element not in page


def test_text_fits_the_width_and_cannot_steer_the_terminal():
    words = ["\x1b[31mred", "漢字", *["longish"] * 40]
    traced = treewright.trace("arc-eager", words, heads=[0, *range(1, 42)])
    text = traced.to_text(width=60)
    assert "\x1b" not in text
    lists = [line for line in text.splitlines() if line.startswith(("  stack", "  buffer", "  arcs"))]
    assert all(len(line) <= 62 for line in lists)
    assert any("…" in line for line in lists)
    coloured = traced.to_text(width=60, colour=True)
    assert "\x1b[1m" in coloured
    assert "\x1b[31mred" not in coloured


def test_moves_are_read_as_people_write_them():
    kinds = ("SHIFT", "REDUCE", "LEFT", "RIGHT")
    assert parse_moves("shift, Left-Arc(nsubj:pass); RA(a(b)) RE", kinds) == [
        ("SHIFT", None),
        ("LEFT", "nsubj:pass"),
        ("RIGHT", "a(b)"),
        ("REDUCE", None),
    ]
    assert parse_moves("  ", kinds) == []
    # where moves have places
    assert parse_moves("left_3(det) RIGHT_12", ("LEFT", "RIGHT")) == [("LEFT_3", "det"), ("RIGHT_12", None)]


def test_the_buttons_of_the_page_are_words_with_borders_that_can_be_seen():
    """Signs such as ◀ are missing in some fonts and coloured pictures in others; faint borders are not seen."""
    page = page_of(treewright.trace("arc-eager", WORDS, **FIGURE_1))
    labels = re.findall(r'=> go\([^)]*\) \}, "([^"]+)"\)', page)
    assert labels == ["back", "next", "first", "last"]
    (rule,) = re.findall(r"\.controls button \{([^}]*)\}", page)
    assert "solid var(--accent)" in rule
    assert "opacity" not in page


def test_equal_scores_are_equal_whatever_their_last_digits():
    """0.1 + 0.2 is more than 0.3 for a computer, but not for a parser that adds 1, 2 and 3."""
    scores = MoveScores({"SHIFT": 0.3, "LEFT": 0.1}, {("LEFT", 0): 0.2}, split=False)
    assert scores.best(["SHIFT", "LEFT"]) == ("SHIFT", None)
    assert scores.best(["LEFT", "SHIFT"]) == ("LEFT", 0)
