"""What is text and what is a treebank, and which files of a folder are learnt from."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import treewright as tw
from tests.apps.cli.running import refuse, run, succeed
from tests.toy import DEV, TEST, TRAIN
from treewright.treebank.files.folder_parts import part_of_name, treebank_parts
from treewright.treebank.files.text_format import is_treebank
from treewright.treebank.formats.registry import Sample

CONLLU = "1\tBirds\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\tsing\t_\t_\t_\t_\t0\troot\t_\t_\n\n"


@pytest.mark.parametrize(
    "text",
    [
        "The cat\tsleeps.",
        "1\tThe cat sleeps.\n2\tThe dog barks.\n",
        "Hund\tdog\nKatze\tcat\nMaus\tmouse\n",
        "1 Samuel 17 tells the story of David and Goliath.\n",
        "name\tage\tcity\nAnn\t30\tRome\n",
        "[1] A note.",
        "a < b\n",
        "a\tb",
    ],
)
def test_texts_with_tabs_numbers_and_signs_are_texts(text):
    assert not is_treebank(Sample(text.encode(), ""))


@pytest.mark.parametrize(
    "text",
    [
        CONLLU,
        "# sent_id = 1\n" + CONLLU,
        "The\tDT\ncat\tNN\n.\t.\n\nDogs\tNNS\n",
        "Katzen\tn\t2\tsubj\nschlafen\tv\t0\troot\n",
        "ein\tart\nHund\tn\nund\tk\neine\tart\nKatze\tn\nund\tk\nein\tart\nPferd\tn\nund\tk\n",
        "1 Birds bird NOUN NNS _ 2 nsubj _ _\n2 sing sing VERB VBP _ 0 root _ _\n",  # tabs have become spaces
        "1\tBirds\t_\t_\t_\t_\t2\tnsubj\t_\n",  # a column is missing: the error says where
    ],
)
def test_what_is_unmistakable_is_a_treebank(text):
    assert is_treebank(Sample(text.encode(), ""))


def test_a_text_with_a_tab_is_parsed_as_text(tmp_path):
    file = tmp_path / "cats.tsv"
    file.write_text("The cat\tsleeps.\n")
    for call in (["The cat\tsleeps."], [str(file)]):
        assert b"# text = The cat sleeps." in succeed("parse", "english-fast", *call)
    assert b"# text = The cat sleeps." in succeed("parse", "english-fast", stdin=file.read_bytes())


def test_a_model_behind_the_treebank_is_told():
    done = run("parse", str(TEST), "english-fast")
    assert done.returncode == 2
    assert b"english-fast is a model" in done.stderr
    assert f"treewright parse english-fast {TEST}".encode() in done.stderr


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("fr_sequoia-ud-train.conllu", "train"),
        ("fr_sequoia-ud-dev.conllu", "dev"),
        ("fr_sequoia-ud-test.conllu.gz", "test"),
        ("test.conllu", "test"),
        ("contest.conllu", "train"),
        ("dev/a.conllu", "dev"),
        ("test/a-train.conllu", "train"),
        ("novel.conllu", "train"),
    ],
)
def test_parts_by_name(path, part):
    assert part_of_name(path) == part


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, file in (("train", TRAIN), ("dev", DEV), ("test", TEST)):
        shutil.copy(file, tmp_path / f"xx_toy-ud-{name}.conllu")
    (tmp_path / "LICENSE.txt").write_text("CC BY 4.0")
    return tmp_path


def test_a_folder_is_not_learnt_whole(folder):
    model = folder / "m.tw"
    done = run("train", str(folder), "-o", str(model), "--iterations", "1")
    said = "learns from xx_toy-ud-train.conllu; judges on xx_toy-ud-dev.conllu; leaves out xx_toy-ud-test.conllu"
    assert said.encode() in done.stderr
    assert done.returncode == 0
    assert done.stdout.startswith(b"xx_toy-ud-dev.conllu: UAS")


def test_a_folder_without_a_training_part(folder):
    (folder / "xx_toy-ud-train.conllu").unlink()
    done = run("train", str(folder), "-o", str(folder / "m.tw"), "--iterations", "1")
    assert b"learns from xx_toy-ud-dev.conllu; leaves out xx_toy-ud-test.conllu" in done.stderr
    (folder / "xx_toy-ud-dev.conllu").unlink()
    done = run("train", str(folder), "-o", str(folder / "m.tw"))
    assert done.returncode == 2
    assert b"nothing but test sets" in done.stderr


def test_training_from_python_takes_a_folder_apart(folder):
    with pytest.warns(tw.TreewrightWarning, match=r"judges on xx_toy-ud-dev.conllu; leaves out xx_toy-ud-test.conllu"):
        parser = tw.train(str(folder), iterations=1)
    assert parser.info["dev"]["las"] > 0


def test_of_a_folder_to_judge_on_the_dev_part_counts(folder):
    train = folder / "xx_toy-ud-train.conllu"
    parts = treebank_parts([train], [str(folder)])
    assert parts == ([train], [str(folder / "xx_toy-ud-dev.conllu")], [])
    (folder / "xx_toy-ud-dev.conllu").unlink()
    with pytest.raises(tw.TreewrightError, match="no file is named as a dev set"):
        treebank_parts([train], [str(folder)])


def test_a_word_that_is_no_file_may_be_a_text():
    assert "a single word is a text with a full stop" in refuse("parse", "english-fast", "Hello")
