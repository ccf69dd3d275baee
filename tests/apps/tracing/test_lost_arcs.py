"""Which arcs a move loses, and why others are not legal."""

import random

import pytest
from treewright.systems.system import Parse

import treewright
from treewright.apps.tracing.lost_arcs import LostArcs
from treewright.systems import make_system


def random_tree(chance: random.Random, n: int) -> list[int]:
    heads, order = [0] * n, list(range(1, n + 1))
    chance.shuffle(order)
    for place, word in enumerate(order):
        heads[word - 1] = chance.choice(order[:place]) if place else 0
    return heads


@pytest.mark.parametrize("name", ["arc-eager", "arc-hybrid", "easy-first"])
def test_single_arcs_add_up_to_the_cost(name):
    """In systems where arcs that can be built one by one can be built together, along random moves."""
    chance, system = random.Random(1), make_system(name)
    for _ in range(40):
        heads = random_tree(chance, chance.randint(1, 6))
        parse, lost = Parse(system, len(heads)).set_gold(heads), LostArcs(system, heads)
        while not parse.terminal:
            costs, arcs = parse.costs(), lost.by_kind()
            assert {kind: len(arcs.get(kind, ())) for kind in costs} == costs
            kind = chance.choice(parse.legal())
            lost.apply(kind)
            parse.apply(kind, 0 if parse.carries_relation(kind) else None)


def test_a_trace_names_lost_arcs_and_reasons():
    trace = treewright.trace("arc-eager", "She reads books", heads=[2, 0, 2], relations=["nsubj", "root", "obj"])
    first, second = trace.steps[:2]
    assert {one.kind: one.why for one in first.illegal} == {
        "REDUCE": "the stack is empty",
        "LEFT": "it needs a word on the stack and one in the buffer",
        "RIGHT": "it needs a word on the stack and one in the buffer",
    }
    assert {one.kind: one.why for one in second.illegal} == {"REDUCE": "She has no head yet, and would never get one"}
    shift = next(move for move in second.moves if move.kind == "SHIFT")
    assert [trace.show_arc(arc) for arc in shift.lost] == ["nsubj(reads-2, She-1)"]
    wrong = treewright.trace(
        "arc-eager", "a b", heads=[2, 0], relations=["det", "root"], moves="SHIFT LEFT(amod)", follow="dynamic"
    )
    assert [arc.relation for arc in wrong.steps[1].move.lost] == ["det"]  # another relation loses the arc, too


def test_no_gold_tree_no_lost_arcs():
    trace = treewright.trace("arc-eager", "a b", moves="SHIFT")
    assert trace.steps[0].moves[0].lost is None
