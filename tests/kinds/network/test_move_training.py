"""Training transition parsers with a network: they learn, the same seed gives the same weights, options are checked."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import treewright as tw
from tests.optional import needs
from tests.toy import DEV, TEST, TRAIN
from treewright.errors import CombinationError, TreebankError
from treewright.kinds.network.strategy import EncoderStrategy
from treewright.kinds.network_moves.parser import NeuralGraphMoves, NeuralMoves
from treewright.kinds.network_moves.recipe import NeuralMoveRecipe
from treewright.kinds.network_moves.training import MoveStrategy
from treewright.systems.graphs import GRAPH_SYSTEMS, make_graph_system

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


def test_a_training_of_graphs_that_goes_on_keeps_the_moves_of_its_model() -> None:
    """The first sentence alone has fewer relations."""
    first = tw.train(GRAPHS, system="dag-arc-eager", iterations=1, **SMALL)
    sentence = Path(GRAPHS).read_text(encoding="utf-8").split("\n\n")[1] + "\n\n"
    more = tw.train(sentence.encode(), init_from=first, iterations=1)
    alone = tw.train(sentence.encode(), system="dag-arc-eager", iterations=1, **SMALL)
    assert more.settings["classes"] == first.settings["classes"] != alone.settings["classes"]


def test_sentences_without_a_graph_teach_nothing() -> None:
    """A batch of such sentences alone does no harm either."""
    pair = "1\ta\t_\tX\t_\t_\t0\troot\t0:root\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t1:dep\t_\n\n"
    longer = "".join(f"{n}\tc\t_\tX\t_\t_\t{n - 1}\t{'dep' if n > 1 else 'root'}\t_\t_\n" for n in range(1, 12))
    text = f"{pair}{longer}\n"
    parser = tw.train(text.encode(), system="dag-arc-eager", iterations=2, **{**SMALL, "batch_words": 8})
    arrays = parser.to_file()[1].values()
    assert all(math.isfinite(value) for kind, values in arrays if kind == "F32" for value in values)


def test_trees_with_several_roots_are_learnt_from_where_they_are_allowed() -> None:
    text = b"1\tyes\t_\tX\t_\t_\t0\troot\t_\t_\n2\tno\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    with pytest.raises(TreebankError, match=r"^the text:1: words 1 and 2 all have HEAD 0"):
        tw.train(text, iterations=1, **SMALL)
    assert tw.train(text, iterations=1, single_root=False, **SMALL).info["training"]["sentences"] == 1


def test_what_explores_depends_on_the_oracle() -> None:
    explores = {system: "p" not in NeuralMoveRecipe(system=system).idle() for system in GRAPH_SYSTEMS}
    assert explores == {system: "dynamic" in make_graph_system(system).oracles for system in GRAPH_SYSTEMS}
    assert {*explores.values()} == {True, False}


def test_a_round_counts_its_own_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that decides nothing has no share of wrong moves, whatever the rounds before it decided."""
    monkeypatch.setattr(EncoderStrategy, "learn", lambda *_: 0.0)
    learning: Any = MoveStrategy(NeuralMoveRecipe())
    learning.walk = SimpleNamespace(wrong=3, decisions=7, collector=SimpleNamespace(start_round=lambda: None))
    assert math.isnan(learning.learn(2, lambda _: None))
