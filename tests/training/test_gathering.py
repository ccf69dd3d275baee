"""Treebanks for training: several are one, bad sentences are reported, left out or fixed, and names are short."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.toy import DEV, TRAIN
from treewright.errors import TreebankError
from treewright.training.gathering import Gathered, gather, name_of, shown
from treewright.treebank.formats.conllu import CONLLU

ROW = "{}\tw\t_\tNOUN\t_\t_\t{}\t{}\t{}\t_\n"
GOOD = ROW.format(1, 0, "root", "0:root") + ROW.format(2, 1, "obj", "1:obj") + "\n"
CYCLE = ROW.format(1, 2, "a", "2:a") + ROW.format(2, 1, "b", "1:b") + "\n"
TWO_ROOTS = ROW.format(1, 0, "root", "0:root") + ROW.format(2, 0, "root", "0:root") + "\n"
TO_ITSELF = ROW.format(1, 0, "root", "0:root|1:self") + "\n"
PLAIN = ROW.format(1, 0, "root", "_") + "\n"


def gathered(text: str, **options) -> Gathered:
    return gather(text.encode(), "conllu", **options)


def test_several_treebanks_are_one():
    both, train, dev = gather([TRAIN, DEV]), gather(TRAIN), gather(DEV)
    assert both.name == "train.conllu + dev.conllu"
    assert both.n_sentences == train.n_sentences + dev.n_sentences
    assert both.n_words == train.n_words + dev.n_words
    assert both.notes == []


def test_a_bad_sentence_is_reported_left_out_or_fixed():
    with pytest.raises(TreebankError, match="no word has HEAD 0"):
        gathered(GOOD + CYCLE)
    skipped = gathered(GOOD + CYCLE + GOOD, on_error="skip")
    assert (skipped.n_sentences, skipped.n_words, skipped.notes) == (2, 4, ["1 sentences left out"])
    fixed = gathered(GOOD + CYCLE + GOOD, on_error="fix")
    assert (fixed.n_sentences, fixed.n_words, fixed.notes) == (3, 6, ["1 sentences fixed"])


def test_notes_count_the_sentences_of_all_treebanks():
    texts = [(CYCLE + GOOD + CYCLE).encode(), (GOOD + CYCLE).encode()]
    assert gather(texts, on_error="skip").notes == ["3 sentences left out"]
    assert gather(texts, on_error="fix").notes == ["3 sentences fixed"]


def test_trees_need_one_root_unless_several_are_allowed():
    with pytest.raises(TreebankError, match="root"):
        gathered(TWO_ROOTS)
    assert gathered(TWO_ROOTS, single_root=False).n_sentences == 1


def test_graphs_need_no_tree_and_an_arc_to_itself_is_no_reason_to_fail():
    assert gathered(CYCLE + TWO_ROOTS + TO_ITSELF, graphs=True).n_sentences == 3
    assert gathered(GOOD + TO_ITSELF, graphs=True, on_error="skip").n_sentences == 1
    with pytest.raises(TreebankError, match="9"):
        gathered(ROW.format(1, 0, "root", "9:a") + "\n", graphs=True)
    with pytest.raises(TreebankError, match=r"no graphs to learn from.*choose another system") as error:
        gathered(PLAIN, graphs=True)
    assert error.value.source == "data"
    assert gathered(PLAIN).n_sentences == 1


def test_an_empty_treebank_is_an_error_that_names_it(tmp_path: Path):
    empty = tmp_path / "empty.conllu"
    empty.write_text("")
    with pytest.raises(TreebankError, match=r"no sentences to learn from.*HEAD and DEPREL") as error:
        gather([str(empty), str(empty)])
    assert error.value.source == f"{empty} + {empty}"


def test_what_a_treebank_is_called(tmp_path: Path):
    path = tmp_path / "a.conllu"
    path.write_text(GOOD)
    file = io.BytesIO(GOOD.encode())
    assert (name_of(path), name_of(str(path)), name_of(tw.read(path))) == ("a.conllu",) * 3
    assert (name_of(b"x"), name_of(file)) == ("data", "data")
    assert (shown(path), shown(str(path)), shown(b"x")) == (str(path), str(path), "data")
    with open(path, "rb") as opened:
        assert (name_of(opened), shown(opened)) == (str(path), str(path))


def test_a_format_is_for_files_and_not_for_treebanks_that_know_theirs(tmp_path: Path):
    path = tmp_path / "a.conllu"
    path.write_text(PLAIN)
    assert [block.layout.name for block in gather(path, "conllx").blocks] == ["conllx"]
    assert [block.layout.name for block in gather(path).blocks] == ["conllu"]
    assert [block.layout.name for block in gather(tw.read(path), "conllx").blocks] == ["conllu"]


def test_columns_that_hold_anything():
    row = "1\tw\t{}\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    blocks = [Block(row.format(lemma).encode(), CONLLU, "x") for lemma in ("_", "go")]
    empty = Block(b"", CONLLU, "x")
    asked = ["MISC", "LEMMA", "UPOS", "XPOS", "NOTHING"]
    assert Gathered("x", [empty, *blocks]).filled(asked) == ["LEMMA", "UPOS"]
    assert Gathered("x", blocks[:1]).filled(asked) == ["UPOS"]
    assert Gathered("x").filled(asked) == []
    assert gather(b"A\tX\t0\troot\n\n", "malt-tab").filled(["FORM", "LEMMA"]) == ["FORM"]


def test_gold_tags_are_the_treebanks_unless_others_are_there():
    tagged, gold = [Block(GOOD.encode(), CONLLU, "x")], [Block(PLAIN.encode(), CONLLU, "x")]
    assert Gathered("x", tagged).gold_blocks == tagged
    assert Gathered("x", tagged, [], gold).gold_blocks == gold
