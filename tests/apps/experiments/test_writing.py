"""The files of results: complete, readable by others, self-contained."""

from __future__ import annotations

import csv
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.apps.experiments.made_up import plan_of, results_of
from treewright.apps.experiments import figures
from treewright.apps.experiments.growth import exponent, growth_table
from treewright.apps.experiments.page import html_report
from treewright.apps.experiments.tables import markdown, settings, tables_of
from treewright.apps.experiments.writing import FORMATS, write_results
from treewright.errors import MissingExtraError, TreewrightError

TEXT = """
title = "Fish & <chips>"
baseline = { policy = "static" }
[treebanks]
[[grid]]
seeds = [1, 2]
policy = ["static", "explore"]
k = [0, 1]
p = [0.5, 0.9]
"""


def right(cell):
    return [2, 3, 6, 15 + (cell.options["policy"] == "explore") + cell.options.get("k", 0)]


@pytest.fixture
def results(tmp_path):
    return results_of(plan_of(TEXT, tmp_path), tmp_path, right)


def test_csv_and_json_have_every_cell(results, tmp_path):
    write_results(results, tmp_path, ("csv", "json"))
    with open(tmp_path / "results.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 20
    assert rows[0]["treebank"] == "a"
    assert {row["cell"] for row in rows} == {cell.key for cell in results.plan.cells}  # which names models and parses
    assert {(row["policy"], row["k"], row["p"]) for row in rows if row["policy"] == "static"} == {("static", "", "")}
    whole = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert len(whole["cells"]) == 20
    assert len(whole["means"]) == 10
    difference = next(row["difference"] for row in whole["means"] if row["options"].get("k") == 1)
    assert difference["value"] == pytest.approx(200 / 52)
    assert difference["low"] <= difference["value"] <= difference["high"]


def test_parquet_says_the_same_as_csv(results, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    write_results(results, tmp_path, ("csv", "parquet"))
    table = parquet.read_table(tmp_path / "results.parquet").to_pylist()
    with open(tmp_path / "results.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [{k: "" if v is None else str(v) for k, v in row.items()} for row in table] == rows


def test_without_pyarrow_parquet_is_left_out_with_a_note(results, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    written, notes = write_results(results, tmp_path)
    assert [path.suffix for path in written] == [".csv", ".json", ".md", ".html"]
    assert "treewright[parquet]" in notes[0]
    with pytest.raises(MissingExtraError):
        write_results(results, tmp_path, ("parquet",))


def test_unknown_formats_are_rejected(results, tmp_path):
    with pytest.raises(TreewrightError, match="unknown format of results 'doc'"):
        write_results(results, tmp_path, ("doc",))


def test_markdown_has_means_differences_and_costs(results, tmp_path):
    write_results(results, tmp_path, ("md",))
    text = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert text.startswith("# Fish & <chips>\n")
    assert "| static | 50.00 ± 0.00 | 50.00 ± 0.00 | 50.00 |" in text
    assert re.search(r"\| explore, k 1, p 0.9 \| \*\*53.85 ± 0.00\*\*", text)
    assert re.search(r"\| explore, k 0, p 0.5 \| static \| \+1.92\S* \| \+1.92\S* \| \+1.92 \| 2 of 2 \|", text)


class Page(HTMLParser):
    """Checks that tags are closed, and collects what a browser would fetch."""

    VOID = ("meta", "br", "path", "rect", "circle", "link", "img", "hr")

    def __init__(self):
        super().__init__()
        self.open, self.fetched, self.ids, self.links = [], [], [], []

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)
        found = dict(attributes)
        self.fetched += [found[name] for name in ("src", "xlink:href") if name in found]
        self.fetched += [found["href"]] if tag == "link" else []
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if tag == "a" else []
        assert tag != "script"

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag


def test_the_report_is_one_file_with_all_figures(results, monkeypatch):
    monkeypatch.setattr(figures, "FEWEST_WORDS", 1)
    monkeypatch.setattr(figures, "FEWEST_ARCS", 1)
    text = html_report(results)
    page = Page()
    page.feed(text)
    assert page.open == []
    assert page.fetched == []
    assert "url(" not in text
    assert "@import" not in text
    assert {link.removeprefix("#") for link in page.links} == set(page.ids)
    assert "<title>Fish &amp; &lt;chips&gt;</title>" in text
    for title in ("p and k", "Accuracy against speed", "round by round", "sentence length", "dependency distance"):
        assert title in text
    assert text.count("<svg") > 10


def test_failures_are_told(tmp_path):
    plan = plan_of(TEXT, tmp_path)
    results = results_of(plan, tmp_path, lambda c: "no <luck>" if c.options["policy"] == "static" else right(c))
    assert "no &lt;luck&gt;" in html_report(results)
    write_results(results, tmp_path, ("md",))
    assert "16 cells of 20; 4 failed" in (tmp_path / "results.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("power", [0.5, 1, 2, 3])
def test_exponents_of_powers_are_found(power):
    assert exponent([(x, 7 * x**power) for x in (1, 2, 5, 10, 100)]) == pytest.approx(power)


def test_fixed_costs_do_not_hide_the_exponent():
    assert exponent([(x, 100 + x) for x in (1, 10, 10**4, 10**5, 10**6)]) == pytest.approx(1, abs=0.01)
    assert exponent([(1, 2)]) is None
    assert exponent([]) is None


def test_sizes_are_told_with_their_exponents(tmp_path):
    text = "[treebanks]\n[[grid]]\ntrain_sentences=[10,20,40]\npolicy=['static','explore']\n"
    results = results_of(plan_of(text, tmp_path), tmp_path, lambda cell: [1, 2, 3, 4])
    for group in results.groups:
        for result in group.results.values():
            size = group.options["train_sentences"]
            result["training"] |= {"words": 10 * size, "cpu_seconds": 3.0 * size**2}
    table = growth_table(results)
    assert [row[:3] for row in table.rows] == [
        [treebank, policy, "2.00"] for treebank in ("a", "b") for policy in ("static", "explore")
    ]
    assert table.header[2] == "training time, by words of the treebank"
    report = html_report(results)
    assert "Accuracy against the size of the treebank" in report
    assert "Memory against the size of the treebank" in report


def test_every_format_is_written(results, tmp_path):
    written, notes = write_results(results, tmp_path)
    assert notes == []
    assert len(written) == len(FORMATS)
    assert all(Path(path).stat().st_size > 500 for path in written)


SOLVERS = """
[treebanks]
[[grid]]
system = "exact"
order = [1, 2]
solver_sentences = 4
"""


def test_ways_to_solve_have_tables(tmp_path):
    """Cells that compared solvers are told with their sentences; those of first order have nothing to compare."""
    tally = {"seconds": 2.0, "parts": 100, "scored": 100, "objective": 10.0, "integral": 4, "right": 30, "labelled": 20}
    compared = {"sentences": 4, "words": 40, "middling": 1, "late": 1}
    quick = {**tally, "seconds": 0.5, "scored": 5}
    solving = {
        "methods": {**compared, "tallies": {"brute force": tally, "bounds": quick}},
        "constraints": {**compared, "tallies": {"ArcGP+GPArc": tally, "all": quick}},
    }
    plan = plan_of(SOLVERS, tmp_path)
    assert [cell.data for cell in plan.cells] == [{}] * 2 + [{"solver_sentences": 4}] * 2
    results = results_of(plan, tmp_path, lambda cell: [2, 3, 6, 15])
    for group in results.groups:
        if group.options["order"] == 2:
            group.first["solving"] = solving
    write_results(results, tmp_path, ("md", "html"))
    text = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert "| a: 4 sentences, 40 words, 1 left out | sentences/s | 2.0 | 8.0 |" in text
    assert "|  | relative to ArcGP+GPArc | 1.0× | 4.0× |" in text
    assert text.count("|  | parts scored | 100.00 % | 5.00 % |") == 4
    assert "Parse, price and cut against brute force" in (tmp_path / "report.html").read_text(encoding="utf-8")


def plain(cell):
    return [2, 3, 6, 15]


def test_rows_can_be_told_from_each_other(tmp_path):
    grid = "[[grid]]\nsystem = ['arc-eager', 'covington']\n"
    text = (
        "baseline = { learner = 'perceptron' }\n[treebanks]\n"
        f"{grid}learner = ['perceptron', 'liblinear', 'libsvm']\n"
        f"{grid}learner = 'timbl'\nlearner_options = '-a IGTREE'\n"
    )
    results = results_of(plan_of(text, tmp_path), tmp_path, plain)
    series = figures.series_for(results, results.labels)
    assert len(series) == 8
    assert len({one.classes for one in series}) == 8
    assert {one.name: one.colour for one in series} == {
        label: int(label.startswith("covington")) for label in results.labels
    }
    assert [one.name for one in series if one.dashed] == ["arc-eager, perceptron", "covington, perceptron"]


def test_many_rows_can_be_told_from_each_other(tmp_path):
    text = "baseline={policy='static'}\n[treebanks]\n[[grid]]\npolicy=['static','explore']\nbeam=[1,2]\n"
    text += "k=[0,1,2,3,4,5,6]\n"
    results = results_of(plan_of(text, tmp_path), tmp_path, plain)
    assert len({one.classes for one in figures.series_for(results, results.labels)}) == len(results.labels) == 16


def test_heat_maps_do_not_mix_what_else_is_varied(tmp_path):
    text = "[treebanks]\n[[grid]]\ntreebanks='a'\nsystem=['arc-eager','covington']\nk=[0,1]\np=[0.5,0.9]\n"
    plan = plan_of(text, tmp_path)
    results = results_of(plan, tmp_path, lambda cell: [2, 3, 6, 15 + (cell.options["system"] == "covington")])
    found = figures.heat_maps(results)
    assert [re.findall(r">(\d\d\.\d\d)<", panel) for panel in found.panels] == [["50.00"] * 4, ["51.92"] * 4]
    assert "a: arc-eager" in found.panels[0]


def test_arcs_of_rare_lengths_are_not_drawn(results, monkeypatch):
    assert figures.by_distance(results).panels == []
    monkeypatch.setattr(figures, "FEWEST_ARCS", 10)
    assert len(figures.by_distance(results).panels) == 2


def test_a_whole_treebank_is_called_so(tmp_path):
    text = "[treebanks]\n[[grid]]\ntreebanks='a'\ntrain_fraction=[0.1,1.0]\npolicy='static'\n"
    assert results_of(plan_of(text, tmp_path), tmp_path, plain).labels == ["train_fraction 0.1", "train_fraction 1"]


def test_tables_tell_what_was_run(tmp_path):
    text = "[treebanks]\n[[grid]]\ntreebanks='a'\nfeatures='lean'\npolicy=['static','explore']\nexploration='2012'\n"
    results = results_of(plan_of(text, tmp_path), tmp_path, plain)
    table = settings(results)
    assert table.rows == [["a", "10", "100", "4", "52"]]
    assert "In all cells: lean, exploration 2012; all other options have their defaults." in table.note
    assert "treewright 0, Python 3 on any, 2026-01-01." in table.note
    assert "Treebanks and settings" in markdown(results)


def test_different_numbers_of_seeds_are_told(tmp_path):
    text = "[treebanks]\n[[grid]]\ntreebanks='a'\nbeam=1\n[[grid]]\nbeam=2\ntreebanks='a'\nseeds=[1,2]\n"
    overview = tables_of(results_of(plan_of(text, tmp_path), tmp_path, plain))[0]
    assert overview.note == "Rows have from 1 to 2 seeds; those with one seed have no ±."


def test_a_difference_that_shows_as_nought_is_not_better(tmp_path):
    text = "baseline={policy='static'}\n[treebanks]\n[[grid]]\npolicy=['static','explore']\n"
    results = results_of(plan_of(text, tmp_path), tmp_path, plain)
    table = next(table for table in tables_of(results) if "difference" in table.title)
    assert table.rows == [["explore", "static", "+0.00", "+0.00", "+0.00", "0 of 2"]]


def test_costs_of_parsing_have_exponents_and_curves(tmp_path):
    plan = plan_of('[treebanks]\n[[grid]]\nsystem = ["arc-eager", "arc-hybrid"]\nscaling = true\n', tmp_path, "a")
    results = results_of(plan, tmp_path, lambda cell: [2, 3, 6, 15])
    sizes = (10, 20, 40)
    for group in results.groups:
        group.first["scaling"] = {
            "sentences": [
                {"sentences": n, "words": 10 * n, "cpu_seconds": n / 1000, "memory_bytes": 30_000_000} for n in sizes
            ],
            "lengths": [
                {"length": n, "words": 100, "cpu_seconds": n / 1000, "memory_bytes": 1_000_000 * n} for n in sizes
            ],
        }
    table = growth_table(results)
    assert table is not None
    assert [row[2:] for row in table.rows] == [["1.00", "2.00", "0.00", "1.00"]] * 2
    page = html_report(results)
    assert "Memory of parsing against the number of sentences" in page
    assert "arc-eager, 40 words in the sentence: 40 MB" in page
    for group in results.groups:  # as on a system that does not report it, or in an earlier version
        for row in (*group.first["scaling"]["sentences"], *group.first["scaling"]["lengths"]):
            del row["memory_bytes"]
    assert "Memory of parsing" not in html_report(results)
    assert growth_table(results).rows[0][4:] == ["", ""]
