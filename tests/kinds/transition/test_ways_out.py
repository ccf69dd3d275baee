"""Another relation for an arc that is in the way, compared with all that there are."""

from __future__ import annotations

import random
from array import array

import pytest
from treewright.kinds.transition.engines.arc_scores import found_way_out
from treewright.systems.rules.table import RuleTable
from treewright.systems.system import Parse

from treewright.oracles.rules import N_RELATIONS, RELATIONS, TAGS, Arc, PlainRules, random_rules
from treewright.systems import make_system


def best_change(plain: PlainRules, arcs: list[Arc], new: Arc, scores: list[list[float]]) -> tuple[int, int] | None:
    """Return the word and the relation that let a new arc join others at the least loss, if it is the only one."""
    in_the_way = {arc[0] for arc in arcs if plain.parts(arc, new)}
    if plain.bars(new) or len(in_the_way) != 1:
        return None
    changes = []
    for place, (word, head, label) in enumerate(arcs):
        if word not in in_the_way or head == 0:
            continue
        for other in range(N_RELATIONS):
            changed = (word, head, other)
            rest = [*arcs[:place], *arcs[place + 1 :], new]
            if other != label and not plain.bars(changed) and not any(plain.parts(changed, arc) for arc in rest):
                changes.append((scores[word - 1][label] - scores[word - 1][other], word, other))
    return min(changes)[1:] if changes else None


@pytest.mark.parametrize("name", ["arc-eager", "covington"])
def test_the_cheapest_other_relation_is_found(name: str) -> None:
    rng, system, found = random.Random(1), make_system(name), 0
    for _ in range(3000):
        rules, tags = random_rules(rng), [rng.randrange(len(TAGS)) for _ in range(5)]
        table, plain = RuleTable(rules, RELATIONS), PlainRules(rules, tags)
        numbers = [table.tags.index(TAGS[tag]) + 1 if TAGS[tag] in table.tags else 0 for tag in tags]
        parse = Parse(system, 5)
        scores = [[rng.random() for _ in RELATIONS] for _ in tags]
        while not parse.terminal:
            move = rng.choice(parse.legal())
            arc, label = parse.arc(move), rng.randrange(N_RELATIONS)
            if arc is not None and arc[0] and parse.carries_relation(move):
                arcs = [(word, *one) for word, one in parse.arcs.items()]
                flat = array("f", [score for row in scores for score in row])
                square = memoryview(flat).cast("B").cast("f", (5, N_RELATIONS))
                told = found_way_out(parse, table, numbers, square, *arc, label)
                true = best_change(plain, arcs, (arc[1], arc[0], label), scores)
                assert (told[:2] if told else None) == true
                found += told is not None
            parse.apply(move, label if parse.carries_relation(move) else None)
    assert found > 100
