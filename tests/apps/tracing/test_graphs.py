"""Traces of parsers that build graphs: several heads per word."""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from treewright.systems.graphs.graph_system import GraphParse

import treewright
from treewright.apps.tracing.record import TraceArc
from treewright.errors import CombinationError, TreebankError
from treewright.oracles.graphs import all_graphs
from treewright.steps.parser import Parser
from treewright.systems.graphs import GRAPH_SYSTEMS, make_graph_system
from treewright.treebank.graphs.graph import graph_of, set_graph
from treewright.treebank.graphs.graph_preparation import restore

GRAPHS = str(Path(__file__).parents[3] / "examples" / "graphs.conllu")
WORDS = "Ann sees and likes figs"
SHARED_OBJECT = "2:nsubj 0:root 4:cc 2:conj 2:obj|4:obj"  # no arcs cross
SHARED_SUBJECT = "2:nsubj|4:nsubj 0:root 4:cc 2:conj 4:obj"  # likes -> Ann crosses ROOT -> sees


@cache
def graph_parser(system: str) -> Parser:
    return treewright.train(GRAPHS, system=system, iterations=2, cutoff=1)


def arcs_of(text):
    cells = enumerate(text.split(), 1)
    return {
        TraceArc(int(head), word, relation)
        for word, cell in cells
        for head, relation in (item.split(":") for item in cell.split("|"))
    }


@pytest.mark.parametrize("system", GRAPH_SYSTEMS)
def test_an_oracle_builds_the_graph_and_its_choice_is_right(system):
    traced = treewright.trace(system, WORDS, graph=SHARED_OBJECT)
    assert set(traced.end.arcs) == set(traced.gold) == arcs_of(SHARED_OBJECT)
    assert traced.end.loss == 0
    assert {step.move.right for step in traced.steps} == {True}
    assert "loss 0: the gold graph" in str(traced)
    assert str(treewright.trace(make_graph_system(system), WORDS, graph=SHARED_OBJECT)) == str(traced)


@pytest.mark.parametrize("system", ["dag-arc-eager", "dag-crossing"])
def test_costs_are_those_of_the_oracle_and_add_up_to_the_loss(system):
    random = Random(3)
    crossing = system == "dag-crossing"
    graphs = [graph for graph in all_graphs(3, crossing=crossing) if all(graph)]
    for graph in random.sample(graphs, 40):
        given = [[(head, "x") for head in heads] for heads in graph]
        made = make_graph_system(system)
        moves = []
        while not (parse := GraphParse(graph, made).follow([kind for kind, _ in moves])).terminal:
            moves.append((random.choice(parse.legal()), None))
        traced = treewright.trace(system, "a b c", graph=given, moves=moves)
        parse = GraphParse(graph, made)
        for step in traced.steps:
            assert {move.kind: move.cost for move in step.moves} == parse.costs()
            assert step.lists["stack"] == parse.stack
            assert [(arc.head, arc.dependent) for arc in step.arcs] == parse.arcs
            parse.apply(step.move.kind)
        assert traced.end.loss == sum(step.move.cost for step in traced.steps)


def test_words_set_aside_and_words_returned_are_shown():
    crossing = treewright.trace("dag-crossing", "a b c d", graph="3:x 4:y 0:root 3:z")
    assert crossing.steps[3].lists == {"stack": [1], "context": [2], "buffer": [3, 4, 0]}
    returned = treewright.trace("dag-shift-reduce", "a b", graph="0:root 0:x|1:y")
    assert {"stack": [0, 1], "returned": [2], "buffer": []} in [step.lists for step in returned.steps]
    assert returned.end.loss == 0
    assert "returned b-2" in str(returned)


def test_a_move_whose_arc_is_there_takes_no_relation():
    traced = treewright.trace("dag-shift-reduce", "a b", graph="0:root 0:x|1:y")
    again = [step.move for step in traced.steps if step.move.kind.endswith("REDUCE") and step.move.arc is None]
    assert [move.relation for move in again] == [None] * len(again)
    with pytest.raises(CombinationError, match="adds no arc"):
        treewright.trace("dag-shift-reduce", "a b", moves="SH SH LEFT-ATTACH(x) LEFT-REDUCE(x)")


def test_the_static_oracle_says_nothing_of_other_moves_nor_off_its_path():
    traced = treewright.trace("dag-shift-reduce", WORDS, graph=SHARED_OBJECT, moves="SH RIGHT-REDUCE(root)")
    assert [move.right for move in traced.steps[1].moves] == [True, None, None]
    followed = treewright.trace(
        "dag-shift-reduce", WORDS, graph=SHARED_OBJECT, moves="SH RIGHT-REDUCE(root)", follow="static"
    )
    assert {move.right for step in followed.steps[2:] for move in step.moves} == {None}
    assert TraceArc(0, 1, "root") in followed.end.extra
    assert "too many" in str(followed)


