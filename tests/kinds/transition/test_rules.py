"""Parsers keep the rules that their treebank keeps: every system, greedy and with a beam, all ways to decide."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

import treewright as tw
from tests.toy import DEV, TEST, TRAIN
from treewright.kinds.transition.parser import TransitionParser
from treewright.systems.rules.counts import broken_rules
from treewright.systems.rules.learning import learn_rules
from treewright.systems.rules.rule import KINDS, PAIR, TAG, USUAL, Rule, rows_of, rules_in
from treewright.treebank.files.reading import read_blocks

#: how to train, and what else to say when parsing
WAYS = {
    "arc-eager": ({"features": "rich"}, {}),
    "kind before relation": ({"features": "lean"}, {}),
    "root first": ({"root": "first", "features": "rich"}, {}),
    "arc-hybrid": ({"system": "arc-hybrid"}, {}),
    "arc-standard": ({"system": "arc-standard"}, {}),
    "covington": ({"system": "covington"}, {}),
    "covington-projective": ({"system": "covington-projective"}, {}),
    "easy-first": ({"system": "easy-first"}, {}),
    "beam": ({"beam": 4}, {}),
    "a beam later": ({}, {"beam": 8}),
    "confidences": ({}, {"confidence": True}),
    "other weights": ({"precision": "float"}, {}),
}


def broken(rules: Iterable[Rule], path: Path) -> int:
    return sum(broken_rules(rules, read_blocks(path)).values())


def kept(parser: object) -> tuple[Rule, ...]:
    assert isinstance(parser, TransitionParser)
    return rules_in(parser.settings.get("rules", []))


@pytest.mark.parametrize("way", WAYS)
def test_trees_keep_the_rules(way: str, tmp_path: Path) -> None:
    options, call = WAYS[way]
    parser = tw.train(TRAIN, iterations=1, rules="learnt", **options)
    rules = kept(parser)
    assert {rule.kind for rule in rules} == set(KINDS)
    parser.save(tmp_path / "model.tw")
    tw.load(str(tmp_path / "model.tw")).parse_file(TEST, tmp_path / "with.conllu", **call)
    settings = {key: value for key, value in parser.settings.items() if key != "rules"}
    free = TransitionParser(settings, parser.weights, parser.info)
    free.parse_file(TEST, tmp_path / "without.conllu", **call)
    # the toy treebank has few relations: where rules leave none, the one that breaks fewest is taken
    assert broken(rules, tmp_path / "with.conllu") <= 0.4 * broken(rules, tmp_path / "without.conllu")


def test_none_is_learnt_if_none_is_wanted() -> None:
    assert kept(tw.train(DEV, iterations=1, features="malt")) == ()


def test_a_model_to_go_on_from_has_the_rules() -> None:
    first = tw.train(TRAIN, iterations=1, rules="learnt")
    again = tw.train(DEV, iterations=1, init_from=first, rules="learnt")
    assert kept(again)
    assert {(rule.kind, rule.relation) for rule in kept(again)} <= {(rule.kind, rule.relation) for rule in kept(first)}


def test_given_arcs_win_over_rules(tmp_path: Path) -> None:
    parser = tw.train(TRAIN, iterations=1)
    sentence = next(iter(tw.read(TEST)))
    rules = [Rule(PAIR, word.deprel, (word.deprel,), 0, 1) for word in sentence.words]
    rules += [Rule(TAG, word.deprel, (word.upos,), 0, 1) for word in sentence.words]
    parser = TransitionParser({**parser.settings, "rules": rows_of(rules)}, parser.weights, parser.info)
    text = next(iter(read_blocks(TEST))).text_of(0)
    (tmp_path / "one.conllu").write_bytes(text)
    parser.parse_file(tmp_path / "one.conllu", tmp_path / "out.conllu", keep_arcs=True)
    parsed = next(iter(tw.read(tmp_path / "out.conllu")))
    assert [(word.head, word.deprel) for word in parsed.words] == [(word.head, word.deprel) for word in sentence.words]


def test_rules_of_the_toy_treebank_are_kept_there() -> None:
    rules = learn_rules(read_blocks(TRAIN))
    assert sum(broken_rules(rules, read_blocks(TRAIN)).values()) == sum(
        rule.broken for rule in rules if rule.kind != USUAL
    )
