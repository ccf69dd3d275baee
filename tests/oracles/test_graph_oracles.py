"""Oracles of systems for graphs against exhaustive search by the systems' own moves."""

import pytest
from treewright.systems.graphs.graph_system import GraphParse

from treewright.oracles import graphs
from treewright.oracles.graphs import GraphSearch, all_graphs, compare_graphs
from treewright.systems.graphs import GRAPH_SYSTEMS, make_graph_system


@pytest.mark.parametrize("system", GRAPH_SYSTEMS)
@pytest.mark.parametrize(("words", "sample"), [(2, 0), (3, 60)])
def test_every_answer_is_right(system, words, sample):
    for proof in compare_graphs(system, words, sample):
        assert proof.graphs > 0
        assert proof.answers > proof.graphs
        assert proof.mismatches == []


def test_shift_reduce_builds_what_it_can_of_three_words():
    (proof,) = compare_graphs("dag-shift-reduce", 3)
    assert (proof.graphs, proof.mismatches) == (140, [])


def test_the_numbers_of_graphs():
    assert sum(1 for _ in all_graphs(3)) == 320
    assert sum(1 for _ in all_graphs(3, crossing=True)) == 512
    assert sum(1 for _ in all_graphs(2, root_last=False)) == 16


def test_a_wrong_cost_would_be_found(monkeypatch):
    class Shameless(GraphParse):
        def costs(self):
            return dict.fromkeys(self.legal(), 0)

    monkeypatch.setattr(graphs, "GraphParse", Shameless)
    static, dynamic = compare_graphs("dag-arc-eager", 2)
    assert static.mismatches == []
    assert len(dynamic.mismatches) > 50


def test_shift_reduce_cannot_free_a_word_whose_heads_have_left():
    # 1 -> 2 -> 3 -> 1, and 1 -> 4: 3 must leave for 4 to meet 1, and only 2, which has left, is its head.
    search = GraphSearch("dag-shift-reduce", 4)
    assert not search.can_build(search.bits(((0, 3), (1,), (2,), (1,))))
    assert search.can_build(search.bits(((0,), (1,), (1, 2), (1,))))


def test_attaching_twice_is_illegal_and_reducing_adds_nothing():
    parse = GraphParse([[2, 0], [1]], make_graph_system("dag-shift-reduce"))
    parse.apply("SHIFT").apply("SHIFT").apply("LEFT-ATTACH")
    assert "LEFT-ATTACH" not in parse.legal()
    parse.apply("RIGHT-ATTACH")
    assert (parse.stack, parse.context) == ([0, 1], [2])
    parse.apply("SHIFT")
    assert parse.legal() == ["LEFT-REDUCE", "RIGHT-REDUCE"]
    parse.apply("RIGHT-REDUCE")
    assert parse.arcs == [(2, 1), (1, 2)]
