"""Words that may not govern others: no parse has an arc from them, and training trees are changed to have none."""

from __future__ import annotations

import random
from array import array
from functools import lru_cache

import pytest
from treewright.features.extractor import Extractor
from treewright.kinds.transition.engines.beam import BeamParser
from treewright.kinds.transition.engines.confidence import ConfidentParser
from treewright.learners.frozen import freeze
from treewright.learners.learner import Moves
from treewright.learners.perceptron import Perceptron
from treewright.learners.table import LinearTable
from treewright.systems.leaf_tags import LeafTags, tags_of
from treewright.systems.system import System
from treewright.treebank.blocks.block import Block, Layout
from treewright.treebank.lifting.deprojectivizer import Deprojectivizer

from tests.systems.cases import CONLLU, SYSTEMS, block_of, name_of, random_projective_tree, random_tree
from tests.systems.test_complete_trees import RELATIONS, model_for, random_weights
from treewright.kinds.transition.parser import engine_for
from treewright.oracles.exhaustive import is_projective, is_tree, obeys
from treewright.systems.obeying import LEAST_WORDS, governing_words, leaf_flags, learn_leaf_tags, obey

LEAVES = ["P", "A"]


def random_block(rng: random.Random) -> Block:
    return block_of(*[[(f"w{i}", "_", rng.choice("NVAPP")) for i in range(rng.randrange(1, 9))] for _ in range(40)])


def check(block: Block, heads: array[int], system: System) -> None:
    flags = LeafTags(LEAVES).flags(block)
    for sentence in range(block.n_sentences):
        words = block.words_of(sentence)
        tree = list(heads[words.start : words.stop])
        leaves = [word for word, flag in enumerate(flags[words.start : words.stop], 1) if flag]
        assert is_tree(tree)
        assert obeys(tree, leaves, system.single_root), (tree, leaves)
        assert not system.single_root or tree.count(0) == 1


@lru_cache(maxsize=1)
def some_random(system: System) -> tuple[Extractor, Moves, list[tuple[Block, Perceptron]]]:
    classes = [(system.kinds.index(kind), label) for kind in system.labelled_kinds for label in range(3)]
    moves = Moves(system, classes, root_labels=[0], word_labels=[1, 2])
    extractor = Extractor(model_for(system), RELATIONS, LEAVES)
    found = []
    for seed in range(5):
        rng = random.Random(seed)
        block = random_block(rng)
        found.append((block, random_weights(rng, system, extractor, block, moves)))
    return extractor, moves, found


@pytest.mark.parametrize("frozen", [False, True], ids=["perceptron", "table"])
@pytest.mark.parametrize("system", SYSTEMS, ids=name_of)
def test_no_parse_has_an_arc_from_a_leaf(system: System, frozen: bool) -> None:
    extractor, moves, found = some_random(system)
    for block, learner in found:
        scorer = LinearTable(freeze(learner)) if frozen else learner
        parser = engine_for(system)(system, extractor, moves, scorer)
        heads, labels = array("i", [-9] * block.n_words), array("i", [-9] * block.n_words)
        parser.parse_block(block, heads, labels)
        check(block, heads, system)
        again, sure = array("i", heads), array("f", bytes(4 * block.n_words))
        ConfidentParser(parser).parse_block(block, again, labels, sure)
        check(block, again, system)
        if not system.has_places:
            beam = BeamParser(parser, 4)
            beam.parse_block(block, heads, labels)
            check(block, heads, system)
            for sentence in range(5):
                one = Block(block.text_of(sentence), block.layout)
                for _, _, tree, _ in beam.best_trees(block, sentence, 4):
                    check(one, tree, system)


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system.single_root], ids=name_of)
def test_words_are_not_moved_back_to_leaves(system: System) -> None:
    relations = ["root", "a", "b", "a↑b", "b↑a", "a↑a"]
    classes = [(system.kinds.index(kind), label) for kind in system.labelled_kinds for label in range(6)]
    moves = Moves(system, classes, root_labels=[0], word_labels=[1, 2, 3, 4, 5])
    lifting = Deprojectivizer(relations, "head")
    free = Extractor(model_for(system), relations)
    extractor = Extractor(model_for(system), relations, LEAVES)
    moved = 0
    for seed in range(4):
        rng = random.Random(seed)
        block = random_block(rng)
        learner = random_weights(rng, system, free, block, moves)
        heads, labels = array("i", [-9] * block.n_words), array("i", [-9] * block.n_words)
        engine_for(system)(system, extractor, moves, learner, deprojectivizer=lifting).parse_block(block, heads, labels)
        check(block, heads, system)
        plain = array("i", heads)
        engine_for(system)(system, extractor, moves, learner).parse_block(block, plain, labels)
        moved += plain != heads
    assert moved


