"""Features as numbers."""

from __future__ import annotations

import random

import pytest
from treewright.learners.feature_index import FeatureIndex

from treewright.errors import ModelFileError


def test_numbers_are_those_of_a_dictionary() -> None:
    rng = random.Random(1)
    keys = [rng.getrandbits(64) for _ in range(20_000)]
    index, reference = FeatureIndex(), {}
    for key in rng.choices(keys, k=40_000):
        assert index.add(key) == reference.setdefault(key, len(reference) + 1)
    assert len(index) == len(reference)
    assert all(index.number(key) == reference.get(key, 0) for key in keys)
    again = FeatureIndex(index.keys_buffer)
    assert all(again.number(key) == number for key, number in reference.items())
    assert bytes(again.keys_buffer) == bytes(index.keys_buffer)


def test_damaged_lists_are_rejected() -> None:
    with pytest.raises(ModelFileError, match="twice"):
        FeatureIndex(b"\1\0\0\0\0\0\0\0" * 2)
    with pytest.raises(ModelFileError, match="damaged"):
        FeatureIndex(b"\1\0\0")
    assert len(FeatureIndex(b"")) == 0
