"""The package in docs/plugins.md, a feature function and a learner, installed and used as the page says."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import treewright
from tests.toy import DEV, TEST, TRAIN
from treewright.errors import CombinationError
from treewright.learners.batch import learner_class, learner_names

PAGE = (Path(__file__).parents[2] / "docs" / "plugins.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """Return the one block of a language on the page."""
    (text,) = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    return str(text)


def entry_points() -> str:
    """Return the entry points of the page's pyproject.toml as an installer writes them down."""
    groups = re.findall(r'^\[project\.entry-points\."(.*?)"\]\n((?:\S+ = ".*"\n)+)', block("toml"), re.MULTILINE)
    assert len(groups) == 2
    return "".join(f"[{group}]\n{lines}" for group, lines in groups).replace('"', "")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "my_plugins.py").write_text(block("python"), encoding="utf-8")
    (tmp_path / "my.features").write_text(block("features"), encoding="utf-8")
    info = tmp_path / "my_plugins-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-plugins\nVersion: 1.0\n", encoding="utf-8")
    # The group of learners is the last: one that cannot be loaded joins it.
    (info / "entry_points.txt").write_text(entry_points() + "broken = my_plugins:Nobody\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "my_plugins", raising=False)
    return tmp_path


def test_the_example_is_short() -> None:
    assert len(block("python").splitlines()) <= 40


def test_the_commands_of_the_page_work(package: Path) -> None:
    for source, name in ((TRAIN, "train"), (DEV, "dev"), (TEST, "text")):
        shutil.copy(source, package / f"{name}.conllu")
    lines = re.findall(r"^    (?:TREEWRIGHT_PLUGINS=(\w+) )?treewright (.*)$", PAGE, re.MULTILINE)
    assert len(lines) == 2
    paths = [str(package), str(Path(treewright.__file__).parents[1])]
    for allowed, line in lines:
        done = subprocess.run(
            [sys.executable, "-m", "treewright", *shlex.split(line)],
            cwd=package,
            capture_output=True,
            timeout=120,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1", "TREEWRIGHT_PLUGINS": allowed},
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
    (package / "out.conllu").write_bytes(done.stdout)
    assert treewright.evaluate(str(package / "text.conllu"), str(package / "out.conllu")).las > 60


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
