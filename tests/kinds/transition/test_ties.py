"""Equal scores: the first move in the system's order wins, with the first relation that its arc may have.

Where kinds are chosen before relations, that holds for each of the two choices.
"""

from __future__ import annotations

from array import array
from random import Random

import pytest
from treewright.features.inspection import extracted
from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.learners.frozen import FrozenWeights
from treewright.learners.table import LinearTable
from treewright.systems.system import Parse

from tests.kinds.transition.beams import SENTENCES, beam_over, block_of, scored_moves, trained

SYSTEMS = [("arc-eager", "last"), ("arc-standard", "first"), ("arc-hybrid", "first"), ("covington", "last")]
BLOCKS = [block_of([tuple(word.split("/")) for word in words.split()]) for words, *_ in SENTENCES]


def undecided(parser, seed, fast=True, split=False):
    """Return the parser with weights that are nearly all nought, so that many moves score the same."""
    random = Random(seed)
    arrays = {name: bytes(part) for name, part in parser.weights.arrays.items()}
    for name in ("moves", "values"):
        arrays[name] = array("b", random.choices((-1, 0, 1), (1, 80, 1), k=len(arrays[name]))).tobytes()
    engine = parser.engine
    table = LinearTable(FrozenWeights(arrays, parser.weights.settings))
    return GreedyParser(engine.system, engine.extractor, engine.moves, table, split, engine.deprojectivizer, fast)


def parsed(parser, block):
    """Return (head, relation) of every word."""
    heads, labels = array("i", bytes(4 * block.n_words)), array("i", bytes(4 * block.n_words))
    parser.parse_block(block, heads, labels)
    return list(zip(heads, labels, strict=True))


def first_of_the_best(parser, greedy, block):
    """Return the arcs that the first of the best moves build, and how often there was more than one."""
    state, ties = Parse(greedy.system, block.n_words), 0
    while not state.terminal:
        moves = scored_moves(parser, greedy, state, block)
        if greedy.split and len(moves) > 1:
            kind, more = first_of_the_best_kinds(greedy, state, block)
            moves, ties = [pair for pair in moves if pair[1][0] == kind], ties + more
        best = max(score for score, _ in moves)
        ties += sum(score == best for score, _ in moves) > 1
        state.apply(*next(move for score, move in moves if score == best))
    return state.arcs, ties


def first_of_the_best_kinds(greedy, state, block):
    """Return the kind of move that is chosen before any relation, and whether another one has the same score."""
    scores = greedy.scorer.score_keys(*extracted(greedy.extractor, state, block, 0))[0]
    legal = [scores[greedy.system.kinds.index(kind)] for kind in state.legal()]
    return state.legal()[legal.index(max(legal))], legal.count(max(legal)) > 1


@pytest.mark.parametrize("split", [True, False])
@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize(("system", "root"), SYSTEMS)
def test_the_first_of_equal_moves_is_made(system, root, fast, split):
    parser, n_ties, n_arcs = trained(system, root), 0, 0
    for seed in range(6):
        greedy = undecided(parser, seed, fast, split)
        for block in BLOCKS:
            tree, (arcs, ties) = parsed(greedy, block), first_of_the_best(parser, greedy, block)
            # Words that no move attached get their heads afterwards.
            assert {word: tree[word - 1] for word in arcs} == arcs
            n_ties, n_arcs = n_ties + ties, n_arcs + len(arcs)
    assert min(n_ties, n_arcs) > 20


@pytest.mark.parametrize(("system", "root"), SYSTEMS)
def test_a_beam_of_one_breaks_ties_as_the_greedy_parser_does(system, root):
    for seed in range(6):
        greedy = undecided(trained(system, root), seed)
        for block in BLOCKS:
            assert parsed(beam_over(greedy, 1), block) == parsed(greedy, block)
