"""Every combination of system, policy and learner that is allowed trains a parser, and the docs show them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import treewright
from tests.kinds.transition.combinations import Combination, combinations, table
from tests.toy import DEV
from treewright.errors import CombinationError

PAGE = Path(__file__).parents[3] / "docs" / "learners.md"
ALL = list(combinations())


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A dozen sentences."""
    path = tmp_path_factory.mktemp("tiny") / "tiny.conllu"
    path.write_text("\n\n".join(Path(DEV).read_text("utf-8").split("\n\n")[:12]) + "\n\n", encoding="utf-8")
    return str(path)


def name(combination: Combination) -> str:
    return f"{combination.system}-{combination.policy}-{combination.learner}"


def choices(combination: Combination) -> dict[str, Any]:
    learner: Any = combination.learner
    if learner == "timbl":
        pytest.importorskip("timblapi")
    if learner == "sklearn":
        from sklearn.linear_model import SGDClassifier

        learner = SGDClassifier(max_iter=5, tol=None, random_state=1)
    made: dict[str, Any] = {
        "system": combination.system,
        "policy": combination.policy,
        "learner": learner,
        "features": "malt",
    }
    if learner == "perceptron":
        made["iterations"] = 2
    if learner == "libsvm":
        made["learner_options"] = "-t 0"
    if combination.policy == "dagger" and learner != "perceptron":
        made["dagger_rounds"] = 1
    return made


@pytest.mark.parametrize("combination", [c for c in ALL if c.refusal is None], ids=name)
def test_what_is_allowed_trains(combination: Combination, tiny: str) -> None:
    parser = treewright.train(tiny, **choices(combination))
    right = total = 0
    for sentence in treewright.read(tiny):
        again = parser.parse(sentence)
        right += sum(a.head == b.head for a, b in zip(sentence.words, again.words, strict=True))
        total += len(sentence.words)
    assert right > 0.6 * total


@pytest.mark.parametrize("combination", [c for c in ALL if c.refusal is not None], ids=name)
def test_what_is_not_allowed_is_refused_with_a_remedy(combination: Combination, tiny: str) -> None:
    with pytest.raises(CombinationError, match="choose the") as caught:
        treewright.train(tiny, **choices(combination))
    assert str(caught.value) == combination.refusal


def test_the_page_shows_the_table() -> None:
    assert table().startswith("| system | policy | oracle | perceptron |")
    assert table() in PAGE.read_text(encoding="utf-8")
