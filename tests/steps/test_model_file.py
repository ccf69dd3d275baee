"""Model files: read by others, and never trusted."""

from __future__ import annotations

import json
import warnings
from functools import cache
from pathlib import Path

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open

import treewright
from tests.crafted import put_together, taken_apart
from tests.toy import TEST, toy_parser
from treewright.errors import ModelFileError, TreewrightError
from treewright.steps.border.container import read_model
from treewright.steps.model_file import write_model
from treewright.steps.parser import Parser

TEXT = b"1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t_\t_\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n"


@cache
def model_bytes() -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "toy.tw"
        toy_parser().save(path)
        return path.read_bytes()


@cache
def unsigned_bytes() -> bytes:
    """The same model without its digest, which would reject every change."""
    return put_together(*taken_apart(model_bytes()), signed=False)


def header_length() -> int:
    return 8 + int.from_bytes(unsigned_bytes()[:8], "little")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file to be written to again and again."""
    return tmp_path_factory.mktemp("models") / "model.tw"


def test_the_safetensors_library_sees_the_same(path: Path) -> None:
    path.write_bytes(model_bytes())
    header, arrays = read_model(path)
    with safe_open(path, framework="numpy") as library:
        assert json.loads(library.metadata()["treewright"]) == header
        assert set(library.keys()) == set(arrays)
        for name in arrays:
            assert library.get_tensor(name).tobytes() == bytes(arrays[name])
        assert library.get_tensor("values").dtype == numpy.int8
        assert library.get_tensor("tags").dtype == numpy.uint16


def test_arrays_of_every_width_are_aligned(path: Path) -> None:
    given = {
        "a": ("U8", bytes([1, 2, 3])),
        "b": ("F64", numpy.array([0.5])),
        "c": ("I16", numpy.array([-1], "<i2")),
        "d": ("U8", b""),
    }
    write_model(path, {"kind": "test"}, given)
    with safe_open(path, framework="numpy") as library:
        assert library.get_tensor("a").tolist() == [1, 2, 3]
        assert library.get_tensor("b").tolist() == [0.5]
        assert library.get_tensor("c").tolist() == [-1]
        assert library.get_tensor("d").tolist() == []
    with pytest.raises(ModelFileError, match="kind 'test'"):
        Parser.load(path)


def test_a_parser_comes_back_as_it_was(path: Path) -> None:
    path.write_bytes(model_bytes())
    parser = Parser.load(path)
    copy = path.with_name("copy.tw")
    parser.save(copy)
    assert copy.read_bytes() == model_bytes()
    parsed = [path.with_name(name) for name in ("trained.conllu", "loaded.conllu")]
    toy_parser().parse_file(TEST, parsed[0])
    parser.parse_file(TEST, parsed[1])
    assert parsed[0].read_bytes() == parsed[1].read_bytes()


@pytest.mark.parametrize("part", range(50))
def test_a_cut_off_file_is_refused(part: int, path: Path) -> None:
    data = model_bytes()
    path.write_bytes(data[: len(data) * part // 50])
    with pytest.raises(ModelFileError, match=r"model\.tw"):
        Parser.load(path)


def test_models_of_another_format_say_so(path: Path) -> None:
    path.write_bytes(model_bytes().replace(rb"{\"format\": 1,", rb"{\"format\": 7,"))
    with pytest.raises(ModelFileError, match="format 7, and this treewright reads formats 1 and 2"):
        Parser.load(path)


def refused_or_working(path: Path) -> None:
    try:
        parser = Parser.load(path)
    except ModelFileError:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parser.parse_file(TEXT, path.with_name("parsed.conllu"))


@settings(max_examples=300, deadline=None)
@given(flips=st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=4))
def test_bytes_changed_in_the_header(flips: list[tuple[int, int]], path: Path) -> None:
    data = bytearray(unsigned_bytes())
    for place, value in flips:
        data[place % header_length()] = value
    path.write_bytes(bytes(data))
    refused_or_working(path)


@settings(max_examples=300, deadline=None)
@given(flips=st.lists(st.tuples(st.integers(0, 1 << 20), st.sampled_from(b"0123456789")), min_size=1, max_size=3))
def test_digits_changed_in_the_header(flips: list[tuple[int, int]], path: Path) -> None:
    data = bytearray(unsigned_bytes())
    digits = [place for place in range(8, header_length()) if data[place] in b"0123456789"]
    for place, value in flips:
        data[digits[place % len(digits)]] = value
    path.write_bytes(bytes(data))
    refused_or_working(path)


@settings(max_examples=200, deadline=None)
@given(flips=st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=20))
def test_bytes_changed_in_the_arrays(flips: list[tuple[int, int]], path: Path) -> None:
    data = bytearray(unsigned_bytes())
    for place, value in flips:
        data[header_length() + place % (len(data) - header_length())] = value
    path.write_bytes(bytes(data))
    refused_or_working(path)


NUMBERS = st.integers(-3, 40) | st.floats(allow_nan=False)
VALUES = st.none() | st.booleans() | NUMBERS | st.text(max_size=3) | st.just([])


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_values_of_other_kinds_in_the_settings(data: st.DataObject, path: Path) -> None:
    path.write_bytes(model_bytes())
    header, arrays = read_model(path)
    header = json.loads(json.dumps(header))
    place = header
    key = data.draw(st.sampled_from(["settings", "weights", "info"]))
    while data.draw(st.booleans()) and isinstance(place[key], (dict, list)) and place[key]:
        place = place[key]
        key = data.draw(st.sampled_from(list(place) if isinstance(place, dict) else range(len(place))))
    place[key] = data.draw(VALUES)
    types = {"tags": "U16", "sizes": "U16", "moves": "I8", "values": "I8"}
    changed = path.with_name("changed.tw")
    kept = {name: (types.get(name, "U8"), bytes(view)) for name, view in arrays.items()}
    del header["format"]
    write_model(changed, header, kept)
    refused_or_working(changed)


def test_computers_with_the_other_byte_order_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "toy.tw"
    path.write_bytes(model_bytes())
    parser = toy_parser()
    monkeypatch.setattr("sys.byteorder", "big")
    for attempt in (lambda: read_model(path), lambda: parser.save(path), lambda: treewright.train(TEST)):
        with pytest.raises(TreewrightError, match="this one writes the highest byte first"):
            attempt()
    assert path.read_bytes() == model_bytes()
