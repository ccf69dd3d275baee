"""Models by name: the bundled ones, then those of installed packages, whose entries may be broken."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from treewright.errors import ModelFileError
from treewright.steps.named_models import FOLDER, NamedModel, find_model, named_models, path_of


@dataclass
class Distribution:
    """What an entry point knows of the package that it belongs to."""

    name: str
    version: str


@dataclass
class Entry:
    """An entry point, as ``importlib.metadata`` gives it."""

    name: str
    module: str
    dist: Distribution | None = None


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two packages with models, one without, and entries for these and for one that is gone."""
    for package, has_model in (("model_of_b", True), ("model_of_a", True), ("empty_package", False)):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("raise RuntimeError('imported')\n", encoding="utf-8")
        if has_model:
            (tmp_path / package / "model.tw").write_bytes(package.encode())
    monkeypatch.syspath_prepend(tmp_path)
    entries = [
        Entry("gone", "package_that_nobody_has"),
        Entry("empty", "empty_package"),
        Entry("b", "model_of_b.deeper", Distribution("model-of-b", "2.0")),
        Entry("a", "model_of_a"),
        Entry("english", "model_of_a"),
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries * (group == "treewright_models"))
    return tmp_path


def test_bundled_models_come_first_then_installed_ones_by_name(site: Path) -> None:
    assert named_models() == [
        NamedModel("english-fast", Path(FOLDER, "english-fast.tw")),
        NamedModel("english", Path(FOLDER, "english.tw")),
        NamedModel("a", site / "model_of_a" / "model.tw", "", ""),
        NamedModel("b", site / "model_of_b" / "model.tw", "model-of-b", "2.0"),
    ]


@pytest.mark.parametrize(
    ("name", "package"), [("a", "model_of_a"), ("b", "model_of_b"), ("gone", None), ("empty", None), ("c", None)]
)
def test_an_installed_model_is_found_by_its_own_name(site: Path, name: str, package: str | None) -> None:
    assert (path_of(name) is not None) == (package is not None)
    if package:
        assert find_model(name) == str(site / package / "model.tw")
        return
    with pytest.raises(
        ModelFileError, match=f"there is no file and no model called '{name}'. Choose from english-fast"
    ):
        find_model(name)
    assert find_model(f"./{name}") == f"./{name}"


def test_a_bundled_model_is_found_before_an_installed_one(site: Path) -> None:
    assert find_model("english") == str(Path(FOLDER, "english.tw"))
    assert path_of("../english") is None
