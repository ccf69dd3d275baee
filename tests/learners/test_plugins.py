"""The learner in docs/plugins.md, installed as a package of its own would be."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import treewright
from tests.toy import DEV, TEST, TRAIN
from treewright.errors import CombinationError
from treewright.learners.batch import learner_class, learner_names

PAGE = Path(__file__).parents[2] / "docs" / "plugins.md"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    (code,) = [block for block in blocks if "class NaiveBayes" in block]
    (tmp_path / "my_learners.py").write_text(code, encoding="utf-8")
    info = tmp_path / "my_learners-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-learners\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[treewright.learners]\nnaive-bayes = my_learners:NaiveBayes\nbroken = my_learners:Nobody\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "my_learners", raising=False)


@pytest.mark.usefixtures("package")
def test_a_learner_of_another_package_trains_and_is_saved(tmp_path: Path) -> None:
    assert "naive-bayes" in learner_names()
    parser = treewright.train(TRAIN, DEV, features="malt", learner="naive-bayes", learner_options="0.01")
    assert parser.info["dev"]["las"] > 60
    parser.save(tmp_path / "bayes.tw")
    parser.parse_file(TEST, tmp_path / "one")
    treewright.load(str(tmp_path / "bayes.tw")).parse_file(TEST, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.usefixtures("package")
def test_a_learner_that_cannot_be_loaded_is_refused() -> None:
    with pytest.raises(CombinationError, match="cannot be loaded"):
        learner_class("broken")
    with pytest.raises(CombinationError, match="naive-bayes"):
        learner_class("nobody")
