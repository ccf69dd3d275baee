"""Costs where rules hold, compared with exhaustive search: ``python -m treewright.oracles rules``.

Rules, tags and relations are drawn at random. The relation 0 is free of rules.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from itertools import product

from treewright.oracles.comparison import Row, all_systems, named
from treewright.oracles.exhaustive import Move, Search, state_of, trees_for
from treewright.systems.rules.live_gold import LiveGold
from treewright.systems.rules.rule import CHAIN, DIRECTION, GOVERNOR, LEFT, PAIR, RIGHT, TAG, Rule
from treewright.systems.rules.table import RuleTable
from treewright.systems.system import Parse, System
from treewright.systems.weighted_gold import ADDITIVE

COLUMNS = ("system", "root", "single_root", "trees with rules", "configurations", "mismatches")
WORDS = 3
N_RELATIONS = 3
RELATIONS = [f"r{number}" for number in range(N_RELATIONS)]
TAGS = ["A", "B"]
#: word, head and relation
Arc = tuple[int, int, int]


def is_ruled(system: System) -> bool:
    """Does a system know what rules cost? Not where arcs may be replaced, so that what they bar is not lost."""
    return "dynamic" in system.oracles and system.name != "non-monotonic"


def random_rules(rng: random.Random) -> list[Rule]:
    """Return rules about all relations but the first."""
    bound = RELATIONS[1:]
    pairs = [pair for pair in product(bound, bound) if pair[0] <= pair[1] and rng.random() < 0.5]
    both = {*pairs, *((b, a) for a, b in pairs)}
    rules = []
    for relation in bound:
        others = {
            PAIR: [other for one, other in sorted(both) if one == relation],
            CHAIN: [other for other in bound if rng.random() < 0.4],
            TAG: [tag for tag in TAGS if rng.random() < 0.2],
            DIRECTION: [side for side in (LEFT, RIGHT) if rng.random() < 0.15],
        }
        rules += [Rule(kind, relation, tuple(found), 0, 1) for kind, found in others.items() if found]
        for tag in TAGS:
            below = tuple(other for other in bound if rng.random() < 0.2)
            rules += [Rule(GOVERNOR, f"{relation} {tag}", below, 0, 1)] if below else []
    return rules


class PlainRules:
    """The same rules as a reader would check them, arc by arc and pair by pair."""

    def __init__(self, rules: Sequence[Rule], tags: Sequence[int]) -> None:
        self.tags = tags
        self.barred = {(rule.kind, rule.relation, other) for rule in rules for other in rule.others}

    def bars(self, arc: Arc) -> bool:
        """Does an arc break a rule by itself?"""
        word, head, relation = arc
        side, tag = (LEFT if word < head else RIGHT), TAGS[self.tags[word - 1]]
        named = RELATIONS[relation]
        return head != 0 and bool({(DIRECTION, named, side), (TAG, named, tag)} & self.barred)

    def parts(self, one: Arc, other: Arc) -> bool:
        """Do two arcs break a rule together?"""
        if 0 in (one[1], other[1]):
            return False
        if one[1] == other[1]:
            return (PAIR, RELATIONS[one[2]], RELATIONS[other[2]]) in self.barred
        above, below = (one, other) if one[0] == other[1] else (other, one)
        relation, tag = RELATIONS[above[2]], TAGS[self.tags[above[0] - 1]]
        barred = {(CHAIN, relation, RELATIONS[below[2]]), (GOVERNOR, f"{relation} {tag}", RELATIONS[below[2]])}
        return above[0] == below[1] and bool(barred & self.barred)

    def allow(self, arc: Arc, arcs: Sequence[Arc], gold: Sequence[Arc]) -> bool:
        """May an arc join others? A gold one need only agree with those that are not."""
        if arc in gold:
            return not any(self.parts(arc, other) for other in arcs if other not in gold)
        return not self.bars(arc) and not any(self.parts(arc, other) for other in arcs)


class RuledSearch(Search):
    """All configurations that moves within the rules lead to, given a gold tree, whose arcs are exempt."""

    def __init__(self, system: System, rules: PlainRules, gold: Sequence[Arc]) -> None:
        self.rules, self.gold = rules, gold
        super().__init__(system, len(gold), N_RELATIONS)

    def _moves(self, parse: Parse) -> list[Move]:
        arcs = [(word, *arc) for word, arc in parse.arcs.items()]
        allowed = []
        for kind, relation in super()._moves(parse):
            added = parse.arc(kind) if relation is not None else None
            if added is None or self.rules.allow((added[1], added[0], relation or 0), arcs, self.gold):
                allowed.append((kind, relation))
        return allowed


def compare_ruled(system: System, words: int, draws: int, seed: int = 1) -> tuple[int, int, list[str]]:
    """Compare what may be and what it costs with the truth, for all trees and so many draws of rules for each.

    Returns how many trees with rules and how many configurations were looked at, and the mismatches. In systems that
    are not arc-decomposable, a move may cost less than it is said to, unless it is said to cost nothing.
    """
    rng = random.Random(seed)
    trees = configurations = 0
    mismatches: list[str] = []
    for n in range(1, words + 1):
        for heads in trees_for(system, n):
            for _ in range(draws):
                drawn, tags = random_rules(rng), [rng.randrange(len(TAGS)) for _ in heads]
                labels = [rng.randrange(N_RELATIONS) for _ in heads]
                trees += 1
                found, wrong = _check_tree(system, drawn, tags, heads, labels)
                configurations += found
                mismatches += wrong
    return trees, configurations, mismatches


def _check_tree(
    system: System, drawn: Sequence[Rule], tags: Sequence[int], heads: Sequence[int], labels: Sequence[int]
) -> tuple[int, list[str]]:
    gold = [(word, head, label) for word, (head, label) in enumerate(zip(heads, labels, strict=True), 1)]
    plain, table, live = PlainRules(drawn, tags), RuleTable(drawn, RELATIONS), LiveGold()
    numbers = [table.tags.index(TAGS[tag]) + 1 if TAGS[tag] in table.tags else 0 for tag in tags]
    search = RuledSearch(system, plain, gold)
    losses = search.losses_in_order(heads, labels)
    search.set_gold(heads, labels)
    mismatches, configurations = [], 0
    for place, state in enumerate(search.order):
        parse, after = search.parses[state], search.next[state]
        if not after:
            continue
        configurations += 1
        judged = live.judge(parse, table, numbers)
        told = {(kind, label): cost for kind, of in judged.items() for label, (may, cost) in of.items() if may}
        true = {move: losses[search.place[following]] - losses[place] for move, following in after.items()}
        exact = system.name in ADDITIVE
        if told.keys() != true.keys() or not all(_agree(told[move], true[move], exact) for move in true):
            mismatches.append(f"{heads} {labels}, tags {tags}, {drawn}, {state_of(parse)}: {told}, not {true}")
    return configurations, mismatches


def _agree(told: int, true: int, exact: bool) -> bool:
    return told == true if exact else (told == 0) <= (true == 0) and told >= true


def rows(options: argparse.Namespace) -> Iterator[Row]:
    """Yield what was compared, and how many answers were wrong, by system."""
    for system in all_systems(options.system):
        if is_ruled(system):
            trees, configurations, mismatches = compare_ruled(system, options.words, 3)
            yield *named(system), trees, configurations, len(mismatches)
