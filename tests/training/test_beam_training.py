"""Training of beams: that it learns, that it is reproducible, and that updates come from the step they should."""

from __future__ import annotations

from pathlib import Path

import pytest

import treewright
from tests.toy import DEV, SYSTEMS, TEST, TRAIN
from treewright.errors import CombinationError
from treewright.parsing.parser import Parser
from treewright.parsing.transition import TransitionParser
from treewright.training.trainer import RoundReport, TrainingObserver


class Reports(TrainingObserver):
    def __init__(self) -> None:
        self.rounds: list[RoundReport] = []

    def round_done(self, report: RoundReport) -> None:
        self.rounds.append(report)


@pytest.mark.parametrize(("system", "root"), SYSTEMS)
@pytest.mark.parametrize(("update", "policy"), [("early", "ambiguity"), ("max-violation", "static"), ("early", "explore")])
def test_beams_learn_and_are_reproducible(
    system: str, root: str, update: str, policy: str, tmp_path: Path
) -> None:
    reports = Reports()
    saved = []
    for name in ("one", "other"):
        parser = treewright.train(
            DEV, TEST, system=system, root=root, features="malt", iterations=4, beam=4, update=update, policy=policy,
            observer=reports,
        )  # fmt: skip
        parser.save(tmp_path / name)
        saved.append((tmp_path / name).read_bytes())
    assert saved[0] == saved[1]
    assert reports.rounds[3].mistakes < reports.rounds[0].mistakes
    assert reports.rounds[3].las is not None and reports.rounds[3].las > 60


def test_a_model_keeps_its_beam_and_its_temperature(tmp_path: Path) -> None:
    parser = treewright.train(TRAIN, DEV, features="lean", iterations=2, beam=5)
    parser.save(tmp_path / "beam.tw")
    loaded = Parser.load(tmp_path / "beam.tw")
    assert isinstance(loaded, TransitionParser)
    assert loaded.beam == 5
    assert loaded.settings["beam_confidence"]["temperature"] > 0
    assert 0 <= loaded.settings["beam_confidence"]["outside"] < 1
    words = ["the", "dogs", "sleep"]
    assert loaded.parse(words).to_conllu() == parser.parse(words).to_conllu()
    trees = loaded.kbest(words, 9)
    assert len(trees) > 1
    assert [tree.score for tree in trees] == sorted((tree.score for tree in trees), reverse=True)
    loaded.beam = 1
    assert loaded.beam == 1
    assert loaded.parse(words)


@pytest.mark.parametrize(
    "choices",
    [
        {"beam": 0}, {"beam": 4, "decision": "split"}, {"beam": 4, "update": "late"}, {"beam": 4, "zero_cost": "best"},
        {"beam": 4, "system": "easy-first"},
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused(choices: dict[str, object]) -> None:
    with pytest.raises(CombinationError):
        treewright.train(TRAIN, iterations=1, **choices)