def test_where_all_words_are_leaves_none_is() -> None:
    block = block_of([("a", "_", "P"), ("b", "_", "N")], [("c", "_", "P"), ("d", "_", "A")], [("e", "_", "A")])
    assert LeafTags(LEAVES).flags(block) == bytes([1, 0, 0, 0, 0])
    assert LeafTags([]).flags(block) == bytes(5)
    assert leaf_flags(LEAVES, [block, block]) == bytes([1, 0, 0, 0, 0] * 2)


def test_the_tag_is_xpos_where_there_is_no_upos() -> None:
    block = block_of([("a", "_", "_", "P"), ("b", "_", "N", "P"), ("c", "_", "P", "N")])
    assert tags_of(block) == [b"P", b"N", b"P"]
    assert LeafTags(["P"]).flags(block) == bytes([1, 0, 1])
    bare = Block(b"1\ta\t0\n2\tb\t1\n\n", Layout("bare", ["ID", "FORM", "HEAD"]))
    assert tags_of(bare) == [b"_", b"_"]
    assert LeafTags(["P"]).flags(bare) == bytes(2)
    with pytest.raises(TypeError, match="text"):
        LeafTags([1])


def sentences_of(*governing: tuple[str, int, int]) -> tuple[Block, bytes]:
    """Words in pairs with a tag N: how many of each tag there are, and how many of them govern their N."""
    lines, governs = [], bytearray()
    for tag, words, heads in governing:
        for number in range(words):
            head = number < heads
            lines += [
                f"1\tx\t_\t{tag}\t_\t_\t{0 if head else 2}\td\t_\t_",
                f"2\ty\t_\tN\t_\t_\t{int(head)}\td\t_\t_",
                "",
            ]
            governs += bytes([head, not head])
    return Block(("\n".join(lines) + "\n").encode(), CONLLU), bytes(governs)


def test_tags_are_learnt_from_enough_words_in_spite_of_few_errors() -> None:
    block, governs = sentences_of(
        ("P", 2000, 2), ("Q", 2000, 3), ("R", LEAST_WORDS, 0), ("S", LEAST_WORDS - 1, 0), ("_", 999, 0)
    )
    assert learn_leaf_tags([block], governs) == ["P", "R"]
    # A model to go on from keeps what the new treebank does not contradict.
    assert learn_leaf_tags([block], governs, ["P", "Q", "T"]) == ["P", "T"]
    assert learn_leaf_tags([block], governs, []) == []


def test_governing_words() -> None:
    assert governing_words([2, 0, 2, 0, 1], [0, 3, 5]) == bytes([0, 1, 0, 1, 0])


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("single_root", [True, False])
def test_trees_are_changed_to_obey(projective: bool, single_root: bool) -> None:
    rng = random.Random(3)
    changed = 0
    for _ in range(400):
        n = rng.randrange(1, 9)
        draw = random_projective_tree if projective else random_tree
        old = draw(rng, n, single_root)
        flags = bytes(rng.random() < 0.4 for _ in range(n))
        flags = flags if not all(flags) else bytes(n)
        leaves = [word for word, flag in enumerate(flags, 1) if flag]
        heads, labels = array("i", old), array("i", range(n))
        touched = obey(heads, labels, [0, n], flags, single_root)
        changed += touched
        tree = list(heads)
        assert touched == (not obeys(old, leaves, single_root))
        assert is_tree(tree)
        assert obeys(tree, leaves, single_root)
        assert is_projective(tree) or not is_projective(old)
        assert not single_root or tree.count(0) == 1
        assert sorted(labels) == list(range(n))
        for word, (before, after) in enumerate(zip(old, tree, strict=True), 1):
            # Words that obeyed stay where they are, but for those that change places with the root.
            if before not in leaves and before != 0:
                assert after == before or after == 0
            if single_root and after == 0:
                assert old[labels[word - 1]] == 0
    assert changed > 100


def test_a_leaf_at_the_root_changes_places() -> None:
    heads, labels = array("i", [0, 1, 1, 3]), array("i", [10, 11, 12, 13])
    assert obey(heads, labels, [0, 4], bytes([1, 0, 0, 0]), True) == 1
    assert list(heads) == [2, 0, 2, 3]
    assert list(labels) == [11, 10, 12, 13]
