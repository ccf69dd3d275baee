"""Differences between graph parsers: McNemar over gold arcs, the bootstrap of F1."""

import json

import pytest

from treewright.apps.cli import main
from treewright.errors import TreewrightError
from treewright.evaluation.graph_significance import compare_graph_systems


def text(graphs):
    lines = []
    for graph in graphs:
        for number, deps in enumerate(graph, 1):
            lines.append("\t".join([str(number), "w", *"____", "0" if number == 1 else "1", "r", deps, "_"]))
        lines.append("")
    return ("\n".join(lines) + "\n").encode()


GOLD = [["0:root", "1:a|3:b", "1:c"]] * 40
GOOD = [["0:root", "1:a|3:b", "1:c"]] * 30 + [["0:root", "1:a", "1:x"]] * 10
BAD = [["0:root", "3:a", "1:c"]] * 20 + [["0:root", "1:a|3:b", "2:c"]] * 20


def test_counts_and_scores():
    found = compare_graph_systems(text(GOLD), text(GOOD), text(BAD), resamples=200)
    assert (found.sentences, found.gold_arcs) == (40, 160)
    # GOOD: 120 + 20 of 160 gold arcs right, 150 built; BAD: 2 * 20 + 3 * 20 right, 140 built.
    assert found.first_f1 == pytest.approx(100 * 2 * 140 / 310)
    assert found.second_f1 == pytest.approx(100 * 2 * 100 / 300)
    assert found.mcnemar.only_first - found.mcnemar.only_second == 40
    assert found.bootstrap.low < found.bootstrap.difference < found.bootstrap.high
    assert found.bootstrap.difference == pytest.approx(found.first_f1 - found.second_f1)
    assert found.bootstrap.p_value < 0.05
    assert found.mcnemar.p_value < 0.001


def test_relations_can_be_left_out():
    unlabelled = compare_graph_systems(text(GOLD), text(GOOD), text(BAD), labelled=False, resamples=10)
    assert unlabelled.first_f1 == pytest.approx(100 * 2 * 150 / 310)


def test_a_system_is_as_good_as_itself():
    found = compare_graph_systems(text(GOLD), text(GOOD), text(GOOD), resamples=50)
    assert found.bootstrap.difference == 0
    assert (found.mcnemar.only_first, found.mcnemar.p_value, found.bootstrap.p_value) == (0, 1, 1)


def test_the_same_seed_gives_the_same_answer():
    one, other = (compare_graph_systems(text(GOLD), text(GOOD), text(BAD), resamples=20, seed=3) for _ in "ab")
    assert one == other


def test_no_resamples_are_refused():
    with pytest.raises(TreewrightError, match="at least one"):
        compare_graph_systems(text(GOLD), text(GOOD), text(BAD), resamples=0)


def test_the_command_line(tmp_path, capsys):
    for name, graphs in (("gold", GOLD), ("good", GOOD), ("bad", BAD)):
        (tmp_path / name).write_bytes(text(graphs))
    files = [str(tmp_path / name) for name in ("gold", "good")]
    assert main(["eval", "--graph", *files, "--against", str(tmp_path / "bad")]) == 0
    assert "McNemar over gold arcs" in capsys.readouterr().out
    assert main(["eval", "--tree-as-graph", *files, "--against", str(tmp_path / "bad"), "--json", "--unlabelled"]) == 0
    # trees: 1 -> 2 and 1 -> 3 are gold, the root too; no secondary arc
    assert json.loads(capsys.readouterr().out)["first_f1"] == pytest.approx(100 * 2 * 120 / 280)
    assert main(["eval", *files, "--against", str(tmp_path / "bad")]) == 2
