"""Relations with parts that are copied from other words: patterns are made of them and filled in again."""

from __future__ import annotations

from array import array

import pytest
from treewright.treebank.blocks.block import Block
from treewright.treebank.graphs.graph_writing import GraphWriter

from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.graphs.graph import Graph, sentence_graphs
from treewright.treebank.graphs.relation_patterns import cases_of_markers, with_patterns


def block_of(marker: str, feats: str, relation: str) -> Block:
    """Return `jde MARKER domu`, with a relation for the last word."""
    rows = [
        "1\tjde\tjít\tVERB\t_\t_\t0\troot\t0:root\t_",
        f"2\t{marker}\t{marker}\tADP\t_\t_\t3\tcase\t3:case\t_",
        f"3\tdomu\tdům\tNOUN\t_\t{feats}\t1\tobl\t1:{relation}\t_",
    ]
    return Block(("\n".join(rows) + "\n\n").encode(), CONLLU, "")


def patterns_of(blocks: list[Block], cases: dict[str, list[str]] | None = None) -> list[str]:
    graphs = [graph for block in blocks for graph in sentence_graphs(block)]
    return [graph[2][0][1] for graph in with_patterns(blocks, graphs, cases)]


def written(block: Block, pattern: str, cases: dict[str, list[str]] | None = None) -> str:
    """Return the relation that a pattern becomes for the last word."""
    relations = ["root", "case", pattern]
    columns = array("i", [0, 1, 2]), array("i", [0, 3, 1]), array("i", [0, 1, 2])
    text = GraphWriter(relations, cases).write(block, *columns)
    graph: Graph = next(sentence_graphs(Block(text, CONLLU, "")))
    return graph[2][0][1]


HOUSE, CITY = block_of("do", "Case=Gen|Number=Sing", "obl:do:gen"), block_of("k", "Case=Dat", "obl:k:dat")


def test_parts_are_copied_from_markers_and_cases() -> None:
    assert patterns_of([HOUSE, CITY]) == ["obl:⟨case⟩:⟨=Case⟩"] * 2
    for block, relation in ((HOUSE, "obl:do:gen"), (CITY, "obl:k:dat")):
        assert written(block, "obl:⟨case⟩:⟨=Case⟩") == relation


def test_paths_through_empty_nodes_have_patterns_in_their_last_step() -> None:
    blocks = [block_of("do", "Case=Gen", "conj:do>obl:do:gen"), block_of("k", "Case=Dat", "conj:do>obl:k:dat")]
    assert patterns_of(blocks) == ["conj:do>obl:⟨case⟩:⟨=Case⟩"] * 2
    assert written(blocks[1], "conj:do>obl:⟨case⟩:⟨=Case⟩") == "conj:do>obl:k:dat"


def test_cases_of_markers_are_those_that_occur_often_enough() -> None:
    blocks = [
        *[block_of("na", "Case=Loc", "obl:na:loc")] * 30,
        *[block_of("na", "Case=Acc", "obl:na:acc")] * 69,
        block_of("na", "Case=Gen", "obl:na:gen"),  # an error
        block_of("přes", "Case=Acc", "obl:přes:acc"),  # too rare
        block_of("na", "Case=Gen", "obl:na"),
        block_of("na", "Case=Gen", "obl:gen"),
    ]
    graphs = [graph for block in blocks for graph in sentence_graphs(block)]
    assert cases_of_markers(blocks, graphs) == {"na": ["acc", "loc"]}
    assert cases_of_markers([], []) == {}


@pytest.mark.parametrize(
    ("feats", "relation"),
    [("Case=Loc", "obl:na:loc"), ("Case=Nom", "obl:na:acc"), ("_", "obl:na:acc"), ("Number=Sing", "obl:na:acc")],
)
def test_a_marker_has_a_case_that_it_takes(feats: str, relation: str) -> None:
    cases = {"na": ["acc", "loc"]}
    assert written(block_of("na", feats, "x"), "obl:⟨case⟩:⟨=Case⟩", cases) == relation
    assert written(block_of("za", "Case=Nom", "x"), "obl:⟨case⟩:⟨=Case⟩", cases) == "obl:za:nom"


def test_what_a_tagger_got_wrong_still_is_a_pattern() -> None:
    blocks = [block_of("na", "Case=Nom", "obl:na:acc"), block_of("do", "Case=Gen", "obl:do:gen")]
    assert patterns_of(blocks, {"na": ["acc", "loc"]}) == ["obl:⟨case⟩:⟨=Case⟩"] * 2


@pytest.mark.parametrize(
    ("marker", "relation"),
    [("in", "obl:in"), ("'s", "obl"), ("2", "obl"), ("na-", "obl"), ("Na", "obl:na"), ("क्", "obl:क्"), ("_", "obl")],
)
def test_relations_have_small_letters_only(marker: str, relation: str) -> None:
    assert written(block_of(marker, "_", "x"), "obl:⟨case⟩") == relation
