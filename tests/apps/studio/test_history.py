"""Versions of a sentence, and the journal that they come back from."""

from __future__ import annotations

import json
import resource
import time
from pathlib import Path
from typing import Any

import pytest

from treewright.apps.studio.history import History
from treewright.apps.studio.journal import BadLine, Event, Journal
from treewright.apps.studio.past import FilePast, replayed
from treewright.apps.studio.sentence_names import digest_of
from treewright.errors import OutputError


def state(history: History) -> tuple[list[str], int]:
    return history.versions, history.at


def made(*texts: str) -> History:
    """Return the history of a sentence a with edits."""
    history = History("a")
    for text in texts:
        history.add(text)
    return history


def test_versions_come_and_go() -> None:
    history = made("b", "c")
    assert state(history) == (["a", "b", "c"], 2)
    assert (history.can_undo, history.can_redo) == (True, False)
    assert [history.step(-1), history.step(-1), history.step(-1)] == ["b", "a", "a"]
    assert (history.can_undo, history.can_redo) == (False, True)
    assert [history.step(1), history.step(1), history.step(1)] == ["b", "c", "c"]
    history.step(-1)
    history.add("d")
    assert state(history) == (["a", "b", "d"], 2)


def test_what_others_write_is_a_version_too() -> None:
    history = made("b", "c")
    history.step(-1)
    history.adopt("b")
    assert state(history) == (["a", "b", "c"], 1)
    history.adopt("x")  # what was undone stays
    assert (state(history), history.is_from_disk) == ((["a", "b", "c", "x"], 3), True)
    history.adopt("y")  # the last one counts
    assert state(history) == (["a", "b", "c", "y"], 3)
    history.adopt("b")  # they have taken it back
    assert (state(history), history.is_from_disk) == ((["a", "b", "c"], 1), False)
    history.adopt("z")
    assert [history.step(-1), history.step(1)] == ["c", "z"]
    history.add("d")
    history.adopt("e")
    assert state(history) == (["a", "b", "c", "z", "d", "e"], 5)


# The past of a file


def sentence(word: str) -> str:
    return f"1\t{word}" + "\t_" * 8 + "\n\n"


A, B, C, D = map(sentence, "abcd")


def past(*events: Event) -> FilePast:
    """Return what events tell of a file."""
    found = FilePast()
    for event in events:
        found.replay(event)
    return found


def test_events_are_followed() -> None:
    events = [
        (Event(what="edit", before=A, after=B, first=True, sentence=3), ([A, B], 1), A),
        (Event(what="edit", before=B, after=C), ([A, B, C], 2), A),
        (Event(what="undo"), ([A, B, C], 1), A),
        (Event(what="save"), ([A, B, C], 1), B),
        (Event(what="undo"), ([A, B, C], 0), B),
        (Event(what="redo"), ([A, B, C], 1), B),
        (Event(what="edit", before=D, after=A), ([A, B, C, D, A], 4), D),  # changed by others in between
        (Event(what="decide", base=C, after=B), ([A, B, C, D, A, B], 5), C),
        (Event(what="disk", base=B), ([A, B, C, D, A, B], 5), B),
        (Event(what="undo", base=D), ([A, B, C, D, A, B, D], 5), D),
        (Event(what="edit", before=A, after=C, first=True), ([A, C], 1), A),  # another sentence of this name
        (Event(what="decide", base=None, after=C), ([A, C], 1), None),
    ]
    found = FilePast()
    for event, wanted, base in events:
        event["id"] = "k"
        found.replay(event)
        history = found.states["k"].history
        assert history is not None
        assert (state(history), found.states["k"].base) == (wanted, base)
    assert (found.places, found.unsaved) == ({"k": 3}, 1)
    found.replay(Event(what="decide", id="k", base=None, after=None))
    assert (found.states, found.unsaved) == ({}, 0)


def test_the_order_of_a_file_is_known() -> None:
    edits = [Event(what="edit", id=key, before=A, after=B, sentence=n) for n, key in enumerate("klm")]
    found = past(Event(what="file", digests=["x", "y", "z"], ids={}, gone={}), *edits, Event(what="save", id="l"))
    assert found.digests == [digest_of(A), digest_of(B), digest_of(A)]
    found.replay(Event(what="file", digests=["u"], ids={"m": 0}, gone={"k": 1}))
    assert (sorted(found.states), found.places, found.gone) == (["k", "m"], {"m": 0}, {"k": 1})
    found.replay(Event(what="edit", id="k", before=A, after=C, first=True, sentence=0))
    assert (found.gone, found.digests) == ({}, [digest_of(A)])


def test_a_journal_of_an_older_version_is_understood() -> None:
    found = past(Event(what="edit", file="f", sentence=2, before=A, after=B), Event(what="undo", sentence=2))
    assert state(found.states["@2"].history or History("")) == ([A, B], 0)
    with pytest.raises(BadLine, match="nothing is known of the sentence before this save"):
        found.replay(Event(what="save", sentence=1))


# The journal


def lines(journal: Journal) -> list[dict[str, Any]]:
    return [json.loads(line) for line in journal.lines()]


