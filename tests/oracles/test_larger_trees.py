"""Oracles on random trees too large to enumerate: what must hold along every path."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from treewright.systems.system import Parse, System

from tests.systems.cases import (
    DYNAMIC,
    NONDETERMINISTIC,
    STATIC,
    SYSTEMS,
    name_of,
    random_projective_tree,
    random_tree,
    random_tree_for,
)
from treewright.oracles.exhaustive import is_projective, is_tree

SIZES = range(1, 13)
seeds = st.integers(0, 2**32 - 1)
#: a seed makes a tree of every size, so there are a hundred trees; drawing each by itself takes longer than parsing it
nine = settings(max_examples=9)


def cases(system: System, seed: int) -> Iterator[tuple[random.Random, list[int], Parse]]:
    for n in SIZES:
        rng = random.Random(seed * len(SIZES) + n)
        heads = random_tree_for(system, rng, n)
        yield rng, heads, Parse(system, n, heads)


def most_moves(system: System, n: int) -> int:
    """Covington tries every pair, ROOT's included, and shifts every word; easy-first makes an arc by every move."""
    if system.name.startswith("covington"):
        return n * (n + 1) // 2 + n
    if system.name.startswith("swap"):  # every two words are swapped once at most, and then shifted again
        return n * (n + 1)
    if system.planes:  # two arcs to a word, ROOT's being one, and a switch before every other move
        return 4 * n * system.planes
    if system.name == "non-monotonic":  # every word comes back once at most
        return 4 * n + 1
    return n if system.has_places else 2 * n + 1


def missing(parse: Parse, heads: list[int]) -> int:
    return sum(parse.arcs.get(word, (None, 0))[0] != head for word, head in enumerate(heads, 1))


@given(seeds, st.sampled_from(SIZES), st.booleans())
def test_the_random_trees_are_trees(seed, n, single_root):
    heads = random_projective_tree(random.Random(seed), n, single_root)
    assert is_tree(heads)
    assert is_projective(heads)
    assert heads.count(0) == 1 or not single_root
    heads = random_tree(random.Random(seed), n, single_root)
    assert is_tree(heads)
    assert heads.count(0) == 1 or not single_root


def test_some_random_trees_are_not_projective():
    assert not all(is_projective(random_tree(random.Random(seed), 6)) for seed in range(10))


@pytest.mark.parametrize("system", DYNAMIC, ids=name_of)
@nine
@given(seeds)
def test_costs_along_any_path_add_up_to_the_arcs_it_loses(system, seed):
    for rng, heads, parse in cases(system, seed):
        wrong = rng.random()
        lost = 0
        while not parse.terminal:
            costs = parse.costs()
            assert costs
            assert min(costs.values()) == 0
            allowed = [kind for kind, cost in costs.items() if cost == 0 or rng.random() < wrong]
            kind = rng.choice(allowed)
            lost += costs[kind]
            parse.apply(kind)
        assert missing(parse, heads) == lost


@pytest.mark.parametrize("system", DYNAMIC, ids=name_of)
@nine
@given(seeds)
def test_moves_of_no_cost_lose_nothing_more(system, seed):
    """After random moves, any way of following zero costs ends in the loss known before."""
    for rng, heads, parse in cases(system, seed):
        lost = 0
        for _ in range(rng.randrange(2 * len(heads))):
            if parse.terminal:
                break
            kind = rng.choice(parse.legal())
            lost += parse.costs()[kind]
            parse.apply(kind)
        while not parse.terminal:
            costs = parse.costs()
            parse.apply(rng.choice([kind for kind in costs if costs[kind] == 0]))
        assert missing(parse, heads) == lost


@pytest.mark.parametrize("system", NONDETERMINISTIC, ids=name_of)
@nine
@given(seeds)
def test_every_way_of_right_moves_leads_to_the_gold_tree(system, seed):
    for rng, heads, parse in cases(system, seed):
        while not parse.terminal:
            parse.apply(rng.choice(parse.correct()))
        assert missing(parse, heads) == 0


@pytest.mark.parametrize("system", STATIC, ids=name_of)
@nine
@given(seeds)
def test_the_static_path_is_right_and_leads_to_the_gold_tree(system, seed):
    for _, heads, _ in cases(system, seed):
        n = len(heads)
        labels = [word % 3 for word in range(n)]
        parse = Parse(system, n, heads, labels)
        while not parse.terminal:
            kind, relation = parse.static()
            assert kind in (parse.correct() if "nondeterministic" in system.oracles else parse.legal())
            parse.apply(kind, relation)
        assert parse.arcs == {word: (heads[word - 1], labels[word - 1]) for word in range(1, n + 1)}


@pytest.mark.parametrize("system", SYSTEMS, ids=name_of)
@nine
@given(seeds)
def test_every_parse_comes_to_an_end(system, seed):
    """Before the end there is always a legal move, and a known number of them is always enough."""
    for n in SIZES:
        rng = random.Random(seed * len(SIZES) + n)
        parse = Parse(system, n)
        while not parse.terminal:
            parse.apply(rng.choice(parse.legal()))
        assert len(parse.history) <= most_moves(system, n)
        assert is_tree([parse.arcs.get(word, (0, 0))[0] for word in range(1, n + 1)])
