"""Arc-standard with SWAP: the moves, the projective order, and both static oracles."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from treewright.systems.system import Parse

from tests.systems.cases import random_tree
from treewright.errors import CombinationError
from treewright.oracles.exhaustive import Search, all_trees, is_projective
from treewright.oracles.static_dynamic import disagreement
from treewright.systems import make_system

#: "A hearing is scheduled on the issue today ." (Nivre 2009, Figure 1): the words 5, 6, 7 depend on the second
HEARING = [2, 3, 0, 3, 2, 7, 5, 4, 3]


def path(heads: list[int], order: str = "lazy", single_root: bool = True) -> Parse:
    """Follow the static oracle."""
    system = make_system("swap", single_root=single_root, costs="eager" if order == "eager" else "exact")
    parse = Parse(system, len(heads), heads)
    while not parse.terminal:
        parse.apply(*parse.static())
    return parse


def heads_of(parse: Parse) -> list[int]:
    return [parse.arcs[word][0] for word in range(1, parse.n_words + 1)]


def swaps(parse: Parse) -> int:
    return sum(kind == "SWAP" for kind, _ in parse.history)


def test_swap_hands_the_second_word_back():
    parse = Parse(make_system("swap"), 3).apply("SHIFT").apply("SHIFT")
    assert parse.legal() == ["SHIFT", "LEFT", "RIGHT", "SWAP"]
    parse.apply("SWAP")
    assert (parse.stack, parse.context, parse.buffer) == ([0, 2], [1], [3])
    assert parse.legal() == ["SHIFT"]
    parse.apply("SHIFT")
    assert (parse.stack, parse.context, parse.buffer) == ([0, 2, 1], [], [3])
    assert "SWAP" not in parse.legal()  # they have changed places


def test_a_dependent_may_come_after_one_that_is_further_away():
    """1 and 2 are dependents of 3; 2 is swapped away while 1 is linked."""
    parse = Parse(make_system("swap"), 3)
    for move in ("SHIFT", "SHIFT", "SWAP", "SHIFT", "SHIFT", "LEFT", "LEFT"):
        parse.apply(move, 0 if move == "LEFT" else None)
    assert parse.arcs == {1: (3, 0), 2: (3, 0)}


def test_the_example_of_the_paper_needs_fewer_swaps_when_lazy():
    eager, lazy = path(HEARING, "eager"), path(HEARING)
    assert heads_of(eager) == heads_of(lazy) == HEARING
    assert (swaps(eager), swaps(lazy)) == (6, 2)


@pytest.mark.parametrize("order", ["eager", "lazy"])
@pytest.mark.parametrize("single_root", [True, False])
def test_both_orders_build_every_tree(order, single_root):
    """All trees of up to five words, and random ones beyond; projective ones without a swap."""
    for n in range(1, 6):
        for heads in all_trees(n, projective=False, single_root=single_root):
            parse = path(heads, order, single_root)
            assert heads_of(parse) == heads
            assert (swaps(parse) == 0) == is_projective(heads)
    rng = random.Random(4)
    for _ in range(300):
        heads = random_tree(rng, rng.randint(6, 25), single_root)
        assert heads_of(path(heads, order, single_root)) == heads


def test_lazy_never_swaps_more_often():
    rng = random.Random(5)
    trees = [random_tree(rng, rng.randint(4, 12)) for _ in range(300)]
    pairs = [(swaps(path(heads)), swaps(path(heads, "eager"))) for heads in trees]
    assert sum(lazy for lazy, _ in pairs) < sum(eager for _, eager in pairs)


@pytest.mark.parametrize("single_root", [True, False])
def test_every_parse_is_a_tree_and_every_tree_can_be_parsed(single_root):
    """Soundness and completeness by exhaustive search, up to four words."""
    for n in (1, 2, 3, 4):
        search = Search(make_system("swap", single_root=single_root), n)
        ends = {
            tuple(parse.arcs[word][0] for word in range(1, n + 1)) for parse in search.parses.values() if parse.terminal
        }
        assert ends == {tuple(heads) for heads in all_trees(n, projective=False, single_root=single_root)}


def test_what_swap_does_not_have():
    with pytest.raises(CombinationError, match="no costs '2012'"):
        make_system("swap", costs="2012")
    with pytest.raises(CombinationError, match="has no dynamic oracle"):
        Parse(make_system("swap"), 1, [0]).costs()


@pytest.mark.parametrize("single_root", [True, False])
def test_swap_hybrid_builds_every_tree(single_root):
    system = make_system("swap-hybrid", single_root=single_root)
    rng = random.Random(6)
    trees = [heads for n in range(1, 6) for heads in all_trees(n, projective=False, single_root=single_root)]
    trees += [random_tree(rng, rng.randint(6, 25), single_root) for _ in range(200)]
    for heads in trees:
        parse = Parse(system, len(heads), heads)
        while not parse.terminal:
            kind, relation = parse.static()
            assert parse.costs()[kind] == 0
            parse.apply(kind, relation)
        assert heads_of(parse) == heads


def test_swap_hybrid_hands_the_top_back_behind_the_next_word():
    parse = Parse(make_system("swap-hybrid"), 3).apply("SHIFT")
    assert parse.legal() == ["SHIFT", "LEFT", "SWAP"]
    parse.apply("SWAP")
    assert (parse.stack, parse.context, parse.buffer) == ([0], [2, 1], [3])
    parse.apply("SHIFT")
    assert (parse.stack, parse.context, parse.buffer) == ([0, 2], [1], [3])
    assert "SWAP" not in parse.legal()


@pytest.mark.parametrize("single_root", [True, False])
def test_the_static_dynamic_oracle_is_as_good_as_the_page_says(single_root):
    found = disagreement(make_system("swap-hybrid", single_root=single_root), 3)
    page = (Path(__file__).parents[2] / "docs" / "oracles.md").read_text(encoding="utf-8")
    assert 0 < found.misled_there < found.reachable / 4
    assert found.misled < found.configurations / 10
    assert "python -m treewright.oracles static_dynamic --words 3" in page
