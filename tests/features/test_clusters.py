"""Word clusters in feature models: the mapping, the templates made from those of words, and the rejection without."""

from __future__ import annotations

from array import array

import pytest
from treewright.features.encoder import Encoder
from treewright.features.extractor import Extractor
from treewright.features.word_clusters import WordClusters, cluster_key
from treewright.treebank.blocks.block import Block

from treewright.errors import FeatureModelError
from treewright.features.cluster_templates import with_clusters
from treewright.features.explanation import explain_template
from treewright.features.language import parse_model
from treewright.treebank.formats.conllu import CONLLU

ONE = Block(b"1\tDogs\t_\t_\t_\t_\t0\troot\t_\t_\n2\tzzz\t_\t_\t_\t_\t1\tx\t_\t_\n\n", CONLLU, "one")


def clusters() -> WordClusters:
    keys = array("Q", [cluster_key("dogs"), cluster_key("cats")])
    return WordClusters(keys, array("H", [1, 0]), array("I", [0b010, 0b011]), array("B", [3, 3]), "made up")


def test_the_mapping_is_read_and_written() -> None:
    text = "cluster(w(stack[0])) & cluster(w(input[0]), 6) & p(input[0])"
    model = parse_model(text, "mine")
    assert str(model.templates[0]) == text
    assert "first 6 bits" in explain_template(model.templates[0])
    for wrong in (
        "cluster(p(stack[0]))",
        "cluster(lower(w(stack[0])))",
        "cluster(w(stack[0]), 33)",
        "lower(cluster(w(stack[0])))",
    ):
        with pytest.raises(FeatureModelError):
            parse_model(wrong, "mine")


def test_its_value_is_the_path_of_the_word_in_any_case() -> None:
    encoder = Encoder([("FORM", "", (("cluster", 0),)), ("FORM", "", (("cluster", 2),))], False, (), clusters())
    assert [encoder.text(ONE, 0, k) for k in range(2)] == [b"011", b"01"]
    assert [encoder.text(ONE, 1, k) for k in range(2)] == [b"_", b"_"]


def test_templates_of_words_get_copies() -> None:
    model = parse_model("w(stack[0]) & p(input[0])\nw(ld(stack[0]))\np(stack[0])\nsuffix(w(stack[0]), 2)", "mine")
    made = with_clusters(model)
    assert [str(template) for template in made.templates[4:]] == [
        "cluster(w(stack[0])) & p(input[0])",
        "cluster(w(stack[0]), 6) & p(input[0])",
        "cluster(w(ld(stack[0])))",
    ]
    assert with_clusters(made) is made
    assert Extractor(made, ["x"], (), clusters()).clusters is not None
