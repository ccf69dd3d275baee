"""Graphs as data: DEPS read and written, empty nodes collapsed, preparation undone."""

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from treewright.treebank.blocks.block import Block
from treewright.treebank.graphs.graph_writing import GraphWriter

from treewright.errors import TreebankError
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.graphs.graph import Graphs, graph_of, sentence_graphs, set_graph
from treewright.treebank.graphs.graph_preparation import (
    find_cycle,
    preparation_scores,
    prepare,
    reduce_relation,
    restore,
)
from treewright.treebank.sentences.sentence import Sentence

ROWS = [
    ("1", "Ann", "2:nsubj|4.1:nsubj"),
    ("2", "eats", "0:root"),
    ("3", "figs", "2:obj"),
    ("4", "and", "4.1:cc"),
    ("4.1", "eats", "2:conj"),
    ("5", "plums", "4.1:obj|3:conj"),
]


def with_graphs(block, graphs):
    """Return the text of a block with DEPS of every word replaced and everything else unchanged.

    Empty nodes belong to the replaced graph: their lines are left out.
    """
    numbers = {}
    arcs = [
        (word, head, numbers.setdefault(relation, len(numbers)))
        for word, of_word in enumerate(graphs)
        for head, relation in of_word
    ]
    columns = [array("i", column) for column in zip(*arcs, strict=True)] or [array("i") for _ in range(3)]
    return GraphWriter(list(numbers)).write(block, *columns)


def text_of(rows):
    lines = []
    for number, form, deps in rows:
        tree = ("_", "_") if "." in number else ("0" if number == "2" else "2", "root" if number == "2" else "dep")
        lines.append("\t".join([number, form, "_", "_", "_", "_", *tree, deps, "_"]))
    return "\n".join(lines) + "\n\n"


def test_empty_nodes_are_collapsed():
    assert graph_of(Sentence.from_conllu(text_of(ROWS))) == [
        [(2, "nsubj"), (2, "conj>nsubj")],
        [(0, "root")],
        [(2, "obj")],
        [(2, "conj>cc")],
        [(2, "conj>obj"), (3, "conj")],
    ]


def test_a_loop_of_empty_nodes_ends():
    rows = [("1", "a", "1.1:x"), ("1.1", "e", "1.2:y"), ("1.2", "f", "1.1:z"), ("2", "b", "0:root")]
    assert graph_of(Sentence.from_conllu(text_of(rows))) == [[], [(0, "root")]]


@pytest.mark.parametrize("deps", ["9:obj", "x:obj", "7.1:obj", "2:", "2"])
def test_an_arc_without_head_or_relation_is_refused_with_its_line(deps):
    rows = [("1", "a", deps), ("2", "b", "0:root")]
    with pytest.raises(TreebankError, match="DEPS") as caught:
        graph_of(Sentence.from_conllu(text_of(rows)))
    assert "1" in str(caught.value)


def test_a_graph_is_written_beside_the_tree():
    sentence = Sentence.from_conllu(text_of([row for row in ROWS if "." not in row[0]]).replace("4.1:", "2:"))
    heads = sentence.heads
    set_graph(sentence, [[(3, "b"), (2, "a")], [(0, "root")], [], [(2, "cc")], [(3, "conj")]])
    assert [str(word.deps) for word in sentence] == ["2:a|3:b", "0:root", "_", "2:cc", "3:conj"]
    assert sentence.heads == heads


def test_blocks_are_written_with_nothing_else_changed():
    data = ("# text = x\n" + text_of(ROWS[:3]).replace("4.1:", "2:")).encode()
    block = Block(data, CONLLU, "")
    (graph,) = sentence_graphs(block)
    assert with_graphs(block, graph) == data.replace(b"2:nsubj|2:nsubj", b"2:nsubj")


def test_empty_nodes_go_with_the_graph_that_is_replaced():
    block = Block(text_of(ROWS).encode(), CONLLU, "")
    text = with_graphs(block, [[(2, "x")], [(0, "root")], [(2, "y")], [(2, "z")], [(2, "v")]])
    assert [line.split(b"\t")[0] for line in text.splitlines()] == [b"1", b"2", b"3", b"4", b"5", b""]


