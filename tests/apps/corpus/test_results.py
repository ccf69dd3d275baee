"""One result for each part, whatever happens: what is refused, set aside, kept and swept."""

import json
import os
import time
from dataclasses import replace

import pytest

from tests.apps.corpus.made import driver, joined, model, parser, plan, run, text, whole
from tests.every_kind import treebank
from treewright.apps.corpus.driver import Observer, Progress
from treewright.apps.corpus.engines import make_engine
from treewright.apps.corpus.plan import CorpusPlan
from treewright.apps.corpus.status import status_of
from treewright.apps.corpus.store import RunStore
from treewright.errors import OutputError, TreewrightError
from treewright.steps.call import PLAIN
from treewright.steps.reader import blocks_of


@pytest.fixture
def corpus(tmp_path):
    """Return a plan of several parts of a text."""
    path = tmp_path / "a.txt"
    path.write_bytes(text(1).encode())
    return plan(tmp_path, path)


def parts_of(folder):
    return {path.name: path.read_bytes() for path in sorted((folder / "parts" / "0000").iterdir())}


def test_finished_parts_are_not_done_again(corpus, tmp_path):
    out = tmp_path / "out"
    assert run(corpus, out).done == corpus.n_parts
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*.conllu")}
    progress = run(corpus, out)
    assert (progress.done, progress.before) == (0, corpus.n_parts)
    assert (progress.bytes_before, progress.bytes_done) == (progress.bytes, 0)
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*.conllu")} == before


class Watched(Observer):
    """Keeps how far the run was after each part."""

    def __init__(self):
        self.seen = []

    def happened(self, event, progress, part, details):
        self.seen.append((part, replace(progress)))


def test_a_run_that_goes_on_says_how_much_is_left(corpus, tmp_path):
    """What is finished counts by its bytes, and only what this run did tells how fast it is."""
    run(corpus, tmp_path / "out", shard=(2, 2))
    sizes = {part.number: part.end - part.start for part in corpus.parts()}
    assert len(set(sizes.values())) > 1
    watched = Watched()
    with make_engine("serial", 1) as engine:
        last = driver(corpus, tmp_path / "out", observers=[watched]).run(engine)
    before, done = set(), set()
    for part, progress in watched.seen:
        done.add(part.number)
        before |= {number for number in range(part.number) if number % 2 == 1}
        counted = (progress.before, progress.bytes_before, progress.done, progress.bytes_done)
        finished = sum(sizes[number] for number in done)
        assert counted == (len(before), sum(sizes[number] for number in before), len(done), finished)
        left = sum(sizes.values()) - counted[1] - finished
        assert progress.share == pytest.approx(1 - left / sum(sizes.values()))
        progress.began = time.monotonic() - 100
        assert progress.seconds_left == pytest.approx(left * 100 / finished, rel=0.01)
    assert (last.done, last.bytes_before + last.bytes_done) == (len(done), sum(sizes.values()))
    assert Progress(bytes=9, bytes_before=3).seconds_left is None


@pytest.mark.parametrize("lost", ["parts/0000/000002.conllu", "done/0000/000002.json"])
def test_a_part_that_lost_its_file_or_record_is_done_again(corpus, lost, tmp_path):
    out = tmp_path / "out"
    run(corpus, out)
    before = parts_of(out)
    (out / lost).unlink()
    progress = run(corpus, out)
    assert (progress.done, progress.before) == (1, corpus.n_parts - 1)
    assert parts_of(out) == before


def test_a_task_that_comes_again_is_not_done_again(corpus, tmp_path):
    """As when a worker dies after its part is committed, and the engine gives the task to another."""
    from treewright.apps.corpus.run_part import run_part

    task = driver(corpus, tmp_path / "out").job.task(next(corpus.parts()))
    first = run_part(task)
    path = tmp_path / "out" / "parts" / "0000" / "000000.conllu"
    before = path.stat().st_mtime_ns
    assert run_part(task)["record"] == first["record"]
    assert path.stat().st_mtime_ns == before


