"""The feature model of a parser as text: what `treewright info` shows, and what makes a model again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crafted import crafted
from tests.every_kind import save_all
from treewright.apps.cli import main
from treewright.apps.cli.commands.info_command import config_of
from treewright.steps.parser import Parser

WITH_TEMPLATES = ["arc-eager", "pipeline", "exact-2", "neural-moves", "dag-arc-eager"]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return save_all(tmp_path_factory.mktemp("models"), [*WITH_TEMPLATES, "neural"])


def test_settings_of_another_kind_of_parser_are_not_looked_at(models: dict[str, Path], tmp_path: Path) -> None:
    def add(header: dict) -> None:
        header["settings"].update(features=3, classes=[])

    parser = Parser.load(crafted(models["neural"], tmp_path / "more.tw", add))
    assert parser._feature_text == ""
    assert config_of(parser) == config_of(Parser.load(models["neural"]))


@pytest.mark.parametrize("kind", WITH_TEMPLATES)
def test_the_feature_model_is_shown_as_text(kind: str, models: dict[str, Path], capsys) -> None:
    assert main(["info", str(models[kind]), "--print", "features"]) == 0
    shown = capsys.readouterr().out
    assert shown == Parser.load(models[kind])._feature_text
    assert "p(" in shown or "exists(" in shown


def test_a_model_without_templates_says_so(models: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(models["neural"]), "--print", "features"]) == 2
    assert "a model without a feature model of its own" in capsys.readouterr().err
