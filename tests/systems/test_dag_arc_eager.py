"""Arc-eager for graphs, with and without crossing arcs: costs against a search through all moves, on small graphs.

The search has the systems written a second time, naively; test_graphs.py in tests/oracles tries the compiled ones.
"""

from functools import cache
from itertools import product
from random import Random

import pytest
from treewright.systems.graphs.graph_system import GraphParse

from treewright.errors import CombinationError
from treewright.systems.graphs import make_graph_system

EAGER, CROSSING = make_graph_system("dag-arc-eager"), make_graph_system("dag-crossing")


def planar(heads):
    n = len(heads)
    spans = [tuple(sorted((w, h or n + 1))) for w, of in enumerate(heads, 1) for h in of]
    return not any(a < c < b < d for a, b in spans for c, d in spans)


def graphs(n, crossing=False):
    """Yield every graph of n words, without crossing arcs or with: for each word a set of heads, cycles allowed."""
    choices = [[h for h in range(n + 1) if h != w] for w in range(1, n + 1)]
    masks = [list(range(1 << len(c))) for c in choices]
    for picks in product(*masks):
        heads = [[h for i, h in enumerate(c) if pick >> i & 1] for c, pick in zip(choices, picks, strict=True)]
        if crossing or planar(heads):
            yield heads


class Search:
    """The transition system written a second time, naively, and the least loss by trying everything."""

    def __init__(self, heads, crossing=False):
        self.n, self.crossing = len(heads), crossing
        self.gold = {(h or self.n + 1, w) for w, of in enumerate(heads, 1) for h in of}
        self.loss = cache(self._loss)

    def moves(self, state):
        """Yield (kind, next state, arcs wrong or lost by it).

        A state: stack, words passed over, front, words with a head, arcs of the pair.
        """
        stack, passed, b, headed, linked = state
        here = stack[-1] if stack else None
        if b <= self.n:
            others = {(x, b) for x in stack} | {(b, x) for x in stack}
            after = (*stack, *reversed(passed), b)
            yield "SHIFT", (after, (), b + 1, headed, frozenset()), len(self.gold & others - linked)
        if here is None:
            return
        if (b, here) not in linked:
            after = (stack, passed, b, headed | {here}, linked | {(b, here)})
            yield "LEFT", after, int((b, here) not in self.gold)
        if b <= self.n and (here, b) not in linked:
            after = (stack, passed, b, headed | {b}, linked | {(here, b)})
            yield "RIGHT", after, int((here, b) not in self.gold)
        if here in headed:
            rest = range(b, self.n + 2)
            others = {(x, here) for x in rest} | {(here, x) for x in rest}
            yield "REDUCE", (stack[:-1], passed, b, headed, frozenset()), len(self.gold & others - linked)
        if self.crossing and b <= self.n and len(stack) > 1:
            others = {(here, b), (b, here)}
            yield "PASS", (stack[:-1], (*passed, here), b, headed, frozenset()), len(self.gold & others - linked)

    def _loss(self, state):
        """Return how many arcs must be wrong or lost from here on."""
        return min((now + self.loss(after) for _, after, now in self.moves(state)), default=0)

    def costs(self, state):
        least = self.loss(state)
        return {kind: now + self.loss(after) - least for kind, after, now in self.moves(state)}


def check_everywhere(heads, system=EAGER):
    """Compare the costs in every configuration that any moves lead to."""
    search = Search(heads, system is CROSSING)
    seen = set()
    waiting = [(((), (), 1, frozenset(), frozenset()), ())]
    parse = GraphParse(heads, system)
    while waiting:
        state, path = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        assert parse.follow(path).costs() == search.costs(state), (heads, path)
        waiting.extend((after, (*path, kind)) for kind, after, _ in search.moves(state))


@pytest.mark.parametrize("n", [1, 2])
def test_costs_are_exact_for_all_graphs_of_two_words(n):
    for heads in graphs(n):
        check_everywhere(heads)
        check_everywhere(heads, CROSSING)


def test_costs_are_exact_for_graphs_of_three_and_four_words():
    random = Random(1)
    three = list(graphs(3))
    for heads in random.sample(three, 40):
        check_everywhere(heads)
    four = list(graphs(4))
    for heads in random.sample(four, 3):
        check_everywhere(heads)


def test_costs_are_exact_for_graphs_with_crossing_arcs():
    random = Random(2)
    for heads in random.sample(list(graphs(3, crossing=True)), 40):
        check_everywhere(heads, CROSSING)
    check_everywhere([[3], [4, 0], [0, 1], [2, 1]], CROSSING)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_static_oracle_builds_every_graph_whose_words_have_heads(n):
    for heads in graphs(n):
        if not all(heads):
            continue
        parse = GraphParse(heads, EAGER)
        while not parse.terminal:
            kind = parse.static()
            assert parse.costs()[kind] == 0
            parse.apply(kind)
        assert sorted(parse.arcs) == sorted((h, w) for w, of in enumerate(heads, 1) for h in of)


def test_a_wrong_arc_is_free_where_every_way_on_needs_one():
    # The counter-example to costs that look at arcs one by one: 1's only head is 2, and SHIFT has lost it.
    parse = GraphParse([[2], [0]], EAGER)
    parse.apply("SHIFT")
    assert parse.costs() == {"SHIFT": 2, "LEFT": 0, "RIGHT": 1}
    parse.apply("SHIFT")
    parse.apply("LEFT")
    parse.apply("REDUCE")
    assert parse.costs() == {"LEFT": 0}


def test_no_arc_is_built_twice():
    parse = GraphParse([[2], [0]], EAGER)
    parse.apply("SHIFT")
    parse.apply("LEFT")
    assert parse.legal() == ["SHIFT", "RIGHT", "REDUCE"]
    with pytest.raises(CombinationError, match="LEFT is not legal here"):
        parse.apply("LEFT")


def test_a_gold_head_must_be_in_the_sentence():
    with pytest.raises(CombinationError):
        GraphParse([[3], [0]], EAGER)


def test_words_are_passed_over_and_come_back():
    parse = GraphParse([[3], [4], [0], [3]], CROSSING)
    for kind in ("SHIFT", "SHIFT"):
        parse.apply(kind)
    assert parse.static() == "PASS"
    parse.apply("PASS")
    assert (parse.stack, parse.context) == ([1], [2])
    assert parse.static() == "LEFT"
    parse.apply("LEFT").apply("SHIFT")
    assert (parse.stack, parse.context) == ([1, 2, 3], [])