def test_a_record_says_what_was_done(corpus, tmp_path):
    from hashlib import sha256

    from treewright import __version__

    run(corpus, tmp_path / "out")
    record = RunStore(str(tmp_path / "out")).record(1)
    assert record["plan"] == corpus.digest
    assert record["model"] == sha256(model().read_bytes()).hexdigest()
    assert record["treewright"] == __version__
    assert record["sha256"] == sha256(parts_of(tmp_path / "out")["000001.conllu"]).hexdigest()
    assert record["words"] > 0
    assert record["seconds"] > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"to": "conllu.gz"}, "another --to"),
        ({"ranges": True}, "other options"),
        ({"kind": "pipeline-dag"}, "another model"),
    ],
)
def test_parts_of_something_else_are_refused(corpus, change, message, tmp_path):
    run(corpus, tmp_path / "out")
    before = parts_of(tmp_path / "out")
    with pytest.raises(TreewrightError, match=message):
        run(corpus, tmp_path / "out", **change)
    assert parts_of(tmp_path / "out") == before


def test_parts_of_another_plan_are_refused(corpus, tmp_path):
    run(corpus, tmp_path / "out")
    other = tmp_path / "other"
    other.mkdir()
    with pytest.raises(TreewrightError, match="another plan"):
        run(plan(other, tmp_path / "a.txt", part_bytes=900), tmp_path / "out")


def test_a_changed_input_is_set_aside_and_the_rest_goes_on(corpus, tmp_path):
    path = tmp_path / "a.txt"
    old = path.read_bytes()
    data = bytearray(old)
    parts = list(corpus.parts())
    data[parts[1].start] ^= 1
    path.write_bytes(bytes(data))
    progress = run(corpus, tmp_path / "out")
    assert (progress.done, progress.failed) == (corpus.n_parts - 1, 1)
    failure = RunStore(str(tmp_path / "out")).failure(1)
    assert failure["whole"]
    assert "not those that were planned" in failure["reason"]
    with pytest.raises(TreewrightError, match="part 1 failed"):
        joined(corpus, tmp_path / "out", tmp_path / "all.conllu")
    # Without --retry-failed it stays aside; with it, it is done.
    path.write_bytes(old)
    assert run(corpus, tmp_path / "out").failed == 1
    progress = run(corpus, tmp_path / "out", retry_failed=True)
    assert (progress.done, progress.failed) == (1, 0)
    assert joined(corpus, tmp_path / "out", tmp_path / "all.conllu") == whole(tmp_path, path)


@pytest.mark.parametrize("fault", ["gone", "longer", "folder"])
def test_a_file_that_cannot_be_read(fault, tmp_path):
    paths = [tmp_path / f"{name}.txt" for name in "abc"]
    for place, path in enumerate(paths):
        path.write_bytes(text(place).encode())
    made = plan(tmp_path, *paths, part_bytes=1 << 20)
    if fault == "longer":
        paths[1].write_bytes(paths[1].read_bytes() + b"x")
    else:
        paths[1].unlink()
    if fault == "folder":
        paths[1].mkdir()
    progress = run(made, tmp_path / "out")
    assert (progress.done, progress.failed) == (2, 1)
    assert str(paths[1]) in RunStore(str(tmp_path / "out")).failure(1)["reason"]


def test_bad_sentences_of_a_treebank_are_set_aside(tmp_path):
    path = tmp_path / "a.conllu"
    sentences = treebank().split(b"\n\n")[:-1]
    sentences[3] = b"1\ttoo\tfew"
    sentences[8] = sentences[8].replace(b"cats", b"c\xff").replace(b"figs", b"f\xff").replace(b"tea", b"t\xff")
    path.write_bytes(b"".join(each + b"\n\n" for each in sentences))
    made = plan(tmp_path, path)
    progress = run(made, tmp_path / "out")
    assert (progress.failed, progress.set_aside) == (0, 2)
    store = RunStore(str(tmp_path / "out"))
    items = [item for number in sorted(store.failed()) for item in store.failure(number)["items"]]
    lines = path.read_bytes().split(b"\n")
    assert lines[items[0]["line"] - 1] == b"1\ttoo\tfew"
    assert "not valid UTF-8" in items[1]["reason"]
    good = tmp_path / "good.conllu"
    good.write_bytes(b"".join(each + b"\n\n" for k, each in enumerate(sentences) if k not in (3, 8)))
    assert joined(made, tmp_path / "out", tmp_path / "all.conllu") == whole(tmp_path, good)


