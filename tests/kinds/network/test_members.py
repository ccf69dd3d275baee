"""Parsers that vote in a hybrid: how much they count, and which of their features are left out."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from treewright.learners.frozen import FrozenWeights, prune
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.kinds.network.models import random_parser
from tests.toy import DEV, SOME
from treewright.kinds.network import members as members_module
from treewright.kinds.network import parser as parser_module
from treewright.kinds.network.members import (
    BEAM,
    EXACT_WEIGHTS,
    SMALLEST_KEPT,
    SPARED,
    fitted,
    lighter,
    member_recipe,
    train_members,
    without_small_weights,
)
from treewright.kinds.network.parser import Member, NeuralParser, batches
from treewright.kinds.network.recipe import NeuralRecipe
from treewright.kinds.network.vote_weights import PARTS, RightByPart
from treewright.kinds.transition.parser import TransitionParser
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.training.gathering import gather
from treewright.training.observer import BarOnly, TrainingObserver
from treewright.treebank.formats.conllu import CONLLU

WORDS = 10 * SPARED
HEADS, LABELS = attrgetter("heads"), attrgetter("labels")
Gold = tuple["array[int]", "array[int]"]  # heads and relations


@pytest.fixture(scope="module")
def member() -> Member:
    return Member("greedy", tw.train(SOME, DEV, iterations=3, prune=False), 1.0, 0.5)


def size(members: Sequence[Member]) -> int:
    parser = members[0].parser
    assert isinstance(parser, TransitionParser)
    assert isinstance(parser.weights, FrozenWeights)
    return len(parser.weights)


def test_small_weights_are_left_out_where_dev_does_not_miss_them(member: Member) -> None:
    found = lighter([member], lambda members: WORDS, WORDS)
    assert 0 < size(found) < size([member])
    assert found[0][2:] == member[2:]  # how much its votes count
    assert found[0].parser.info == member.parser.info


@pytest.mark.parametrize(("lost", "fewer"), [(10, True), (11, False)])
def test_a_step_may_cost_one_word_in_thousands(member: Member, lost: int, fewer: bool) -> None:
    steps: list[int] = []

    def right(members: Sequence[Member]) -> float:
        steps.append(size(members))
        return WORDS - lost * (len(steps) > 1) - WORDS * (len(steps) > 2)  # the second step costs everything

    found = lighter([member], right, WORDS)
    assert steps[1] < steps[0]
    assert size(found) == steps[fewer]
    assert len(steps) == (3 if fewer else 2)


def test_each_step_is_compared_with_the_one_before(member: Member) -> None:
    """Steps that lose a word each are all made, though together they lose more than one may."""
    rights = iter(WORDS - 10 * step for step in range(1 + len(SMALLEST_KEPT)))
    found = lighter([member], lambda members: next(rights), WORDS)
    assert next(rights, None) is None
    own = member.parser
    assert isinstance(own, TransitionParser)
    assert isinstance(own.weights, FrozenWeights)
    assert size(found) == len(prune(own.weights, SMALLEST_KEPT[-1]))


def test_an_exact_member_keeps_its_weights() -> None:
    exact = Member("exact", tw.train(SOME, system="exact", iterations=1, adviser="none"), 1.0, 0.0)
    assert without_small_weights(exact, 8) is exact


@pytest.mark.parametrize("base", [False, True])
def test_members_learn_from_the_treebank_of_the_network(base: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """All see the same treebank and dev set, say nothing of their own, and count the same at first."""
    begun: list[tuple[object, ...]] = []

    class Noted:
        def __init__(self, strategy: object, *given: object) -> None:
            self.given = type(strategy).__name__, *given[:2]

        def run(self, about: object) -> object:
            begun.append((*self.given, about))
            return self.given[0]

    monkeypatch.setattr(members_module, "Training", Noted)
    data, dev = (gather(path) for path in (SOME, DEV))
    recipe = NeuralRecipe(system="hybrid", members="greedy,beam,exact").completed()
    silent = {"licence": "", "description": ""}
    if base:
        own: Any = SimpleNamespace(members=("those of", "the model"))
        assert train_members(recipe, data, dev, BarOnly(TrainingObserver()), own) == ["those of", "the model"]
        assert begun == []
        return
    found = train_members(recipe, data, dev, BarOnly(TrainingObserver()))
    kinds = ["TransitionStrategy", "TransitionStrategy", "ExactStrategy"]
    assert begun == [(kind, data, dev, silent) for kind in kinds]
    names = ["greedy", "beam", "exact"]
    assert found == [(name, kind, 0.5, 0.5) for name, kind in zip(names, kinds, strict=True)]


def test_members_have_the_options_of_the_network() -> None:
    options: dict[str, Any] = {"single_root": False, "seed": 7, "governors": "any", "rules": "learnt"}
    recipe = NeuralRecipe(system="hybrid", **options)
    for name, beam in (("greedy", 1), ("beam", BEAM)):
        made = member_recipe(name, recipe)
        assert isinstance(made, TransitionRecipe)
        assert made.beam == beam
        assert {option: getattr(made, option) for option in options} == options
    exact = member_recipe("exact", recipe)
    assert (exact.single_root, exact.seed, exact.governors) == (False, 7, "any")


# How much members count: what _Dev counts at once, against the parser itself with these weights


def right_words(parser: NeuralParser, blocks: Sequence[Block], gold: Gold) -> list[list[bool]]:
    """Return for each sentence of some blocks which of its words get the right head and relation."""
    found, start = [], 0
    for block in blocks:
        trees = parser.trees(block)
        for number in range(block.n_sentences):
            places = [(word, start + word) for word in block.words_of(number)]
            found.append([(trees.heads[at], trees.labels[at]) == (gold[0][to], gold[1][to]) for at, to in places])
        start += block.n_words
    return found


def parts_of(blocks: Sequence[Block]) -> list[int]:
    """Return the part of each sentence of dev: that of its number in its batch."""
    return [number % PARTS for block in blocks for first, last in batches(block) for number in range(last - first)]


@pytest.fixture
def dev(monkeypatch: pytest.MonkeyPatch) -> list[Block]:
    """Three blocks, each of several batches."""
    monkeypatch.setattr(parser_module, "MOST_ROWS", 50)
    text = Path(DEV).read_bytes().split(b"\n\n")
    blocks = [Block(b"\n\n".join(part) + b"\n\n", CONLLU, DEV) for part in (text[:18], text[18:40], text[40:60])]
    assert all(len(list(batches(block))) > 2 for block in blocks)
    return blocks


def gold_of(blocks: Sequence[Block], relations: Sequence[str]) -> Gold:
    """Return the heads and the relations of the words of some blocks."""
    heads, labels = array("i"), array("i")
    for block in blocks:
        for word in range(block.n_words):
            heads.append(int(block.value(word, 6)))
            labels.append(relations.index(block.value(word, 7).decode()))
    return heads, labels


def test_right_words_are_counted_by_the_part_of_their_sentence(
    member: Member, dev: list[Block], monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[RightByPart] = []

    def nothing(right: RightByPart, n_weights: int, n_words: int) -> tuple[float, ...]:
        counted.append(right)
        assert (n_weights, n_words) == (2, sum(block.n_words for block in dev))
        return (0.0,) * n_weights

    monkeypatch.setattr(members_module, "fitted_weights", nothing)
    relations = member.parser.relations
    gold = gold_of(dev, relations)
    assert fitted(random_parser(dev, relations), [member], dev, *gold) == [member._replace(for_heads=0, for_labels=0)]
    for weights in ((0.0, 0.0), (0.4, 2.0), (50.0, 0.0), (50.0, 50.0)):
        parser = random_parser(dev, relations, members=[member._replace(for_heads=weights[0], for_labels=weights[1])])
        expected = [0] * PARTS
        for part, right in zip(parts_of(dev), right_words(parser, dev, gold), strict=True):
            expected[part] += sum(right)
        assert list(counted[0](weights)) == expected


def test_weights_are_those_of_all_heads_and_then_of_all_relations(
    member: Member, dev: list[Block], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members_module, "fitted_weights", lambda right, n_weights, n_words: tuple(range(n_weights)))
    relations = member.parser.relations
    found = fitted(random_parser(dev, relations), [member, member], dev, *gold_of(dev, relations))
    assert [(one.for_heads, one.for_labels) for one in found] == [(0, 2), (1, 3)]


def test_an_exact_member_counts_as_much_as_dev_likes_it(dev: list[Block], monkeypatch: pytest.MonkeyPatch) -> None:
    exact = Member("exact", tw.train(SOME, system="exact", iterations=1, adviser="none"), 1.0, 0.7)
    relations = exact.parser.relations
    gold = gold_of(dev, relations)
    chosen = set()
    for seed in range(3):
        counts = [
            sum(
                map(
                    sum, right_words(random_parser(dev, relations, seed, [exact._replace(for_heads=weight)]), dev, gold)
                )
            )
            for weight in (0.0, *EXACT_WEIGHTS)
        ]
        weight = (0.0, *EXACT_WEIGHTS)[counts.index(max(counts))]
        parser = random_parser(dev, relations, seed)
        if seed == 0:
            assert members_module._Dev(parser, [], dev, *gold).right_with_exact([], exact, 0.5) == counts[2]
        (found,) = fitted(parser, [exact], dev, *gold)
        assert (found.for_heads, found.for_labels) == (weight, 0.0)
        chosen.add(weight)
    assert len(chosen) > 1
    alone = random_parser(dev, relations)  # where the network alone is right, the member is left out
    trees = [alone.trees(block) for block in dev]
    own = [array("i", (value for tree in trees for value in values(tree))) for values in (HEADS, LABELS)]
    assert fitted(alone, [exact], dev, *own)[0].for_heads == 0
