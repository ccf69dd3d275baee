"""Versions of a sentence, and the journal that they come back from."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from treewright.apps.studio.history import History
from treewright.apps.studio.journal import Event, Journal


def state(history: History) -> tuple[list[str], int, int]:
    return history.versions, history.at, history.saved_at


def edited(*texts: str) -> History:
    """Return the history of a sentence a with edits."""
    history = History("a")
    for text in texts:
        history.add(text)
    return history


def test_versions_come_and_go() -> None:
    history = edited("b", "c")
    assert state(history) == (["a", "b", "c"], 2, 0)
    assert (history.can_undo, history.can_redo) == (True, False)
    assert [history.step(-1), history.step(-1), history.step(-1)] == ["b", "a", "a"]
    assert (history.can_undo, history.can_redo) == (False, True)
    assert [history.step(1), history.step(1), history.step(1)] == ["b", "c", "c"]
    history.step(-1)
    history.add("d")
    assert state(history) == (["a", "b", "d"], 2, 0)


@pytest.mark.parametrize(("saved_at", "after"), [(0, 0), (1, 1), (2, -1), (3, -1), (-1, -1)])
def test_an_edit_forgets_a_saved_version_that_it_drops(saved_at: int, after: int) -> None:
    history = edited("b", "c", "d")
    history.at, history.saved_at = 1, saved_at
    history.add("e")
    assert state(history) == (["a", "b", "e"], 2, after)


def test_events_are_followed() -> None:
    history = History("a")
    for event, wanted in [
        (Event(what="edit", before="a", after="b"), (["a", "b"], 1, 0)),
        (Event(what="edit", before="b", after="c"), (["a", "b", "c"], 2, 0)),
        (Event(what="undo"), (["a", "b", "c"], 1, 0)),
        (Event(what="save"), (["a", "b", "c"], 1, 1)),
        (Event(what="undo"), (["a", "b", "c"], 0, 1)),
        (Event(what="redo"), (["a", "b", "c"], 1, 1)),
        (Event(what="redo"), (["a", "b", "c"], 2, 1)),
        (Event(what="unknown"), (["a", "b", "c"], 2, 1)),
        (Event(what="edit", before="x", after="y"), (["x", "y"], 1, 0)),  # changed by someone else in between
    ]:
        history.replay(event)
        assert state(history) == wanted


@pytest.mark.parametrize(
    ("at", "saved_at", "on_disk", "unsaved", "wanted"),
    [
        (2, 0, "a", True, (2, 0)),  # edits that were not saved come back
        (2, 1, "b", True, (2, 1)),
        (2, 2, "c", False, (2, 2)),
        (2, 0, "b", False, (1, 1)),  # someone checked an earlier version out
        (2, -1, "a", True, (2, -1)),  # what was saved is gone: the first version counts
        (2, -1, "b", False, (1, 1)),
        (0, 2, "c", True, (0, 2)),  # undone, and not saved
    ],
)
def test_versions_fit_to_the_file(at: int, saved_at: int, on_disk: str, unsaved: bool, wanted: tuple[int, int]) -> None:
    history = edited("b", "c")
    history.at, history.saved_at = at, saved_at
    assert history.found_on_disk(on_disk) is unsaved
    assert state(history) == (["a", "b", "c"], *wanted)


def test_a_version_from_elsewhere_begins_anew() -> None:
    history = edited("b", "c")
    assert history.found_on_disk("x") is False
    assert state(history) == (["x"], 0, 0)


def test_the_same_text_again_is_no_edit() -> None:
    history = edited("b", "a")
    assert history.found_on_disk("a") is False
    assert state(history) == (["a", "b", "a"], 2, 0)


# The journal


def test_the_journal_keeps_events_in_order(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    assert list(journal.events()) == []
    journal.close()  # nothing is open yet
    events = [Event(what="edit", file="ä.conllu", sentence=1, before="a", after="b"), Event(what="undo")]
    begin = round(time.time(), 3)
    for event in events:
        journal.add(event)
    journal.close()
    journal.add(Event(what="save"))
    path = tmp_path / ".treewright" / "journal.jsonl"
    lines = path.read_text(encoding="ascii").splitlines()
    assert lines[1] == f'{{"what":"undo","time":{json.loads(lines[1])["time"]}}}'
    found = list(Journal(tmp_path).events())
    assert [event["what"] for event in found] == ["edit", "undo", "save"]
    assert found[0] | {"time": 0} == {**events[0], "time": 0}
    for event in found:
        assert begin <= event["time"] <= time.time() + 0.001
        assert event["time"] == round(event["time"], 3)


@pytest.mark.parametrize("end", ["\n", ""])
def test_a_line_that_was_cut_short_is_left_alone(end: str, tmp_path: Path) -> None:
    path = tmp_path / ".treewright" / "journal.jsonl"
    path.parent.mkdir()
    old = '{"what":"undo"}\n[1]\n{}\n{"when":1}\n{"what":""}\nnonsense\n{"what":"ed'
    path.write_text(old + end, encoding="utf-8")
    journal = Journal(tmp_path)
    journal.add(Event(what="redo"))
    journal.add(Event(what="save"))
    assert [event["what"] for event in journal.events()] == ["undo", "redo", "save"]
    text = path.read_text(encoding="utf-8")
    assert text.startswith(f'{old}\n{{"what":"redo"')
    assert text.count("\n") == old.count("\n") + 3