def test_a_bad_paragraph_of_a_text_is_set_aside(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"Ann sees figs.\n\nBob \xff likes tea.\n\nKim knows cats.\n")
    made = plan(tmp_path, path)
    progress = run(made, tmp_path / "out", ranges=True)
    assert (progress.done, progress.set_aside) == (1, 1)
    told = joined(made, tmp_path / "out", tmp_path / "all.conllu").decode()
    assert "# sent_id = 2\n# text = Kim knows cats." in told
    assert "TokenRange=34:37" in told
    assert told.count("# newdoc") == 1


def test_a_full_disk_stops_the_run_and_nothing_is_lost(corpus, tmp_path, monkeypatch):
    from treewright.apps.corpus import run_part as module

    def full(pieces, target, format):
        raise OutputError(f"{target}: cannot be written (No space left on device). The disk is full")

    run(corpus, tmp_path / "whole")
    with monkeypatch.context() as patch:
        patch.setattr(module, "write_pieces", full)
        with pytest.raises(TreewrightError, match="disk is full"):
            run(corpus, tmp_path / "out")
    assert RunStore(str(tmp_path / "out")).failed() == set()
    run(corpus, tmp_path / "out")
    assert parts_of(tmp_path / "out") == parts_of(tmp_path / "whole")


def test_shards_share_the_work(corpus, tmp_path):
    counts = [run(corpus, tmp_path / "out", shard=(i, 3)).done for i in (1, 2, 3)]
    assert sum(counts) == corpus.n_parts
    assert min(counts) > 0
    assert joined(corpus, tmp_path / "out", tmp_path / "all.conllu") == whole(tmp_path, tmp_path / "a.txt")


def test_a_second_driver_is_refused_and_other_shards_are_not(corpus, tmp_path):
    store = RunStore(str(tmp_path / "out"))
    run(corpus, tmp_path / "out", shard=(1, 2))
    with store.locked(None), pytest.raises(TreewrightError, match=f"process {os.getpid()} on .* is at work here"):
        run(corpus, tmp_path / "out")
    with store.locked((1, 2)):
        with pytest.raises(TreewrightError, match="at work here"):
            run(corpus, tmp_path / "out")
        with pytest.raises(TreewrightError, match="at work here"):
            run(corpus, tmp_path / "out", shard=(1, 2))
        assert run(corpus, tmp_path / "out", shard=(2, 2)).done > 0


def test_leftovers_of_the_dead_are_swept(corpus, tmp_path):
    run(corpus, tmp_path / "out", shard=(1, 2))
    left = tmp_path / "out" / "parts" / "0000" / ".000001.conllu.999999999-0123abcd.part"
    left.write_bytes(b"half")
    run(corpus, tmp_path / "out")
    assert not left.exists()


@pytest.mark.parametrize("seconds", [-1e6, 1e6])
def test_clocks_of_other_machines_do_not_matter(corpus, seconds, tmp_path):
    """What another machine wrote may seem to come from the future or from long ago, leftovers too."""
    out = tmp_path / "out"
    first = run(corpus, out, shard=(1, 2)).done
    left = out / "parts" / "0000" / ".000001.conllu.999999999-0123abcd.part"
    left.write_bytes(b"half")
    for path in [tmp_path / "a.txt", *out.rglob("*")]:
        moved = path.stat().st_mtime + seconds
        os.utime(path, (moved, moved))
    progress = run(corpus, out)
    assert (progress.before, progress.done) == (first, corpus.n_parts - first)
    assert not left.exists()
    assert joined(corpus, out, tmp_path / "all.conllu") == whole(tmp_path, tmp_path / "a.txt")


