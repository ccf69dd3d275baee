"""A run by itself, with parts that are made up: the driver, the folder, its state, what is told, and the merge."""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from treewright.apps.corpus import driver as driver_module
from treewright.apps.corpus import run_part, watching
from treewright.apps.corpus.driver import Driver, Observer, Progress
from treewright.apps.corpus.engines import make_engine
from treewright.apps.corpus.engines.engine import PATIENCE, Engine
from treewright.apps.corpus.engines.serial import SerialEngine
from treewright.apps.corpus.estimate import _measured, _sample_of, estimate
from treewright.apps.corpus.merge import Merged, merge
from treewright.apps.corpus.plan import CorpusPlan, Header, Part
from treewright.apps.corpus.planner import write_plan
from treewright.apps.corpus.run_part import CorpusJob, model_digest, model_of, model_path
from treewright.apps.corpus.status import Status, status_of
from treewright.apps.corpus.storage import checksum
from treewright.apps.corpus.store import ENDINGS, OF_RECORDS, RunStore, Settings
from treewright.apps.corpus.watching import EventLog, MetricsFile, SpeedFile
from treewright.errors import MissingExtraError, ModelFileError, OutputError, TreewrightError
from treewright.steps.call import Call
from treewright.steps.text import GivenText

BYTES = (5, 6, 7, 8)
WORDS = (10, 20, 30, 40)


@pytest.fixture
def plan(tmp_path: Path) -> CorpusPlan:
    """Return a plan of four parts of a text of 26 bytes."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * sum(BYTES))
    starts = [sum(BYTES[:k]) for k in range(4)]
    parts = [
        Part(k, str(path), "text", start, start + n, sum(BYTES), sha256(b"x" * n).hexdigest(), goes_on=k > 0)
        for k, (start, n) in enumerate(zip(starts, BYTES, strict=True))
    ]
    write_plan(str(tmp_path / "plan.jsonl"), Header(id_prefix="p"), iter(parts))
    return CorpusPlan.open(str(tmp_path / "plan.jsonl"))


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(str(tmp_path / "out"))


def record_of(plan: CorpusPlan, number: int, data: bytes = b"", /, **changed: Any) -> dict[str, Any]:
    return {
        **{"part": number, "plan": plan.digest, "model": "m", "treewright": "0", "sha256": sha256(data).hexdigest()},
        **{"bytes": len(data), "sentences": number + 1, "words": WORDS[number], "set_aside": number},
        **{"seconds": 0.5, "cpu_seconds": 0.25 * (number + 1), **changed},
    }


def text_of(number: int) -> bytes:
    return b"".join(b"# sent_id = p%d-%d\n1\tw%d\n\n" % (number, k, number) for k in range(1, number + 2))


def commit(
    plan: CorpusPlan, store: RunStore, number: int, data: bytes | None = None, /, **changed: Any
) -> dict[str, Any]:
    """Put a finished part into the folder."""
    data = text_of(number) if data is None else data
    store.make_folders(number)
    Path(store.part_path(number, "conllu")).write_bytes(data)
    record = record_of(plan, number, data, **changed)
    store.save(number, record)
    return record


class Made(Engine):
    """Gives outcomes from a script: for each part, how its attempts end."""

    def __init__(self, plan: CorpusPlan, store: RunStore, script: dict[int, list[dict[str, Any]]], window: int = 2):
        self.plan, self.store, self.script, self.size = plan, store, script, window
        self.submitted: list[int] = []
        self.waiting: list[dict[str, Any]] = []
        self.pauses = 0

    @property
    def window(self) -> int:
        return self.size

    def submit(self, task: dict[str, Any]) -> None:
        assert task["job"]["out"] == self.store.folder
        self.submitted.append(task["part"]["number"])
        self.waiting.append(task["part"])
        assert len(self.waiting) <= self.size

    def finished(self, patience: float) -> list[dict[str, Any]]:
        assert patience == PATIENCE
        if self.pauses:
            self.pauses -= 1
            return []
        number = self.waiting.pop(0)["number"]
        attempts = self.script.get(number, [])
        if attempts:
            return [{"part": number, "worker": "w", **attempts.pop(0)}]
        return [{"part": number, "worker": "w", "state": "done", "record": commit(self.plan, self.store, number)}]


class Notes(Observer):
    """Notes what it hears."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def started(self, progress: Progress, engine: Engine) -> None:
        assert isinstance(engine, Made)
        self.heard.append(("started", progress.parts, progress.bytes, progress.workers))

    def happened(self, event: str, progress: Progress, part: Part | None, details: dict[str, Any]) -> None:
        assert part is not None
        assert progress.parts > 0
        self.heard.append((event, part.number, details))

    def waited(self, progress: Progress) -> None:
        self.heard.append("waited" if progress.parts else "")

    def ended(self, progress: Progress) -> None:
        self.heard.append("ended" if progress.parts else "")


def run(
    plan: CorpusPlan, store: RunStore, script: Any = None, pauses: int = 0, **options: Any
) -> tuple[Progress, Made, Any]:
    notes = Notes()
    job = CorpusJob(store.folder, plan.digest, "m", "model", "conllu", asdict(plan.header), {"k": 1})
    engine = Made(plan, store, script or {}, options.pop("window", 2))
    engine.pauses = pauses
    return Driver(plan, store, job, observers=[notes], **options).run(engine), engine, notes.heard


# The driver


def counts(progress: Progress) -> dict[str, int]:
    found = {name: value for name, value in vars(progress).items() if name not in ("began", "workers")}
    return {name: value for name, value in found.items() if value}


ALL = {"parts": 4, "bytes": 26, "done": 4, "bytes_done": 26, "words": 100, "sentences": 10, "set_aside": 6}


