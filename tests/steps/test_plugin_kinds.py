"""The package in docs/plugin-kinds.md, a kind of parser, installed and used as the page says."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import treewright as tw
from tests.apps.cli.running import environment
from tests.toy import TRAIN

PAGE = (Path(__file__).parents[2] / "docs" / "plugin-kinds.md").read_text(encoding="utf-8")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a folder in which the package of the page is installed."""
    for name, text in re.findall(r"^```python\n# (\S+)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE):
        (tmp_path / "site" / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / "site" / name).write_text(text, encoding="utf-8")
    info = tmp_path / "site" / "nearest-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: nearest\nVersion: 1.0\n", encoding="utf-8")
    entries = re.findall(r'^\[project\.entry-points\."(.*?)"\]\n(\S+) = "(.*)"$', PAGE, re.MULTILINE)
    lines = [f"[{group}]\n{name} = {value}\n" for group, name, value in entries]
    (info / "entry_points.txt").write_text("".join(lines), encoding="utf-8")
    return tmp_path


def run(folder: Path, line: str, installed: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a command of the page in a process that finds the package, or does not."""
    own = environment()
    if installed:
        own["PYTHONPATH"] = f"{folder / 'site'}{os.pathsep}{own['PYTHONPATH']}"
    command = [sys.executable, "-m", "treewright", *shlex.split(line)]
    return subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, encoding="utf-8", check=False)


def test_the_commands_of_the_page_work(package: Path) -> None:
    shutil.copy(TRAIN, package / "train.conllu")
    shutil.copy(TRAIN, package / "text.conllu")
    lines = re.findall(r"^    treewright (.*)$", PAGE, re.MULTILINE)
    assert len(lines) == 4
    done = [run(package, line) for line in lines]
    assert [each.returncode for each in done] == [0] * 4, [each.stderr for each in done]
    assert tw.evaluate(TRAIN, done[1].stdout.encode()).uas > 60
    assert "\tdog\tNOUN\t" in re.sub(r"\tdog\tdog\t", "\tdog\t", done[3].stdout)


def test_a_model_of_a_kind_that_is_not_installed_is_refused_by_name(package: Path) -> None:
    shutil.copy(TRAIN, package / "train.conllu")
    assert run(package, "train train.conllu --system nearest -o nearest.tw -q").returncode == 0
    refused = run(package, "parse nearest.tw train.conllu", installed=False)
    assert refused.returncode == 2
    assert "a model of kind 'nearest', which this version does not know" in refused.stderr


def test_options_of_other_kinds_are_refused(package: Path) -> None:
    shutil.copy(TRAIN, package / "train.conllu")
    refused = run(package, "train train.conllu --system nearest --beam 3 -o nearest.tw")
    assert (refused.returncode, "beam is an option of" in refused.stderr) == (2, True)
