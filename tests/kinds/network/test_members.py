"""Parsers that vote in a hybrid need fewer features than those that parse alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from treewright.learners.frozen import FrozenWeights

import treewright as tw
from tests.toy import DEV, SOME
from treewright.kinds.network.members import SPARED, lighter
from treewright.kinds.network.parser import Member
from treewright.kinds.transition.parser import TransitionParser

WORDS = 10 * SPARED


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
