"""Results as people and programs get them: keys of JSON, digits, names."""

from __future__ import annotations

import re

import pytest

from treewright.evaluation.graph_significance import GraphComparison
from treewright.evaluation.score import Score, percent
from treewright.evaluation.significance import Bootstrap, McNemar, SystemComparison

TEST = McNemar(30, 10, 10.0, 0.00123456, "exact binomial")
SAMPLE = Bootstrap(1.234, -0.5, 2.126, 0.0004, 999, 7)


def test_a_score_for_json():
    assert Score(8, 5, 4, 10).to_dict() == {
        **{"precision": 80.0, "recall": 50.0, "f1": pytest.approx(100 * 8 / 13), "aligned_accuracy": 40.0},
        **{"correct": 4, "gold": 8, "system": 5},
    }
    assert Score(8, 5, 4).to_dict()["aligned_accuracy"] is None


def test_nothing_of_nothing_is_nothing():
    assert Score(0, 0, 0, 0).to_dict() == {
        **{"precision": 0.0, "recall": 0.0, "f1": 0.0, "aligned_accuracy": 0.0, "correct": 0, "gold": 0, "system": 0}
    }
    assert (Score(1, 0, 0).f1, Score(0, 1, 0).f1, Score(1, 1, 1).f1) == (0.0, 0.0, 100.0)
    assert (percent(1, 0), percent(0, 1), percent(1, 1), percent(1, 8)) == (0.0, 0.0, 100.0, 12.5)


@pytest.mark.parametrize("labelled", [True, False])
def test_a_comparison_of_graphs_as_text(labelled):
    found = GraphComparison("a.conllu", "", TEST, SAMPLE, labelled, 1200, 34567, 90.125, 88.5)
    text = str(found)
    assert text.startswith("labelled F1" if labelled else "unlabelled F1")
    assert ("34,567" in text, "1,200" in text) == (True, True)
    check_numbers(text, "90.12", "88.50")
    assert found.to_dict()["mcnemar"]["only_first"] == 30
    assert found.to_dict()["bootstrap"]["resamples"] == 999


def test_a_comparison_of_trees_as_text():
    found = SystemComparison("a.conllu", "", TEST, SAMPLE, "uas", "upos", "full", "macro", 345, 12, 90.125, 88.5)
    text = str(found)
    assert text.startswith("UAS (macro, punctuation upos, relation full) over 345 words, 12 sentences")
    check_numbers(text, "90.12", "88.50")
    assert found.to_dict()["average"] == "macro"


def check_numbers(text, first_score, second_score):
    """Look for scores beside names, the difference with its interval, and both p-values, in this order."""
    lines = text.split("\n")[1:]
    assert re.search(rf"{first_score}  a\.conllu$", lines[0])
    assert re.search(rf"{second_score}  \(text\)$", lines[1])
    assert re.findall(r"[-+][\d.]+", lines[2]) == ["+1.23", "-0.50", "+2.13"]
    assert re.search(r"exact binomial.* 30\b.* 10\b.* p = 0\.001235$", lines[3])
    assert re.search(r"999\b.* 7\b.* p = 0\.0004$", lines[4])


@pytest.mark.parametrize(("p", "shown"), [(1e-12, "p < 1e-12"), (1.01e-12, "p = 1.01e-12"), (0.0, "p < 1e-12")])
def test_tiny_p_values(p, shown):
    found = GraphComparison("", "", McNemar(9, 0, 0.0, p, "m"), SAMPLE, True, 1, 1, 0.0, 0.0)
    assert str(found).split("\n")[4].endswith(shown)
