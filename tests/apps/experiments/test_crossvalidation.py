"""Cross-validation of parsers of trees and of graphs."""

import json

import pytest

from treewright.apps.cli import main
from treewright.apps.experiments.crossvalidation import cross_validate
from treewright.errors import CombinationError, TreebankError, TreewrightError

VERBS, NAMES = ("sees", "likes", "knows"), ("Ann", "Bob", "Eve", "Kim")


def treebank(n=24):
    """`Ann sees Bob`; every word's graph is its tree, and the object hangs on the subject, too."""
    text = ""
    for i in range(n):
        rows = [
            (NAMES[i % 4], "PROPN", 2, "nsubj", "2:nsubj"),
            (VERBS[i % 3], "VERB", 0, "root", "0:root"),
            (NAMES[(i + 1) % 4], "PROPN", 2, "obj", "1:ref|2:obj"),
        ]
        for number, (form, tag, head, relation, deps) in enumerate(rows, 1):
            text += "\t".join([str(number), form, form, tag, "_", "_", str(head), relation, deps, "_"]) + "\n"
        text += "\n"
    return text.encode()


@pytest.mark.parametrize("jobs", [1, 2])
def test_trees(jobs):
    seen = []
    found = cross_validate(
        treebank(), folds=3, jobs=jobs, iterations=3, cutoff=1, done=lambda fold, scores: seen.append((fold, scores))
    )
    assert (found.sentences, found.words) == (24, 72)
    assert [score.measure for score in found.scores] == ["UAS", "LAS"]
    assert all(len(score.folds) == 3 and score.mean == 100 and score.deviation == 0 for score in found.scores)
    assert sorted(fold for fold, _ in seen) == [0, 1, 2]


def test_graphs_have_the_scores_of_graphs():
    found = cross_validate(treebank(), folds=2, iterations=4, cutoff=1, system="dag-crossing")
    measures = {score.measure: score for score in found.scores}
    assert len(measures) == 12
    assert measures["secondary arcs, labelled, recall"].mean == 100
    assert "all arcs, labelled, F1" in str(found)


def test_parses_are_kept_in_the_order_of_the_treebank(tmp_path, capsys):
    (tmp_path / "gold.conllu").write_bytes(treebank())
    for name, iterations in (("a", 4), ("b", 1)):
        choices = {"folds": 3, "iterations": iterations, "cutoff": 1, "system": "dag-crossing"}
        cross_validate(tmp_path / "gold.conllu", keep_parses=tmp_path / f"{name}.conllu", **choices)
    gold, kept = ((tmp_path / f"{name}.conllu").read_text().split("\n") for name in ("gold", "a"))
    assert [line.split("\t")[:2] for line in kept] == [line.split("\t")[:2] for line in gold]
    # McNemar's test over all folds.
    files = [str(tmp_path / f"{name}.conllu") for name in ("gold", "a", "b")]
    assert main(["eval", files[0], files[1], "--graph", "--against", files[2], "--unlabelled"]) == 0
    assert "McNemar" in capsys.readouterr().out


def test_a_place_for_parses_is_looked_for_first(tmp_path):
    with pytest.raises(TreewrightError, match="nowhere"):
        cross_validate(treebank(), folds=2, keep_parses=tmp_path / "nowhere" / "a.conllu")


def test_every_sentence_is_in_one_test_set_and_the_seed_decides_in_which(monkeypatch):
    parts = []

    def spy(folder, fold, on_error, choices):
        with open(f"{folder}/{fold}-test.conllu", "rb") as test, open(f"{folder}/{fold}-train.conllu", "rb") as train:
            parts.append((test.read(), train.read()))
        return {"LAS": float(fold)}

    monkeypatch.setattr("treewright.apps.experiments.crossvalidation.score_fold", spy)
    numbered = b"".join(f"1\tw{i}\t_\tX\t_\t_\t0\troot\t_\t_\n\n".encode() for i in range(10))
    found = cross_validate(numbered, folds=4, seed=1)
    assert sorted(b"".join(test for test, _ in parts).split()) == sorted(numbered.split())
    assert all(len(test) + len(train) == len(numbered) for test, train in parts)
    assert found.scores[0].mean == 1.5
    assert round(found.scores[0].deviation, 3) == 1.291
    first = [test for test, _ in parts]
    parts.clear()
    cross_validate(numbered, folds=4, seed=1)
    assert [test for test, _ in parts] == first
    parts.clear()
    cross_validate(numbered, folds=4, seed=2)
    assert [test for test, _ in parts] != first


def test_impossible_numbers_are_refused():
    with pytest.raises(CombinationError, match="at least two folds"):
        cross_validate(treebank(), folds=1)
    with pytest.raises(TreebankError, match="2 sentences for 3 folds"):
        cross_validate(treebank(2), folds=3)


def test_the_command_line(tmp_path, capsys):
    path = tmp_path / "t.conllu"
    path.write_bytes(treebank())
    arguments = ["crossval", str(path), "--folds", "2", "--iterations", "2", "--cutoff", "1"]
    assert main([*arguments, "-q"]) == 0
    assert "2 folds, seed 1" in capsys.readouterr().out
    assert main([*arguments, "--json"]) == 0
    out = json.loads(capsys.readouterr().out)
    assert out["choices"] == {"iterations": 2, "cutoff": 1}
    assert main([*arguments, "--beam", "0"]) == 2
    assert main([*arguments, "--update", "early"]) == 2
