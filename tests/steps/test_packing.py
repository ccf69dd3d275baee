"""Packed arrays of model files: smaller, the same once read, and never trusted."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import numpy
import pytest
from safetensors import safe_open

from tests.toy import toy_parser
from treewright.errors import ModelFileError
from treewright.steps.border.container import DIGEST, KEY, PACKED, digest, read_model
from treewright.steps.border.packing import LEAST, MOST_GROWTH
from treewright.steps.model_file import write_model
from treewright.steps.parser import Parser

FEW = numpy.zeros(LEAST, "<i2")
FEW[:: LEAST // 7] = -3
NOISE = numpy.random.default_rng(1).integers(0, 256, 2 * LEAST, dtype="u1")
ARRAYS = {"few": ("I16", FEW), "noise": ("U8", NOISE), "small": ("F32", numpy.zeros(9, "<f4")), "none": ("U8", b"")}


def test_only_large_arrays_that_shrink_are_packed(tmp_path: Path) -> None:
    paths = tmp_path / "packed.tw", tmp_path / "plain.tw"
    for path in paths:
        write_model(path, {"kind": "test"}, ARRAYS, packed=path == paths[0])
    assert paths[0].stat().st_size < paths[1].stat().st_size - LEAST
    read = [read_model(path) for path in paths]
    assert [one.header["format"] for one in read] == [2, 1]  # versions that cannot unpack say so
    assert {name: bytes(data) for name, data in read[0].arrays.items()} == {
        name: bytes(memoryview(data)) for name, (_, data) in ARRAYS.items()
    }
    assert {name: bytes(data) for name, data in read[1].arrays.items()} == {
        name: bytes(data) for name, data in read[0].arrays.items()
    }
    with safe_open(paths[0], framework="numpy") as library:
        assert json.loads(library.metadata()[PACKED]) == {"few": ["I16", 2 * LEAST]}
        assert (library.get_tensor("noise") == NOISE).all()
        assert zlib.decompress(library.get_tensor("few").tobytes()) == FEW.tobytes()


def test_a_parser_with_packed_arrays_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treewright.steps.border.packing.LEAST", 1)
    parser, paths = toy_parser(), (tmp_path / "packed.tw", tmp_path / "plain.tw")
    parser.save(paths[0])
    parser.save(paths[1], packed=False)
    assert paths[0].stat().st_size < paths[1].stat().st_size
    text = "1\tdogs\tdog\tNOUN\t_\t_\t_\t_\t_\t_\n2\tsleep\tsleep\tVERB\t_\t_\t_\t_\t_\t_\n\n"
    assert str(Parser.load(paths[0]).parse(text)) == str(Parser.load(paths[1]).parse(text))


def with_packed(path: Path, listed: object, data: bytes) -> Path:
    """Write a file with one array and what it says of packed ones; the digest is right."""
    header = json.dumps({"format": 2, "kind": "test"})
    entries = {"a": {"dtype": "U8", "shape": [len(data)], "data_offsets": [0, len(data)]}}
    told = json.dumps(listed)
    metadata = {KEY: header, PACKED: told, DIGEST: digest(header + told, entries, [data])}
    beginning = json.dumps({"__metadata__": metadata, **entries}).encode()
    path.write_bytes(len(beginning).to_bytes(8, "little") + beginning + data)
    return path


GOOD = zlib.compress(bytes(1000))


@pytest.mark.parametrize(
    ("listed", "data", "message"),
    [
        ({"a": ["U8", 1001]}, GOOD, "does not have the 1001 bytes"),
        ({"a": ["U8", 999]}, GOOD, "does not have the 999 bytes"),
        ({"a": ["U8", 0]}, GOOD, "does not have the 0 bytes"),
        ({"a": ["U8", 1000]}, GOOD[:-3], "does not have the 1000 bytes"),
        ({"a": ["U8", 1000]}, GOOD + b"more", "does not have the 1000 bytes"),
        ({"a": ["U8", 1000]}, b"nonsense", "cannot be unpacked"),
        ({"a": ["U8", 1000]}, b"", "does not have the 1000 bytes"),
        ({"b": ["U8", 1000]}, GOOD, "'b' is not in the file"),
        ({"a": ["F64", 999]}, GOOD, "999 bytes, which are no numbers of type F64"),
        ({"a": ["C64", 1000]}, GOOD, "the model is damaged"),
        ({"a": ["U8", -1]}, GOOD, "the model is damaged"),
        ({"a": ["U8", 1 << 40]}, GOOD, f"more than {MOST_GROWTH} times"),
        (["a"], GOOD, "the model is damaged"),
        ({"a": 5}, GOOD, "the model is damaged"),
    ],
)
def test_what_a_file_says_of_packed_arrays_is_checked(
    listed: object, data: bytes, message: str, tmp_path: Path
) -> None:
    with pytest.raises(ModelFileError, match=message):
        read_model(with_packed(tmp_path / "a.tw", listed, data))


def test_a_packed_array_is_read(tmp_path: Path) -> None:
    path = with_packed(tmp_path / "a.tw", {"a": ["U16", 1000]}, GOOD)
    assert bytes(read_model(path).arrays["a"]) == bytes(1000)
    path.write_bytes(path.read_bytes().replace(b"1000", b"1002"))
    with pytest.raises(ModelFileError, match="do not match its digest"):
        read_model(path)
