"""The options of one call: what is rejected, with which words, and what each needs of a parser."""

import json
from array import array

import pytest

from treewright.errors import CombinationError
from treewright.steps.call import Call, call_from
from treewright.steps.model_file import write_model


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"constraints": "onegp, arcpg"}, "constraints 'arcpg'.*Did you mean 'arcgp'"),
        ({"constraints": "gparc, nogp"}, "without onegp or arcgp nothing binds a grandparent to the tree"),
        ({"constraints": ""}, "constraints ''"),
        ({"tighten": "none", "method": "brute"}, "brute force prices no parts"),
        ({"k_best": 2, "confidence": True}, "k_best shows how likely each tree is, confidence each arc"),
        ({"k_best": 2, "keep_arcs": True}, "keep_arcs fills in one tree"),
        ({"baem": 8}, "unknown option 'baem'. Did you mean 'beam'"),
        ({"xyzzy": 1}, "unknown option 'xyzzy'. Choose from beam, k_best, confidence"),
        ({"beam": 0}, "beam"),
    ],
)
def test_what_does_not_go_together_is_rejected(given, told):
    with pytest.raises(CombinationError, match=told):
        call_from(given)


@pytest.mark.parametrize(
    "given",
    [
        {"constraints": "onegp"},
        {"constraints": "ARCGP"},
        {"constraints": "onegp,arcgp"},
        {"tighten": "none", "method": "paper"},
        {"tighten": "all", "method": "brute"},
        {"tighten": "onegp"},
    ],
)
def test_what_goes_together_is_accepted(given):
    options = call_from(given)
    assert {name: getattr(options, name) for name in given} == given


def test_what_options_need_of_a_parser():
    assert Call().needs() == {}
    assert call_from({"tag": True, "ranges": True, "newlines": "sentence"}).needs() == {
        "tags": "tag",
        "raw text": "ranges",
    }
    assert call_from({"certified": lambda certificate, words: None}).needs() == {"certificate": "stats"}
    assert call_from({"tighten": "none"}).needs() == {"certificate": "tighten"}


def test_how_raw_text_is_read():
    plain = call_from({})
    assert (plain.ranges, plain.newlines) == (False, "auto")
    given = call_from({"ranges": True, "newlines": "ignore"})
    assert (given.ranges, given.newlines) == (True, "ignore")


def test_a_model_file_is_laid_out_as_safetensors_has_it(tmp_path):
    """Wide numbers come first, names after the alphabet, the beginning fills whole words of eight bytes."""
    arrays = {
        "b": ("U8", bytes(5)),
        "z": ("I64", array("q", [1, 2])),
        "c": ("F32", array("f", [1.0])),
        "a": ("F32", array("f")),
    }
    for length in range(9):
        write_model(tmp_path / "m.tw", {"kind": "x" * length, "ä": 1}, arrays, packed=False)
        data = (tmp_path / "m.tw").read_bytes()
        size = int.from_bytes(data[:8], "little")
        assert size % 8 == 0
        beginning = data[8 : 8 + size]
        assert not beginning.rstrip(b" ").endswith(b" ")
        assert size - len(beginning.rstrip(b" ")) < 8
        listed = json.loads(beginning)
        assert [name for name in listed if name != "__metadata__"] == ["z", "a", "c", "b"]
        assert beginning.rstrip(b" ") == json.dumps(listed, ensure_ascii=False, separators=(",", ":")).encode()
        assert "ä" in listed["__metadata__"]["treewright"]
        assert len(data) == 8 + size + 16 + 4 + 5
    header = json.loads(listed["__metadata__"]["treewright"])
    assert list(header) == sorted(header)
