"""Parts as they are read: what is taken to pieces, what is set aside, and how the work on a part ends."""

from __future__ import annotations

import errno
import io
import json
import os
import socket
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from treewright.treebank.blocks.block import Block

from tests.apps.corpus.made import model, parser
from treewright import __version__, errors
from treewright.apps.corpus import estimate, reading, run_part
from treewright.apps.corpus.part_output import PartTable, part_format
from treewright.apps.corpus.plan import Header, Part
from treewright.apps.corpus.planner import numbered
from treewright.apps.corpus.reading import PartReader, _quoted, check_unchanged, id_prefix, named, no_text, text_after
from treewright.apps.corpus.run_part import CorpusJob, model_digest
from treewright.apps.corpus.store import RunStore
from treewright.steps.call import TAGS, TEXT, Call, call_from
from treewright.steps.text import GivenText
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.sentence_names import SentenceNames
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.sentences.sentence import Sentence


def part_of(path: Path, start: int = 0, end: int | None = None, kind: str = "text", **more: Any) -> Part:
    data = path.read_bytes()
    end = len(data) if end is None else end
    return Part(0, str(path), kind, start, end, len(data), sha256(data[start:end]).hexdigest(), **more)


def read(part: Part, careful: bool = False, options: Any = None, **header: Any) -> tuple[str, PartReader]:
    """Return what a part holds as CoNLL-U, and the reader."""
    reader = PartReader(parser(), Header(**header), part, call_from(options or {}), careful)
    return b"".join(block.data for block in reader.blocks()).decode("utf-8", "surrogateescape"), reader


def forms(text: str) -> list[str]:
    return [line.split("\t")[1] for line in text.splitlines() if "\t" in line]


