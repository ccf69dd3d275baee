"""Means, spreads, differences and their significance, from results that are known."""

from __future__ import annotations

from random import Random

import pytest

from tests.apps.experiments.made_up import WORDS, plan_of, results_of, treebank_folder
from treewright.apps.experiments.groups import CellGroup, compare
from treewright.apps.experiments.plan import read_plan
from treewright.evaluation.significance import bootstrap

TEXT = """
baseline = [{ policy = "static" }, { policy = "ambiguity" }]
[treebanks]
[[grid]]
seeds = [1, 2]
system = ["arc-eager", "covington"]
policy = ["static", "explore"]
k = 3
[[grid]]
system = "easy-first"
policy = ["ambiguity", "explore"]
"""


def right(cell):
    """Explore is better by a word in one sentence; seed 2 by another."""
    values = [2, 3, 6, 15]
    values[3] += cell.options["policy"] == "explore"
    values[1] += cell.seed == 2
    return values


@pytest.fixture
def results(tmp_path):
    return results_of(plan_of(TEXT, tmp_path), tmp_path, right)


def test_cells_are_grouped_over_seeds(results):
    assert [len(group.results) for group in results.groups] == [2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1]
    assert results.labels == [
        "arc-eager, static",
        "arc-eager, explore",
        "covington, static",
        "covington, explore",
        "easy-first, ambiguity",
        "easy-first, explore",
    ]
    group = results.find("a", "arc-eager, static")
    assert group.values("las") == [100 * 26 / 52, 100 * 27 / 52]
    assert group.mean("las") == pytest.approx(100 * 26.5 / 52)
    assert group.spread("las") == pytest.approx(100 / 52 / 2**0.5)
    assert results.find("a", "easy-first, explore").spread("las") is None
    assert group.measured("parsing", "tokens_per_second") == 1000
    assert group.measured("parsing", "nothing") is None


def test_each_row_has_its_baseline(results):
    def baseline(label):
        other = results.baseline_of(results.find("b", label))
        return other and (other.treebank, results.label(other.options))

    assert baseline("covington, explore") == ("b", "covington, static")
    assert baseline("covington, static") is None
    assert baseline("easy-first, explore") == ("b", "easy-first, ambiguity")
    assert results.family(results.groups[1].options) == "arc-eager"


def test_differences_are_tested_over_all_seeds(results):
    difference = results.difference(results.find("a", "arc-eager, explore"), "las")
    assert difference.value == pytest.approx(100 / 52)
    assert difference.seeds == 2
    ours, theirs = [4, 7, 12, 32], [4, 7, 12, 30]
    assert difference.test == bootstrap(ours, theirs, [2 * words for words in WORDS], resamples=10_000)


def test_only_seeds_that_both_have_are_compared(tmp_path):
    def partly(cell):
        return None if cell.seed == 1 and cell.options["policy"] == "static" else right(cell)

    results = results_of(plan_of(TEXT, tmp_path), tmp_path, partly)
    difference = results.difference(results.find("a", "arc-eager, explore"), "las")
    assert (difference.seeds, difference.value) == (1, pytest.approx(100 / 52))
    assert results.missing == 4


def test_parts_of_a_test_set_have_their_own_scores(tmp_path):
    text = TEXT.replace("[treebanks]", "[treebanks]\nc={folder='a', parts={x='x-', y='y-'}}")
    folder = tmp_path / "treebanks"
    treebank_folder(folder, "a")
    (tmp_path / "parts.toml").write_text(text)
    results = results_of(read_plan(tmp_path / "parts.toml", str(folder)), tmp_path, right)
    group = results.find("c", "arc-eager, explore")
    assert group.parts == ["x", "y"]
    assert group.by_seed("las", "x") == {1: 100 * 8 / 16, 2: 100 * 8 / 16}
    assert group.by_seed("uas", "y") == {1: 100 * 21 / 36, 2: 100 * 22 / 36}
    assert results.difference(group, "las", "x").value == 0
    assert results.difference(group, "las", "y").value == pytest.approx(100 / 36)


def test_failures_are_kept_apart(tmp_path):
    results = results_of(plan_of(TEXT, tmp_path), tmp_path, lambda c: "no luck" if c.seed == 1 else right(c))
    assert len(results.failures) == 12
    assert results.failures[0][1] == "no luck"
    assert all(list(group.results) == [2] for group in results.groups)


def test_f1_of_graphs_is_tested_like_a_bootstrap_of_its_own(tmp_path):
    random = Random(1)
    gold = [random.randrange(3, 30) for _ in range(200)]
    counts = []
    for share in (0.80, 0.76):
        system = [count + random.randrange(3) for count in gold]
        right = [sum(random.random() < share for _ in range(count)) for count in gold]
        counts.append({"gold": gold, "system": system, "labelled": right, "unlabelled": right})

    def f1(count, places):
        arcs = sum(count["gold"][i] + count["system"][i] for i in places)
        return 200 * sum(count["labelled"][i] for i in places) / arcs

    everything = range(200)
    groups = [
        CellGroup("a", {}, {1: {"scores": {"labelled_f1": f1(count, everything)}, "graph_sentences": count}})
        for count in counts
    ]
    found = compare(*groups, "labelled_f1")
    assert found.value == pytest.approx(f1(counts[0], everything) - f1(counts[1], everything))
    assert found.test.difference == pytest.approx(found.value)
    samples = [random.choices(everything, k=200) for _ in range(1000)]
    direct = sorted(f1(counts[0], sample) - f1(counts[1], sample) for sample in samples)
    assert found.test.low == pytest.approx(direct[25], abs=0.25)
    assert found.test.high == pytest.approx(direct[974], abs=0.25)
