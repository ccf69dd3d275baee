"""Parsers in other processes: by path where there is a file, else with all their weights."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from pathlib import Path

import pytest

import treewright as tw
from tests.kinds.pipeline.test_pipeline import toy_pipeline
from tests.toy import TEST, toy_parser
from treewright.steps import pickling

SENTENCE = "The girl sang."


@pytest.fixture
def saved(tmp_path: Path) -> tw.Parser:
    toy_pipeline().save(tmp_path / "toy.tw")
    return tw.load(tmp_path / "toy.tw")


def fresh(pickled: bytes) -> tw.Parser:
    """Unpickle as another process does, which has kept nothing."""
    pickling._alive.clear()
    pickling._kept.cache_clear()
    parser = pickle.loads(pickled)
    assert isinstance(parser, tw.Step)
    return parser


def test_a_loaded_model_is_pickled_by_its_path(saved):
    pickled = pickle.dumps(saved)
    assert len(pickled) < 1000
    assert pickle.loads(pickled) is saved  # it never changes, so this process needs no other
    other = fresh(pickled)
    assert other is not saved
    assert other(SENTENCE) == saved(SENTENCE)
    assert pickle.loads(pickled) is other


@pytest.mark.parametrize("make", [toy_pipeline, toy_parser], ids=["pipeline", "parser"])
def test_a_trained_model_is_pickled_with_its_weights(make):
    parser = make()
    sentences = list(tw.read(TEST))
    for other in (fresh(pickle.dumps(parser)), copy.deepcopy(parser)):
        assert other is not parser
        assert [other.parse(each) for each in sentences] == [parser.parse(each) for each in sentences]
        assert other.info == parser.info


def test_a_file_that_changed_or_went_away(saved, tmp_path):
    path = tmp_path / "toy.tw"
    pickled = pickle.dumps(saved)
    path.rename(tmp_path / "moved.tw")
    with pytest.raises(tw.ModelFileError, match="cannot be read here"):
        fresh(pickled)
    assert len(pickle.dumps(saved)) > 1000  # with its weights: they are still mapped
    toy_parser().save(path)
    with pytest.raises(tw.ModelFileError, match="another model is there now"):
        fresh(pickled)
    assert copy.deepcopy(saved)(SENTENCE) == saved(SENTENCE)


def test_deep_copies_share_nothing(saved):
    other = copy.deepcopy(saved)
    other.info["mine"] = 1
    assert "mine" not in saved.info
    assert other(SENTENCE) == saved(SENTENCE)


def test_the_bundled_model_is_named_relative_to_the_package():
    nlp = tw.load()
    assert b"treewright:english" in pickle.dumps(nlp)
    assert len(pickle.dumps(nlp)) <= 1000


def test_an_error_comes_back_from_another_process():
    error = pickle.loads(pickle.dumps(tw.MissingExtraError("This", "that", "those")))
    assert "pip install 'treewright[those]'" in str(error)


def test_other_processes_parse_alike(saved):
    texts = [SENTENCE, "A goose slept."]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(saved, texts) == [saved(text) for text in texts]
    joblib = pytest.importorskip("joblib")
    assert joblib.Parallel(n_jobs=2)(joblib.delayed(saved)(text) for text in texts) == [saved(text) for text in texts]


@pytest.mark.parametrize(("place", "noticed"), [(0, True), (3, True), (4, False), (11, False), (12, True), (15, True)])
def test_a_fingerprint_looks_at_size_beginning_and_end(place, noticed, tmp_path, monkeypatch):
    monkeypatch.setattr(pickling, "COMPARED", 4)
    path = tmp_path / "file"
    path.write_bytes(bytes(16))
    before = pickling.fingerprint(str(path))
    changed = bytearray(16)
    changed[place] = 1
    path.write_bytes(changed)
    assert (pickling.fingerprint(str(path)) != before) == noticed
    path.write_bytes(bytes(17))
    assert pickling.fingerprint(str(path)) != before
    path.write_bytes(b"ab")  # shorter than what is compared
    assert pickling.fingerprint(str(path)).startswith("2-")


def test_a_process_keeps_the_two_models_that_it_used_last(monkeypatch):
    loaded = []
    pickling._kept.cache_clear()
    monkeypatch.setattr(pickling, "_loaded", lambda shown, expected: loaded.append(shown) or f"{shown} {expected}")
    for name in "abacab":
        assert pickling.step_at(name, "x") == f"{name} x"
    assert "".join(loaded) == "abcb"  # a stays, as it is used again and again
    assert pickling.step_at("b", "y") == "b y"  # another file at the same path
