"""The graph of a sentence: its arcs, who is above and below whom, and what can be reached."""

from __future__ import annotations

import random

import pytest

import treewright as tw
from treewright.errors import TreewrightError
from treewright.treebank.checks.graph_checks import unreached

TEXT = """\
# text = Ann sees figs and Bob pears in the gardens
1\tAnn\t_\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\t_
2\tsees\t_\tVERB\t_\t_\t0\troot\t0:root\t_
3\tfigs\t_\tNOUN\t_\t_\t2\tobj\t2:obj\t_
4\tand\t_\tCCONJ\t_\t_\t5\tcc\t5.1:cc\t_
5\tBob\t_\tPROPN\t_\t_\t2\tconj\t5.1:nsubj\t_
5.1\tsees\tsee\tVERB\t_\t_\t_\t_\t2:conj:and\tCopyOf=2
6\tpears\t_\tNOUN\t_\t_\t5\torphan\t5.1:obj\t_
7-8\tin the\t_\t_\t_\t_\t_\t_\t_\t_
7\tin\t_\tADP\t_\t_\t9\tcase\t9:case\t_
8\tthe\t_\tDET\t_\t_\t9\tdet\t9:det\t_
9\tgardens\t_\tNOUN\t_\t_\t2\tobl\t2:obl:in|5.1:obl:in\t_

"""


@pytest.fixture
def sentence() -> tw.Sentence:
    return tw.Sentence.from_conllu(TEXT)


def test_arcs_are_those_of_deps_in_order(sentence: tw.Sentence) -> None:
    graph = sentence.graph
    assert len(graph) == 11
    assert graph[0] == (2, 1, "nsubj")
    assert (graph[0].head, graph[0].dependent, graph[0].relation) == (2, 1, "nsubj")
    assert (2, "5.1", "conj:and") in graph
    assert graph.arcs[-2:] == [(2, 9, "obl:in"), ("5.1", 9, "obl:in")]
    assert [node.id for node in graph.nodes] == [1, 2, 3, 4, 5, "5.1", 6, 7, 8, 9]
    assert repr(graph) == "<SentenceGraph: 10 nodes, 11 arcs>"


def test_parents_and_children(sentence: tw.Sentence) -> None:
    graph = sentence.graph
    assert [token.id for token in graph.parents(sentence[8])] == [2, "5.1"]
    assert graph.parents(2) == []  # the root is no token
    assert [token.form for token in graph.children("5.1")] == ["and", "Bob", "pears", "gardens"]
    assert graph.children(0) == [sentence.root]
    with pytest.raises(TreewrightError, match="no node 10"):
        graph.parents(10)


def test_the_graph_is_that_of_the_moment(sentence: tw.Sentence) -> None:
    before = sentence.graph
    sentence[8].deps = [(2, "obl:in")]
    assert len(before) == 11
    assert len(sentence.graph) == 10


def test_what_can_be_reached(sentence: tw.Sentence) -> None:
    assert sentence.graph.is_connected
    assert [token.id for token in sentence.graph.reachable("5.1")] == [4, 5, 6, 7, 8, 9]
    sentence[0].deps = [(3, "x")]
    sentence[2].deps = [(1, "x")]  # a cycle apart
    assert not sentence.graph.is_connected
    assert [token.id for token in sentence.graph.reachable(1)] == [1, 3]


def test_random_graphs_are_searched_like_the_checks_do() -> None:
    chance = random.Random(1)
    for _ in range(200):
        n = chance.randrange(1, 7)
        arcs = [[(chance.randrange(n + 1), "x") for _ in range(chance.randrange(3))] for _ in range(n)]
        made = tw.Sentence.from_words([{"form": "w", "deps": of_word} for of_word in arcs])
        lost = [word.id for word in made if word not in made.graph.reachable()]
        assert lost == (unreached(arcs) if any(arcs) else list(range(1, n + 1)))


def test_a_format_without_graphs_has_none() -> None:
    (made,) = tw.read(b"1\tHi\t_\tX\tX\t_\t0\troot\t_\t_\n\n", format="conllx")
    assert not made.graph
    assert made.graph.arcs == []
    assert len(made.graph.nodes) == 1