def done(number: int) -> Any:
    told = {"words": WORDS[number], "sentences": number + 1, "seconds": 0.5, "cpu_seconds": 0.25 * (number + 1)}
    return "done", number, {"worker": "w", **told, "set_aside": number, "bytes": len(text_of(number))}


def test_all_parts(plan: CorpusPlan, store: RunStore) -> None:
    progress, engine, heard = run(plan, store, pauses=2)
    assert counts(progress) == ALL
    assert progress.workers == 2
    assert engine.submitted == [0, 1, 2, 3]
    assert heard == [("started", 4, 26, 2), "waited", "waited", *map(done, range(4)), "ended"]
    assert store.settings() == {"format": 1, "plan": plan.digest, "model": "m", "to": "conllu", "options": {"k": 1}}


def test_what_was_done_before(plan: CorpusPlan, store: RunStore) -> None:
    for number in (0, 2):
        commit(plan, store, number)
    progress, engine, _ = run(plan, store)
    assert engine.submitted == [1, 3]
    assert counts(progress) == {
        **{"parts": 4, "bytes": 26, "before": 2, "bytes_before": 12, "done": 2, "bytes_done": 14},
        **{"words": 60, "sentences": 6, "set_aside": 4},
    }
    assert progress.share == 1.0


def test_attempts(plan: CorpusPlan, store: RunStore) -> None:
    again = {"state": "again", "reason": "memory"}
    script = {1: [dict(again), dict(again)], 2: [dict(again)] * 3, 3: [{"state": "failed", "reason": "bad"}]}
    progress, engine, heard = run(plan, store, script, attempts=3, window=1)
    assert engine.submitted == [0, 1, 1, 1, 2, 2, 2, 3]
    assert counts(progress) == {
        **{"parts": 4, "bytes": 26, "done": 2, "bytes_done": 11, "words": 30, "sentences": 3, "set_aside": 1},
        **{"failed": 2, "retried": 4},
    }
    told = ("again", 1, {"worker": "w", "reason": "memory"})
    assert [each for each in heard if each[0] in ("again", "failed")] == [
        *[told, told, ("again", 2, told[2]), ("again", 2, told[2])],
        ("failed", 2, {"worker": "w", "reason": "memory (3 attempts)"}),
        ("failed", 3, {"worker": "w", "reason": "bad"}),
    ]
    parts = list(plan.parts())
    assert store.failure(2) == {**asdict(parts[2]), "part": 2, "whole": True, "reason": "memory (3 attempts)"}
    assert store.failed() == {2, 3}
    # The next run leaves them alone, or tries them again as if for the first time.
    progress, engine, _ = run(plan, store)
    assert (engine.submitted, progress.failed, progress.before) == ([], 2, 2)
    progress, engine, _ = run(plan, store, {2: [dict(again)]}, attempts=2, retry_failed=True)
    assert (engine.submitted, progress.failed, progress.done) == ([2, 3, 2], 0, 2)
    assert store.failed() == set()


def test_one_attempt_is_no_second(plan: CorpusPlan, store: RunStore) -> None:
    _, engine, heard = run(plan, store, {0: [{"state": "again"}]}, attempts=1)
    assert engine.submitted == [0, 1, 2, 3]
    assert ("failed", 0, {"worker": "w", "reason": " (1 attempts)"}) in heard


def test_a_part_whose_sentences_were_set_aside_is_not_failed(plan: CorpusPlan, store: RunStore) -> None:
    store.save_failure(1, {"part": 1, "whole": False, "items": []})
    store.save_failure(2, {"part": 2})
    progress, engine, _ = run(plan, store)
    assert (engine.submitted, progress.failed) == ([0, 1, 3], 1)
    run(plan, store, retry_failed=True)
    assert store.failed() == {1}


def test_an_error_that_every_part_would_meet_ends_the_run(plan: CorpusPlan, store: RunStore) -> None:
    with pytest.raises(TreewrightError, match=r"^no such model$"):
        run(plan, store, {1: [{"state": "stop", "reason": "no such model"}]})
    assert run(plan, store)[0].before == 1


def test_warnings_are_told_once(plan: CorpusPlan, store: RunStore) -> None:
    script = {k: [{"state": "failed", "reason": "x", "warnings": ["a", f"b{k}"]}] for k in range(3)}
    _, _, heard = run(plan, store, script)
    told = [each for each in heard if each[0] == "warning"]
    assert told == [("warning", k, {"message": text}) for k, text in [(0, "a"), (0, "b0"), (1, "b1"), (2, "b2")]]
    script = {0: [{"state": "failed", "reason": "x", "warnings": [str(k) for k in range(150)]}]}
    _, _, heard = run(plan, RunStore(store.folder + "2"), script)
    assert len([each for each in heard if each[0] == "warning"]) == 100


def test_observers_hear_of_the_end_of_a_run_that_fails(plan: CorpusPlan, store: RunStore) -> None:
    notes = Notes()
    job = CorpusJob(store.folder, plan.digest, "m", "model", "conllu", {}, {})
    engine = Made(plan, store, {0: [{"state": "stop", "reason": "x"}]})
    with pytest.raises(TreewrightError):
        Driver(plan, store, job, observers=[notes]).run(engine)
    assert notes.heard == [("started", 4, 26, 2), "ended"]


@pytest.mark.parametrize(
    ("shard", "parts"), [((1, 2), [0, 2]), ((2, 2), [1, 3]), ((3, 3), [2]), ((1, 1), [0, 1, 2, 3])]
)
def test_shards(shard: tuple[int, int], parts: list[int], plan: CorpusPlan, store: RunStore) -> None:
    progress, engine, _ = run(plan, store, shard=shard)
    assert engine.submitted == parts
    assert (progress.parts, progress.bytes) == (len(parts), sum(BYTES[k] for k in parts))
    with store.locked((9, 9)):  # another shard is at work
        assert run(plan, store, shard=shard)[0].before == len(parts)


