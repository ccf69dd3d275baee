"""Arc reachability and arc decomposition, by exhaustive search; and costs as the papers print them."""

from collections.abc import Collection

import pytest
from treewright.systems.graphs.graph_system import GraphParse
from treewright.systems.system import Parse

from treewright.errors import CombinationError
from treewright.oracles.exhaustive import Search, all_trees
from treewright.oracles.graphs import GraphSearch, all_graphs
from treewright.oracles.printed import arc_eager_disagreement, graph_disagreement
from treewright.oracles.reachability import CounterExample, decomposes, reachable
from treewright.systems import make_system
from treewright.systems.graphs import make_graph_system


def test_the_counter_example_of_goldberg_and_nivre_comes_out_by_itself() -> None:
    """Section 4.3: with the stack a, b, c the arcs (c, b) and (b, a) are reachable, but not together."""
    found = decomposes(make_system("arc-standard"), 4)
    assert found == CounterExample((0, 1, 2, 3), (), (), frozenset(), frozenset({(3, 2), (2, 1)}))
    assert str(found) == "stack [0, 1, 2, 3], buffer []: 2→1, 3→2"


@pytest.mark.parametrize("system", ["arc-eager", "arc-hybrid", "easy-first", "covington-projective"])
def test_systems_of_the_papers_are_arc_decomposable(system: str) -> None:
    assert decomposes(make_system(system), 3) is None


def test_arcs_without_projectivity_can_exclude_each_other() -> None:
    """Covington builds one arc per pair of words, and a word that was given a head may close a cycle."""
    found = decomposes(make_system("covington"), 3)
    assert found is not None
    assert len(found.arcs) == 2


@pytest.mark.parametrize("system", ["arc-eager", "arc-standard", "nivre-standard"])
def test_an_arc_is_reachable_if_a_gold_tree_with_it_can_lose_nothing_of_it(system: str) -> None:
    made = make_system(system)
    search = Search(made, 3)
    for parse in list(search.parses.values())[::3]:
        ends = _ends(search, parse)
        for head, word in [(0, 1), (2, 1), (1, 2), (3, 2), (2, 3)]:
            assert reachable(parse, (head, word)) == any((head, word) in arcs for arcs in ends)


def _ends(search: Search, parse: Parse) -> list[set[tuple[int, int]]]:
    """Return the arcs of every parse that a configuration leads to, by trying all moves again."""
    if parse.terminal:
        return [{(head, word) for word, (head, _) in parse.arcs.items()}]
    ends = []
    for kind in parse.legal():
        after = Parse(search.system, search.n)
        for move in (*parse.history, (kind, 0 if parse.carries_relation(kind) else None)):
            after.apply(*move)
        ends += _ends(search, after)
    return ends


def test_what_cannot_be_asked() -> None:
    with pytest.raises(CombinationError, match="no arc 4 → 1"):
        reachable(Parse(make_system("arc-eager"), 3), (4, 1))
    with pytest.raises(CombinationError, match="at most 8 words"):
        reachable(Parse(make_system("arc-eager"), 9), (4, 1))


def test_left_as_printed_misses_the_arc_that_it_makes_impossible() -> None:
    """Gold 1 → 2: LEFT from [1] and [2, …] loses it, which neither paper counts."""
    for year, left in (("2012", 0), ("2013", 0), ("exact", 1)):
        parse = Parse(make_system("arc-eager", root="first", single_root=False, costs=year), 2, [0, 1])
        assert parse.apply("SHIFT").costs()["LEFT"] == left


def test_2012_counts_dependents_that_have_another_head() -> None:
    """Gold 3 → 2, but 1 → 2 was built: SHIFT of 3 loses 2 no more."""
    for year, cost in (("2012", 1), ("2013", 0), ("exact", 0)):
        parse = Parse(make_system("arc-eager", single_root=False, costs=year), 3, [0, 3, 0])
        parse.apply("SHIFT").apply("RIGHT", 0)
        assert parse.costs()["SHIFT"] == cost


@pytest.mark.parametrize("year", ["2012", "2013"])
def test_printed_costs_are_right_while_the_gold_tree_is_reachable(year: str) -> None:
    found = arc_eager_disagreement(year, "last", 3)
    assert found.free > 0
    assert found.where_reachable == 0
    assert found.configurations == sum(
        sum(not parse.terminal for parse in Search(make_system("arc-eager", single_root=False), n).parses.values())
        * len(list(all_trees(n, single_root=False)))
        for n in (1, 2, 3)
    )


def test_rules_for_graphs_as_printed_leave_orphans_without_a_free_move() -> None:
    found = graph_disagreement(2, "gold-arcs")
    assert found.none_free > 0
    assert found.where_reachable == 0


def test_rules_for_graphs_as_printed() -> None:
    """Section 3.3 to the letter, with sets instead of configurations."""
    checked = 0
    for n in (1, 2, 3):
        search = GraphSearch("dag-arc-eager", n, costs="paper")
        for graph in all_graphs(n, crossing=n < 3):
            gold = {(head, word) for word, heads in enumerate(graph, 1) for head in heads}
            for parse in search.parses.values():
                costs = parse.set_gold(graph).costs()
                assert costs == {kind: int(cost) for kind, cost in as_printed(parse, gold).items() if kind in costs}
                checked += 1
    assert checked > 10_000


def as_printed(parse: GraphParse, gold: set[tuple[int, int]]) -> dict[str, bool]:
    """Which moves are costly: (σ|s, b|β, A) is the configuration."""
    n, arcs, b = parse.n_words, set(parse.arcs), parse.front % (parse.n_words + 1)
    *sigma, s = parse.stack or [None]
    beta = {*range(parse.front + 1, n + 1), 0} if b else set()

    def has_heads_or_dependents(word: int | None, among: Collection[int]) -> bool:
        return any((other, word) in gold or (word, other) in gold for other in among)

    return {
        "SHIFT": has_heads_or_dependents(b, sigma),
        "LEFT": (s, b) in arcs or any(word == s and (head == 0 or head > s) for head, word in arcs),
        "RIGHT": (b, s) in arcs or any(word == b and head < b for head, word in arcs),
        "REDUCE": has_heads_or_dependents(s, beta),
    }


def test_the_letter_calls_arcs_free_that_are_not_gold() -> None:
    parse = GraphParse(((2,), (0,)), make_graph_system("dag-arc-eager", "paper")).follow(["SHIFT"])
    assert parse.costs() == {"SHIFT": 0, "LEFT": 0, "RIGHT": 0}
    assert graph_disagreement(2, "paper").where_reachable > 0


def test_only_arc_eager_has_other_costs() -> None:
    with pytest.raises(CombinationError, match="arc-hybrid has no costs '2012'"):
        make_system("arc-hybrid", costs="2012")
