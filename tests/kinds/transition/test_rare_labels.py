"""Encoded labels that occur a few times only fall back to the plain relation."""

from array import array

import pytest
from treewright.features.encoder import Encoder
from treewright.kinds.transition.learning.corpus import Corpus
from treewright.treebank.blocks.block import Block

from treewright.kinds.transition.learning.rare_labels import FEWEST, merge_rare_labels
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.lifting.lifted_labels import LiftedLabel, decode, encode

LIFTED = encode(LiftedLabel("obl", True, "root", False))


def test_rare_ones_become_plain_and_frequent_ones_stay():
    rare = encode(LiftedLabel("nmod", True, "obj", False))
    labels = array("i", [0, 1, 2, *[1] * FEWEST])
    merged, relations = merge_rare_labels(labels, ["nsubj", LIFTED, rare], "head", 0)
    assert [relations[label] for label in merged] == ["nsubj", LIFTED, "nmod", *[LIFTED] * FEWEST]


@pytest.mark.parametrize(("times", "stays"), [(4, False), (5, True)])
def test_five_times_are_enough(times, stays):
    merged, relations = merge_rare_labels(array("i", [0] * times), [LIFTED], "head", 0)
    assert [relations[label] for label in merged] == [LIFTED if stays else "obl"] * times


def test_labels_of_words_on_the_path_can_be_rare_too():
    on_path = encode(LiftedLabel("obl", False, None, True))
    merged, relations = merge_rare_labels(array("i", [0]), [on_path], "path", 0)
    assert [relations[label] for label in merged] == ["obl"]


def test_relations_of_a_model_stay_where_they_are():
    merged, relations = merge_rare_labels(array("i", [0, 2]), [LIFTED, "a", "b"], "head", 2)
    assert relations == [LIFTED, "a", "b"]
    assert list(merged) == [0, 2]


def test_a_relation_that_looks_encoded_is_not_taken_for_one():
    escaped = encode(LiftedLabel("a↑b", False, None, False))
    merged, relations = merge_rare_labels(array("i", [0]), [escaped], "head", 0)
    assert decode(relations[merged[0]], "head") == LiftedLabel("a↑b", False, None, False)


def test_a_label_that_the_scheme_does_not_write_is_a_relation():
    assert merge_rare_labels(array("i", [0]), [LIFTED], "baseline", 0)[1] == [LIFTED]
    assert merge_rare_labels(array("i", [0]), [LIFTED], "path", 0)[1] == [LIFTED]


@pytest.mark.parametrize("head", [-1, 3])
def test_heads_out_of_range_never_reach_the_oracles(head):
    rows = [f"{i}\tw\t_\t_\t_\t_\t0\troot\t_\t_\n".encode() for i in (1, 2)]
    block = Block(b"".join(rows) + b"\n", CONLLU)
    with pytest.raises(ValueError, match="out of range"):
        Corpus([block], Encoder([("FORM", "", ())], False), True, [0, head], [0, 0])
