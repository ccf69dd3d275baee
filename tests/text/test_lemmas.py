"""Lemma rules: compiled code does what the rules say."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright.learners.perceptron import Perceptron
from treewright.text.tagger.lemma_rules import Affixes, apply, rule_for
from treewright.text.tagger.lemmatizer import Lemmatizer

WORDS = st.text(st.sampled_from("abcdeABCÄäßΣσςé'-0"), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("form", "lemma", "case", "affixes"),
    [
        ("dogs", "dog", 0, Affixes(0, "", 1, "", "")),
        ("Running", "run", 1, Affixes(0, "", 4, "", "")),
        ("was", "be", 0, Affixes(0, "", 0, "", "be")),
        ("NASA", "NASA", 0, Affixes(0, "", 0, "", "")),
        ("COMCAST", "Comcast", 2, Affixes(0, "", 0, "", "")),
        ("gegangen", "gehen", 0, Affixes(2, "", 5, "hen", "")),
    ],
)
def test_rules(form: str, lemma: str, case: int, affixes: Affixes) -> None:
    rule = rule_for(form, lemma)
    assert apply(rule, form) == lemma
    if form != "gegangen":
        assert (rule.case, rule.affixes) == (case, affixes)


@settings(max_examples=300, deadline=None)
@given(WORDS, WORDS, WORDS)
def test_compiled_rules_do_the_same(form: str, lemma: str, other: str) -> None:
    rule = rule_for(form, lemma)
    assert apply(rule, form) == lemma
    lemmatizer = Lemmatizer([(*rule.affixes, True)], array("Q"), array("H"), Perceptron(1, 5))
    assert lemmatizer.lemma(form, rule.case, 0) == lemma
    assert lemmatizer.lemma(other, rule.case, 0) == apply(rule, other)