def test_a_worker_without_a_name(plan: CorpusPlan, store: RunStore) -> None:
    failed = {"state": "failed", "reason": "x"}
    script: Any = {0: [{**failed, "worker": ""}]}
    _, _, heard = run(plan, store, script)
    assert heard[1] == ("failed", 0, {"worker": "", "reason": "x"})
    nameless = Made.finished

    def without(self: Made, patience: float) -> list[dict[str, Any]]:
        return [{name: value for name, value in each.items() if name != "worker"} for each in nameless(self, patience)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Made, "finished", without)
        _, _, heard = run(plan, RunStore(store.folder + "2"), {0: [failed]})
    assert heard[1] == ("failed", 0, {"worker": "", "reason": "x"})


def test_folders_of_parts_are_looked_at_one_by_one(
    plan: CorpusPlan, store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(driver_module, "GROUP", 2)
    monkeypatch.setattr(RunStore, "finished", lambda self, group, to: asked.append((group, to)) or {3})
    monkeypatch.setattr(RunStore, "sweep", lambda self, number, to: asked.append((number, to)))
    _, engine, _ = run(plan, store)
    assert engine.submitted == [0, 1, 2]
    assert asked == [(0, "conllu"), (0, "conllu"), (2, "conllu"), (1, "conllu")]


def test_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_module.time, "monotonic", lambda: 104.0)
    progress = Progress(bytes=100, bytes_before=20, bytes_done=20, words=80, began=100.0)
    assert (progress.seconds, progress.share, progress.words_per_second, progress.seconds_left) == (
        4.0,
        0.4,
        20.0,
        12.0,
    )
    assert Progress(bytes=1, bytes_done=1).share == 1.0
    new = Progress(began=104.0)
    assert (new.seconds, new.share, new.seconds_left) == (1e-9, 0.0, None)


# The folder


def test_where_things_are(store: RunStore) -> None:
    folder = store.folder
    assert store.part_path(1234567, "conllu.gz") == os.path.join(folder, "parts", "1234", "1234567.conllu.gz")
    assert store.record_path(999) == os.path.join(folder, "done", "0000", "000999.json")
    assert store.record_path(1000) == os.path.join(folder, "done", "0001", "001000.json")
    assert store.failure_path(12) == os.path.join(folder, "failed", "000012.json")
    assert {to: store.part_path(1, to).rpartition("000001")[2] for to in ENDINGS} == ENDINGS


def test_folders_of_a_part_are_made(store: RunStore) -> None:
    store.make_folders(1001)
    assert os.path.isdir(os.path.join(store.folder, "parts", "0001"))
    assert os.path.isdir(os.path.join(store.folder, "done", "0001"))
    pytest.importorskip("fsspec")
    elsewhere = RunStore("memory://made/out")
    elsewhere.make_folders(1)
    import fsspec

    assert fsspec.filesystem("memory").isdir("/made/out/parts/0000")
    assert fsspec.filesystem("memory").isdir("/made/out/done/0000")


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"plan": "x"}, "another plan"),
        ({"model": "x"}, "another model"),
        ({"to": "x"}, "another --to"),
        ({"options": {}}, "other options"),
    ],
)
def test_folders_of_other_runs(changed: dict[str, Any], what: str, store: RunStore) -> None:
    first = Settings("p", "m", "conllu", {"k": 1})
    for _ in range(2):
        store.prepare(first)
    with pytest.raises(TreewrightError, match=rf"^{store.folder}: has parts of {what}\. Choose another folder with -o"):
        store.prepare(Settings(**{**vars(first), **changed}))


@pytest.mark.parametrize("content", [b"", b"[1]", b"{}", b'{"format": 2}', b"\xff"])
def test_damaged_settings(content: bytes, store: RunStore) -> None:
    store.prepare(Settings("p", "m", "conllu", {}))
    path = Path(store.folder, "corpus.json")
    path.write_bytes(content)
    with pytest.raises(TreewrightError, match=rf"^{path}: is damaged\. Remove the folder {store.folder}, or choose"):
        store.settings()


def test_records(plan: CorpusPlan, store: RunStore) -> None:
    record = commit(plan, store, 1)
    assert store.record(1) == record
    assert store.record(2) is None
    assert store.failure(1) is None
    for name in OF_RECORDS:
        for value in (None, [], True if name == "plan" else {}):
            store.save(1, {**record, name: value})
            with pytest.raises(TreewrightError, match=r"000001\.json: the record is damaged\. Remove it, and run the"):
                store.record(1)
    Path(store.record_path(1)).write_text("{", encoding="utf-8")
    with pytest.raises(TreewrightError, match="the record is damaged"):
        store.record(1)
    store.save(1, {**record, "text": "é\udcff"})
    found = Path(store.record_path(1)).read_bytes()
    assert found.endswith(',"text":"é\\udcff"}\n'.encode())
    assert b" " not in found


def test_which_parts_are_finished(plan: CorpusPlan, store: RunStore) -> None:
    for number in (0, 1, 3):
        commit(plan, store, number)
    Path(store.part_path(1, "conllu")).unlink()
    Path(store.record_path(3)).unlink()
    Path(store.part_path(2, "conllu")).touch()
    Path(store.folder, "parts", "0000", "x.conllu").touch()
    Path(store.folder, "done", "0000", "x.json").touch()
    assert store.finished(0, "conllu") == {0}
    assert store.finished(0, "conllu.gz") == set()
    assert store.finished(1, "conllu") == set()
    store.save_failure(7, {"a": 1})
    Path(store.folder, "failed", "x.json").touch()
    for name in ("000008.txt", "12345x.json"):
        Path(store.folder, "failed", name).touch()
    assert store.failed() == {7}
    store.forget_failure(7)
    store.forget_failure(7)
    assert store.failed() == set()


