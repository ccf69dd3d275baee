"""With an index, the same matches are found as without."""

from __future__ import annotations

import os
import random
import warnings

import pytest

from tests.query.randomly import random_pattern, random_sentence
from treewright.query.finding import find
from treewright.query.index.index_file import IndexFile, build_index, index_of, index_path
from treewright.query.index.reading import blocks_for, parts_for
from treewright.query.language.patterns import parse_pattern
from treewright.treebank.files.reading import read_blocks


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    """A file of some parts, in each of which the words are others."""
    chance = random.Random(7)
    path = tmp_path_factory.mktemp("index") / "many.conllu"
    text = []
    for part in range(6):
        for _ in range(700):
            sentence = random_sentence(chance).to_bytes().decode().replace("\r\n", "\n")
            text.append(sentence.replace("\ta\t", f"\ta{part}\t") if part else sentence)
    path.write_text("\ufeff" + "".join(text), encoding="utf-8")
    build_index(str(path))
    return str(path)


def rows(blocks, query):
    found = []
    for block in blocks:
        for each in query.in_block(block):
            line = block.line_of(each.number)
            found += [(line, *(str(token) for token in match.nodes.values()), *match.edges.values()) for match in each]
    return found


def test_random_patterns_find_the_same(treebank):
    chance = random.Random(8)
    index = index_of(treebank)
    assert index is not None
    assert index.n_parts > 3
    skipped = 0
    for _ in range(150):
        text = random_pattern(chance).replace("form=a", f"form=a{chance.randrange(1, 6)}")
        pattern = parse_pattern(text)
        tree = chance.random() < 0.5
        found = find(treebank, pattern, tree=tree)
        query = found.query()
        with_index = rows(blocks_for(treebank, None, pattern, tree), query)
        assert with_index == rows(read_blocks(treebank), query), text
        parts = parts_for(index, pattern, tree)
        skipped += parts is not None and len(parts) < index.n_parts
    assert skipped > 5


def test_parts_hold_whole_sentences(treebank):
    index = index_of(treebank)
    with open(treebank, "rb") as file:
        data = file.read()
    pieces = [data[start:end] for start, end, _ in map(index.part, range(index.n_parts))]
    assert b"".join(pieces) == data
    lines = [line for _, _, line in map(index.part, range(index.n_parts))]
    assert lines == [1 + data[: index.part(number)[0]].count(b"\n") for number in range(index.n_parts)]


def test_small_segments_say_the_same(treebank, monkeypatch, tmp_path):
    before = IndexFile(index_path(treebank))
    with open(treebank, "rb") as file:
        (tmp_path / "same.conllu").write_bytes(file.read())
    monkeypatch.setattr("treewright.query.index.index_file.SEGMENT", 100)
    build_index(str(tmp_path / "same.conllu"))
    after = IndexFile(index_path(str(tmp_path / "same.conllu")))
    assert len(after.header["segments"]) > len(before.header["segments"])
    for column in range(5):
        for value in ("a", "a3", "N", "x", "y:z@d", "_", "nothing"):
            assert after.parts_with(column, [value]) == before.parts_with(column, [value])


@pytest.mark.parametrize("keep", [0, 10, 30, 200, 1000])
def test_a_damaged_index_is_told_and_not_used(treebank, tmp_path, keep):
    path = tmp_path / "some.conllu"
    path.write_text("1\ta\ta\tN\t_\t_\t0\troot\t_\t_\n\n")
    build_index(str(path))
    index = index_path(str(path))
    with open(index, "rb") as file:
        data = file.read()
    with open(index, "wb") as file:
        file.write(data[:keep] + b"\xff" * (keep == 1000))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert find(str(path), "pattern { X [lemma=a] }").count() == 1
    assert bool(told) == (keep < len(data))
    assert all("is damaged" in str(each.message) for each in told)
    os.remove(index)
    assert index_of(str(path)) is None
