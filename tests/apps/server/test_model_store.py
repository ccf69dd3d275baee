"""Models by name: loaded on demand, loaded again when their file changes."""

import logging
import shutil

import pytest

from treewright.apps.server import model_store
from treewright.apps.server.messages import HttpError
from treewright.apps.server.model_store import ModelStore, named
from treewright.errors import TreewrightError


@pytest.fixture
def look_at_once(monkeypatch):
    monkeypatch.setattr(model_store, "LOOK_SECONDS", 0.0)


def test_models_are_loaded_on_demand(models):
    store = ModelStore(named(models))
    assert store.loaded() == []
    assert store.steps("toy-pipe-1") == ["tokenizer", "tagger", "parser"]
    assert store.loaded() == []
    parser = store.get("toy-moves")
    assert store.loaded() == ["toy-moves"]
    assert store.get("toy-moves") is parser


@pytest.mark.usefixtures("look_at_once")
def test_a_changed_file_is_loaded_again(models, tmp_path, caplog):
    path = tmp_path / "m.tw"
    shutil.copy(models[1], path)
    store = ModelStore({"m": path})
    first = store.get("m")
    assert store.get("m") is first
    shutil.copy(models[2], tmp_path / "new.tw")
    (tmp_path / "new.tw").replace(path)
    second = store.get("m")
    assert type(second) is not type(first)
    with caplog.at_level(logging.WARNING):
        (tmp_path / "bad.tw").write_bytes(b"not a model")
        (tmp_path / "bad.tw").replace(path)
        assert store.get("m") is second  # the old one goes on
        path.unlink()
        assert store.get("m") is second
    assert "the old one stays in use" in caplog.text


def test_a_model_that_cannot_be_loaded_gives_503(tmp_path):
    path = tmp_path / "m.tw"
    path.write_bytes(b"not a model")
    store = ModelStore({"m": path})
    assert store.steps("m") == []
    with pytest.raises(HttpError) as error:
        store.get("m")
    assert error.value.status == 503
    assert str(tmp_path) not in error.value.message


def test_models_that_are_added(models):
    store = ModelStore({})
    with pytest.raises(HttpError):
        store.default()
    store.add("a", models[2])
    store.add("b", store.get("a"))
    assert store.names() == ["a", "b"]
    assert store.get("b") is store.get("a")
    assert store.steps("b") == ["parser"]


def test_equal_names(tmp_path):
    names = named([tmp_path / "a" / "m.tw", tmp_path / "b" / "m.tw"])
    assert list(names) == ["m", "b-m"]
    with pytest.raises(TreewrightError, match="Rename"):
        named([tmp_path / "a" / "m.tw"] * 3)
