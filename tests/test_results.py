"""The figures of docs/ are those of the stored results."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOL = ROOT / "tools" / "results.py"
pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tools are not part of packages")


@pytest.fixture
def tool():
    specification = importlib.util.spec_from_file_location("results", TOOL)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_all_pages_agree(tool):
    assert tool.check() == []


def test_every_stored_result_says_how_it_was_measured(tool):
    for path in tool.STORED.glob("*.json"):
        result = tool.loaded(path.stem)
        assert {"command", "commit", "version", "machine", "date"} <= result.keys(), path
        assert ("cells" in result) != ("tables" in result), path


def test_every_stored_result_is_shown(tool):
    """A figure that no page shows is not worth keeping."""
    shown = "".join(path.read_text("utf-8") for _, path in tool.pages())
    assert [path.stem for path in tool.STORED.glob("*.json") if f": {path.stem}" not in shown] == []


ROWS = {"static": ("80.0", "82.0"), "explore": ("83.0", "84.0")}


@pytest.fixture
def stored(tool, tmp_path, monkeypatch):
    """An experiment of two policies with two seeds, and a page about it."""
    monkeypatch.setattr(tool, "STORED", tmp_path / "stored")
    monkeypatch.setattr(tool, "PAGES", tmp_path)
    monkeypatch.setattr(tool, "envelope", lambda command: {"command": command})
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
            }
            (cells / f"{policy}{seed}.json").write_text(json.dumps(result))
    tool.main(["store", str(tmp_path / "run"), "n"])
    return tool


START = "as the paper, here: s"
FULL = [f"{START}, static | 81.00 ± 1.41 | 81.00", f"{START}, explore | 83.50 (+2.50) | 83.50 (+2.50)"]


def page(*rows):
    return "<!-- stored: n las -->\n\n| | xx | mean |\n|---|---|---|\n" + "".join(f"| {row} |\n" for row in rows)


def test_right_figures_are_accepted(stored, tmp_path):
    (tmp_path / "page.md").write_text(page("as published | 90.00 |", *FULL))
    assert stored.check() == []


@pytest.mark.parametrize(
    "row", ["static | 81.01 |", "static | 81.00 ± 1.40 |", "explore | 83.50 (+2.40) |", "other | 81.00 |"]
)
def test_other_figures_are_found(stored, tmp_path, row):
    (tmp_path / "page.md").write_text(page(f"{START}, {row}"))
    assert len(stored.check()) == 1
    assert stored.main(["check"]) == 1


def test_pages_are_filled(stored, tmp_path):
    (tmp_path / "page.md").write_text(page(f"{START}, static | 1.0 | 1.0", f"{START}, explore | 2.0 | 3.0"))
    assert stored.fill() == ["page.md"]
    assert (tmp_path / "page.md").read_text() == page(*FULL)
    assert stored.fill() == []


def test_columns_may_be_scores(stored, tmp_path):
    text = f"<!-- stored: n xx -->\n\n| | LAS |\n|---|---|\n| {START}, static | 0.00 |\n"
    (tmp_path / "page.md").write_text(text)
    stored.fill()
    assert f"| {START}, static | 81.00 ± 1.41 |" in (tmp_path / "page.md").read_text()


def test_gains_are_paired_by_seed_and_tested(stored, tmp_path, capsys):
    capsys.readouterr()
    assert stored.main(["show", "n", "las"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"| {START}, explore | +2.50 ± 0.71 |"
    result = stored.loaded("n")
    result["tests"] = [{"row": f"{START}, explore", "treebank": "xx", "metric": "las", "p": 0.02}]
    stored.write("n", result)
    table = f"| | xx |\n|---|---|\n| {START}, explore | 0 |\n"
    (tmp_path / "page.md").write_text(f"<!-- stored gains: n las -->\n\n{table}")
    stored.fill()
    assert f"| {START}, explore | +2.50 ± 0.71\\* |" in (tmp_path / "page.md").read_text()


def test_gains_without_counts_of_sentences_are_tested_over_seeds(stored):
    cells = [
        {"row": f"r, {policy}", "treebank": "xx", "seed": seed, "scores": {"las": score + step * seed}}
        for policy, score, step in (("static", 80.0, 0.0), ("explore", 82.0, 0.1), ("ambiguity", 80.0, 0.1))
        for seed in range(1, 6)
    ]
    figures = stored.Figures({"cells": sorted(cells, key=lambda cell: cell["row"])})
    assert figures.gain("r, explore", "xx", "las") == "+2.30 ± 0.16††"
    assert figures.gain("r, ambiguity", "xx", "las") == "+0.30 ± 0.16†"


def test_figures_from_nowhere_are_found(stored, tmp_path):
    text = "LAS is 81.00, not 80.55.\n\n| a | b |\n|---|---|\n| 1.5 | 2.5 |\n\n" + page(*FULL)
    (tmp_path / "page.md").write_text(text)
    table, prose = stored.check()
    assert "a table of figures without a stored result: | a | b |" in table
    assert "80.55 is in no table of the page" in prose
    (tmp_path / "notebook").mkdir()
    (tmp_path / "page.md").rename(tmp_path / "notebook" / "page.md")
    assert stored.check() == []


def test_settings_quotations_and_sections_are_no_figures(stored, tmp_path):
    text = '**The paper\'s finding.** 99.9\n\nWith *p* = 0.9 and `0.5`, section 4.2, "up to 750 %".\n'
    (tmp_path / "page.md").write_text(f"{text}\n<!-- no measurement: settings -->\n\n| a |\n|---|\n| 0.1 |\n| 0.2 |\n")
    assert stored.check() == []


def test_printed_tables_are_kept(tool, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(tool, "STORED", tmp_path)
    monkeypatch.setattr(tool, "PAGES", tmp_path)
    script = "print('| a | b |\\n|---|--:|\\n| x | 1.5 |\\n\\nmore\\n\\n| c |\\n|---|\\n| 2 |')"
    monkeypatch.setattr(tool, "envelope", lambda command: {"command": command})
    tool.run("n", ["python", "-c", script])
    assert tool.loaded("n")["tables"] == [[["a", "b"], ["x", "1.5"]], [["c"], ["2"]]]
    (tmp_path / "page.md").write_text("<!-- stored: n -->\n\n<!-- stored: n/2 -->\n\n| c |\n|--:|\n| 1 |\n")
    assert tool.fill() == ["page.md"]
    text = (tmp_path / "page.md").read_text()
    assert "| x | 1.5 |" in text
    assert text.endswith("| c |\n|--:|\n| 2 |\n")


def test_the_command_of_a_page_is_that_of_its_result():
    asked = subprocess.run([sys.executable, TOOL, "nothing"], capture_output=True, text=True, check=False)
    assert asked.returncode == 2
    assert "make results-check" in asked.stderr


def test_parts_of_a_test_set_have_scores_of_their_own(tool):
    sentences = {"words": [4, 10, 6], "heads": [2, 9, 3], "both": [1, 8, 3], "part": ["mail", "news", "mail"]}
    scores = tool._scores_of_parts({"parts": {"mail": "m-", "news": "n-"}}, {"sentences": sentences})
    assert scores == {"mail": {"uas": 50.0, "las": 40.0}, "news": {"uas": 90.0, "las": 80.0}}
    assert tool._scores_of_parts({}, {}) == {}


def test_rows_are_named_by_what_tells_them_apart(tool):
    assert (
        tool.row_name({"as_paper": "p", "system": "covington", "tags": "predicted"}) == "as the paper, here: covington"
    )
    options = {"system": "arc-eager", "jackknife": 4, "policy": "static", "beam": 8}
    assert tool.row_name(options) == "our defaults: arc-eager, beam 8, static"
