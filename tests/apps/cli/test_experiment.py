"""The command that runs experiments."""

from __future__ import annotations

import threading

from tests.apps.cli.running import refuse, run, succeed
from tests.toy import FOLDER
from treewright.apps.cli.progress.experiment_progress import ExperimentProgress, TimeLeft
from treewright.apps.cli.progress.progress_display import in_words
from treewright.apps.experiments.cell import Cell
from treewright.apps.experiments.treebank_files import TreebankFiles, files_in

EXPERIMENT = FOLDER / "experiment.toml"


def test_an_experiment_runs_reports_and_goes_on(tmp_path):
    listed = succeed("experiment", EXPERIMENT, "--quick", "--list", "-o", tmp_path).decode()
    assert len(listed.splitlines()) == 4
    assert "done" not in listed
    first = run("experiment", EXPERIMENT, "--quick", "-o", tmp_path, "--jobs", "2", "--to", "md,html")
    assert first.returncode == 0, first.stderr
    assert b"4 cells; 2 at a time" in first.stderr
    assert b"[4/4]" in first.stderr
    assert first.stdout.decode().splitlines()[1:] == [str(tmp_path / "results.md"), str(tmp_path / "report.html")]
    assert "arc-hybrid, explore" in (tmp_path / "results.md").read_text(encoding="utf-8")
    assert succeed("experiment", EXPERIMENT, "--quick", "--list", "-o", tmp_path).decode().count("done") == 4
    again = run("experiment", EXPERIMENT, "--quick", "-o", tmp_path, "-q", "--to", "csv")
    assert (again.returncode, again.stderr) == (0, b"")
    report = succeed("experiment", EXPERIMENT, "--quick", "-o", tmp_path, "--report").decode()
    assert report.splitlines()[0].startswith("4 cells; ")
    assert report.splitlines()[0].endswith("The quick variant: seeds 1, iterations 1.")
    assert (tmp_path / "results.parquet").is_file()
    late = run("experiment", EXPERIMENT, "--quick", "-o", tmp_path, "-q", "--keep-models", "--to", "csv")
    assert late.returncode == 0
    assert b"no models of the 4 cells finished before without --keep-models" in late.stderr


def test_what_a_user_gets_wrong_is_one_line(tmp_path):
    assert "cannot be read" in refuse("experiment", tmp_path / "nothing.toml")
    assert "--jobs 0" in refuse("experiment", EXPERIMENT, "--jobs", "0")
    assert "no cell is finished" in refuse("experiment", EXPERIMENT, "--report", "--to", "md, csv", "-o", tmp_path)
    assert "unknown format of results 'doc'" in refuse("experiment", EXPERIMENT, "--to", "doc")
    assert "no cell is finished" in refuse("experiment", EXPERIMENT, "--report", "-o", tmp_path / "none")
    assert "no such folder" in refuse("experiment", EXPERIMENT, "--treebanks", tmp_path / "none")
    (tmp_path / "file").write_text("")
    assert "cannot create the folder" in refuse("experiment", EXPERIMENT, "--quick", "-o", tmp_path / "file")


def test_time_left_follows_what_like_cells_took():
    toy = TreebankFiles("toy", files_in(FOLDER, "toy"))
    cells = [Cell(toy, seed, {"iterations": seed}) for seed in (1, 2, 3)]
    left = TimeLeft(cells, jobs=1)
    assert left.guess() is None
    left.done(cells[0], 10.0)
    assert round(left.guess()) == 50
    assert in_words(50) == "50 s"
    assert in_words(61) == "1 min 01 s"
    assert in_words(3725) == "1 h 02 min"


def test_the_live_table_is_drawn_by_nobody_else(monkeypatch, capsys):
    toy = TreebankFiles("toy", files_in(FOLDER, "toy"))
    cells = [Cell(toy, seed, {"iterations": 2}) for seed in (1, 2)]
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    before = threading.active_count()
    with ExperimentProgress(2, ("iterations",), moves=True) as progress:
        assert threading.active_count() == before  # rows come and go while it is drawn
        progress.planned(cells, 0)
        for cell in cells:
            progress.started(cell)
        progress.round_done(cells[0], 1, 81.5)
        progress.waited()
        progress.done(cells[0], {"scores": {"las": 82.25}}, 61.0)
        progress.failed(cells[1], "no luck")
    shown = capsys.readouterr().err
    for text in ("2 cells; 2 at a time", "1/2", "81.50", "seed 1: LAS 82.25, 1 min 01 s", "seed 2: failed: no luck"):
        assert text in shown
