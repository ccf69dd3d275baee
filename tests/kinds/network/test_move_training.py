"""Training transition parsers with a network: they learn, the same seed gives the same weights, options are checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import treewright as tw
from tests.optional import needs
from tests.toy import DEV, TEST, TRAIN
from treewright.errors import CombinationError
from treewright.kinds.network_moves.parser import NeuralGraphMoves, NeuralMoves

pytestmark = needs("torch")

GRAPHS = str(Path(__file__).parents[3] / "examples" / "graphs.conllu")
SMALL: dict[str, Any] = {
    "learner": "neural",
    "hidden": 24,
    "move_size": 24,
    "relation_size": 16,
    "buckets": 256,
    "batch_words": 60,
    "rate": 0.01,
}


@pytest.mark.parametrize("policy", ["static", "explore"])
def test_a_network_learns_moves(policy: str) -> None:
    parser = tw.train(TRAIN, DEV, system="arc-hybrid", policy=policy, iterations=3, **SMALL)
    assert isinstance(parser, NeuralMoves)
    assert parser.info["dev"]["las"] > 50


@pytest.mark.parametrize("system", ["dag-arc-eager", "dag-crossing", "dag-shift-reduce"])
def test_a_network_learns_moves_of_graphs(system: str) -> None:
    parser = tw.train(GRAPHS, GRAPHS, system=system, iterations=30, **SMALL)
    assert isinstance(parser, NeuralGraphMoves)
    assert parser.info["dev"]["labelled_f1"] > 80


def test_the_same_seed_gives_the_same_model_and_a_training_goes_on(tmp_path: Path) -> None:
    for name in ("first", "second"):
        tw.train(DEV, TEST, iterations=2, **SMALL).save(tmp_path / f"{name}.tw")
    assert (tmp_path / "first.tw").read_bytes() == (tmp_path / "second.tw").read_bytes()
    first = tw.load(tmp_path / "first.tw")
    more = tw.train(DEV, TEST, init_from=first, iterations=1, rate=0.0001)
    assert isinstance(more, NeuralMoves)
    assert more.info["dev"]["las"] > first.info["dev"]["las"] - 3


def test_options_are_checked() -> None:
    for options, message in (
        ({"system": "easy-first"}, "many places"),
        ({"beam": 4}, "beam is an option of"),
        ({"policy": "static", "p": 0.5}, "does not explore"),
        ({"system": "dag-shift-reduce", "policy": "explore"}, "static oracle"),
        ({"system": "dag-arc-eager", "single_root": False}, "graphs have roots"),
        ({"features": "malt-covington"}, "context"),
        ({"system": "neural"}, "learner is an option of"),
    ):
        with pytest.raises(CombinationError, match=message):
            tw.train(DEV, **{"learner": "neural", **options})
