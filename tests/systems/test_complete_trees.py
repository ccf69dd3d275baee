"""Whatever the weights, a parse is a tree: one root where the system allows one, and projective where it must be."""

from __future__ import annotations

import random
from array import array
from functools import lru_cache

import pytest
from treewright.features.extractor import Extractor
from treewright.features.inspection import keys
from treewright.learners.frozen import freeze
from treewright.learners.learner import Moves
from treewright.learners.perceptron import Perceptron
from treewright.learners.table import LinearTable
from treewright.systems.system import Parse, System
from treewright.treebank.blocks.block import Block

from tests.systems.cases import SYSTEMS, block_of, look_at, name_of
from treewright.features.language import parse_model
from treewright.features.templates import FeatureModel
from treewright.kinds.transition.parser import engine_for
from treewright.oracles.exhaustive import is_projective, is_tree

MODEL = parse_model("p(stack[0])\np(input[0])\np(stack[0]) & p(input[0])\nl(stack[0])\nmove(0)\n")
LIST_MODEL = parse_model("p(list[0])\np(list[1])\np(list[0]) & p(list[1])\nl(ld(list[1]))\np(list[-1])\np(list[2])\n")
RELATIONS = ["root", "a", "b"]


def model_for(system: System) -> FeatureModel:
    return LIST_MODEL if system.has_places else MODEL


def random_weights(rng: random.Random, system: System, extractor: Extractor, block: Block, moves: Moves) -> Perceptron:
    """Weights for the features met on random walks, drawn at random."""
    learner = Perceptron(len(system.kinds), moves.n_classes)
    for sentence in range(block.n_sentences):
        parse = Parse(system, len(block.words_of(sentence)))
        while not parse.terminal:
            kind = rng.choice(parse.legal())
            look_at(parse, kind)
            found = [key for (key,) in keys(extractor, parse, block, sentence)]
            for _ in range(3):
                good, bad = ((rng.randrange(len(system.kinds)), rng.randrange(-1, moves.n_classes)) for _ in "gb")
                learner.update_keys(found, [0, len(found), 0], good, bad, rng.uniform(-1, 1))
            learner.next_decision()
            parse.apply(kind, rng.randrange(3) if parse.carries_relation(kind) else None)
    return learner


@lru_cache(maxsize=1)
def some_random(system: System) -> tuple[Extractor, Moves, list[tuple[Block, Perceptron]]]:
    """What a system parses with, and sentences with random weights for them: tests of one system share them."""
    classes = [(system.kinds.index(kind), label) for kind in system.labelled_kinds for label in range(3)]
    moves = Moves(system, classes, root_labels=[0], word_labels=[1, 2])
    extractor = Extractor(model_for(system), RELATIONS)
    found = []
    for seed in range(4):
        rng = random.Random(seed)
        block = block_of(
            *[[(f"w{i}", "_", rng.choice("NVADP")) for i in range(rng.randrange(0, 9))] for _ in range(40)]
        )
        found.append((block, random_weights(rng, system, extractor, block, moves)))
    return extractor, moves, found


@pytest.mark.parametrize("frozen", [False, True], ids=["perceptron", "table"])
@pytest.mark.parametrize("split", [False, True], ids=["together", "split"])
@pytest.mark.parametrize("system", SYSTEMS, ids=name_of)
def test_every_parse_is_a_tree(system, split, frozen):
    if split and system.has_places:
        pytest.skip("compares whole moves across the sentence")
    extractor, moves, found = some_random(system)
    roots, crossing = set(), 0
    for block, learner in found:
        scorer = LinearTable(freeze(learner)) if frozen else learner
        parser = engine_for(system)(system, extractor, moves, scorer, split)
        heads, labels = array("i", [-9] * block.n_words), array("i", [-9] * block.n_words)
        parser.parse_block(block, heads, labels)
        for sentence in range(block.n_sentences):
            words = block.words_of(sentence)
            tree = list(heads[words.start : words.stop])
            relations = list(labels[words.start : words.stop])
            assert is_tree(tree)
            crossing += not is_projective(tree)
            assert [relation == 0 for relation in relations] == [head == 0 for head in tree]
            assert set(relations) <= {0, 1, 2}
            roots.add(tree.count(0))
    assert roots - {0} == {1} if system.single_root else {1, 2} <= roots
    assert crossing == 0 or not system.projective


@pytest.mark.parametrize("system", SYSTEMS, ids=name_of)
def test_without_a_weight_it_is_still_a_tree(system):
    classes = [(system.kinds.index(kind), 0) for kind in system.labelled_kinds]
    moves = Moves(system, classes, root_labels=[0], word_labels=[0])
    extractor = Extractor(model_for(system), ["dep"])
    parser = engine_for(system)(system, extractor, moves, Perceptron(len(system.kinds), moves.n_classes))
    block = block_of([("a",), ("b",), ("c",), ("d",)])
    heads, labels = array("i", [-9] * 4), array("i", [-9] * 4)
    parser.parse_block(block, heads, labels)
    assert is_tree(list(heads))
    assert list(labels) == [0] * 4
