"""Ways to solve the same sentences: all find the same optimum, and the counts add up."""

from __future__ import annotations

import pytest

import treewright as tw
from tests.toy import FOLDER
from treewright.errors import CombinationError
from treewright.kinds.exact.solver_comparison import CONSTRAINT_SETS, METHODS, compare_solvers, rows_of

TRAIN = FOLDER / "train.conllu"


@pytest.fixture(scope="module")
def parser():
    return tw.train(TRAIN, system="exact", iterations=1, adviser="none")


def test_all_methods_find_the_same_optimum(parser):
    told = []
    compared = compare_solvers(
        parser, TRAIN, METHODS, lengths=range(3, 9), sentences=6, tell=lambda done, whole: told.append((done, whole))
    )
    assert (compared.sentences, compared.late) == (6, 0)
    assert told == [(k, 6) for k in range(6)]
    brute = compared.tallies["brute force"]
    for tally in compared.tallies.values():
        assert tally.objective == pytest.approx(brute.objective, rel=1e-5)
        assert tally.labelled <= tally.right <= compared.words
        assert tally.scored <= tally.parts
    assert brute.scored == brute.parts
    assert all(len(values) == len(METHODS) for _, values in rows_of(compared, "brute force"))


def test_fewer_constraints_bound_less(parser):
    compared = compare_solvers(parser, TRAIN, CONSTRAINT_SETS, lengths=range(3, 9), sentences=6)
    loosest = compared.tallies["all"].objective
    assert all(tally.objective >= loosest - 1e-6 for tally in compared.tallies.values())


def test_arcs_alone_have_nothing_to_solve():
    first_order = tw.train(TRAIN, system="exact", order=1, iterations=1, adviser="none")
    with pytest.raises(CombinationError, match="order 2"):
        compare_solvers(first_order, TRAIN, METHODS)