def test_flat_graphs_give_the_arcs_of_a_word():
    graphs = Graphs([[(2, 0), (0, 1)], [], [(1, 2)]])
    assert (list(graphs.first), list(graphs.heads), list(graphs.labels)) == ([0, 2, 2, 3], [2, 0, 1], [0, 1, 2])
    assert len(graphs) == 3


# Preparation


def crossing(graph):
    n = len(graph)
    spans = [tuple(sorted((w, h or n + 1))) for w, arcs in enumerate(graph, 1) for h, _ in arcs]
    return any(a < c < b < d for a, b in spans for c, d in spans)


@st.composite
def graphs(draw):
    n = draw(st.integers(1, 7))
    arcs = st.lists(st.tuples(st.integers(0, n), st.sampled_from("abc")), min_size=1, max_size=3, unique=True)
    return [[arc for arc in draw(arcs) if arc[0] != word] for word in range(1, n + 1)]


@settings(max_examples=200, deadline=None)
@given(graphs())
def test_prepared_graphs_have_no_crossing_and_no_multiple_arcs(graph):
    prepared = prepare(graph)
    assert not crossing(prepared)
    assert all(len({head for head, _ in arcs}) == len(arcs) for arcs in prepared)
    restored = restore(prepared)
    assert all(0 <= head <= len(graph) and "↑" not in name for arcs in restored for head, name in arcs)
    if not crossing(graph):
        assert list(map(sorted, restored)) == list(map(sorted, graph))


@settings(max_examples=200, deadline=None)
@given(graphs())
def test_cycles_are_broken_and_what_was_reversed_comes_back(graph):
    prepared = prepare(graph, cycles="reverse")
    assert not crossing(prepared)
    joined = [{}, *(dict(arcs) for arcs in prepare(graph))]
    if not find_cycle(joined) and not crossing(graph):
        assert list(map(sorted, restore(prepared))) == list(map(sorted, graph))


def test_the_shortest_arc_of_a_cycle_is_reversed():
    graph = [[(0, "root")], [(1, "a"), (4, "x")], [(2, "y")], [(3, "z")]]
    prepared = prepare(graph, cycles="reverse")
    assert find_cycle([{}, *(dict(arcs) for arcs in prepared)]) == []
    assert sum("↔" in name for arcs in prepared for _, name in arcs) == 1
    assert list(map(sorted, restore(prepared))) == list(map(sorted, graph))


def test_a_cycle_of_two_arcs_becomes_one_arc_and_comes_back():
    graph = [[(0, "root"), (2, "a")], [(1, "b"), (1, "c")]]
    prepared = prepare(graph, cycles="reverse")
    assert prepared == [[(0, "root"), (2, "a∧b↔∧c↔")], []]
    assert list(map(sorted, restore(prepared))) == list(map(sorted, graph))


@settings(max_examples=200, deadline=None)
@given(graphs())
def test_cycles_of_two_arcs_come_back(graph):
    pairs = {(head, word) for word, arcs in enumerate(graph, 1) for head, _ in arcs}
    alone = [[(h, r) for h, r in arcs if h < word or (word, h) in pairs] for word, arcs in enumerate(graph, 1)]
    if not crossing(alone) and no_other_cycles(alone):
        restored = restore(prepare(alone, cycles="reverse"))
        assert list(map(sorted, restored)) == list(map(sorted, alone))


def no_other_cycles(graph):
    """Is there no cycle once pairs of words that govern each other keep one arc, whichever it is?"""
    one_way = [{}, *(dict(arcs) for arcs in graph)]
    for word, heads in enumerate(one_way):
        for head in list(heads):
            if head and word in one_way[head]:
                del heads[head]
    return not find_cycle(one_way)


def test_a_crossing_arc_is_lifted_and_lowered_again():
    graph = [[(0, "root")], [(1, "obj")], [(1, "adv")], [(2, "acl")]]
    prepared = prepare(graph)
    assert prepared[3] == [(1, "acl↑obj")]
    assert restore(prepared) == graph


def test_what_preparation_keeps_is_counted():
    counts = preparation_scores([[[(0, "root")], [(1, "obj")]]])
    assert counts == {"gold": 2, "kept": 2, "right": 2}


def test_rare_relations_become_simple_ones():
    assert reduce_relation("acl↑obj∧nsubj") == "acl"
    assert reduce_relation("x↔") == "x"
