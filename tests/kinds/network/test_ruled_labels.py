"""The best relations of a tree within rules, compared with all that there are."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from functools import partial
from itertools import product

import pytest
from treewright.systems.rules.table import RuleTable

import treewright as tw
from tests.kinds.network.models import random_parser
from tests.systems.rules.test_learning import CLAUSE, block_of
from tests.toy import DEV, TRAIN
from treewright.kinds.network import parser as parser_module
from treewright.kinds.network.parser import Member, batches
from treewright.kinds.network.ruled_labels import at_a_price, best_within
from treewright.oracles.exhaustive import all_trees
from treewright.oracles.rules import N_RELATIONS, RELATIONS, TAGS, PlainRules, random_rules
from treewright.systems.rules.learning import learn_rules
from treewright.systems.rules.rule import PAIR, TAG, TAG_PRICE, Rule, rows_of
from treewright.treebank.files.reading import read_blocks


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_best_of_all_that_keep_the_rules(n: int) -> None:
    rng = random.Random(n)
    trees = list(all_trees(n, projective=False))
    for heads in rng.sample(trees, min(40, len(trees))):
        rules, tags = random_rules(rng), [rng.randrange(len(TAGS)) for _ in heads]
        table, plain = RuleTable(rules, RELATIONS), PlainRules(rules, tags)
        numbers = bytes(table.tags.index(TAGS[tag]) + 1 if TAGS[tag] in table.tags else 0 for tag in tags)
        rows = [[rng.random() for _ in RELATIONS] for _ in heads]
        given = array("i", [1] * n)
        found = best_within(table, rows, array("i", heads), given, numbers)
        best = max(
            sum(row[label] for row, label in zip(rows, labels, strict=True))
            for labels in product(range(N_RELATIONS), repeat=n)
            if keeps(plain, heads, labels)
        )
        assert keeps(plain, heads, found)
        assert table.conflict(array("i", heads), found, numbers) is None
        assert sum(row[label] for row, label in zip(rows, found, strict=True)) == pytest.approx(best)


@pytest.mark.parametrize("n", [2, 3])
def test_guessed_tags_change_at_a_price(n: int) -> None:
    rng = random.Random(n)
    for heads in list(all_trees(n, projective=False)) * 5:
        rules, tags = random_rules(rng), [rng.randrange(len(TAGS)) for _ in heads]
        table = RuleTable(rules, RELATIONS)
        plain = PlainRules([rule for rule in rules if rule.kind != TAG], tags)
        of_tags = PlainRules([rule for rule in rules if rule.kind == TAG], tags)
        numbers = bytes(table.tags.index(TAGS[tag]) + 1 if TAGS[tag] in table.tags else 0 for tag in tags)
        rows = [[3 * rng.random() for _ in RELATIONS] for _ in heads]

        priced = at_a_price(table, rows, heads, numbers)
        found = best_within(table, priced, array("i", heads), array("i", [1] * n), bytes(n))
        worth = partial(worth_of, of_tags, rows, heads)
        best = max(worth(labels) for labels in product(range(N_RELATIONS), repeat=n) if keeps(plain, heads, labels))
        assert keeps(plain, heads, found)
        assert worth(found) == pytest.approx(best)


def worth_of(tags: PlainRules, rows: list[list[float]], heads: Sequence[int], labels: Sequence[int]) -> float:
    arcs = [(word, head, label) for word, (head, label) in enumerate(zip(heads, labels, strict=True), 1)]
    wanted = sum(row[label] for row, label in zip(rows, labels, strict=True))
    return wanted - TAG_PRICE * sum(map(tags.bars, arcs))


def test_relations_of_a_parser_are_the_best_within_its_rules_votes_included(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser_module, "MOST_ROWS", 50)
    block = next(iter(read_blocks(DEV)))
    assert len(list(batches(block))) > 2
    greedy = tw.train(TRAIN, features="malt", iterations=1)
    relations = greedy.relations
    rules = [Rule(PAIR, relation, tuple(relations[:8]), 0, 1) for relation in relations[:8]]
    rules += [Rule(TAG, relation, ("NOUN",), 0, 1) for relation in relations[4:]]
    members = [Member("greedy", greedy, 1.0, 0.5), Member("again", greedy, 0.0, 0.3)]
    trees = random_parser([block], relations, 3, members, rules=rows_of(rules)).trees(block)
    parser = random_parser([block], relations, 3, members)
    free, voted, table = parser.trees(block), greedy.trees(block), RuleTable(rules, relations)
    tags, changed = table.tags_in(block), 0
    for number in range(block.n_sentences):
        words, encoded = block.words_of(number), parser.encode(block, number, number + 1)
        own = slice(words.start, words.stop)
        rows = parser.network.relation_scores(encoded, array("i", [0, *free.heads[own]])).tolist()[1:]
        for row, word in zip(rows, words, strict=True):
            if voted.heads[word] == free.heads[word]:
                row[voted.labels[word]] += 0.5 + 0.3
        expected = best_within(table, rows, free.heads[own], free.labels[own], tags[own])
        assert trees.labels[own] == expected
        changed += expected != free.labels[own]
    assert trees.heads == free.heads
    assert changed > 5


def test_enclosed_words_of_a_parser_cross_fewer_arcs() -> None:
    block = next(iter(read_blocks(DEV)))
    rules = learn_rules([block_of(*[CLAUSE] * 100)])
    ruled = random_parser([block], ["punct", "root", "obj"], 3, leaf_tags=["PUNCT"], rules=rows_of(rules))
    free = random_parser([block], ["punct", "root", "obj"], 3, leaf_tags=["PUNCT"])
    enclosed = RuleTable(rules, ruled.relations).enclosed(block, ["PUNCT"])
    heads, before = ruled.trees(block).heads, free.trees(block).heads
    moved = {word for word in range(block.n_words) if heads[word] != before[word]}
    assert moved
    assert all(enclosed[word] for word in moved)


def keeps(plain: PlainRules, heads: list[int], labels: object) -> bool:
    arcs = [(word, head, label) for word, (head, label) in enumerate(zip(heads, list(labels), strict=True), 1)]  # type: ignore[call-overload]
    return not any(map(plain.bars, arcs)) and not any(
        plain.parts(a, b) for number, a in enumerate(arcs) for b in arcs[:number]
    )


def test_where_nothing_keeps_the_rules_relations_stay() -> None:
    table = RuleTable([Rule(PAIR, "r0", ("r0",), 0, 1)], ["r0"])
    heads, given = array("i", [3, 3, 0]), array("i", [0, 0, 0])
    assert best_within(table, [[1.0], [1.0], [1.0]], heads, given, bytes(3)) == given
    with pytest.raises(ValueError, match="out of range"):
        table.conflict(array("i", [4]), array("i", [0]), bytes(1))