def test_the_journal_keeps_events_in_order(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    assert lines(journal) == []
    journal.close()  # nothing is open yet
    begin = round(time.time(), 3)
    journal.add(Event(what="edit", file="ä.conllu", id="k", before=A, after=B))
    journal.add(Event(what="undo"), Event(what="redo"))
    journal.close()
    journal.owe(Event(what="disk"))
    assert journal.owes
    journal.add(Event(what="save"))
    assert not journal.owes
    path = tmp_path / ".treewright" / "journal.jsonl"
    written = path.read_text(encoding="ascii").splitlines()
    assert written[1] == f'{{"what":"undo","time":{json.loads(written[1])["time"]}}}'
    found = lines(Journal(tmp_path))
    assert [event["what"] for event in found] == ["edit", "undo", "redo", "disk", "save"]
    assert found[0] | {"time": 0} == {
        "what": "edit", "file": "ä.conllu", "id": "k", "before": A, "after": B, "time": 0,
    }  # fmt: skip
    for event in found:
        assert begin <= event["time"] <= time.time() + 0.001
        assert event["time"] == round(event["time"], 3)


def test_a_line_without_an_end_never_happened(tmp_path: Path) -> None:
    path = tmp_path / ".treewright" / "journal.jsonl"
    path.parent.mkdir()
    path.write_bytes(b'{"what":"undo"}\n{"what":"ed')
    journal = Journal(tmp_path)
    assert lines(journal) == [{"what": "undo"}]
    journal.add(Event(what="redo"))
    assert [event["what"] for event in lines(journal)] == ["undo", "redo"]
    assert path.read_bytes().startswith(b'{"what":"undo"}\n{"what":"redo"')


@pytest.mark.parametrize("room", [0, 1, 20, 35])
def test_what_a_full_disk_refuses_never_happened(room: int, tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.add(Event(what="undo"))
    size = journal.path.stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + room, hard))
    try:
        with pytest.raises(OutputError, match="cannot be written"):
            journal.add(Event(what="redo"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert journal.path.stat().st_size == size
    journal.add(Event(what="save"))
    assert [event["what"] for event in lines(journal)] == ["undo", "save"]


def test_what_is_owed_waits_for_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", lambda descriptor: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        journal.owe(Event(what="save"))
        journal.pay()
        assert journal.owes
        with pytest.raises(OutputError, match="The disk is full"):
            journal.add(Event(what="redo"))
    journal.pay()
    assert [event["what"] for event in lines(journal)] == ["save"]


GOOD: dict[str, Any] = {"what": "edit", "file": "f", "id": "k", "before": A, "after": B}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"nonsense", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b"\xff", "it is not JSON"),
        (b"[1]", "it is none of edit, undo"),
        (b'{"what":"fly"}', "it is none of edit, undo"),
        (b'{"what":["edit"]}', "it is none of edit, undo"),
        ({**GOOD, "file": 3}, "file"),
        ({**GOOD, "after": None}, "after"),
        ({**GOOD, "id": "x" * 61}, "id"),
        ({**GOOD, "sentence": -1}, "sentence"),
        ({**GOOD, "sentence": True}, "sentence"),
        ({**GOOD, "first": 1}, "first"),
        ({**GOOD, "time": "now"}, "time"),
        ({**GOOD, "edit": [1]}, "edit"),
        ({"what": "edit", "file": "f", "before": A, "after": B}, "it names no sentence"),
        ({**GOOD, "after": "no CoNLL-U"}, "after is no sentence of CoNLL-U"),
        ({**GOOD, "after": A + B}, "after is no sentence of CoNLL-U"),
        ({**GOOD, "after": A.replace("1\t", "2\t")}, "after is no sentence of CoNLL-U"),
        ({**GOOD, "after": ""}, "after is no sentence of CoNLL-U"),
        ({**GOOD, "after": A.replace("a", "\ud800")}, "after is no sentence of CoNLL-U"),
        ({**GOOD, "before": "x"}, "before is no sentence of CoNLL-U"),
        ({"what": "disk", "file": "f", "id": "k", "base": "x"}, "base is no sentence of CoNLL-U"),
        ({"what": "file", "file": "f", "digests": [1], "ids": {}, "gone": {}}, "digests"),
        ({"what": "file", "file": "f", "digests": [], "ids": {"k": -1}, "gone": {}}, "ids"),
        ({"what": "undo", "file": "f", "id": "unheard"}, "nothing is known of the sentence before this undo"),
    ],
)
def test_lines_that_are_wrong_are_set_aside(line: Any, why: str, tmp_path: Path) -> None:
    data = line if isinstance(line, bytes) else json.dumps(line).encode()
    good = json.dumps(GOOD).encode()
    journal = Journal(tmp_path)
    journal.path.parent.mkdir()
    journal.path.write_bytes(good + b"\n" + data + b"\n" + b'{"what":"undo","file":"f","id":"k"}\n')
    files, bad = replayed(journal.lines())
    assert list(bad) == [2]
    assert why in bad[2]
    assert state(files["f"].states["k"].history or History("")) == ([A, B], 0)
    journal.set_aside(bad)
    assert replayed(journal.lines())[1] == {}
    kept = json.loads(journal.rejected.read_text(encoding="utf-8"))
    assert (kept["line"], kept["why"]) == (2, bad[2])
    assert kept["text"] == data.decode("utf-8", "backslashreplace")


def test_bytes_that_are_no_utf8_are_kept(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.add(Event(**{**GOOD, "after": sentence("\udcff")}))  # type: ignore[typeddict-item]
    files, bad = replayed(journal.lines())
    assert (files["f"].states["k"].text, bad) == (sentence("\udcff"), {})
