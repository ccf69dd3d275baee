"""Which files and sentences a cell is about."""

from __future__ import annotations

import pytest

from tests.apps.experiments.made_up import treebank_folder
from tests.toy import TRAIN
from treewright.apps.experiments.treebank_files import files_in, sample, treebank_from
from treewright.errors import TreewrightError
from treewright.treebank.files.reading import read_blocks


def sentences(text):
    return [block.text_of(k) for block in read_blocks(text) for k in range(block.n_sentences)]


def test_samples_are_nested_and_in_order():
    everything = sentences(TRAIN)
    small, large = sentences(sample(TRAIN, 20)), sentences(sample(TRAIN, 50))
    assert (len(small), len(large)) == (20, 50)
    places = [everything.index(text) for text in large]
    assert places == sorted(places)
    assert set(small) <= set(large)
    assert sentences(sample(TRAIN, 20, seed=2)) != small
    assert sample(TRAIN, 20) == sample(TRAIN, 20)


def test_a_fraction_is_of_all_sentences():
    everything = sentences(TRAIN)
    assert len(sentences(sample(TRAIN, fraction=0.1))) == round(0.1 * len(everything))
    assert sentences(sample(TRAIN, fraction=1.0)) == everything
    assert len(sentences(sample(TRAIN, fraction=1e-9))) == 1
    assert len(sentences(sample(TRAIN, 3, 0.5))) == 3


def test_files_are_found_by_role(tmp_path):
    folder = treebank_folder(tmp_path, "a") / "a"
    assert [name.rsplit("-", 1)[1] for name in files_in(folder, "a").values()] == [
        "train.conllu",
        "dev.conllu",
        "test.conllu",
    ]
    (folder / "a-ud-dev.conllu").unlink()
    assert list(files_in(folder, "a")) == ["train", "test"]
    (folder / "other-train.conllu").write_text("")
    with pytest.raises(TreewrightError, match="2 files with train in their names"):
        files_in(folder, "a")


def test_a_table_names_files_one_by_one(tmp_path):
    treebank_folder(tmp_path, "a", "b")
    found = treebank_from("c", {"folder": "a", "test": "b/b-ud-test.conllu", "parts": {"web": "w-"}}, tmp_path)
    assert found.paths["test"].endswith("b-ud-test.conllu")
    assert found.paths["train"].endswith("a-ud-train.conllu")
    assert found.parts == {"web": "w-"}
