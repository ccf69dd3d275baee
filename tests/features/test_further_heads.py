"""Features of words with several heads: the heads before the latest, the relations to all of them."""

import pytest
from treewright.features.extractor import Extractor
from treewright.features.inspection import words
from treewright.systems.graphs.graph_system import GraphParse

from treewright.errors import CombinationError
from treewright.features.fitting import check_addresses
from treewright.features.language import parse_model
from treewright.systems import make_system
from treewright.systems.graphs import make_graph_system

HEADS = parse_model("p(h(stack[0]))\np(h2(stack[0]))\np(h3(stack[0]))\n")


def heads_of_top(parse):
    found = words(Extractor(HEADS, ["dep"]), parse)
    return [found[address] for address in HEADS.addresses]


def test_the_latest_head_comes_first():
    """Word 1 waits on the stack and gets the heads 2, 3 and 4. Each gets the next one as its head and leaves."""
    parse = GraphParse([[2, 3, 4], [3], [4], [0]], make_graph_system("dag-arc-eager"))
    parse.follow(["SHIFT", "LEFT"])
    seen = [heads_of_top(parse)]
    for _ in range(2):
        for move in ("SHIFT", "LEFT", "REDUCE", "LEFT"):
            parse.apply(move)
        seen.append(heads_of_top(parse))
    assert seen == [[2, None, None], [3, 2, None], [4, 3, 2]]


@pytest.mark.parametrize("text", ["p(h2(stack[0]))", "w(ld(h3(input[0])))", "labels(heads, stack[0]) & p(input[0])"])
def test_only_graphs_have_several_heads(text):
    model = parse_model(text, "mine.features")
    check_addresses(model, make_graph_system("dag-crossing"))
    with pytest.raises(
        CombinationError, match=r"mine.features: .* several heads of a word, which arc-eager never gives"
    ):
        check_addresses(model, make_system("arc-eager"))
