"""Scores of graphs, counted by hand; files that cannot be compared."""

from __future__ import annotations

import pytest

from treewright.errors import TreebankError
from treewright.evaluation.graph_significance import compare_graph_systems
from treewright.evaluation.graphs import evaluate_graphs, paired_sentences

#: three words; "sing" and "dance" share their subject
GOLD = b"""\
1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t2:nsubj|3:nsubj\t_
2\tsing\tsing\tVERB\t_\t_\t0\troot\t0:root\t_
3\tdance\tdance\tVERB\t_\t_\t2\tconj\t2:conj\t_

1\tRun\trun\tVERB\t_\t_\t0\troot\t0:root\t_

"""
#: one secondary arc with another relation, one arc too many, one with another head
SYSTEM = b"""\
1\tDogs\tdog\tNOUN\t_\t_\t2\tobj\t2:nsubj|3:obj\t_
2\tsing\tsing\tVERB\t_\t_\t0\troot\t0:root|3:dep\t_
3\tdance\tdance\tVERB\t_\t_\t2\tconj\t1:conj\t_

1\tRun\trun\tVERB\t_\t_\t0\troot\t0:root\t_

"""


def counts(score) -> tuple[int, int, int]:
    return score.gold, score.system, score.correct


def test_arcs_are_counted_by_word() -> None:
    scores = evaluate_graphs(GOLD, SYSTEM)
    assert (scores.sentences, scores.words) == (2, 4)
    assert counts(scores.labelled) == (5, 6, 3)
    assert counts(scores.unlabelled) == (5, 6, 4)
    assert counts(scores.secondary_labelled) == (1, 3, 0)
    assert counts(scores.secondary_unlabelled) == (1, 3, 1)
    assert (scores.labelled.precision, scores.labelled.recall) == (50, 60)
    assert scores.labelled.f1 == pytest.approx(600 / 11)


def test_scores_are_written_out() -> None:
    assert str(evaluate_graphs(GOLD, SYSTEM)).split("\n") == [
        "2 sentences, 4 words",
        "",
        "                            precision    recall        F1  gold arcs",
        "all arcs, labelled              50.00     60.00     54.55          5",
        "all arcs, unlabelled            66.67     80.00     72.73          5",
        "secondary arcs, labelled         0.00      0.00      0.00          1",
        "secondary arcs, unlabelled      33.33    100.00     50.00          1",
    ]


def test_scores_for_json_have_all_counts() -> None:
    data = evaluate_graphs(GOLD, SYSTEM).to_dict()
    assert list(data) == [
        "sentences",
        "words",
        "all_labelled",
        "all_unlabelled",
        "secondary_labelled",
        "secondary_unlabelled",
    ]
    assert (data["sentences"], data["words"]) == (2, 4)
    assert data["secondary_unlabelled"] == {
        "gold": 1,
        "system": 3,
        "correct": 1,
        "precision": pytest.approx(100 / 3),
        "recall": 100,
        "f1": 50,
    }


def test_a_tree_stands_in_for_a_graph_on_request() -> None:
    scores = evaluate_graphs(GOLD, SYSTEM, tree_as_graph=True)
    assert counts(scores.labelled) == (5, 4, 3)
    assert counts(scores.unlabelled) == (5, 4, 4)
    assert counts(scores.secondary_labelled) == (1, 0, 0)
    # By default the system's own graphs count, and the gold side never gives its tree.
    assert next(paired_sentences(GOLD, SYSTEM))[1][1] == [(0, "root"), (3, "dep")]
    assert next(paired_sentences(GOLD, SYSTEM, True))[0][0] == [(2, "nsubj"), (3, "nsubj")]


def test_nothing_to_find_is_an_error() -> None:
    empty = GOLD.replace(b"2:nsubj|3:nsubj", b"_").replace(b"0:root", b"_").replace(b"2:conj", b"_")
    with pytest.raises(TreebankError) as error:
        evaluate_graphs(empty, SYSTEM)
    assert "has no graphs" in str(error.value)
    assert "Give a gold treebank with arcs in the DEPS column" in str(error.value)


@pytest.mark.parametrize(
    ("system", "number"),
    [
        (SYSTEM.split(b"\n\n")[0] + b"\n\n", 2),
        (SYSTEM + b"1\tMore\tmore\tADV\t_\t_\t0\troot\t0:root\t_\n\n", 3),
        (SYSTEM.replace(b"3\tdance", b"# dance").replace(b"3:", b"2:"), 1),
    ],
    ids=["fewer sentences", "more sentences", "fewer words"],
)
def test_other_words_are_an_error_that_names_the_sentence(system, number, tmp_path) -> None:
    with pytest.raises(TreebankError, match=f"the words of sentence {number} differ from the gold treebank") as error:
        evaluate_graphs(GOLD, system)
    assert "Graphs are scored word by word: parse the gold treebank itself" in str(error.value)
    files = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    files[0].write_bytes(GOLD)
    files[1].write_bytes(system)
    with pytest.raises(TreebankError) as error:
        evaluate_graphs(*files)
    assert str(error.value).startswith(f"{files[1]}: the words of sentence {number} differ from {files[0]}")


def test_two_systems_without_sentences_do_not_differ() -> None:
    nothing = compare_graph_systems(b"", b"", b"", resamples=10)
    assert (nothing.sentences, nothing.gold_arcs, nothing.bootstrap.difference) == (0, 0, 0)
    assert (nothing.bootstrap.low, nothing.bootstrap.high) == (0, 0)
