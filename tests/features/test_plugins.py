"""Feature functions of other packages, found by the real entry points of an installed distribution."""

from __future__ import annotations

import sys

import pytest
from treewright.features.encoder import Encoder

import treewright
from tests.systems.cases import block_of
from tests.toy import DEV, TRAIN
from treewright.errors import ModelFileError, TreewrightError
from treewright.features import trust
from treewright.features.language import parse_model
from treewright.features.plugins import feature_function, installed_functions

MODULE = """\
def length(words):
    return [str(min(len(word["FORM"]), 9)) for word in words]

def place(words):
    return ["first" if i == 0 else "later" for i, _ in enumerate(words)]

def broken(words):
    return words[99]

def too_few(words):
    return ["x"]

no_function = "text"
"""
ENTRIES = ("length", "place", "broken", "too_few", "no_function", "missing")


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A distribution with a module and its entry points, on the path."""
    name = "treewright_lengths"
    (tmp_path / f"{name}.py").write_text(MODULE)
    info = tmp_path / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{entry} = {name}:{entry}\n" for entry in ENTRIES]
    (info / "entry_points.txt").write_text("[treewright.features]\n" + "".join(lines))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop(name, None)


def texts(name, words, word):
    return Encoder([("", name, ())], False).text(block_of(*words), word, 0).decode()


def test_functions_are_found_and_called_by_sentence(installed):
    assert set(ENTRIES) <= set(installed_functions())
    sentences = [[("cats",), ("sleep",)], [("birds",), ("incomprehensibly",)]]
    assert [texts("length", sentences, word) for word in range(4)] == ["4", "5", "5", "9"]
    assert [texts("place", sentences, word) for word in range(4)] == ["first", "later", "first", "later"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere", r"plugin\(nowhere, …\) is not installed \(installed: .*length"),
        ("missing", r"plugin\(missing, …\) cannot be loaded .*treewright_lengths:missing"),
        ("no_function", "which is not a function"),
    ],
)
def test_functions_that_cannot_be_had(installed, name, message):
    with pytest.raises(TreewrightError, match=message):
        feature_function(name)


@pytest.mark.parametrize(
    ("name", "message"), [("broken", "broken failed: IndexError"), ("too_few", "one text for each word")]
)
def test_functions_that_fail(installed, name, message):
    with pytest.raises(TreewrightError, match=message):
        texts(name, [[("cats",), ("sleep",)]], 0)


def test_a_parser_with_a_plug_in_and_without(installed, tmp_path, monkeypatch):
    path = tmp_path / "my.features"
    path.write_text("plugin(length, stack[0]) & p(input[0])\np(stack[0])\nplugin(place, input[0])\n")
    parser = treewright.train(TRAIN, features=str(path), iterations=2)
    model = tmp_path / "my.tw"
    parser.save(model)
    output = tmp_path / "one.conllu"
    treewright.load(model).parse_file(DEV, output)
    monkeypatch.setattr(trust, "_allowed", set())
    with pytest.raises(ModelFileError, match="TREEWRIGHT_PLUGINS=length"):
        treewright.load(model)
    monkeypatch.setenv("TREEWRIGHT_PLUGINS", "other, length,place")
    parser.parse_file(DEV, tmp_path / "two.conllu", threads=2)
    assert output.read_bytes() == (tmp_path / "two.conllu").read_bytes()
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder != str(installed)])
    with pytest.raises(ModelFileError, match=r"my.tw: .*plugin\(length, …\) is not installed .*Install the package"):
        treewright.load(model)


def test_in_the_language():
    model = parse_model("plugin(length, ld(stack[0])) & w(stack[0])")
    assert str(model) == "plugin(length, ld(stack[0])) & w(stack[0])\n"
    assert model.columns == ("FORM",)
    with pytest.raises(TreewrightError, match="suffix takes a column"):
        parse_model("suffix(plugin(length, stack[0]), 2)")
