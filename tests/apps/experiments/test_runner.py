"""Cells at work: each in its own process, kept when done, tried again when not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.toy import FOLDER
from treewright.apps.experiments import runner
from treewright.apps.experiments.cell import GRAPH_SCORES, TREE_SCORES, Cell
from treewright.apps.experiments.measuring import measure
from treewright.apps.experiments.runner import Run, RunObserver
from treewright.apps.experiments.store import Store
from treewright.apps.experiments.treebank_files import TreebankFiles, files_in
from treewright.apps.worker_process import PACKAGE_FOLDER
from treewright.errors import TreewrightError

TOY = TreebankFiles("toy", files_in(FOLDER, "toy"))
SMALL = {"features": "lean", "iterations": 2, "train_sentences": 30, "test_sentences": 20}


class Log(RunObserver):
    """Remembers what it was told."""

    def __init__(self):
        self.told = []

    def planned(self, cells, finished):
        self.told.append(("planned", len(cells), finished))

    def round_done(self, cell, round, las):
        self.told.append(("round", cell.seed, round))

    def done(self, cell, result, seconds):
        self.told.append(("done", cell.seed))

    def failed(self, cell, error):
        self.told.append(("failed", cell.seed, error))


def run(cells, folder, **kept):
    log = Log()
    failures = Run(Store(folder), observer=log, **kept).run(cells)
    return failures, log.told


def test_cells_are_done_once_and_failures_again(tmp_path):
    good, bad = Cell(TOY, 1, SMALL), Cell(TOY, 2, {**SMALL, "system": "easy-first", "policy": "static"})
    failures, told = run([bad, good], tmp_path, jobs=2, keep_models=True, keep_parses=True)
    assert failures == 1
    assert told[0] == ("planned", 2, 0)
    assert [entry for entry in told if entry[1] == 1] == [("round", 1, 1), ("round", 1, 2), ("done", 1)]
    error = next(entry[2] for entry in told if entry[0] == "failed")
    assert "easy-first has no canonical order" in error
    assert "\n" not in error
    assert Store(tmp_path).load(bad)["error"] == error
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == sorted(
        [f"{good.key}.json", f"{bad.key}.json", f"{good.key}.tw", f"{good.key}.conllu.gz"]
    )
    again, told = run([bad, good], tmp_path)
    assert again == 1
    assert told[0] == ("planned", 1, 1)
    assert told[-1][:2] == ("failed", 2)


def test_a_process_that_dies_is_a_failure_and_no_more(tmp_path, monkeypatch):
    start = runner.start_worker

    def start_and_kill(module):
        process = start(module)
        if not started:
            process.kill()
        started.append(process)
        return process

    started = []
    monkeypatch.setattr(runner, "start_worker", start_and_kill)
    failures, told = run([Cell(TOY, 1, SMALL), Cell(TOY, 2, SMALL)], tmp_path)
    assert failures == 1
    assert [entry[:2] for entry in told if entry[0] != "round"][1:] == [("failed", 1), ("done", 2)]
    assert "SIGKILL" in told[1][2]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals of POSIX")
def test_an_interrupt_ends_the_processes_and_keeps_what_is_done(tmp_path, monkeypatch):
    class Impatient(Log):
        def done(self, cell, result, seconds):
            raise KeyboardInterrupt

    start, started = runner.start_worker, []
    monkeypatch.setattr(runner, "start_worker", lambda module: started.append(start(module)) or started[-1])
    cells = [Cell(TOY, 1, SMALL), Cell(TOY, 2, {"iterations": 100_000})]
    with pytest.raises(KeyboardInterrupt):
        Run(Store(tmp_path), jobs=2, observer=Impatient()).run(cells)
    # Either process may have taken the short cell: that one ends by itself.
    assert sorted(process.wait(timeout=30) for process in started) == [-signal.SIGTERM, 0]
    assert Store(tmp_path).is_done(cells[0])
    assert Store(tmp_path).load(cells[1]) is None


def measured(**options):
    cell = Cell(TOY, 1, {**SMALL, **options})
    return measure(cell.content, dict(TOY.paths), lambda report: None)


def test_a_result_holds_what_reports_need():
    result = json.loads(json.dumps(measured()))
    assert result["status"] == "done"
    assert result["training"]["sentences"] == 30
    assert [entry["round"] for entry in result["rounds"]] == [1, 2]
    counts = result["sentences"]
    assert len(counts["words"]) == result["parsing"]["sentences"] == 20
    assert sum(counts["words"]) == result["parsing"]["words"]
    assert result["scores"]["las"] == pytest.approx(100 * sum(counts["both"]) / sum(counts["words"]), abs=1e-3)
    assert result["scores"]["uas"] == pytest.approx(100 * sum(counts["heads"]) / sum(counts["words"]), abs=1e-3)
    assert sum(row["gold"] for row in result["distances"]) == result["parsing"]["words"]
    assert result["model_bytes"] > 1000
    assert result["peak_memory_bytes"] > 1 << 20
    assert set(result["scores"]) == set(TREE_SCORES)
    assert measured()["scores"] == result["scores"]


def test_parts_follow_the_names_of_sentences():
    treebank = TreebankFiles("toy", TOY.paths, {"all": "", "none": "x-"})
    result = measure(Cell(treebank, 1, SMALL).content, dict(TOY.paths), lambda report: None)
    assert set(result["sentences"]["part"]) == {"all"}


def test_predicted_tags_are_made_once(tmp_path):
    cell = Cell(TOY, 1, {**SMALL, "train_sentences": 60, "tags": "predicted", "jackknife": 2})
    results = [measure(cell.content, dict(TOY.paths), lambda report: None, cache=str(tmp_path)) for _ in range(2)]
    assert results[0]["scores"] == results[1]["scores"]
    assert len(list(tmp_path.iterdir())) == 3
    with pytest.raises(TreewrightError, match="there are: gold, predicted"):
        measured(tags="none")


def test_costs_by_size_and_length_are_measured(monkeypatch):
    from treewright.apps.experiments import scaling

    monkeypatch.setattr(scaling, "SENTENCES", (5, 10))
    monkeypatch.setattr(scaling, "LENGTHS", (3, 50))
    monkeypatch.setattr(scaling, "WORDS", 100)
    monkeypatch.setattr(scaling, "ENOUGH", 0)
    costs = measured(scaling=True)["scaling"]
    assert [row["sentences"] for row in costs["sentences"]] == [5, 10]
    assert [(row["length"], row["words"]) for row in costs["lengths"]] == [(3, 99), (50, 100)]
    rows = [*costs["sentences"], *costs["lengths"]]
    assert all(row["cpu_seconds"] >= 0 for row in rows)
    # A process that loads a model needs some megabytes, and far less than the one that runs all these tests.
    assert all(10e6 < row["memory_bytes"] < 200e6 for row in rows)


@pytest.mark.parametrize("system", ["dag-arc-eager", "dag-shift-reduce"])
def test_graphs_have_scores_of_their_own(system):
    graphs = str(FOLDER.parent / "graphs.conllu")
    treebank = TreebankFiles("graphs", {"train": graphs, "test": graphs})
    cell = Cell(treebank, 1, {"system": system, "iterations": 3, "cutoff": 1})
    result = measure(cell.content, dict(treebank.paths), lambda report: None)
    counts = {name: sum(values) for name, values in result["graph_sentences"].items()}
    f1 = 200 * counts["labelled"] / (counts["gold"] + counts["system"])
    assert set(result["scores"]) == set(GRAPH_SCORES)
    assert result["scores"]["labelled_f1"] == pytest.approx(f1, abs=1e-3)


def test_a_worker_says_in_one_line_what_is_wrong():
    job = {"cell": Cell(TOY, 1, {"system": "nonsense"}).content, "paths": dict(TOY.paths)}
    worker = subprocess.run(
        [sys.executable, "-m", "treewright.apps.experiments.worker"],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": PACKAGE_FOLDER},
        check=False,
    )
    assert (worker.returncode, worker.stderr) == (2, "")
    assert json.loads(worker.stdout)["error"].startswith("unknown system 'nonsense'")


def test_what_others_print_does_not_disturb():
    code = (
        "import os, sys\nfrom treewright.apps.experiments.worker import Channel\nchannel = Channel()\n"
        "os.write(1, b'noise\\n'); print('more noise'); channel.send({'round': 1})\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": PACKAGE_FOLDER},
    )
    assert run.stdout == '{"round": 1}\n'
    assert run.stderr == "noise\nmore noise\n"


def test_a_folder_that_is_not_writable_is_reported_before_any_work(tmp_path, monkeypatch):
    def refused(*arguments, **choices):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refused)
    with pytest.raises(TreewrightError, match=r"cannot write to the folder \(Permission denied\)\. Choose another"):
        run([Cell(TOY, 1, SMALL)], tmp_path)
    assert list((tmp_path / "cells").iterdir()) == []


def test_tags_of_a_cell_are_kept_for_the_next(tmp_path):
    cells = [Cell(TOY, 1, {**SMALL, "tags": "predicted", "policy": policy}) for policy in ("static", "explore")]
    first = run(cells[:1], tmp_path)
    kept = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "tagged").iterdir()}
    assert first[0] == 0
    assert sorted(name.rsplit("-", 1)[1] for name in kept) == ["dev.conllu.gz", "test.conllu.gz", "train.conllu.gz"]
    assert run(cells, tmp_path)[0] == 0
    assert {path.name: path.stat().st_mtime_ns for path in (tmp_path / "tagged").iterdir()} == kept