def test_what_killed_workers_left_is_swept(plan: CorpusPlan, store: RunStore) -> None:
    commit(plan, store, 0)
    left = [
        Path(store.folder, "parts", "0000", ".000001.conllu.999999999-0123abcd.part"),
        Path(store.folder, "done", "0000", ".000001.json.999999999-0123abcd.part"),
    ]
    kept = [Path(store.folder, "parts", "0000", name) for name in (".other", "000001.x.part")]
    for path in (*left, *kept):
        path.touch()
    store.sweep(5, "conllu")
    assert [path.exists() for path in (*left, *kept)] == [False, False, True, True]
    RunStore("memory://nowhere").sweep(5, "conllu")


def test_locks(store: RunStore) -> None:
    store.prepare(Settings("p", "m", "conllu", {}))
    who = f"process {os.getpid()} on {socket.gethostname()}"
    with store.locked(None):
        assert Path(store.folder, "run.lock").read_text(encoding="utf-8") == f"{who}\n"
        for shard in (None, (1, 2)):
            told = rf"^{store.folder}: {re.escape(who)} is at work here\. Wait for"
            with pytest.raises(TreewrightError, match=told), store.locked(shard):
                pass
    with store.locked((1, 2)), store.locked((2, 2)):
        assert Path(store.folder, "shard-1-of-2.lock").read_text(encoding="utf-8") == f"{who}\n"
        with pytest.raises(TreewrightError, match="is at work here"), store.locked((2, 2)):
            pass
        with pytest.raises(TreewrightError, match="is at work here"), store.locked(None):
            pass
    with store.locked(None):
        assert Path(store.folder, "run.lock").read_text(encoding="utf-8") == f"{who}\n"  # and not twice
    Path(store.folder, "run.lock").write_text("", encoding="utf-8")
    with (
        store.locked((1, 2)),
        pytest.raises(TreewrightError, match="another process is at work here"),
        store.locked(None),
    ):
        pass
    with RunStore("memory://anywhere").locked(None), RunStore("memory://anywhere").locked(None):
        pass


