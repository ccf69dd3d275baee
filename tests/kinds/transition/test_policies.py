"""Every policy with every system that can serve it; the others are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import treewright
from tests.toy import DEV, SYSTEMS, TEST
from treewright.errors import CombinationError
from treewright.steps.parser import Parser
from treewright.systems import SYSTEMS as NAMES
from treewright.training.observer import RoundReport, TrainingObserver

ALLOWED = [
    (system, root, policy)
    for system, root in SYSTEMS
    for policy in ("static", "ambiguity", "explore")
    if (policy != "static" or system != "easy-first") and (policy == "static" or system != "swap")
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
    for system in NAMES:
        parser = trained(tmp_path / "model.tw", system=system, iterations=1)
        assert parser.info["recipe"]["policy"] == ("static" if system == "swap" else "explore")


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ({"system": "easy-first", "policy": "static"}, "no canonical order of moves.*choose the policy ambiguity"),
        ({"system": "easy-first", "decision": "split"}, "choose --decision joint"),
        ({"system": "arc-hybrid", "root": "last"}, "arc-hybrid has its root 'first', not 'last'"),
        ({"system": "arc-standard", "root": "last"}, "for the root 'last' choose arc-eager, covington"),
        ({"system": "arc-eager", "features": "goldberg-elhadad"}, "arc-eager has no list"),
        ({"root": "middle"}, "unknown root 'middle'. Choose from first, last"),
        ({"policy": "guess"}, "unknown policy 'guess'. Choose from static, ambiguity, explore"),
        ({"decision": "none"}, "unknown decision 'none'. .*Choose from joint, split"),
        ({"lifting": "up"}, "unknown lifting 'up'. Choose from none, baseline, head, path, head\\+path"),
        ({"colour": "red"}, "unknown option 'colour'"),
        ({"seed": -1}, "seed"),
        ({"k": 1 << 31}, "k is 2147483648, but must be"),
    ],
)
def test_refused_choices(choices: dict[str, object], told: str) -> None:
    with pytest.raises(CombinationError, match=told):
        treewright.train(DEV, **choices)


def test_options_and_choices_are_one(tmp_path: Path) -> None:
    recipe = treewright.recipe(features="lean", iterations=1, system="arc-hybrid", seed=3)
    given = treewright.train(DEV, recipe=recipe)
    assert (
        given.info["recipe"]
        == treewright.train(DEV, features="lean", iterations=1, system="arc-hybrid", seed=3).info["recipe"]
    )


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


def weights_of(**choices: Any) -> dict[str, bytes]:
    options: dict[str, Any] = {"features": "lean", "iterations": 3, **choices}
    parser = treewright.train(DEV, **options)
    return {name: bytes(data) for name, data in parser.weights.arrays.items()}


def test_the_papers_explorations_are_each_other_turned_round() -> None:
    """2012 follows a wrong move if RAND() > p, 2013 if RAND() < p: never and always are the same to both."""
    same: dict[str, Any] = {"k": 1, "zero_cost": "best"}
    never = weights_of(exploration="2012", p=1.0, **same)
    always = weights_of(exploration="2012", p=0.0, **same)
    assert never == weights_of(exploration="2013", p=0.0, **same)
    assert always == weights_of(exploration="2013", p=1.0, **same)
    assert never != always


def test_an_exploration_brings_the_settings_of_its_paper() -> None:
    for year, settings in (("2012", (2, 0.1, "random")), ("2013", (1, 0.9, "best"))):
        recipe = treewright.train(DEV, features="lean", iterations=1, exploration=year).info["recipe"]
        assert (recipe["exploration"], recipe["k"], recipe["p"], recipe["zero_cost"]) == (year, *settings)
    recipe = treewright.train(DEV, features="lean", iterations=1, exploration="2012", k=0, p=0.5, zero_cost="best")
    assert [recipe.info["recipe"][name] for name in ("k", "p", "zero_cost")] == [0, 0.5, "best"]
    assert weights_of() == weights_of(exploration="2013", k=1, p=0.9, zero_cost="best")


def test_the_choice_among_right_moves_matters_and_is_reproducible() -> None:
    random = weights_of(policy="ambiguity", zero_cost="random")
    assert random == weights_of(policy="ambiguity", zero_cost="random")
    assert random != weights_of(policy="ambiguity", zero_cost="best")
    # Only arcs that are not gold have several right relations: parsers that are often wrong meet them.
    often_wrong: dict[str, Any] = {"policy": "explore", "features": "tiny", "k": 0, "p": 0.5}
    labelled = weights_of(zero_cost="random-labelled", **often_wrong)
    assert labelled == weights_of(zero_cost="random-labelled", **often_wrong)
    assert labelled != weights_of(zero_cost="random", **often_wrong)


@pytest.mark.parametrize("decision", ["joint", "split"])
@pytest.mark.parametrize("cost_sensitive", ["scale", "margin"])
@pytest.mark.parametrize(
    ("system", "policy"), [("arc-eager", "explore"), ("arc-hybrid", "static"), ("arc-standard", "ambiguity")]
)
def test_cost_sensitive_training_learns(
    system: str, policy: str, cost_sensitive: str, decision: str, tmp_path: Path
) -> None:
    reports = Reports()
    choices = {"system": system, "policy": policy, "decision": decision, "features": "malt"}
    parser = trained(tmp_path / "model.tw", reports, cost_sensitive=cost_sensitive, **choices)
    assert reports.rounds[-1].mistakes < reports.rounds[0].mistakes
    assert parser.info["dev"]["las"] > 60
    plain = trained(tmp_path / "plain.tw", **choices)
    assert plain.weights.arrays != parser.weights.arrays


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ({"exploration": "2014"}, "unknown exploration '2014'.*Choose from 2012, 2013"),
        ({"zero_cost": "worst"}, "unknown zero_cost 'worst'. Choose from best, random, random-labelled"),
        ({"cost_sensitive": "yes"}, "unknown cost_sensitive 'yes'. Choose from scale, margin"),
    ],
)
def test_refused_explorations(choices: dict[str, object], told: str) -> None:
    with pytest.raises(CombinationError, match=told):
        treewright.train(DEV, **choices)


def test_without_lifting_the_trees_are_learnt_as_they_are() -> None:
    lifted, plain, baseline = (
        treewright.train(TEST, features="lean", iterations=2, lifting=lifting)
        for lifting in ("head", "none", "baseline")
    )
    assert any("lifted" in note for note in lifted.info["training"]["notes"])
    assert not any("lifted" in note for note in plain.info["training"]["notes"])
    assert not any("↑" in relation for relation in plain.settings["relations"])
    assert plain.weights.arrays != baseline.weights.arrays
    assert plain.info["recipe"]["lifting"] == "none"
    again = treewright.train(DEV, init_from=plain, iterations=1)
    assert again.info["recipe"]["lifting"] == "none"