def ids(text: str) -> list[str]:
    return [line.partition(" = ")[2] for line in text.splitlines() if line.startswith(("# newdoc", "# sent_id"))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.txt"


# Text


def test_a_text_in_two_parts(path: Path) -> None:
    path.write_text("Ann sees figs.\n\nBob likes tea.\n\nKim knows cats.\n", encoding="utf-8")
    cut = path.read_bytes().index(b"Bob")
    first, reader = read(part_of(path, 0, cut, document="d"))
    assert (forms(first)[0], ids(first), reader.sentences, reader.words) == ("Ann", ["d", "0-1"], 1, len(forms(first)))
    part = part_of(path, cut, document="d", goes_on=True, characters=cut, lines=2)
    second, _ = read(replace(part, number=3), {}, id_prefix="x")
    assert (forms(second)[0], ids(second)) == ("Bob", ["x3-1", "x3-2"])
    known, _ = read(replace(part, sentences=7), id_prefix="x")
    assert ids(known) == ["x8", "x9"]
    ranges, _ = read(part, options={"ranges": True})
    assert f"TokenRange={cut}:{cut + 3}" in ranges


def test_bad_paragraphs_are_set_aside(path: Path) -> None:
    path.write_bytes(b"Ann sees figs.\n\nBob \xff likes tea.\n\nKim knows cats.\n\nEve sees tea.\n")
    part = part_of(path, document="d", lines=10, characters=100)
    text, reader = read(part, careful=True, options={"ranges": True})
    assert forms(text)[0] == "Ann"
    assert ids(text) == ["d", "0-1", "0-2", "0-3"]
    (aside,) = reader.aside
    assert aside == {**{"file": str(path), "line": 13, "text": "Bob \\xff likes tea.\n\n"}, "reason": aside["reason"]}
    assert f"{path}:13: " in aside["reason"]
    assert "TokenRange=100:103" in text
    assert "TokenRange=134:137" in text  # the bad one counts too


def test_lines_are_counted_from_the_first(path: Path) -> None:
    path.write_bytes(b"\nAnn sees.\n\nx\xff\n\nBob sees.\n")
    _, reader = read(part_of(path), careful=True)
    assert [aside["line"] for aside in reader.aside] == [4]


def test_a_text_whose_first_paragraph_is_bad(path: Path) -> None:
    path.write_bytes(b"x\xff\n\nAnn sees.\n\nBob sees.\n\ny\xfe")
    text, reader = read(part_of(path, document="d"), careful=True)
    assert ids(text) == ["d", "0-1", "0-2"]
    assert [aside["line"] for aside in reader.aside] == [1, 7]
    later, reader = read(replace(part_of(path, 4), document="d", goes_on=True, number=4), careful=True)
    assert ids(later) == ["4-1", "4-2"]
    assert len(reader.aside) == 1


def test_text_needs_a_tokeniser(path: Path) -> None:
    path.write_text("Ann sees.\n\nBob sees.\n", encoding="utf-8")
    part = part_of(path, 0, 11)
    plain: Any = SimpleNamespace(lacks={TEXT: "no text", TAGS: "no tags"})
    reader = PartReader(plain, Header(), part, call_from({}))
    with pytest.raises(errors.CombinationError, match=rf"^{path}: no text$"):
        list(reader.blocks())
    assert forms(read(part, layout="horizontal")[0]) == ["Ann", "sees."]


def test_what_follows_a_part(path: Path) -> None:
    path.write_bytes(b"Ann. " + "é".encode() * 5000)
    size = path.stat().st_size
    assert text_after(part_of(path, 0, 5)) == "é".encode() * 2048
    assert text_after(part_of(path, 0, size - 6)) == "é".encode() * 3
    assert text_after(part_of(path)) == b""
    path.write_bytes(b"Ann. x" + "é".encode() * 5000)  # as many bytes end within a character
    assert text_after(part_of(path, 0, 5)) == b"x" + "é".encode() * 2047
    path.write_bytes(b"Ann. " + b" " * 10000 + b"x" * 2000 + b"\0" + b"y" * 100)
    assert text_after(part_of(path, 0, 5)) == b" " * 10000 + b"x" * 2000
    path.write_bytes(b"Ann. " + b" " * 3_000_000 + b"x")
    found = text_after(part_of(path, 0, 5))
    assert (len(found), found.strip()) == (1 << 20, b"")


# Treebanks

ROW = "1\t{}\t_\t_\t_\t_\t_\t_\t_\t_\n\n"


def test_bad_sentences_are_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.conllu"
    sentences = [ROW.format(word) for word in "abcdef"]
    sentences[1], sentences[4] = "1\ttoo few\n\n", "# bad \udcff\n" + ROW.format("x")
    path.write_bytes("".join(sentences).encode("utf-8", "surrogateescape"))
    part = part_of(path, kind="treebank", format="conllu", lines=100)
    for size in (1, 1 << 20):
        monkeypatch.setattr(reading, "BLOCK_BYTES", size)
        text, reader = read(part, careful=True)
        assert forms(text) == ["a", "c", "d", "f"]
        assert (reader.sentences, reader.words) == (4, 4)
        blocks = PartReader(parser(), Header(), part, call_from({}), careful=True).blocks()
        assert {block.source for block in blocks} == {str(path)}
        found = sorted((aside["line"], aside["text"]) for aside in reader.aside)
        assert found == [(103, "1\ttoo few\n\n"), (109, "# bad \\xff\n" + ROW.format("x"))]
        assert all(str(path) in aside["reason"] for aside in reader.aside)
    with pytest.raises(errors.TreebankError):
        read(part)
    path.write_text("".join(map(ROW.format, "ab")), encoding="utf-8")
    assert forms(read(part_of(path, len(ROW.format("a")), kind="treebank"))[0]) == ["b"]
    path.write_text(ROW.format("a")[:-1], encoding="utf-8")  # no blank line at the end
    text, reader = read(part_of(path, kind="treebank"), careful=True)
    assert (forms(text), reader.aside) == (["a"], [])


# Rows


def rows(path: Path, *lines: str) -> Part:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return part_of(path, kind="jsonl", document="doc", lines=10)


def test_rows_are_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = rows(tmp_path / "a.jsonl", '{"t": "Ann sees. Bob sees."}', " ", '{"t": "Kim sees.", "k": 7}', '{"t": ""}')
    monkeypatch.setattr(reading, "BLOCK_BYTES", 1)
    text, reader = read(part, text_field="t")
    assert ids(text) == ["doc-11", "0-1", "0-2", "doc-13", "0-3"]
    assert (reader.sentences, reader.aside) == (3, [])
    monkeypatch.setattr(reading, "BLOCK_BYTES", 1 << 20)
    assert read(part, text_field="t")[0] == text
    text, reader = read(replace(part, sentences=4), text_field="t", id_field="k", id_prefix="x")
    assert ids(text) == ["7", "x5"]
    assert [aside["row"] for aside in reader.aside] == [11, 14]
    assert reader.aside[0] == {
        **{"file": part.file, "row": 11, "reason": f"{part.file}: row 11: no field 'k'"},
        "text": '{"t": "Ann sees. Bob sees."}',
    }


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"text": 3}', "'text' is 3, not a text"),
        ('{"text": ["' + "x" * 50 + '"]}', "'text' is [\"" + "x" * 38 + ", not a text"),
        ("{}", "no text in 'text'"),
        ("[1]", "no JSON object"),
        ("{", "no JSON (Expecting property name"),
        ("[" * 100_000, "no JSON (maximum recursion"),
    ],
)
def test_bad_rows(line: str, reason: str, tmp_path: Path) -> None:
    text, reader = read(rows(tmp_path / "a.jsonl", '{"text": "Ann."}', line, '{"text": "Bob."}'))
    assert ids(text) == ["doc-11", "0-1", "doc-13", "0-2"]
    (aside,) = reader.aside
    assert aside["row"] == 12
    assert aside["reason"].startswith(f"{tmp_path}/a.jsonl: row 12: {reason}")
    assert aside["text"].startswith(line[:100])


