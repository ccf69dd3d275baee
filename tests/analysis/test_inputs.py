"""What can be analysed: treebanks, blocks, models; and what is said of those that do not fit."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from treewright.evaluation.comparison import Names
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.analysis.made import conllu
from tests.toy import TEST, toy_parser
from treewright.analysis.inputs import is_model_file, label_of, opened, pieces
from treewright.errors import TreewrightError
from treewright.treebank.formats.conllu import CONLLU

SENTENCE = ([0, 1], ["root", "obj"], ["VERB", "NOUN"])


@pytest.mark.parametrize(
    ("data", "model"),
    [
        ((9).to_bytes(8, "little") + b"{", True),
        ((2**32 - 1).to_bytes(8, "little") + b"{", True),
        ((2**32).to_bytes(8, "little") + b"{", False),
        ((9).to_bytes(8, "big") + b"{", False),
        ((9).to_bytes(8, "little") + b"[", False),
        ((9).to_bytes(8, "little"), False),
        (b"1\tdogs\t_\t_\n", False),
        (b"", False),
    ],
)
def test_what_is_a_model_file(data, model, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(data)
    assert is_model_file(path) is model


def test_what_cannot_be_read_is_no_model(tmp_path):
    assert is_model_file(tmp_path / "missing") is False
    assert is_model_file(tmp_path) is False


def test_model_files_are_loaded(tmp_path):
    toy_parser().save(tmp_path / "toy.tw")
    loaded = opened(tmp_path / "toy.tw")
    assert isinstance(loaded, tw.Parser)
    assert opened(TEST) is TEST
    assert opened(loaded) is loaded
    from_file, from_parser = tw.analyze(TEST, tmp_path / "toy.tw"), tw.analyze(TEST, loaded)
    assert from_file.total == from_parser.total
    assert from_file.parses == [str(tmp_path / "toy.tw")]
    assert from_parser.parses == ["parser A"]


def test_names_of_parses():
    assert label_of("a.conllu", "other") == "a.conllu"
    assert label_of(Path("a.conllu"), "other") == "a.conllu"
    assert label_of(b"", "other") == "other"
    assert label_of(toy_parser(), "other") == "other"


@pytest.mark.parametrize("sizes", [(3, 2, 3), (3, 3, 1), (2, 3, 3), (1, 2, 3)])
def test_a_treebank_that_ends_early_is_named(sizes, tmp_path):
    paths = []
    for name, size in zip(("gold", "first", "second"), sizes, strict=True):
        paths.append(tmp_path / f"{name}.conllu")
        paths[-1].write_bytes(conllu([SENTENCE] * size))
    short = paths[sizes.index(min(sizes))]
    longer = next(path for path, size in zip(paths, sizes, strict=True) if size > min(sizes))
    with pytest.raises(TreewrightError) as found:
        tw.analyze(*paths)
    line = 4 * min(sizes) + 1
    for part in (f"{short} ends", f"{longer} continues", f"line {line} ", f"(sent_id s{min(sizes) + 1})"):
        assert part in str(found.value)


def test_sentences_without_a_name_are_named_by_their_line():
    text = conllu([SENTENCE] * 2).replace(b"# sent_id = s1\n", b"").replace(b"# sent_id = s2\n", b"")
    with pytest.raises(TreewrightError, match=r"continues at line 4\."):
        tw.analyze(text, text[: len(text) // 2])


@pytest.mark.parametrize("name", ["gold", "parse"])
def test_an_empty_file_that_ends_early_is_named(name, tmp_path):
    """It has no block that could say its name."""
    paths = {each: tmp_path / f"{each}.conllu" for each in ("gold", "parse")}
    for each, path in paths.items():
        path.write_bytes(b"" if each == name else conllu([SENTENCE]))
    longer = next(path for each, path in paths.items() if each != name)
    with pytest.raises(TreewrightError) as found:
        tw.analyze(*paths.values())
    assert str(found.value) == (
        f"{paths[name]} ends, but {longer} continues at line 1 (sent_id s1). Give treebanks of the same sentences"
    )


def test_what_has_no_name_is_told_apart_all_the_same():
    with pytest.raises(TreewrightError) as found:
        tw.analyze(b"", Block(conllu([SENTENCE]), CONLLU, ""))
    assert str(found.value) == (
        "one file ends, but another continues at line 1 (sent_id s1). Give treebanks of the same sentences"
    )


@pytest.mark.filterwarnings("ignore:.*LEMMA, FEATS empty")
@pytest.mark.parametrize("parsers", [0, 1, 2])
def test_blocks_that_all_have_read_are_let_go(parsers):
    """Gold blocks are shared with the parsers: Python keeps some of them together, but not all."""
    text, n = conllu([SENTENCE]), 130
    blocks = [Block(text, CONLLU, f"block {number}") for number in range(n)]
    before = sys.getrefcount(blocks[0])
    stream = pieces(blocks, [toy_parser()] * parsers or [text * n], Names(False))
    for _ in range(n):
        next(stream)
    held = [place for place in range(n) if sys.getrefcount(blocks[place]) > before]
    assert held[-1] == n - 1
    assert len(held) < n // 2
    assert next(stream, None) is None


def test_sentences_may_have_several_roots():
    text = conllu([([0, 0], ["root", "root"], ["VERB", "VERB"])])
    assert tw.analyze(text, text).total.first_right == 2
