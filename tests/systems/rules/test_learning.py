"""Rules learnt from trees: what they never do, with evidence, and how often other trees do it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import pytest
from treewright.systems.rules.table import RuleTable, outward_tags
from treewright.treebank.blocks.block import Block

from tests.systems.cases import CONLLU
from treewright.systems.rules.counts import broken_rules, counts_of, is_nested, nonprojective
from treewright.systems.rules.learning import learn_rules
from treewright.systems.rules.rule import (
    CHAIN,
    DIRECTION,
    PAIR,
    PROJECTIVE,
    TAG,
    USUAL,
    Rule,
    listed,
    rows_of,
    rules_in,
)

CLAUSE = "DET>2:det NOUN>3:nsubj VERB>0:root DET>5:det NOUN>3:obj PUNCT>3:punct"
OUTER = "DET>2:det NOUN>4:nsubj:outer PRON>4:nsubj VERB>0:root PUNCT>4:punct"
CLAUSAL = "VERB>2:csubj VERB>0:root NOUN>2:obj PUNCT>2:punct"


def block_of(*trees: str) -> Block:
    """Return a block of trees, each word as TAG>HEAD:RELATION, with FEATS behind a slash."""
    text = ""
    for tree in trees:
        for number, word in enumerate(tree.split(), 1):
            tag, _, arc = word.partition(">")
            head, _, relation = arc.partition(":")
            tag, _, feats = tag.partition("/")
            text += "\t".join([str(number), "w", "_", tag, "_", feats or "_", head, relation, "_", "_"]) + "\n"
        text += "\n"
    return Block(text.encode(), CONLLU)


def test_a_guessed_tag_that_breaks_a_rule_becomes_the_usual_one(rules: tuple[Rule, ...]) -> None:
    assert found(rules, USUAL)["det"] == {"DET"}
    table = RuleTable(rules, ["det", "nsubj", "obj", "punct", "root"])
    heads, labels = array("i", [2, 3, 0, 5, 3, 3]), array("i", [0, 1, 4, 0, 2, 3])
    guessed = block_of(CLAUSE.replace("DET>2", "PUNCT>2").replace("NOUN>3:obj", "ADV/ExtPos=DET|X=Y>3:obj"))
    expected = block_of(CLAUSE.replace("NOUN>3:obj", "ADV/ExtPos=NOUN|X=Y>3:obj"))
    assert table.fitted(guessed, heads, labels).data == expected.data
    right = block_of(CLAUSE)
    assert table.fitted(right, heads, labels) is right
    with pytest.raises(ValueError, match="cover every word"):
        table.fitted(right, heads[:3], labels)


def found(rules: Iterable[Rule], kind: str) -> dict[str, set[str]]:
    return {rule.relation: set(rule.others) for rule in rules if rule.kind == kind}


@pytest.fixture(scope="module")
def rules() -> tuple[Rule, ...]:
    return learn_rules([block_of(*[CLAUSE] * 100, *[OUTER] * 20, *[CLAUSAL] * 5)])


def test_a_verb_has_one_subject_but_an_outer_one(rules: tuple[Rule, ...]) -> None:
    pairs = found(rules, PAIR)
    assert "nsubj" in pairs["nsubj"]
    assert "nsubj:outer" not in pairs["nsubj"]
    assert "obj" in pairs["obj"]
    # too rare to tell by itself, and nowhere beside a subject
    assert "csubj" not in pairs or "csubj" in pairs["csubj"]


def test_sides_tags_chains_and_crossings(rules: tuple[Rule, ...]) -> None:
    assert found(rules, DIRECTION)["det"] == {"right"}
    assert found(rules, DIRECTION)["punct"] == {"left"}
    assert "nsubj:outer" not in found(rules, DIRECTION)  # 20 words say nothing
    tags = found(rules, TAG)
    assert {"DET", "NOUN", "VERB"} <= tags["punct"]
    assert "PUNCT" in tags["det"]
    assert "DET" not in tags["det"]
    assert {"obj", "nsubj", "det", "punct"} <= found(rules, CHAIN)["det"]
    assert "nsubj" not in found(rules, CHAIN)  # it governs too much
    assert set(found(rules, PROJECTIVE)) >= {"det", "punct"}


def test_few_trees_say_nothing() -> None:
    assert learn_rules([block_of(CLAUSE, OUTER)]) == ()


def test_errors_of_annotation_are_counted() -> None:
    many = learn_rules([block_of(*[CLAUSE] * 2100, "NOUN>2:nsubj VERB>0:root DET>2:det")])
    det = next(rule for rule in many if rule.kind == DIRECTION and rule.relation == "det")
    assert (det.others, det.broken, det.of) == (("right",), 1, 4201)
    few = learn_rules([block_of(*[CLAUSE] * 100, "NOUN>2:nsubj VERB>0:root DET>2:det")])
    assert "det" not in found(few, DIRECTION)


def test_going_on_keeps_what_is_not_contradicted(rules: tuple[Rule, ...]) -> None:
    again = learn_rules([block_of("NOUN>2:nsubj VERB>0:root DET>2:det")], rules)
    assert set(again) < set(rules)
    assert "det" not in found(again, DIRECTION)
    assert found(again, PAIR) == found(rules, PAIR)


def test_broken_rules_are_counted_in_other_trees(rules: tuple[Rule, ...]) -> None:
    assert broken_rules(rules, [block_of(CLAUSE, OUTER)]) == {}
    broken = broken_rules(rules, [block_of("NOUN>3:nsubj NOUN>3:nsubj VERB>0:root NOUN>3:punct DET>4:det")])
    assert {(rule.kind, rule.relation) for rule in broken} >= {(PAIR, "nsubj"), (TAG, "punct"), (DIRECTION, "det")}


def test_root_arcs_are_free() -> None:
    counts = counts_of([block_of("NOUN>0:root VERB>0:root", "NOUN>9:root")])
    assert not counts.relations
    assert not counts.pairs


def test_the_tag_that_heads_see() -> None:
    tags = outward_tags(block_of("ADP/ExtPos=ADV|Typo=Yes>2:a NOUN/Case=Nom|ExtPos=PROPN>0:b X/XExtPos=Y>1:c _>1:d"))
    assert tags == ["ADV", "PROPN", "X", "_"]


def test_projective_arcs() -> None:
    assert nonprojective([3, 4, 0, 3]) == [2]
    assert nonprojective([2, 0, 2]) == []
    assert is_nested([2, 0, 2])
    assert not is_nested([3, 4, 0, 3])
    assert nonprojective([0, 4, 1, 1]) == [2]  # word 3 hangs from 1


def test_rules_survive_a_model_file(rules: tuple[Rule, ...]) -> None:
    rows = rows_of(rules)
    assert rules_in(rows) == rules
    shown = listed({"rules": rows})
    assert shown["det never on the right of its head"] == "broken by 0 of 220"
    assert listed({}) == {}