def test_rows_of_parquet(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    texts = [f"Ann sees {'a' * k}." for k in range(1, 7)]
    table = pyarrow.table({"text": [*texts[:4], None, texts[5]], "k": list("abcdef")})
    parquet.write_table(table, path, row_group_size=2)
    part = part_of(path, kind="parquet", document="doc", first_group=1, end_group=3, rows=2)
    text, reader = read(part)
    assert ids(text) == ["doc-3", "0-1", "doc-4", "0-2", "doc-6", "0-3"]
    assert reader.aside == [
        {"file": str(path), "row": 5, "reason": f"{path}: row 5: no text in 'text'", "text": "None"}
    ]
    assert ids(read(part, id_field="k")[0]) == ["c", "0-1", "d", "0-2", "f", "0-3"]


# Bytes


def test_a_part_must_be_what_was_planned(path: Path) -> None:
    path.write_bytes(b"0123456789")
    part = part_of(path, 3, 7)
    check_unchanged(part)
    path.write_bytes(b"x12345678x")
    check_unchanged(part)  # only its own bytes count
    path.write_bytes(b"0123x56789")
    remedy = r"Put the old file back, or plan again\.$"
    with pytest.raises(
        errors.TreebankError, match=rf"^{path}: bytes 3 to 7 are not those that were planned\. {remedy}"
    ):
        check_unchanged(part)
    path.write_bytes(b"01234567890")
    with pytest.raises(errors.TreebankError, match=rf"^{path}: has 11 bytes now, 10 when it was planned\. {remedy}"):
        check_unchanged(part)


def test_pieces_of_a_large_part(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(bytes(range(200)))
    monkeypatch.setattr(reading, "PIECE", 7)
    check_unchanged(part_of(path, 10, 153))


@pytest.mark.parametrize("kind", ["text", "treebank", "jsonl"])
def test_a_disk_that_fails_while_a_part_is_read(kind: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError("odd")

    path.write_text('{"text": "Ann sees."}\n', encoding="utf-8")
    part = part_of(path, kind=kind, format="conllu")
    for module in (reading, estimate):
        monkeypatch.setattr(module, "open_bytes", lambda file, start=0: Failing())
    message = rf"^{path}: cannot be read \(odd\)\. Check the disk\.$"
    for careful in (False, True):
        with pytest.raises(errors.TreebankError, match=message):
            read(part, careful=careful)
    with pytest.raises(errors.TreebankError, match=message):
        estimate._sample_of(part, Header())


def test_a_disk_that_fails() -> None:
    def failing(size: int) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    def odd(size: int) -> bytes:
        raise OSError("odd")

    with pytest.raises(errors.TreebankError, match=r"^a\.txt: cannot be read \(odd\)\. Check the disk\.$"):
        named(cast("Any", SimpleNamespace(read=odd)), "a.txt").read(10)
    file: Any = SimpleNamespace(read=failing)
    with pytest.raises(
        errors.TreebankError, match=r"^a\.txt: cannot be read \(Input/output error\)\. Check the disk\.$"
    ):
        named(file, "a.txt").read(10)
    source = named(io.BytesIO(b"x" * 10), "a")
    assert (source.read(4), source.name, source.left) == (b"xxxx", "a", (1 << 62) - 4)


def test_what_is_quoted() -> None:
    assert no_text("t", b"x") == """'t' is "b'x'", not a text"""
    assert _quoted(b"a\xff") == "a\\xff"
    assert _quoted(3) == "3"
    assert _quoted("x" * 2000) == "x" * 2000
    assert _quoted("x" * 2001) == "x" * 2000 + "…"


def test_prefixes(path: Path) -> None:
    path.write_bytes(b"x")
    part = replace(part_of(path), number=5)
    assert id_prefix(Header(id_prefix="p"), part) == "p5-"
    assert id_prefix(Header(id_prefix="p"), replace(part, sentences=0)) == "p"


# Numbers and tables


class OneSentence:
    """A step for which a text is one sentence, unless the ends of lines are those of sentences."""

    lacks: Mapping[str, str] = {}

    def blocks(self, text: GivenText, call: Call) -> Iterator[Block]:
        read = b"".join(iter(lambda: text.stream.read(1 << 20), b""))
        yield Block((ROW.format("a") * (read.count(b"\n") if call.newlines == "sentence" else 1)).encode(), CONLLU, "a")


def test_sentences_are_counted_before(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.txt", "b.conllu", "c.txt", "d.x")]
    paths[0].write_text("Ann sees. Bob sees.\n", encoding="utf-8")
    paths[1].write_text(ROW.format("a") + "1\ttoo few\n\n" + ROW.format("b"), encoding="utf-8")
    paths[2].write_bytes(b"Kim.\n\nx\xff\n\nEve.\n")
    paths[3].write_bytes(b"\x1f\x8bbroken")
    kinds = ("text", "treebank", "text", "text")
    parts = [part_of(path, kind=kind) for path, kind in zip(paths, kinds, strict=True)]
    found = list(numbered([*parts, parts[0]], parser(), Header()))
    assert [part.sentences for part in found] == [0, 2, 4, 6, 6]
    assert [replace(part, sentences=None) for part in found] == [*parts, parts[0]]
    paths[0].write_text("Ann sees figs.\nBob sees figs.\n", encoding="utf-8")
    for newlines, count in (("sentence", 2), ("ignore", 1)):
        lines = [part_of(paths[0], format="", kind="text")] * 2
        counted = [*numbered(lines, OneSentence(), Header(newlines=newlines))]  # type: ignore[arg-type]
        assert [part.sentences for part in counted] == [0, count]


def test_formats_of_parts(path: Path) -> None:
    path.write_bytes(b"x")
    part = part_of(path, document="d")
    assert part_format("conllu.gz", part).name == "conllu"
    for to, by_sentence in (("words.parquet", False), ("sentences.parquet", True)):
        table: Any = part_format(to, part)
        assert (table.by_sentence, table.before, table.document) == (by_sentence, 0, None)
    table = part_format("words.parquet", replace(part, sentences=7, goes_on=True))
    assert (table.before, table.document) == (7, "d")
    assert part_format("words.parquet", replace(part, kind="treebank")).document == "d"  # type: ignore[attr-defined]
    assert part_format("words.parquet", replace(part, kind="treebank", document="")).document is None  # type: ignore[attr-defined]


def test_a_table_of_sentences(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    writer: Any = PartTable(True, 5, "d").writer()
    sentences = [
        Sentence.from_conllu("# text = a b\n1\ta\tA\tX\t_\t_\t0\troot\t_\t_\n2\tb\tB\tY\t_\t_\t1\tdep\t_\t_\n\n"),
        Sentence.from_conllu("# newdoc id = e\n# sent_id = s\n# text = c\n1\tc\tC\tX\t_\t_\t0\troot\t_\t_\n\n"),
    ]
    parquet.write_table(writer.table(sentences, 6, "d"), path)
    table = parquet.read_table(path)
    assert table.column_names[:4] == ["document", "sentence", "sent_id", "text"]
    first, second = table.to_pylist()
    assert [first[name] for name in table.column_names[:4]] == ["d", 6, None, "a b"]
    assert [second[name] for name in table.column_names[:4]] == ["e", 7, "s", "c"]
    assert (first["form"], first["head"], second["lemma"]) == (["a", "b"], [0, 1], ["C"])
    kinds = {name: str(table.schema.field(name).type) for name in table.column_names}
    assert (kinds["document"], kinds["sentence"], kinds["head"].startswith("list<"), "int32" in kinds["head"]) == (
        "string", "int32", True, True,
    )  # fmt: skip
    assert "string" in kinds["form"]
    assert "text" not in PartTable(False, 5, "d").writer().table(sentences, 6, "d").column_names  # type: ignore[attr-defined]
    assert writer.table([], 6, None).num_rows == 0
    assert writer.table([], 6, None).schema == writer.table(sentences, 6, None).schema


# How the work on a part ends


@pytest.fixture
def task(path: Path, tmp_path: Path) -> dict[str, Any]:
    path.write_text("Ann sees figs.\n", encoding="utf-8")
    digest = model_digest(str(model()))
    job = CorpusJob(str(tmp_path / "out"), "plan", digest, str(model()), "conllu", asdict(Header()), {})
    return job.task(part_of(path, document="d"))


def test_a_part_is_committed(task: dict[str, Any], tmp_path: Path) -> None:
    json.dumps(task)  # it can go anywhere
    outcome = run_part.run_part(task)
    record = outcome.pop("record")
    assert outcome == {"part": 0, "worker": f"{socket.gethostname()}:{os.getpid()}", "state": "done", "warnings": []}
    data = (tmp_path / "out" / "parts" / "0000" / "000000.conllu").read_bytes()
    assert record == RunStore(str(tmp_path / "out")).record(0)
    assert (record.pop("seconds") >= 0, record.pop("cpu_seconds") >= 0) == (True, True)
    assert record == {
        **{"part": 0, "plan": "plan", "model": task["job"]["digest"], "treewright": __version__},
        **{"sha256": sha256(data).hexdigest(), "bytes": len(data), "sentences": 1, "words": 4, "set_aside": 0},
    }
    assert b"# newdoc id = d\n" in data


@pytest.mark.parametrize("to", ["words.parquet", "sentences.parquet"])
def test_a_part_as_a_table(to: str, task: dict[str, Any], path: Path, tmp_path: Path) -> None:
    """The document goes on where a part does, and numbers after the sentences before."""
    parquet = pytest.importorskip("pyarrow.parquet")
    task["job"] |= {"to": to, "header": {**task["job"]["header"], "numbered_by": task["job"]["digest"]}}
    task["part"] = asdict(part_of(path, document="d", goes_on=True, sentences=7))
    assert run_part.run_part(task)["state"] == "done"
    table = parquet.read_table(RunStore(str(tmp_path / "out")).part_path(0, to))
    assert {*table["document"].to_pylist()} == {"d"}
    assert {*table["sentence"].to_pylist()} == {8}
    assert table.num_rows == (4 if to == "words.parquet" else 1)
    assert ("text" in table.column_names) == (to == "sentences.parquet")


def test_what_is_there_already_is_kept(task: dict[str, Any], tmp_path: Path) -> None:
    first = run_part.run_part(task)["record"]
    store = RunStore(str(tmp_path / "out"))
    for changed in ({}, {"seconds": 99}):
        store.save(0, {**first, **changed})
        assert run_part.run_part(task)["record"] == {**first, **changed}
    for changed in ({"plan": "x", "seconds": 99}, {"model": "x", "seconds": 99}, {"words": None, "seconds": 99}):
        store.save(0, {**first, **changed})
        assert run_part.run_part(task)["record"]["seconds"] != 99
    store.save(0, {**first, "seconds": 99})
    Path(store.part_path(0, "conllu")).unlink()
    assert run_part.run_part(task)["record"]["seconds"] != 99


def test_what_is_set_aside_is_noted(task: dict[str, Any], path: Path, tmp_path: Path) -> None:
    path.write_bytes(b"Ann sees figs.\n\nx\xff\n")
    task["part"] = asdict(part_of(path))
    record = run_part.run_part(task)["record"]
    assert (record["sentences"], record["set_aside"]) == (1, 1)
    failure = RunStore(str(tmp_path / "out")).failure(0)
    assert failure is not None
    assert (failure["part"], failure["whole"], len(failure["items"])) == (0, False, 1)


@pytest.mark.parametrize(
    ("error", "state", "reason"),
    [
        (errors.ModelFileError("no model"), "stop", "no model"),
        (errors.OutputError("disk full"), "stop", "disk full"),
        (errors.CombinationError("no tokeniser"), "stop", "no tokeniser"),
        (errors.MissingExtraError("this", "that", "those"), "stop", "this needs that, which is not installed"),
        (errors.TreewrightError("bad file"), "failed", "bad file"),
        (MemoryError(), "again", "out of memory"),
        (OSError(errno.EIO, "Input/output error", "f"), "again", "f: Input/output error"),
        (OSError("odd"), "again", "FILE: odd"),
        (ValueError("x" * 400), "again", f"a fault in treewright (ValueError: {'x' * 265}"),
    ],
)
def test_how_the_work_may_end(
    error: Exception, state: str, reason: str, task: dict[str, Any], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*given: Any) -> Any:
        for k in range(7):
            warnings.warn(f"w{k % 6}", errors.TreewrightWarning, stacklevel=1)
        warnings.warn("other", UserWarning, stacklevel=1)
        raise error

    monkeypatch.setattr(run_part, "_committed", failing)
    outcome = run_part.run_part(task)
    assert (outcome["state"], outcome["part"]) == (state, 0)
    assert outcome["reason"].startswith(reason.replace("FILE", str(path)))
    assert len(outcome["reason"]) <= 300
    assert outcome["warnings"] == ["w0", "w1", "w2", "w3", "w4"]


def test_other_errors_are_told_as_they_were_first(task: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def failing(job: Any, part: Any, parser: Any, path: str, careful: bool) -> Any:
        asked.append(careful)
        raise errors.TreebankError("second" if careful else "first")

    monkeypatch.setattr(run_part, "_written", failing)
    assert run_part.run_part(task)["reason"] == "first"
    assert asked == [False, True]
    for kind, format, times in (("treebank", "conllx", 1), ("treebank", "conllu", 2), ("jsonl", "", 2)):
        asked.clear()
        task["part"] |= {"kind": kind, "format": format}
        assert run_part.run_part(task)["reason"] == "first"
        assert len(asked) == times


def test_counted_sentences_need_the_same_model(task: dict[str, Any]) -> None:
    task["part"]["sentences"] = 0
    outcome = run_part.run_part(task)
    assert (outcome["state"], outcome["reason"]) == (
        "stop",
        "the sentences of the plan were counted with another model. Plan again with --number",
    )
    task["job"]["header"]["numbered_by"] = task["job"]["digest"]
    assert run_part.run_part(task)["state"] == "done"


def test_lines_mean_what_the_plan_says(task: dict[str, Any], path: Path) -> None:
    path.write_text("Ann sees\nBob sees\n", encoding="utf-8")
    task["part"] = asdict(part_of(path))
    task["job"]["header"]["newlines"] = "sentence"
    assert run_part.run_part(task)["record"]["sentences"] == 2


# What the pipeline is given


class Listening:
    """Stands in for a step: notes what it is asked to split."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[Any] = []
        self.lacks: dict[str, str] = {}
        monkeypatch.setattr(PartReader, "_splitter", lambda reader: self)

    def blocks(self, text: GivenText, call: Call) -> list[Any]:
        given = None if text.excerpt is None else tuple(text.excerpt)
        read = b"".join(iter(lambda: text.stream.read(1 << 20), b""))
        self.asked.append((read, text.stream.source, text.layout, call.newlines, call.ranges, given))
        return []

    def split(self, text: str, call: Call, names: SentenceNames) -> tuple[bytes, int]:
        if "bad" in text:
            raise errors.TreebankError("no sentences")
        self.asked.append((text, call.ranges, call.newlines, names.prefix, names.before))
        return b"1\t%s" % text.encode() + b"\t_" * 8 + b"\n\n", 1


@pytest.fixture
def listening(monkeypatch: pytest.MonkeyPatch) -> Listening:
    return Listening(monkeypatch)


def test_texts_as_the_pipeline_gets_them(path: Path, listening: Listening) -> None:
    path.write_bytes("Ann é.\n\nBob.\n\nKim.\n".encode())
    reader_of = {"layout": "presegmented", "newlines": "sentence"}
    read(part_of(path), options={"ranges": True}, **reader_of)
    part = part_of(path, 9, 15, lines=2, characters=8, goes_on=True, new_paragraph=False)
    read(part, **reader_of)
    data = path.read_bytes()
    assert listening.asked == [
        (data, str(path), "presegmented", "sentence", True, None),
        (b"Bob.\n\n", str(path), "presegmented", "sentence", False, (data, b"Kim.\n", 8, 2, True, False)),
    ]


def test_paragraphs_as_the_pipeline_gets_them(path: Path, listening: Listening) -> None:
    path.write_bytes("Ann é.\n\nBob \udcff.\n\nKim.\n\nEve.\n".encode("utf-8", "surrogateescape"))
    data = path.read_bytes()
    read(part_of(path), careful=True)
    good = [(data[:9], (data, b"", 0, 0, False, True)), (data[17:], (data, b"", 16, 4, False, True))]
    assert listening.asked == [(text, str(path), "raw", "auto", False, given) for text, given in good]
    listening.asked.clear()
    read(part_of(path, 17, lines=4, characters=16, goes_on=True, new_paragraph=False), careful=True)
    ((text, *_, given),) = listening.asked
    assert (text, given) == (data[17:], (data, b"", 16, 4, True, False))


@pytest.mark.parametrize("careful", [False, True])
def test_a_part_is_read_with_the_beginning_of_its_text(
    careful: bool, path: Path, listening: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "SAMPLE", 7)
    path.write_bytes(b"Ann.\n\nBob.\n\nKim.\n")
    read(part_of(path, 6, 12), careful=careful)
    ((_, _, _, _, _, (head, *_)),) = listening.asked
    assert head == b"Ann.\n\nB"


def test_rows_as_the_pipeline_gets_them(tmp_path: Path, listening: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    part = replace(rows(tmp_path / "a.jsonl", *(f'{{"text": "{text}"}}' for text in ("a", "bad", "b", "c"))), number=2)
    text, reader = read(part, options={"ranges": True, "newlines": "sentence"}, id_prefix="p")
    assert listening.asked == [(each, True, "sentence", "p2-", k) for k, each in enumerate("abc")]
    assert forms(text) == ["a", "b", "c"]
    reason = f"{part.file}: row 12: no sentences"
    assert reader.aside == [{"file": part.file, "row": 12, "reason": reason, "text": '{"text": "bad"}'}]
    listening.asked.clear()
    monkeypatch.setattr(reading, "BLOCK_BYTES", 21)  # a row, and no more
    reader = PartReader(parser(), Header(), part, call_from({}))
    assert [block.n_sentences for block in reader.blocks()] == [2, 1]
    assert [before for *_, before in listening.asked] == [0, 1, 2]


def test_rows_of_the_end_of_a_file(tmp_path: Path, listening: Listening) -> None:
    part = rows(tmp_path / "a.jsonl", '{"text": "a"}', '{"text": "b"}', '{"text": "c"}')
    read(replace(part, start=14, end=28))
    assert [text for text, *_ in listening.asked] == ["b"]


def test_treebanks_of_the_middle_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.x"
    path.write_text("".join(ROW.format(word) for word in "abc"), encoding="utf-8")
    size = len(ROW.format("a"))
    for careful in (False, True):
        text, _ = read(part_of(path, size, 2 * size, kind="treebank", format="conllu"), careful=careful)
        assert forms(text) == ["b"]
    path.write_text("1\ta\n\n" + "1\tb" + "\t_" * 8 + "\n\n" + "x\ty\n\n", encoding="utf-8")
    _, reader = read(part_of(path, kind="treebank", format="conllu", lines=5), careful=True)
    assert sorted(aside["line"] for aside in reader.aside) == [6, 10]
    for aside in reader.aside:
        assert aside["reason"].startswith(f"{path}:{aside['line']}: ")
        assert "columns" in aside["reason"]
    path.write_bytes(b"# \xff\n1\ta\n\n1\tb\n\n" + ROW.format("c").encode())
    _, reader = read(part_of(path, kind="treebank", format="conllu", lines=5), careful=True)
    assert [(aside["line"], aside["text"]) for aside in reader.aside][1:] == [(9, "1\tb\n\n")]


def test_conllx_is_read_as_such(tmp_path: Path) -> None:
    path = tmp_path / "a.x"
    path.write_text("1\ta\ta\tNOUN\tNN\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    part = part_of(path, kind="treebank", format="conllx")
    assert [each.layout.name for each in read_blocks(str(path))] == ["conllu"]  # if nobody says so
    reader = PartReader(parser(), Header(), part, call_from({}))
    assert [block.layout.name for block in reader.blocks()] == ["conllx"]