def test_where_there_are_no_locks(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def refused(*arguments: Any) -> None:
        raise OSError("no locks available")

    store.prepare(Settings("p", "m", "conllu", {}))
    monkeypatch.setattr(fcntl, "flock", refused)
    with store.locked(None), store.locked(None):
        pass
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with store.locked(None), store.locked((1, 2)):
        pass


# Its state


def test_status(plan: CorpusPlan, store: RunStore) -> None:
    with pytest.raises(
        TreewrightError, match=rf"^{store.folder}: nothing was run here\. Start with `treewright corpus"
    ):
        status_of(plan, store)
    store.prepare(Settings(plan.digest, "m", "conllu", {}))
    empty = Status(parts=4, bytes=26, left=4, bytes_left=26)
    assert status_of(plan, store) == empty
    assert empty.seconds_left is None
    for number in (0, 2):
        commit(plan, store, number)
    store.save_failure(1, {"whole": True})
    store.save_failure(3, {"whole": False})
    found = Status(4, 2, 1, 1, 26, 8, 40, 4, 2, 1.0)
    assert status_of(plan, store) == found
    speeds = [{"running": False, "words_per_second": 5.0, "bytes_per_second": 2.0}, {"words_per_second": 1.5}]
    for k, speed in enumerate(speeds):
        Path(store.folder, f"speed-{k}.json").write_text(json.dumps(speed), encoding="utf-8")
    for name in ("speed.txt", "other.json"):
        Path(store.folder, name).write_text('{"words_per_second": 100}', encoding="utf-8")
    Path(store.folder, "speed-9.json").write_text("nonsense", encoding="utf-8")
    Path(store.folder, "speed-8.json").write_text("[1]", encoding="utf-8")
    status = status_of(plan, store)
    assert (status.words_per_second, status.bytes_per_second, status.running) == (6.5, 2.0, False)
    assert status.seconds_left == 4.0
    Path(store.folder, "speed-7.json").write_text('{"running": true, "bytes_per_second": 4}', encoding="utf-8")
    status = status_of(plan, store)
    assert (status.words_per_second, status.bytes_per_second, status.running) == (0.0, 4, True)
    store.forget_failure(1)
    for number in (1, 3):
        commit(plan, store, number)
    status = status_of(plan, store)
    assert (status.left, status.seconds_left, status.running) == (0, 0.0, False)
    assert (status.set_aside, status.cpu_seconds) == (6, 2.5)
    with pytest.raises(TreewrightError, match=rf"^{store.folder}: has parts of another plan than {plan.path}x\. Give"):
        status_of(CorpusPlan(plan.path + "x", plan.header, 1, 1, "other"), store)


def test_parts_that_failed_or_lost_their_files_are_not_done(plan: CorpusPlan, store: RunStore) -> None:
    store.prepare(Settings(plan.digest, "m", "conllu", {}))
    commit(plan, store, 0)
    Path(store.part_path(0, "conllu")).unlink()
    for number in (1, 2):
        store.save_failure(number, {"whole": True})
    status = status_of(plan, store)
    assert (status.done, status.failed, status.left, status.words) == (0, 2, 2, 0)


def test_status_looks_at_each_folder_once(plan: CorpusPlan, store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    from treewright.apps.corpus import status

    store.prepare(Settings(plan.digest, "m", "conllu", {}))
    asked: list[Any] = []
    monkeypatch.setattr(status, "GROUP", 2)
    monkeypatch.setattr(RunStore, "finished", lambda self, group, to: asked.append((group, to)) or set())
    status_of(plan, store)
    assert asked == [(0, "conllu"), (1, "conllu")]


# What is told


PROGRESS = Progress(
    parts=9, bytes=100, before=1, bytes_before=10, done=2, bytes_done=20, words=30, sentences=7, failed=3, set_aside=5,
    retried=6, workers=8, began=96.0,
)  # fmt: skip
NUMBERS = """\
# HELP treewright_corpus_parts parts of this run by state
# TYPE treewright_corpus_parts gauge
treewright_corpus_parts{state="done"} 3
treewright_corpus_parts{state="failed"} 3
treewright_corpus_parts{state="left"} 3
# HELP treewright_corpus_words_total words parsed by this run
# TYPE treewright_corpus_words_total counter
treewright_corpus_words_total 30
# HELP treewright_corpus_sentences_total sentences parsed by this run
# TYPE treewright_corpus_sentences_total counter
treewright_corpus_sentences_total 7
# HELP treewright_corpus_input_bytes_total bytes of input parsed by this run
# TYPE treewright_corpus_input_bytes_total counter
treewright_corpus_input_bytes_total 20
# HELP treewright_corpus_retries_total attempts at parts that were made again
# TYPE treewright_corpus_retries_total counter
treewright_corpus_retries_total 6
# HELP treewright_corpus_set_aside_total sentences and rows set aside
# TYPE treewright_corpus_set_aside_total counter
treewright_corpus_set_aside_total 5
# HELP treewright_corpus_workers parts that can be worked on at a time
# TYPE treewright_corpus_workers gauge
treewright_corpus_workers 8
# HELP treewright_corpus_running 1 while the run goes on
# TYPE treewright_corpus_running gauge
treewright_corpus_running 1
# HELP treewright_corpus_seconds_left time to go, by the speed so far
# TYPE treewright_corpus_seconds_left gauge
treewright_corpus_seconds_left 14.0
"""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the time, to be changed."""
    now = [100.0]
    monkeypatch.setattr(driver_module.time, "monotonic", lambda: now[0])
    return now


def test_numbers_for_prometheus(clock: list[float], tmp_path: Path) -> None:
    path = tmp_path / "m.prom"
    numbers = MetricsFile(str(path))
    numbers.started(PROGRESS, SerialEngine())
    assert path.read_text(encoding="utf-8") == NUMBERS
    numbers.ended(PROGRESS)
    assert path.read_text(encoding="utf-8") == NUMBERS.replace("running 1\n", "running 0\n")
    clock[0] = 107.01
    numbers.ended(PROGRESS)
    assert path.read_text(encoding="utf-8").endswith("seconds_left 38.5\n")
    numbers.started(Progress(), SerialEngine())
    assert path.read_text(encoding="utf-8").endswith("seconds_left NaN\n")


def test_numbers_are_written_now_and_then(clock: list[float], store: RunStore) -> None:
    os.makedirs(store.folder)
    speed = SpeedFile(store, None)
    path = Path(store.folder, "speed.json")
    wanted = {"running": True, "workers": 8, "words_per_second": 7.5, "bytes_per_second": 5.0}
    for now, written in [(100.0, True), (101.9, False), (102.0, True), (103.0, False), (104.0, True)]:
        clock[0] = now
        speed.happened("done", PROGRESS, None, {}) if now != 102.0 else speed.waited(PROGRESS)
        assert path.exists() == written
        if now == 100.0:
            assert json.loads(path.read_text(encoding="utf-8")) == wanted
        path.unlink(missing_ok=True)
    clock[0] = 100.0
    speed.ended(PROGRESS)
    assert path.read_text(encoding="utf-8") == json.dumps({**wanted, "running": False}) + "\n"
    clock[0] = 108.0  # 2.5 words and 1.666 bytes in a second
    speed.ended(PROGRESS)
    assert json.loads(path.read_text(encoding="utf-8"))["bytes_per_second"] == 1.7
    assert SpeedFile(store, (1, 3)).path == os.path.join(store.folder, "speed-1-of-3.json")


def test_events(clock: list[float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching.time, "gmtime", lambda: (2026, 1, 2, 3, 4, 5, 0, 0, 0))
    path = tmp_path / "log.jsonl"
    path.write_text("before\n", encoding="utf-8")
    log = EventLog(str(path))
    log.started(PROGRESS, SerialEngine())
    part = Part(3, "é.txt", "text", 1, 2, 9, "x")
    log.happened("done", PROGRESS, part, {"words": 4})
    assert path.read_text(encoding="utf-8").count("\n") == 3  # at once
    log.happened("warning", PROGRESS, None, {"message": "m"})
    clock[0] = 96.12345
    log.ended(PROGRESS)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "before"
    assert '"é.txt"' in lines[2]
    time = {"time": "2026-01-02T03:04:05Z"}
    assert [json.loads(each) for each in lines[1:]] == [
        {**time, "event": "started", "parts": 9, "bytes": 100, "workers": 8},
        {**time, "event": "done", "part": 3, "file": "é.txt", "start": 1, "end": 2, "words": 4},
        {**time, "event": "warning", "message": "m"},
        {**time, "event": "ended", "done": 2, "before": 1, "failed": 3, "words": 30, "seconds": 0.123},
    ]
    with pytest.raises(ValueError, match="closed file"):
        log.happened("x", PROGRESS, None, {})
    with pytest.raises(
        OutputError, match=rf"^{tmp_path}: cannot be written \(Is a directory\)\. Choose another file wi"
    ):
        EventLog(str(tmp_path))


# The merge


@pytest.fixture
def finished(plan: CorpusPlan, store: RunStore) -> RunStore:
    store.prepare(Settings(plan.digest, "m", "conllu", {}))
    for number in range(4):
        commit(plan, store, number)
    return store


def test_numbers_go_on_from_part_to_part(plan: CorpusPlan, finished: RunStore, tmp_path: Path) -> None:
    target, seen = tmp_path / "all.conllu", list[int]()
    assert merge(plan, finished, str(target), progress=seen.append) == Merged(4, 10, 100)
    words = [number for number in range(4) for _ in range(number + 1)]
    assert target.read_bytes() == b"".join(
        b"# sent_id = p%d\n1\tw%d\n\n" % (k, number) for k, number in enumerate(words, 1)
    )
    assert seen == list(BYTES)


def test_what_looks_like_a_number_stays(plan: CorpusPlan, finished: RunStore, tmp_path: Path) -> None:
    text = b"# sent_id = p0-1x\n# sent_id = x0-1\n# text = p0-1\n # sent_id = p0-1\n# sent_id = p1-1\n1\tw\n\n"
    commit(plan, finished, 0, text)
    merge(plan, finished, str(tmp_path / "all.conllu"))
    assert (tmp_path / "all.conllu").read_bytes().startswith(text)


def test_a_blank_line_that_is_missing_is_added(
    plan: CorpusPlan, finished: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from treewright.apps.corpus import merge as module

    monkeypatch.setattr(module, "PIECE", 3)
    for number, text in enumerate([b"1\ta", b"1\tb\r\n", b"", b"1\tc\n"]):
        commit(plan, finished, number, text)
    merge(plan, finished, str(tmp_path / "all.conllu"))
    assert (tmp_path / "all.conllu").read_bytes() == b"1\ta\n\n1\tb\r\n\r\n1\tc\n"


def test_parts_that_lack(plan: CorpusPlan, finished: RunStore, tmp_path: Path) -> None:
    target = str(tmp_path / "all.conllu")
    Path(finished.record_path(1)).unlink()
    with pytest.raises(TreewrightError, match=rf"^{finished.folder}: part 1 is not done\. Run the plan first$"):
        merge(plan, finished, target, skip_failed=True)
    finished.save_failure(1, {"reason": "bad"})
    with pytest.raises(
        TreewrightError, match=r": part 1 failed \(bad\)\. Run again with --retry-failed, or merge with --s"
    ):
        merge(plan, finished, target)
    assert merge(plan, finished, target, skip_failed=True) == Merged(3, 8, 80)
    assert Path(target).read_bytes().startswith(b"# sent_id = p1\n1\tw0\n\n# sent_id = p2\n1\tw2\n")
    finished.save_failure(1, {"x": 1})
    with pytest.raises(TreewrightError, match=r": part 1 failed \(\)\. "):
        merge(plan, finished, target)


def test_parts_that_do_not_belong(plan: CorpusPlan, finished: RunStore, tmp_path: Path) -> None:
    target = str(tmp_path / "all.conllu")
    for changed in ({"plan": "x"}, {"model": "x"}):
        commit(plan, finished, 1, **changed)
        with pytest.raises(TreewrightError, match=r"000001\.json: the part is of another plan or model\. Remove it$"):
            merge(plan, finished, target)
    commit(plan, finished, 1, sha256="x")
    with pytest.raises(TreewrightError, match=r"000001\.conllu: has changed since it was written\. Remove it, and run"):
        merge(plan, finished, target)
    other = CorpusPlan(plan.path, plan.header, 4, 26, "other")
    for folder in (finished, RunStore(str(tmp_path / "nothing"))):
        with pytest.raises(
            TreewrightError, match=rf": has no parts of the plan {plan.path}\. Give the right plan and f"
        ):
            merge(other, folder, target)
    with pytest.raises(
        TreewrightError, match=r"parquet: the parts are conllu, so give a file that ends with \.conllu, \.c"
    ):
        merge(plan, finished, str(tmp_path / "all.parquet"))


def table_of(path: str, sentences: list[int], ids: list[str | None], group: int = 2) -> bytes:
    import pyarrow
    import pyarrow.parquet

    kinds = pyarrow.schema([("sentence", pyarrow.int32()), ("sent_id", pyarrow.string()), ("form", pyarrow.string())])
    rows = {"sentence": sentences, "sent_id": ids, "form": [f"w{k}" for k in range(len(ids))]}
    pyarrow.parquet.write_table(pyarrow.table(rows, schema=kinds), path, row_group_size=group)
    return Path(path).read_bytes()


@pytest.mark.parametrize("kind", ["text", "treebank"])
@pytest.mark.parametrize("known", [True, False])
def test_numbers_go_on_in_tables(kind: str, known: bool, store: RunStore, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    parts = [Part(k, "f", kind, k, k + 1, 2, "x", sentences=3 * k if known else None) for k in range(2)]
    write_plan(str(tmp_path / "plan.jsonl"), Header(id_prefix="p"), iter(parts))
    plan = CorpusPlan.open(str(tmp_path / "plan.jsonl"))
    store.prepare(Settings(plan.digest, "m", "words.parquet", {}))
    ids: list[list[str | None]] = [["p0-1", "p0-1", None, "x"], ["p1-1", "p1-2"]]
    for number, sentences in enumerate(([1, 1, 2, 3], [1, 2])):
        store.make_folders(number)
        data = table_of(store.part_path(number, "words.parquet"), sentences, ids[number])
        store.save(number, record_of(plan, number, data, sentences=3 - number))
    with pytest.raises(
        TreewrightError, match=r"all\.conllu: the parts are words\.parquet, so give a file that ends with \.pa"
    ):
        merge(plan, store, str(tmp_path / "all.conllu"))
    target = tmp_path / "all.parquet"
    assert merge(plan, store, str(target)) == Merged(2, 5, 30)
    table = parquet.read_table(target).to_pydict()
    assert table["form"] == ["w0", "w1", "w2", "w3", "w0", "w1"]
    if known:
        assert table["sentence"] == [1, 1, 2, 3, 1, 2]
    else:
        assert table["sentence"] == [1, 1, 2, 3, 4, 5]
    new = ["p1", "p1", None, "x", "p4", "p5"]
    assert table["sent_id"] == (new if kind == "text" and not known else [*ids[0], *ids[1]])
    meta = parquet.ParquetFile(target).metadata
    assert meta.row_group(0).column(0).compression == "ZSTD"
    assert [meta.row_group(k).num_rows for k in range(meta.num_row_groups)] == [2, 2, 2]


def test_numbers_that_are_known_stay(store: RunStore, tmp_path: Path) -> None:
    for kind in ("text", "treebank"):
        parts = [Part(k, "f", kind, k, k + 1, 2, "x", sentences=k if kind == "text" else None) for k in range(2)]
        path = tmp_path / f"{kind}.jsonl"
        write_plan(str(path), Header(), iter(parts))
        plan = CorpusPlan.open(str(path))
        run_store = RunStore(store.folder + kind)
        run_store.prepare(Settings(plan.digest, "m", "conllu", {}))
        for number in range(2):
            commit(plan, run_store, number, b"# sent_id = %d-1\n1\tw\n\n" % number)
        merge(plan, run_store, str(tmp_path / "all.conllu"))
        assert (tmp_path / "all.conllu").read_bytes() == b"# sent_id = 0-1\n1\tw\n\n# sent_id = 1-1\n1\tw\n\n"


# Models and engines


def test_models_are_loaded_once_and_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from treewright.apps.corpus import run_part
    from treewright.steps.step import Step

    path = tmp_path / "m.tw"
    path.write_bytes(b"model")
    digest = sha256(b"model").hexdigest()
    assert model_digest(str(path)) == digest
    loaded: list[str] = []
    monkeypatch.setattr(Step, "load", lambda path: loaded.append(path) or f"parser {len(loaded)}")
    monkeypatch.setattr(run_part, "_models", {("old", "x"): "old"})
    assert [model_of(str(path), digest) for _ in range(2)] == ["parser 1"] * 2
    assert loaded == [str(path)]
    assert list(run_part._models) == [(str(path), digest)]
    with pytest.raises(
        ModelFileError, match=rf"^{path}: this is not the model that the run was started with\. Copy the model"
    ):
        model_of(str(path), "other")
    with pytest.raises(ModelFileError, match=rf"^{tmp_path}/x: no such file\. Check the p"):
        model_digest(str(tmp_path / "x"))


def test_models_from_elsewhere_are_fetched_once() -> None:
    pytest.importorskip("fsspec")
    from treewright.apps.corpus.storage import write_bytes

    write_bytes("memory://models/m.tw", b"x" * 3_000_000)
    path = model_path("memory://models/m.tw")
    assert checksum(path) == (sha256(b"x" * 3_000_000).hexdigest(), 3_000_000)
    assert Path(path).read_bytes() == b"x" * 3_000_000
    assert (model_path("memory://models/m.tw"), os.path.basename(path)) == (path, "model.tw")
    name = sha256(b"memory://models/m.tw").hexdigest()[:16]
    assert os.path.basename(os.path.dirname(path)).startswith(f"treewright-model-{name}-")


def test_a_model_from_elsewhere_is_removed_at_the_end_if_nobody_did(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fsspec")
    from treewright.apps.corpus.storage import write_bytes

    at_end: list[Any] = []
    monkeypatch.setattr(run_part.atexit, "register", lambda *given, **more: at_end.append(partial(*given, **more)))
    write_bytes("memory://models/removed.tw", b"x")
    folder = Path(model_path("memory://models/removed.tw")).parent
    for _ in range(2):
        at_end[0]()
        assert not folder.exists()


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("serial", {"scheduler": "x"}, "^--scheduler is for --engine dask or ray: leave it out$"),
        ("local", {"scheduler": None, "cluster": "x"}, "^--cluster is for --engine dask or ray: leave it out$"),
        ("ray", {"cluster": "x"}, "^--cluster is for --engine dask: `ray up` starts clusters for Ray$"),
        ("x", {}, r"^unknown engine 'x'\. Choose from local, dask, ray, serial$"),
    ],
)
def test_engines_that_cannot_be(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(TreewrightError, match=message):
        make_engine(name, 2, **options)


def test_engines() -> None:
    with make_engine("local", 3, scheduler=None) as engine:
        assert (type(engine).__name__, engine.window, engine.workers, engine.described) == ("LocalEngine", 3, 3, "")
    assert make_engine("serial", 3).window == 1


def test_engines_that_are_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.setitem(sys.modules, "ray", None)
    for name, package, extra in (("dask", "dask.distributed", "dask"), ("ray", "ray", "ray")):
        with pytest.raises(MissingExtraError, match=rf"^--engine {name} needs {package}, .*'treewright\[{extra}\]'$"):
            make_engine(name, 2)


# Estimates


def estimated(tmp_path: Path, name: str, content: bytes, kind: str, parts: int = 1, **header: str) -> tuple[float, Any]:
    path = tmp_path / name
    path.write_bytes(content)
    n = len(content)
    made = [
        Part(k, str(path), kind, n * k // parts, n * (k + 1) // parts, n, "x", "conllu" if kind == "treebank" else "")
        for k in range(parts)
    ]
    write_plan(str(tmp_path / "estimated.jsonl"), Header(**header), iter(made))
    return estimate(CorpusPlan.open(str(tmp_path / "estimated.jsonl")), None)


def test_words_are_counted_in_samples(tmp_path: Path) -> None:
    assert estimated(tmp_path, "a.txt", b"Ann sees\n\nfigs .", "text") == (4, None)
    assert estimated(tmp_path, "a.conllu", b"# x\n1-2\tab\n1\ta\n2\tb\n2.1\tc\n\n10\tx\n", "treebank") == (3, None)
    rows = b'{"t":"Ann sees figs"}\n{"u":"no text"}\n[1]\nnonsense\n{"t":"Bob"}\n'
    assert estimated(tmp_path, "a.jsonl", rows, "jsonl", text_field="t") == (4, None)


def test_samples_stand_for_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from treewright.apps.corpus import estimate as module

    monkeypatch.setattr(module, "SAMPLE", 500)
    text = b"Ann sees figs .\n\n" * 200
    assert estimated(tmp_path, "a.txt", text, "text")[0] == pytest.approx(800)
    assert estimated(tmp_path, "b.txt", text, "text", parts=40)[0] == pytest.approx(800, rel=0.05)
    assert estimated(tmp_path, "c.txt", b"Ann sees figs . " * 200, "text")[0] == pytest.approx(800, rel=0.01)
    rows = b'{"text":"Ann sees figs"}\n' * 200
    assert estimated(tmp_path, "a.jsonl", rows, "jsonl")[0] == pytest.approx(600, rel=0.1)


def test_a_sample_of_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from treewright.apps.corpus import estimate as module

    monkeypatch.setattr(module, "SAMPLE", 30)
    path = tmp_path / "a.txt"
    path.write_bytes(b"before\n" + b"no blank lines here " * 10)
    made = Part(0, str(path), "text", 7, 207, 207, "x")
    assert module._sample_of(made, Header()) == (b"no blank lines here no blank l", 30)
    assert module._sample_of(replace(made, end=8), Header()) == (b"n", 1)


def test_samples_of_compressed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import gzip

    from treewright.apps.corpus import estimate as module

    packed = gzip.compress(b"Ann sees figs .\n\n" * 200)
    assert estimated(tmp_path, "a.txt.gz", packed, "text")[0] == pytest.approx(800)
    assert estimated(tmp_path, "a.jsonl.gz", gzip.compress(b'{"text":"Ann sees"}\n' * 100), "jsonl")[0] == 200
    monkeypatch.setattr(module, "SAMPLE", 340)
    made = Part(0, str(tmp_path / "a.txt.gz"), "text", 0, len(packed), len(packed), "x")
    data, used = module._sample_of(made, Header())
    assert data == b"Ann sees figs .\n\n" * 20
    assert used == len(packed)


def test_parquet_rows_are_sampled(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    parquet.write_table(pyarrow.table({"text": ["a b", None, "c d e", "f"] * 5}), path, row_group_size=4)
    made = Part(0, str(path), "parquet", 100, 200, 200, "x", first_group=1, end_group=5)
    write_plan(str(tmp_path / "plan.jsonl"), Header(), iter([made]))
    assert estimate(CorpusPlan.open(str(tmp_path / "plan.jsonl")), None) == (pytest.approx(24), None)
    found = _sample_of(made, Header())
    assert found == (b"a b\n\n\n\nc d e\n\nf", 25.0)


class Counting:
    """A step that notes what it is asked to split, and finds seven words in any text."""

    lacks: Mapping[str, str] = {}

    def __init__(self) -> None:
        self.read: list[Any] = []

    def blocks(self, text: GivenText, call: Call) -> Any:
        data = b"".join(iter(lambda: text.stream.read(1 << 20), b""))
        self.read.append((data, text.stream.source, text.layout, call.newlines))
        if b"bad" in data:
            raise TreewrightError("bad")
        return [SimpleNamespace(n_words=n, n_sentences=1, problems=(), data=b"") for n in (3, 4)]

    @staticmethod
    def parse_blocks(blocks: Any) -> Any:
        return blocks


ROW = b"1\tA" + b"\t_" * 8 + b"\n\n"


@pytest.mark.parametrize(
    ("part", "header", "text", "n_words", "read"),
    [
        ({"kind": "text"}, {"newlines": "sentence"}, b"some text\xff", 7, [("raw", "sentence")]),
        ({"kind": "text"}, {"layout": "presegmented"}, b"some text\xff", 7, [("presegmented", "auto")]),
        ({"kind": "text"}, {"layout": "vertical", "newlines": "sentence"}, b"some\ntext\n\n", 2, []),
        ({"kind": "jsonl"}, {"layout": "vertical", "newlines": "sentence"}, b"some text\xff", 7, [("raw", "sentence")]),
        ({"kind": "treebank", "format": "conllx"}, {"newlines": "sentence"}, ROW, 1, []),
        ({"kind": "treebank"}, {}, ROW * 2, 2, []),
    ],
)
def test_a_model_measures(
    part: dict[str, str], header: dict[str, str], text: bytes, n_words: int, read: list[tuple[str, str]]
) -> None:
    made = Part(**{"number": 0, "file": "f", "start": 0, "end": 1, "size": 1, "sha256": "x", **part})  # type: ignore[arg-type]
    parser: Any = Counting()
    before = time.process_time()
    words, seconds = _measured(made, text, parser, Header(**header))
    assert words == n_words
    assert 0 <= seconds <= time.process_time() - before
    assert parser.read == [(b"some text", "f", *each) for each in read]
    if read:
        assert _measured(made, b"some bad text", parser, Header(**header)) == (3, 0.0)
    assert _measured(made, b"1\tx", None, Header(**header)) == (1 if made.kind == "treebank" else 2, 0.0)


def test_hours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from treewright.apps.corpus import estimate as module

    given: list[Any] = []

    def measured(part: Part, text: bytes, parser: Any, header: Header) -> tuple[int, float]:
        given.append((parser, header))
        return 10, 36.0

    monkeypatch.setattr(module, "_measured", measured)
    monkeypatch.setattr(module, "_sample_of", lambda part, header: (b"", (part.end - part.start) / 4))
    estimated(tmp_path, "a.txt", b"x" * 1600, "text", parts=16)
    parser: Any = Counting()
    found = estimate(CorpusPlan.open(str(tmp_path / "estimated.jsonl")), parser)
    assert given[-8:] == [(parser, Header())] * 8
    assert found == (pytest.approx(8 * 10 * 8), pytest.approx(8 * 36 * 8 / 3600))
