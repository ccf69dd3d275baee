"""Grids may train networks: the learner picks the kind of recipe, and rounds have a usual number."""

from __future__ import annotations

import pytest

from treewright.apps.experiments.cell import builds_graphs
from treewright.apps.experiments.plan import check_option
from treewright.errors import TreewrightError


def test_a_network_is_a_learner_of_moves() -> None:
    check_option("learner", "neural", "arc-hybrid", "grid 1")
    check_option("learner", "neural", "dag-crossing", "grid 1")
    with pytest.raises(TreewrightError, match=r"grid 1.*learner"):
        check_option("learner", "nural", "arc-hybrid", "grid 1")


def test_a_network_builds_graphs() -> None:
    assert builds_graphs({"system": "neural-graph"})
    assert builds_graphs({"system": "dag-crossing", "learner": "neural"})
    assert not builds_graphs({"system": "neural"})
