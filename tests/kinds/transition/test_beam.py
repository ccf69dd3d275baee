"""Beam search against greedy parsing on one side, and against all sequences of moves on the other."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from treewright.kinds.transition.engines.beam import BeamParser
from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.treebank.blocks.block import Block

from tests.kinds.transition.beams import all_sequences, beam_over, block_of, plain_beam, trained, with_random_weights
from tests.toy import LEFT_TO_RIGHT
from treewright.errors import CombinationError

FORMS = st.sampled_from(["dogs", "the", "sleep", ".", "old", "and"]) | st.text("abcdé", min_size=1, max_size=4)
TAGS = st.sampled_from(["NOUN", "VERB", "DET", "ADJ", "PUNCT", "CCONJ", "X", "_"])
WORDS = st.tuples(FORMS, TAGS)


def tree_of(engine: GreedyParser, block: Block) -> tuple[list[int], list[int]]:
    heads, labels = array("i", bytes(4 * block.n_words)), array("i", bytes(4 * block.n_words))
    engine.parse_block(block, heads, labels)
    return [*heads], [*labels]


@pytest.mark.parametrize(("system", "root"), LEFT_TO_RIGHT)
@settings(max_examples=40, deadline=None)
@given(words=st.lists(WORDS, min_size=1, max_size=14), seed=st.integers(0, 99))
def test_a_beam_of_one_is_greedy_parsing(system: str, root: str, words: list[tuple[str, str]], seed: int) -> None:
    greedy = with_random_weights(trained(system, root), seed)
    block = block_of(words)
    assert tree_of(beam_over(greedy, 1), block) == tree_of(greedy, block)


@pytest.mark.parametrize(("system", "root"), LEFT_TO_RIGHT)
@pytest.mark.parametrize("seed", range(4))
def test_a_beam_as_wide_as_the_search_space_finds_the_best_sequence(system: str, root: str, seed: int) -> None:
    parser = trained(system, root)
    greedy = with_random_weights(parser, seed)
    n_words = 2 if system == "2-planar" else 2 + seed % 2  # three have more sequences than a beam has places
    block = block_of([("dogs", "NOUN"), ("sleep", "VERB"), ("old", "ADJ")][:n_words])
    sequences = list(all_sequences(parser, greedy, block))
    found = beam_over(greedy, len(sequences)).best_trees(block, 0, len(sequences))
    assert found[0][0] == max(sequence.score for sequence in sequences)
    # Every tree that moves can make is found, with the score of its best sequence. (Where words were left without a
    # head, the same tree may have been completed with a better score.)
    trees = {(tuple(heads), tuple(labels)): score for score, _, heads, labels in found}
    for sequence in sequences:
        if len(sequence.arcs) == block.n_words:
            heads, labels = zip(*(arc for _, arc in sequence.arcs), strict=True)
            assert trees[heads, labels] >= sequence.score
    assert set(trees.values()) <= {sequence.score for sequence in sequences}


@pytest.mark.parametrize(("system", "root"), LEFT_TO_RIGHT)
@settings(max_examples=25, deadline=None)
@given(words=st.lists(WORDS, min_size=1, max_size=12), seed=st.integers(0, 99), width=st.integers(2, 12))
def test_best_trees_descend_and_differ(
    system: str, root: str, words: list[tuple[str, str]], seed: int, width: int
) -> None:
    greedy = with_random_weights(trained(system, root), seed)
    block = block_of(words)
    engine = beam_over(greedy, width)
    found = engine.best_trees(block, 0, width)
    scores = [score for score, *_ in found]
    assert scores == sorted(scores, reverse=True)
    assert len({(tuple(heads), tuple(labels)) for _, _, heads, labels in found}) == len(found) <= width
    assert sum(probability for _, probability, *_ in found) == pytest.approx(1)
    assert tree_of(engine, block) == ([*found[0][2]], [*found[0][3]])
    assert engine.best_trees(block, 0, 1) == found[:1]


@settings(max_examples=25, deadline=None)
@given(words=st.lists(WORDS, min_size=1, max_size=12), seed=st.integers(0, 99))
def test_confidences_are_the_shares_of_the_trees_that_agree(words: list[tuple[str, str]], seed: int) -> None:
    greedy = with_random_weights(trained("arc-eager", "last"), seed)
    engine = BeamParser(greedy, 6, temperature=7, outside=0.1)
    block = block_of(words)
    heads, labels = array("i", bytes(4 * len(words))), array("i", bytes(4 * len(words)))
    confidences = array("f", bytes(4 * len(words)))
    engine.parse_block(block, heads, labels, None, confidences)
    trees = engine.best_trees(block, 0, 6)
    for word in range(len(words)):
        share = sum(p for _, p, h, r in trees if (h[word], r[word]) == (heads[word], labels[word]))
        assert confidences[word] == pytest.approx(share, abs=1e-5)
        assert confidences[word] <= 0.9 + 1e-5


@pytest.mark.parametrize(("system", "root"), LEFT_TO_RIGHT)
@pytest.mark.parametrize("features", ["zhang-nivre", "malt"])
@settings(max_examples=5, deadline=None)
@given(words=st.lists(WORDS, min_size=2, max_size=9), seed=st.integers(0, 99), width=st.integers(2, 9))
def test_shared_states_and_scores_change_nothing(
    features: str, system: str, root: str, words: list[tuple[str, str]], seed: int, width: int
) -> None:
    parser = trained(system, root, features)
    greedy = with_random_weights(parser, seed)
    block = block_of(words)
    plain = plain_beam(parser, greedy, block, width)
    found = beam_over(greedy, width).best_trees(block, 0, width)
    assert {score for score, *_ in found} <= {sequence.score for sequence in plain}
    assert found[0][0] == plain[0].score
    heads, labels = found[0][2], found[0][3]
    for word, (head, label) in plain[0].arcs:
        assert (heads[word - 1], labels[word - 1]) == (head, label)


def test_long_sentences_share_most_of_the_work() -> None:
    greedy = with_random_weights(trained("arc-eager", "last"), 5)
    words = [(form, tag) for form in ("dogs", "the", "old", "x") for tag in ("NOUN", "DET", "VERB")] * 25
    block = block_of(words)
    engine = beam_over(greedy, 8)
    scratch = engine.new_scratch()
    first = engine.best_trees(block, 0, 8, scratch)
    assert first == engine.best_trees(block, 0, 8, scratch) == beam_over(greedy, 8).best_trees(block, 0, 8)
    asked, computed, *parts = scratch.work
    assert 0 < parts[0] < computed < asked
    assert max(parts) <= computed


def test_without_a_margin_only_the_best_state_is_followed() -> None:
    greedy = with_random_weights(trained("arc-hybrid", "first"), 3)
    block = block_of([("dogs", "NOUN"), ("the", "DET"), ("sleep", "VERB"), ("old", "ADJ"), ("dogs", "NOUN")])
    engine = beam_over(greedy, 8)
    wide = engine.best_trees(block, 0, 8)
    engine.margin = 1e9
    assert engine.best_trees(block, 0, 8) == wide
    engine.margin = 0
    narrow = engine.best_trees(block, 0, 8)
    assert tree_of(greedy, block) in [([*heads], [*labels]) for _, _, heads, labels in narrow]
    assert narrow[0][0] <= wide[0][0]


def test_memory_of_another_parser_is_refused() -> None:
    greedy = with_random_weights(trained("arc-eager", "last"), 1)
    one, other = beam_over(greedy, 2), beam_over(greedy, 3)
    block = block_of([("dogs", "NOUN")])
    for scratch in (other.new_scratch(), greedy.new_scratch()):
        with pytest.raises(TypeError):
            one.best_trees(block, 0, 1, scratch)


@pytest.mark.parametrize("width", [0, -1, 1 << 20])
def test_widths_out_of_range_are_refused(width: int) -> None:
    with pytest.raises(CombinationError, match="beam"):
        beam_over(with_random_weights(trained("arc-eager", "last"), 1), width)


def test_a_model_that_decides_in_two_steps_has_no_beam() -> None:
    engine = trained("arc-eager", "last").engine
    with pytest.raises(CombinationError, match="joint"):
        BeamParser(GreedyParser(engine.system, engine.extractor, engine.moves, engine.scorer, True), 4)
