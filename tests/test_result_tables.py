"""The tables of docs/results are those of the stored results of the experiments."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

TOOL = Path(__file__).parent.parent / "tools" / "result_tables.py"
pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tools are not part of packages")


@pytest.fixture
def tool():
    specification = importlib.util.spec_from_file_location("result_tables", TOOL)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_all_pages_agree(tool):
    assert tool.check() == []


ROWS = {"static": ("80.0", "82.0"), "explore": ("83.0", "84.0")}


@pytest.fixture
def stored(tool, tmp_path, monkeypatch):
    """An experiment of two policies with two seeds, and a page about it."""
    monkeypatch.setattr(tool, "STORED", tmp_path / "stored")
    monkeypatch.setattr(tool, "PAGES", tmp_path)
    cells = tmp_path / "run" / "cells"
    cells.mkdir(parents=True)
    for policy, scores in ROWS.items():
        for seed, score in enumerate(scores, 1):
            result = {
                "status": "done",
                "cell": {
                    "treebank": "xx",
                    "training": {"as_paper": "p", "system": "s", "policy": policy, "seed": seed},
                    "data": {},
                },
                "scores": {"las": float(score)},
                "made_with": {"finished": "2026-11-17T07:00", "version": "1"},
            }
            (cells / f"{policy}{seed}.json").write_text(json.dumps(result))
    tool.main(["store", str(tmp_path / "run"), "n"])
    return tool


def page(*rows):
    return "<!-- stored: n las -->\n\n| | xx | mean |\n|---|---|---|\n" + "".join(f"| {row} |\n" for row in rows)


def test_right_figures_are_accepted(stored, tmp_path):
    start = "as the paper, here: s"
    rows = ["as published | 90.00 |", f"{start}, static | 81.00 ± 1.41 | 81.00"]
    rows.append(f"{start}, explore | **83.50 (+2.50\\*)** | 83.50 (+2.50)")
    (tmp_path / "page.md").write_text(page(*rows))
    assert stored.check() == []


@pytest.mark.parametrize(
    "row",
    [
        "as the paper, here: s, static | 81.01 |",
        "as the paper, here: s, static | 81.00 ± 1.40 |",
        "as the paper, here: s, explore | 83.50 (+2.40) |",
        "our defaults: s, static | 81.00 |",
    ],
)
def test_other_figures_are_found(stored, tmp_path, row):
    (tmp_path / "page.md").write_text(page(row))
    assert len(stored.check()) == 1
    assert stored.main(["check"]) == 1


def test_tables_are_written_as_they_are_checked(stored, tmp_path, capsys):
    capsys.readouterr()
    assert stored.main(["table", "n", "las"]) == 0
    table = capsys.readouterr().out
    assert "| as the paper, here: s, static | 81.00 ± 1.41 | 81.00 |" in table
    assert table.index("static") < table.index("explore")
    (tmp_path / "page.md").write_text(f"<!-- stored: n las -->\n\n{table}")
    assert stored.check() == []


def test_gains_are_paired_by_seed(stored, tmp_path, capsys):
    capsys.readouterr()
    assert stored.main(["gains", "n", "las"]) == 0
    table = capsys.readouterr().out
    assert table.splitlines()[2:] == ["| as the paper, here: s, explore | +2.50 ± 0.71 |"]
    page = tmp_path / "page.md"
    page.write_text(f"<!-- stored gains: n las -->\n\n{table}")
    assert stored.check() == []
    page.write_text(f"<!-- stored gains: n las -->\n\n{table.replace('0.71', '0.70')}")
    assert len(stored.check()) == 1


def test_parts_of_a_test_set_have_scores_of_their_own(tool):
    sentences = {"words": [4, 10, 6], "heads": [2, 9, 3], "both": [1, 8, 3], "part": ["mail", "news", "mail"]}
    scores = tool._scores_of_parts({"parts": {"mail": "m-", "news": "n-"}}, {"sentences": sentences})
    assert scores == {"mail": {"uas": 50.0, "las": 40.0}, "news": {"uas": 90.0, "las": 80.0}}
    assert tool._scores_of_parts({}, {}) == {}


def test_rows_are_named_by_what_tells_them_apart(tool):
    assert (
        tool.row_name({"as_paper": "p", "system": "covington", "tags": "predicted"}) == "as the paper, here: covington"
    )
    options = {"system": "arc-eager", "jackknife": 4, "policy": "static"}
    assert tool.row_name(options) == "our defaults: arc-eager, static"