def test_a_changed_part_is_not_merged(corpus, tmp_path):
    run(corpus, tmp_path / "out")
    path = tmp_path / "out" / "parts" / "0000" / "000001.conllu"
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(TreewrightError, match="has changed since it was written"):
        joined(corpus, tmp_path / "out", tmp_path / "all.conllu")
    assert not (tmp_path / "all.conllu").exists()


@pytest.mark.parametrize("content", [b"", b"[]", b'{"part": 1}', b"\xff"])
def test_a_damaged_record_is_named(corpus, content, tmp_path):
    run(corpus, tmp_path / "out")
    path = tmp_path / "out" / "done" / "0000" / "000001.json"
    path.write_bytes(content)
    for ask in (
        lambda: status_of(corpus, RunStore(str(tmp_path / "out"))),
        lambda: joined(corpus, tmp_path / "out", tmp_path / "all.conllu"),
    ):
        with pytest.raises(TreewrightError, match=r"000001\.json: the record is damaged"):
            ask()
    path.unlink()
    assert run(corpus, tmp_path / "out").done == 1


def test_status(corpus, tmp_path):
    with pytest.raises(TreewrightError, match="nothing was run"):
        status_of(corpus, RunStore(str(tmp_path / "out")))
    run(corpus, tmp_path / "out", shard=(1, 2))
    found = status_of(corpus, RunStore(str(tmp_path / "out")))
    assert (found.done + found.left, found.failed) == (corpus.n_parts, 0)
    assert found.left > 0
    run(corpus, tmp_path / "out")
    found = status_of(corpus, RunStore(str(tmp_path / "out")))
    assert (found.left, found.seconds_left) == (0, 0.0)
    assert found.words == sum(block.n_words for block in blocks_of(parser(), str(tmp_path / "a.txt"), None, PLAIN))


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda lines: lines[1:], "1: this is no plan"),
        (lambda lines: lines[:-1], "not complete"),
        (lambda lines: [lines[0], *lines[2:]], "2: part 0 should be here"),
        (lambda lines: ["nonsense", *lines[1:]], "not JSON"),
        (lambda lines: ["[1]", *lines[1:]], "no JSON object"),
        (lambda lines: [lines[0].replace('"treewright_plan":1', '"treewright_plan":99'), *lines[1:]], "version 99"),
        (lambda lines: [lines[0], lines[1].replace('"start":0', '"start":"x"'), *lines[2:]], "start has the value 'x'"),
        (lambda lines: [lines[0], lines[1].replace('"start":0', '"start":-4'), *lines[2:]], "-4, which cannot be"),
        (lambda lines: [lines[0], lines[1].replace('"kind":"text"', '"kind":"x"'), *lines[2:]], "kind or a range"),
        (lambda lines: [lines[0], lines[1].replace('"kind"', '"sort"'), *lines[2:]], "'sort' is not known"),
        (lambda lines: [*lines, lines[1]], "after the end"),
    ],
)
def test_bad_plans(corpus, edit, message, tmp_path):
    path = tmp_path / "plan.jsonl"
    lines = edit(path.read_text().splitlines())
    path.write_text("".join(line + "\n" for line in lines))
    with pytest.raises(TreewrightError, match=message):
        CorpusPlan.open(str(path))


def test_events_and_numbers(corpus, tmp_path):
    from treewright.apps.corpus.watching import EventLog, MetricsFile

    observers = [EventLog(str(tmp_path / "log.jsonl")), MetricsFile(str(tmp_path / "m.prom"))]
    with make_engine("serial", 1) as engine:
        driver(corpus, tmp_path / "out", observers=observers).run(engine)
    events = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [event["event"] for event in events] == ["started", *["done"] * corpus.n_parts, "ended"]
    assert sum(event.get("words", 0) for event in events[1:-1]) == events[-1]["words"]
    numbers = (tmp_path / "m.prom").read_text()
    assert f'treewright_corpus_parts{{state="done"}} {corpus.n_parts}\n' in numbers
    assert "treewright_corpus_running 0\n" in numbers
