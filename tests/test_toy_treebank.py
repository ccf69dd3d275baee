"""The toy treebank: made again byte for byte, and as sound as a treebank should be."""

import runpy
from pathlib import Path

import pytest

from treewright.treebank.checks.validation import Report, check_block
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.treebank import read

EXAMPLES = Path(__file__).parents[1] / "examples"
SIZES = {"train": 400, "dev": 60, "test": 60}


@pytest.fixture(scope="module")
def made_again():
    script = runpy.run_path(str(EXAMPLES / "make_toy_treebank.py"))
    return script["treebank"]()


@pytest.mark.parametrize("part", SIZES)
def test_generator_makes_the_same_bytes(made_again, part):
    assert made_again[part].encode() == (EXAMPLES / "toy" / f"{part}.conllu").read_bytes()


@pytest.mark.parametrize(("part", "size"), SIZES.items())
def test_every_sentence_is_a_tree_with_one_root(part, size):
    report = Report()
    for block in read_blocks(EXAMPLES / "toy" / f"{part}.conllu"):
        report.add(block, check_block(block))
    assert report.problems == []
    assert report.sentences == size


@pytest.mark.parametrize("part", SIZES)
def test_text_is_what_the_words_spell(part):
    for number, sentence in enumerate(read(EXAMPLES / "toy" / f"{part}.conllu"), 1):
        given = sentence.metadata["text"]
        del sentence.metadata["text"]
        assert sentence.text == given
        assert sentence.sent_id == f"toy-{part}-{number}"


def test_no_sentence_occurs_twice():
    texts = [s.text for part in SIZES for s in read(EXAMPLES / "toy" / f"{part}.conllu")]
    assert len(set(texts)) == len(texts)


def test_it_has_what_the_tutorial_speaks_of():
    report = Report()
    for block in read_blocks(EXAMPLES / "toy" / "train.conllu"):
        report.add(block, check_block(block))
    assert 0 < report.nonprojective_sentences < report.sentences / 10
    relations = {word.deprel for s in read(EXAMPLES / "toy" / "train.conllu") for word in s}
    assert {"obl", "nmod", "conj", "ccomp", "advcl", "punct", "acl:relcl"} <= relations
