"""Every policy with every system that can serve it; the others are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import treewright
from tests.toy import DEV, SYSTEMS, TEST
from treewright.errors import CombinationError
from treewright.parsing.parser import Parser
from treewright.training.options import TrainingOptions
from treewright.training.trainer import RoundReport, TrainingObserver

ALLOWED = [
    (system, root, policy)
    for system, root in SYSTEMS
    for policy in ("static", "ambiguity", "explore")
    if policy != "explore" or system != "arc-standard"
]


class Reports(TrainingObserver):
    """Keeps what training tells."""

    def __init__(self) -> None:
        self.rounds: list[RoundReport] = []
        self.interruptions: list[int] = []

    def round_done(self, report: RoundReport) -> None:
        self.rounds.append(report)

    def interrupted(self, rounds: int) -> None:
        self.interruptions.append(rounds)


def trained(path: Path, observer: TrainingObserver | None = None, **choices: Any) -> Parser:
    options: dict[str, Any] = {"features": "lean", "iterations": 3, **choices}
    parser: Parser = treewright.train(DEV, TEST, observer=observer, **options)
    parser.save(path)
    return parser


@pytest.mark.parametrize(("system", "root", "policy"), ALLOWED)
def test_policies_learn_and_are_reproducible(system: str, root: str, policy: str, tmp_path: Path) -> None:
    first, second = Reports(), Reports()
    # Not lean: its templates do not look at the second word of the stack, which arc-standard attaches.
    choices = {"system": system, "root": root, "policy": policy, "features": "malt"}
    parser = trained(tmp_path / "first.tw", first, **choices)
    trained(tmp_path / "second.tw", second, **choices)
    assert first.rounds == second.rounds
    assert (tmp_path / "first.tw").read_bytes() == (tmp_path / "second.tw").read_bytes()
    assert parser.info["recipe"]["policy"] == policy
    assert first.rounds[-1].mistakes < first.rounds[0].mistakes
    assert parser.info["dev"]["las"] > 60


def test_policies_differ(tmp_path: Path) -> None:
    models = set()
    for policy in ("static", "ambiguity", "explore"):
        trained(tmp_path / "model.tw", policy=policy)
        models.add((tmp_path / "model.tw").read_bytes()[-2000:])
    assert len(models) == 3


def test_the_default_policy_is_the_best_that_the_system_allows(tmp_path: Path) -> None:
    for system, policy in (("arc-eager", "explore"), ("arc-hybrid", "explore"), ("arc-standard", "ambiguity")):
        parser = trained(tmp_path / "model.tw", system=system, iterations=1)
        assert parser.info["recipe"]["policy"] == policy


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ({"system": "arc-standard", "policy": "explore"}, "choose --policy ambiguity, or --system arc-eager"),
        ({"system": "arc-hybrid", "root": "last"}, "arc-hybrid has its root first"),
        ({"system": "arc-standard", "root": "last"}, "arc-standard has its root first"),
        ({"root": "middle"}, "'first' or 'last', not 'middle'"),
        ({"policy": "guess"}, "no policy 'guess'; there are: static, ambiguity, explore"),
        ({"decision": "none"}, "no decision 'none'; there are: joint, split"),
        ({"lifting": "up"}, "no lifting 'up'; there are: none, baseline, head, path, head\\+path"),
        ({"colour": "red"}, "no option colour; there are: system"),
        ({"seed": -1}, "seed"),
        ({"k": 1 << 31}, "k counts rounds"),
    ],
)
def test_refused_choices(choices: dict[str, object], told: str) -> None:
    with pytest.raises(CombinationError, match=told):
        treewright.train(DEV, **choices)


def test_options_and_choices_are_one(tmp_path: Path) -> None:
    options = TrainingOptions(features="lean", iterations=1, system="arc-hybrid")
    given = treewright.train(DEV, options=options, seed=3)
    assert given.info["recipe"] == treewright.train(
        DEV, features="lean", iterations=1, system="arc-hybrid", seed=3
    ).info["recipe"]


@pytest.mark.parametrize("decision", ["joint", "split"])
def test_the_dev_scores_are_those_of_the_parser_as_it_is_kept(decision: str, tmp_path: Path) -> None:
    parser = trained(tmp_path / "model.tw", decision=decision)
    parser.parse_file(TEST, tmp_path / "parsed.conllu")
    scores = treewright.evaluate(TEST, str(tmp_path / "parsed.conllu")).to_dict()
    dev = parser.info["dev"]
    assert (dev["uas"], dev["las"]) == (round(scores["uas"], 2), round(scores["las"], 2))


def test_ctrl_c_keeps_the_best_so_far(tmp_path: Path) -> None:
    class Impatient(Reports):
        def round_done(self, report: RoundReport) -> None:
            super().round_done(report)
            if report.round == 2:
                raise KeyboardInterrupt

    observer = Impatient()
    parser = trained(tmp_path / "model.tw", observer, iterations=10)
    assert observer.interruptions == [2]
    assert parser.info["training"]["rounds"] == 2
    full = trained(tmp_path / "full.tw", iterations=2)
    assert parser.info["dev"] == full.info["dev"]
