"""What a notebook shows of a training, and how often it draws it again."""

from __future__ import annotations

import math
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from treewright.notebook import table
from treewright.training import notebook_progress
from treewright.training.notebook_progress import NotebookProgress, usual_observer
from treewright.training.observer import RoundReport, TrainingObserver


class Screen:
    """Keeps what IPython is told to display, and when; time is what a test says."""

    def __init__(self) -> None:
        self.now = 1.1
        self.pictures: list[str] = []
        self.cells = 0

    def display(self, picture: str, display_id: bool) -> Screen | None:
        self.cells += 1
        self.update(picture)
        return self if display_id else None

    def update(self, picture: str) -> None:
        self.pictures.append(picture)


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    made = Screen()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(HTML=str, display=made.display))
    monkeypatch.setattr(notebook_progress, "time", SimpleNamespace(monotonic=lambda: made.now))
    return made


def report(number: int, mistakes: float, best: bool = False, **scores: float) -> RoundReport:
    return RoundReport("parser", number, 2, mistakes, "wrong moves", 9, best, scores)


def picture(heading: str, bar: str, *rows: tuple[Any, ...]) -> str:
    header = ("step", "round", "wrong moves, %", "UAS", "LAS", "") if rows else ()
    return f"<div>{heading}</div><div>{bar}</div>" + table(header, rows)


def test_a_training_from_its_beginning_to_its_end(screen: Screen) -> None:
    progress = NotebookProgress()
    progress.prepared("parser", 1200, 30000, ["3 arcs lifted", "a note"])
    heading = "1,200 sentences, 30,000 words, 3 arcs lifted, a note"
    assert screen.pictures[-1] == picture(heading, ' <progress value="0" max="1"></progress>')
    progress.begun("parser", 2400)
    assert screen.pictures[-1] == picture(heading, 'parser <progress value="0" max="2400"></progress>')
    progress.advanced(1000)
    progress.advanced(200)
    first, second = report(1, 0.25, True, UAS=80.0, LAS=70.0), report(2, math.nan, UAS=79.0)
    progress.round_done(first)
    row = ("parser", "1/2", 25.0, 80.0, 70.0, "best")
    bar = 'parser <progress value="1200" max="2400"></progress>'
    assert screen.pictures[-1] == picture(heading, bar, row)
    progress.advanced(2000)
    progress.round_done(second)
    progress.interrupted(2)
    heading += "; interrupted after 2 rounds: the best so far is kept"
    bar = 'parser <progress value="2400" max="2400"></progress>'
    assert screen.pictures[-1] == picture(heading, bar, row, ("parser", "2/2", None, 79.0, None, ""))
    assert screen.cells == 1  # one picture that changes


def test_the_bar_moves_five_times_a_second_at_most_and_all_else_is_shown_at_once(screen: Screen) -> None:
    progress = NotebookProgress()
    progress.advanced(7)
    assert screen.pictures == [picture("", ' <progress value="0" max="1"></progress>')]
    progress.begun("parser", 10)
    screen.now = 0.0
    progress.prepared("parser", 1, 2, [])
    for now, pictures in ((0.1, 3), (0.2, 4), (0.3, 4), (0.5, 5)):
        screen.now = now
        progress.advanced(1)
        assert len(screen.pictures) == pictures, now
    progress.round_done(report(1, 0.5))
    progress.begun("tagger", 5)
    progress.interrupted(1)
    assert len(screen.pictures) == 8


@pytest.mark.parametrize(("there", "observer"), [(True, NotebookProgress), (False, TrainingObserver)])
def test_who_hears_a_training(there: bool, observer: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook_progress, "in_notebook", lambda: there)
    assert type(usual_observer()) is observer