def test_crossing_arcs_are_pointed_out_where_they_cannot_be_built():
    traced = treewright.trace("dag-arc-eager", WORDS, graph=SHARED_SUBJECT)
    assert traced.gold_projective is False
    assert traced.end.missing == [TraceArc(4, 1, "nsubj")]
    assert "dag-arc-eager cannot cross arcs" in str(traced)
    crossing = treewright.trace("dag-crossing", WORDS, graph=SHARED_SUBJECT)
    assert (crossing.end.loss, crossing.notes) == (0, [])


@pytest.mark.parametrize("system", GRAPH_SYSTEMS)
def test_the_model_makes_the_moves_that_it_makes_when_parsing(system):
    parser = graph_parser(system)
    for sentence in islice(treewright.read(GRAPHS), 10):
        set_graph(sentence, [[] for _ in sentence])
        traced = treewright.trace(parser, sentence)
        built = [
            [(arc.head, arc.relation) for arc in traced.end.arcs if arc.dependent == i + 1]
            for i in range(len(sentence))
        ]
        parsed = graph_of(parser.parse(sentence))
        assert [set(arcs) for arcs in restore(built)] == [set(arcs) for arcs in parsed]
        assert {(arc.dependent, arc.head, arc.relation) for arc in traced.tree} == {
            (word, *arc) for word, arcs in enumerate(parsed, 1) for arc in arcs
        }
        assert traced.gold is None


@pytest.mark.parametrize("system", GRAPH_SYSTEMS)
def test_features_add_up_to_the_score(system):
    traced = treewright.trace(graph_parser(system), next(iter(treewright.read(GRAPHS))), features=10**6)
    for step in traced.steps:
        assert sum(feature.weight for feature in step.features) == pytest.approx(step.move.score, abs=1e-3)
    assert any(step.features for step in traced.steps)


def test_a_model_sees_the_gold_graph_as_it_learned_graphs():
    sentence = next(iter(treewright.read(GRAPHS)))
    traced = treewright.trace(graph_parser("dag-arc-eager"), sentence, follow="dynamic")
    assert TraceArc(2, 1, "nsubj∧nsubj↑conj") in traced.gold
    assert (traced.gold_projective, traced.gold_crosses, traced.end.loss) == (False, False, 0)
    assert "as the model learned graphs" in str(traced)
    crossing = treewright.trace(graph_parser("dag-crossing"), sentence, follow="static")
    assert TraceArc(4, 1, "nsubj") in crossing.gold
    assert (crossing.end.loss, crossing.notes) == (0, [])


def test_words_without_a_head_get_one_for_the_model():
    traced = treewright.trace(graph_parser("dag-crossing"), "Ann likes figs", graph="2:nsubj 0:root _")
    assert TraceArc(2, 3, "∅") in traced.gold


def test_arcs_from_one_head_are_joined():
    assert treewright.trace("dag-crossing", "a b", graph="2:x|2:y 0:root").gold[0] == TraceArc(2, 1, "x∧y")


def test_json_and_page_hold_graphs():
    traced = treewright.trace("dag-crossing", WORDS, graph=SHARED_SUBJECT)
    data = json.loads(traced.to_json())
    assert data["system"]["graphs"] is True
    assert [arc["head"] for arc in data["gold"] if arc["dependent"] == 1] == [2, 4]
    assert data["end"]["extra"] == []
    assert '"graphs":true' in traced.to_html()


@pytest.mark.parametrize(
    ("parser", "choices", "message"),
    [
        ("dag-crossing", {}, "give a gold graph (column DEPS, or --deps)"),
        ("dag-crossing", {"graph": "2:x"}, "2 words need a graph with 2 words, not 1"),
        ("dag-crossing", {"graph": "2 0:root"}, "'2' in the graph is not an arc"),
        ("dag-crossing", {"graph": "x:2 0:root"}, "'x:2' in the graph is not an arc"),
        ("dag-crossing", {"graph": "2:x 0:root", "heads": [2, 0]}, "leave one out"),
        ("dag-crossing", {"graph": "2:x 0:root", "root": "first"}, "leave these options out"),
        ("dag-shift-reduce", {"graph": "2:x 0:root", "follow": "dynamic"}, "has no dynamic oracle"),
        ("arc-eager", {"graph": "2:x 0:root"}, "give the tree with heads instead"),
    ],
)
def test_what_cannot_be_traced_is_rejected(parser, choices, message):
    with pytest.raises(CombinationError) as raised:
        treewright.trace(parser, "a b", **choices)
    assert message in str(raised.value)


def test_a_tree_is_a_graph_too_but_heads_stay_in_the_sentence():
    traced = treewright.trace("dag-arc-eager", "a b", heads=[2, 0], relations=["x", "root"])
    assert set(traced.end.arcs) == {TraceArc(2, 1, "x"), TraceArc(0, 2, "root")}
    with pytest.raises(TreebankError, match="the head 3"):
        treewright.trace("dag-arc-eager", "a b", graph="3:x 0:root")
