"""Neural parsers of graphs: the graph is the best of all that obey the rules, whatever the batch and the thread."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from treewright.kinds.network_graph.graph_decoding import GraphFinder
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.kinds.network.graph_models import random_graph_parser
from tests.toy import DEV
from treewright.errors import CombinationError
from treewright.kinds.network import parser as parser_module
from treewright.kinds.network_graph.parser import NeuralGraphParser
from treewright.steps.parser import Parser
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.graphs.graph import sentence_graphs
from treewright.treebank.graphs.graph_properties import properties_of
from treewright.treebank.sentences.sentence import sentences_in

GRAPHS = str(Path(__file__).parents[3] / "examples" / "graphs.conllu")
Arc = tuple[int, int]  # head, dependent


def reached(arcs: set[Arc], n: int) -> bool:
    found = {0}
    for _ in range(n):
        found |= {dep for head, dep in arcs if head in found}
    return len(found) == n + 1


def graphs_over(n: int, leaves: list[int], connected: bool, headed: bool, single_root: bool) -> Iterator[set[Arc]]:
    """Yield all graphs over n words that obey the rules."""
    possible = [(head, dep) for head in range(n + 1) for dep in range(1, n + 1) if head != dep and head not in leaves]
    if connected and single_root:
        possible = [(head, dep) for head, dep in possible if head or dep not in leaves]
    for chosen in product((False, True), repeat=len(possible)):
        arcs = {arc for arc, is_in in zip(possible, chosen, strict=True) if is_in}
        if headed and {dep for _, dep in arcs} != set(range(1, n + 1)):
            continue
        if connected and (not reached(arcs, n) or (single_root and sum(head == 0 for head, _ in arcs) != 1)):
            continue
        yield arcs


def found_by(finder: GraphFinder, scores: list[float], n: int, *rest: Any) -> set[Arc]:
    dependents, heads, worth = finder.find(array("f", scores), array("i", [n + 1]), *rest)
    assert (dependents[-1], len(heads), len(worth)) == (0, len(dependents), len(dependents))
    return set(zip(heads[:-1], dependents[:-1], strict=True))


@pytest.mark.parametrize(
    "rules",
    [(True, True, True), (True, True, False), (False, True, False), (False, True, True), (False, False, False)],
)
def test_the_graph_is_the_best_of_all(rules: tuple[bool, bool, bool]) -> None:
    chance, finder = random.Random(4), GraphFinder()
    for trial in range(60):
        n = 1 + trial % 3
        scores = [round(chance.gauss(trial % 2 - 0.5, 2), 3) for _ in range((n + 1) ** 2)]
        leaves = [word for word in range(1, n + 1) if chance.random() < 0.25]
        if len(leaves) == n:
            leaves = []
        flags = bytes(word in leaves for word in range(1, n + 1)) if leaves else b""
        arcs = found_by(finder, scores, n, 0.3, flags, *rules)

        def worth(graph: set[Arc], scores: list[float] = scores, n: int = n) -> float:
            return sum(scores[dep * (n + 1) + head] - 0.3 for head, dep in graph)

        allowed = list(graphs_over(n, leaves, *rules))
        assert arcs in allowed
        assert worth(arcs) == pytest.approx(max(map(worth, allowed)), abs=1e-5)


@pytest.fixture(scope="module")
def block() -> Block:
    return next(iter(read_blocks(DEV)))


def test_batches_threads_and_files_do_not_matter(block: Block, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    parser = random_graph_parser(block)
    expected = parser.parse_block(block, confidence=True).data
    for rows in (1, 37, 100_000):
        monkeypatch.setattr(parser_module, "MOST_ROWS", rows)
        assert parser.parse_block(block, confidence=True).data == expected
    assert [block.data for block in parser.parse_blocks([block] * 4, threads=2, confidence=True)] == [expected] * 4
    parser.save(tmp_path / "a.tw")
    loaded = Parser.load(tmp_path / "a.tw")
    assert loaded.parse_block(block, confidence=True).data == expected
    loaded.save(tmp_path / "b.tw")
    assert (tmp_path / "a.tw").read_bytes() == (tmp_path / "b.tw").read_bytes()


def test_graphs_obey_the_rules(block: Block) -> None:
    parser = random_graph_parser(block, 3)
    graphs = list(sentence_graphs(Block(parser.parse_block(block).data, block.layout)))
    assert properties_of(graphs) == parser.rules
    assert any(len(arcs) > 1 for graph in graphs for arcs in graph)
    free = random_graph_parser(block, 3, rules={"connected": False, "headed": False, "single_root": False})
    others = list(sentence_graphs(Block(free.parse_block(block).data, block.layout)))
    assert properties_of(others) != parser.rules


def test_words_that_govern_none_have_no_dependents(block: Block) -> None:
    graphs = list(sentence_graphs(Block(random_graph_parser(block, 3).parse_block(block).data, block.layout)))
    tags = [[word.upos for word in sentence] for sentence in sentences_in([block])]
    pairs = zip(graphs, tags, strict=True)
    governing = {own[head - 1] for graph, own in pairs for arcs in graph for head, _ in arcs if head}
    assert governing == {tag for own in tags for tag in own} - {"PUNCT"}


def test_every_arc_has_a_confidence_if_asked(block: Block) -> None:
    parser = random_graph_parser(block)
    plain, sure = (parser.arcs(block, parser._checked({"confidence": asked})) for asked in (False, True))
    assert plain.confidences is None
    assert sure.confidences is not None
    assert len(sure.confidences) == len(sure.heads) == len(plain.heads)
    assert all(0 < confidence < 1 for confidence in sure.confidences)


def test_what_is_shown_of_a_parser(block: Block) -> None:
    parser = random_graph_parser(block)
    assert repr(parser) == "<NeuralGraphParser: 12 units>"
    shown = parser._details()
    assert shown["system"] == "neural-graph"
    assert "tag_values" not in shown["network"]
    assert (shown["leaf_tags"], shown["relations"], shown["single_root"]) == (["PUNCT"], 5, True)


def test_odd_input_is_parsed(block: Block) -> None:
    parser = random_graph_parser(block)
    for words in (["a"], ["."], ["."] * 40):
        assert len(parser.parse_words(words)) == len(words)
    with pytest.raises(CombinationError, match="beam"):
        parser._checked({"beam": 2})


def test_rules_are_those_of_the_treebank() -> None:
    whole = [[(0, "root")], [(1, "a"), (3, "b")], [(1, "c")]]
    assert properties_of([whole, [[]]]) == {"connected": True, "headed": True, "single_root": True}
    assert properties_of([[[(0, "root")], []]]) == {"connected": False, "headed": False, "single_root": True}
    assert properties_of([[[(0, "root")], [(0, "root")]]])["single_root"] is False
    assert properties_of([[[(0, "root")], [(3, "a")], [(2, "b")]]])["connected"] is False


def test_a_network_learns_graphs(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    options: dict[str, Any] = {"hidden": 24, "arc_size": 24, "relation_size": 16, "buckets": 256, "batch_words": 60}
    parser = tw.train(GRAPHS, GRAPHS, system="neural-graph", iterations=40, rate=0.01, **options)
    assert isinstance(parser, NeuralGraphParser)
    assert parser.info["dev"]["labelled_f1"] > 80
    parser.save(tmp_path / "graphs.tw")
    more = tw.train(GRAPHS, GRAPHS, init_from=tmp_path / "graphs.tw", iterations=1, rate=0.0001)
    assert more.info["dev"]["labelled_f1"] > 70
