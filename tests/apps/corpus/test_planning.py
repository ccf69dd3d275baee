"""Plans by themselves: where files are cut, what is counted before each part, and what a plan says."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.apps.corpus.made import wrapped
from treewright import __version__
from treewright.apps.corpus import planner
from treewright.apps.corpus.borders import Border, finder_for
from treewright.apps.corpus.plan import CorpusPlan, Header, Part, PlanError
from treewright.apps.corpus.planner import Planner, Source, layout_of, write_plan
from treewright.errors import CombinationError, TreebankError, TreewrightError

# Borders


def borders(kind: str, text: str | bytes, place: int = 0, head: bytes = b"A b.\n\nC d.\n", **header: str) -> list[Any]:
    """Return all borders from a place on."""
    data = text.encode() if isinstance(text, str) else text
    finder = finder_for(kind, Header(**header), head)
    assert finder is not None
    found: list[Border] = []
    while (border := finder(data, place)) is not None:
        found.append(border)
        place = border.place + 1
    return [tuple(border) for border in found]


@pytest.mark.parametrize(
    ("kind", "text", "place", "found"),
    [
        ("treebank", "1\ta\n\n1\tb\n \t\r\n1\tc\n", 0, [(5, True), (13, True)]),
        ("treebank", "1\ta\n\n1\tb\n\n", 4, [(5, True), (10, True)]),
        ("treebank", "1\ta\n\n1\tb\n\n", 5, [(10, True)]),
        ("treebank", "1\ta\n", 0, []),
        ("jsonl", "{}\n[]\n3", 0, [(3, True), (6, True)]),
        ("jsonl", "{}\n[]\n3", 3, [(3, True), (6, True)]),
        ("jsonl", "{}\n[]\n3", 4, [(6, True)]),
        ("jsonl", "\n{}\n", 1, [(1, True), (4, True)]),
    ],
)
def test_borders_of_lines(kind: str, text: str, place: int, found: list[Any]) -> None:
    assert borders(kind, text, place) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A b.\n\nC d.\n\n\nE f.", [(6, True), (13, True)]),
        ("A b.\n \nC d.", [(7, True)]),
        ("A b.\r\n\r\nC d.", [(8, True)]),
        ("A b.\n\n  C d.", [(8, True)]),
        ("A b.\n\n\u3000C d.", [(9, True)]),
        ("A b.\n\n\u2029C", [(9, True)]),
        ("A b.\n\n日本", [(6, True)]),
        ("A b.\n\n\U0001f600 x", [(6, True)]),
        ("A b.\n\né x", [(6, True)]),
        ("A b.\n\n", []),  # nothing begins there
        ("\n\nA b.", []),  # nothing ends there
        ("A b.\n\n\ufeffC d.\n\nE", [(15, True)]),  # a byte order mark is a space only where a text begins
        ("A b. C d.", []),
    ],
)
def test_borders_of_paragraphs(text: str, found: list[Any]) -> None:
    assert borders("text", text, newlines="paragraph") == found


def test_characters_that_are_not_whole_yet() -> None:
    """The bytes may end within a character: nobody knows yet whether it is a space."""
    for character in ("é", "日", "\U0001f600"):
        data = f"A b.\n\n{character}".encode()
        assert borders("text", data, newlines="paragraph") == [(6, True)]
        for length in range(1, len(character.encode())):
            assert borders("text", data[: 6 + length], newlines="paragraph") == []


@pytest.mark.parametrize(
    ("text", "header", "found"),
    [
        ("A b.\nC d.\n\nE f", {"newlines": "sentence"}, [(5, False), (11, True)]),
        ("A b\nC d.\r\nE f", {"newlines": "sentence"}, [(4, False), (10, False)]),
        ("A b\nC d.\r\nE f", {"layout": "presegmented"}, [(4, False), (10, False)]),
        ("A b\nC d.\r\nE f", {"layout": "horizontal"}, [(4, False), (10, False)]),
        ("A\n.\nb\n\nC\n", {"layout": "vertical"}, [(7, True)]),
        ("A b.\nC d.\n\nE", {"newlines": "paragraph"}, [(11, True)]),
        ("A b." + " " * 400 + "\nC d.", {"newlines": "sentence"}, []),
        ("A b\nC d.\r\nE f?\nG!\nH", {}, [(10, False), (15, False), (18, False)]),
        ("A b.\nC\n\nD", {}, [(5, False), (8, True)]),
        ("A b.\n\x0cC", {"newlines": "sentence"}, [(6, True)]),
        ("A b.\u2028\nC", {"newlines": "sentence"}, [(8, True)]),
        ("A b.\u2029\nC", {"newlines": "sentence"}, [(8, True)]),
        ("A b.\n\x85C", {"newlines": "sentence"}, [(7, True)]),
    ],
)
def test_borders_of_lines_of_text(text: str, header: dict[str, str], found: list[Any]) -> None:
    assert borders("text", text, **header) == found


def test_lines_of_wrapped_text_end_no_sentences() -> None:
    head = wrapped(1).encode()
    assert borders("text", "A b.\nC.\n\nD.\nE", head=head) == [(9, True)]
    assert borders("text", "A b.\nC.\n\nD.\nE") == [(5, False), (9, True), (12, False)]


def test_a_border_is_at_or_after_a_place() -> None:
    text = "A b.\n\nC d.\n\nE f."
    for place, wanted in [(0, 6), (1, 6), (5, 6), (6, 6), (7, 12), (12, 12)]:
        assert borders("text", text, place, newlines="paragraph")[0] == (wanted, True)
    assert borders("text", text, 13, newlines="paragraph") == []


def test_many_spaces_before_a_border() -> None:
    """What comes before is looked back for, but not for ever."""
    for spaces, found in [(200, True), (400, False)]:
        text = "A b." + " " * spaces + "\n\nC d."
        assert borders("text", text, newlines="paragraph") == ([(spaces + 6, True)] if found else [])


@pytest.mark.parametrize(
    ("kind", "header"),
    [("parquet", {}), ("text", {"newlines": "ignore"}), ("text", {"layout": "raw", "newlines": "ignore"})],
)
def test_what_stays_whole(kind: str, header: dict[str, str]) -> None:
    assert finder_for(kind, Header(**header), b"A.\n") is None


# Parts


def parts_of(path: Path, part_bytes: int, document: str = "doc", **options: Any) -> list[Part]:
    header = Header(**options.pop("header", {}))
    found = list(Planner(header, part_bytes, **options).parts([Source(str(path), document)]))
    data = path.read_bytes()
    assert [part.number for part in found] == list(range(len(found)))
    for part in found:
        assert (part.file, part.size) == (str(path), len(data))
        assert part.sha256 == hashlib.sha256(data[part.start : part.end]).hexdigest()
    assert found[0].start == 0 or found[0].kind == "parquet"
    if found[0].kind != "parquet":
        assert [part.start for part in found[1:]] == [part.end for part in found[:-1]]
        assert found[-1].end == len(data)
    return found


TEXT = "Aé b.\n\nC d.\n\n\nE f.\n\nG."


def test_parts_of_a_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(TEXT, encoding="utf-8", newline="")
    found = parts_of(path, 6)
    assert [(p.start, p.end, p.lines, p.characters, p.goes_on, p.new_paragraph) for p in found] == [
        (0, 8, 0, 0, False, True),
        (8, 15, 2, 7, True, True),
        (15, 21, 5, 14, True, True),
        (21, 23, 7, 20, True, True),
    ]
    assert {(p.kind, p.format, p.document, p.rows, p.sentences) for p in found} == {("text", "", "doc", 0, None)}
    assert found[0].is_text
    assert not found[0].is_whole
    (whole,) = parts_of(path, 100)
    assert whole.is_whole
    assert len(parts_of(path, 1)) == 4
    assert len(parts_of(path, 1, whole_files=True)) == 1
    lines = parts_of(path, 6, format="presegmented", header={"layout": "presegmented"})
    assert {(p.kind, p.format) for p in lines} == {("text", "")}
    seen: list[int] = []
    parts_of(path, 6, progress=seen.append)
    assert sum(seen) == path.stat().st_size


def test_spaces_before_the_first_word_go_with_it(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbf" + b" \n\n" * 10 + b"A b.\n\nC d.\n\nE f.\n\n")
    found = parts_of(path, 6)
    assert found[0].end == path.read_bytes().index(b"C")
    assert [part.goes_on for part in found] == [False, True, True]


BANK = b"# newdoc id = x\n1\ta" + b"\t_" * 8 + b"\n\n1\tb" + b"\t_" * 8 + b"\n\n# newdoc\n1\tc" + b"\t_" * 8 + b"\n\n"


def test_parts_of_a_treebank(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_bytes(BANK + BANK.replace(b"= x", b"= \xc3\xa9 z").replace(b"\ta\t", b"\ta # newdoc id = no\t"))
    found = parts_of(path, 22)
    assert [part.document for part in found] == ["", "x", "x", "", "é z", "é z"]
    assert [part.lines for part in found] == [0, 3, 5, 8, 11, 13]
    assert {(part.kind, part.format, part.goes_on, part.characters, part.is_text) for part in found} == {
        ("treebank", "conllu", False, 0, False)
    }
    with pytest.raises(CombinationError, match=rf"^{path}: --id-prefix names the sentences of texts"):
        parts_of(path, 22, header={"id_prefix": "x"})


def test_a_name_between_two_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.conllu"
    path.write_bytes(BANK * 3)
    monkeypatch.setattr(planner, "PIECE", 64)
    assert [part.document for part in parts_of(path, 22)] == ["", "x", "x", "", "x", "x", "", "x", "x"]


def test_parts_of_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"text":"A"}\n{"text":"Bb"}\n{"text":"C"}\n')
    found = parts_of(path, 14)
    assert [(p.start, p.lines, p.kind, p.document) for p in found] == [
        (0, 0, "jsonl", "doc"),
        (13, 1, "jsonl", "doc"),
        (27, 2, "jsonl", "doc"),
    ]
    path.rename(tmp_path / "a.x")
    assert parts_of(tmp_path / "a.x", 14, format="jsonl") == [
        Part(**{**vars(part), "file": str(tmp_path / "a.x")}) for part in found
    ]


def test_parts_of_a_parquet_file(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    parquet.write_table(pyarrow.table({"text": [str(k) for k in range(20)], "n": range(20)}), path, row_group_size=6)
    found = parts_of(path, 1)
    assert [(p.first_group, p.end_group, p.rows) for p in found] == [(0, 1, 0), (1, 2, 6), (2, 3, 12), (3, 4, 18)]
    assert [part.start < part.end for part in found] == [True] * 4
    assert [a.end <= b.start for a, b in pairwise(found)] == [True] * 3
    assert found[0].start == 4  # behind the mark of the format
    assert {part.format for part in found} == {""}
    size = found[1].end - found[0].start
    assert [(p.first_group, p.end_group, p.rows) for p in parts_of(path, size)] == [(0, 2, 0), (2, 4, 12)]
    assert [(p.first_group, p.end_group) for p in parts_of(path, 1, whole_files=True)] == [(0, 4)]
    for name in ("a.pq", "a.bin"):
        path.rename(tmp_path / name)
        path = tmp_path / name
        assert len(parts_of(path, 1)) == 4
    with pytest.raises(TreebankError, match=rf"^{path}: unknown column 'body'"):
        parts_of(path, 1, header={"text_field": "body"})
    with pytest.raises(TreebankError, match="unknown column 'key'"):
        parts_of(path, 1, header={"id_field": "key"})
    assert len(parts_of(path, 1, header={"id_field": "n"})) == 4
    path.write_bytes(b"PAR1 nonsense")
    with pytest.raises(TreebankError, match=r"^.*a\.bin: not a Parquet file \(.*\)\. Copy it again\.$"):
        parts_of(path, 1)


def test_a_part_knows_whether_a_paragraph_begins(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"A b.\nC d.\n\nE f.\nG h.\n")
    found = parts_of(path, 6, header={"newlines": "sentence"})
    assert [(part.start, part.new_paragraph) for part in found] == [(0, True), (5, False), (11, True), (16, False)]


def test_cuts_far_from_the_beginning(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"A b.\n\n" * 3000)
    assert [part.start for part in parts_of(path, 6000)] == [0, 6000, 12000]


def test_an_empty_file_is_a_part(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"")
    assert [(part.start, part.end) for part in parts_of(path, 10, format="text")] == [(0, 0)]


@pytest.mark.parametrize(("name", "format"), [("a.parquet", None), ("a.PQ.zst", None), ("a.bin", "parquet")])
def test_what_is_said_to_be_parquet_is_read_as_such(name: str, format: str | None, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow.parquet")
    path = tmp_path / name
    path.write_bytes(b"A b.\n")
    with pytest.raises(TreebankError, match="not a Parquet file"):
        parts_of(path, 1, format=format)


@pytest.mark.parametrize("ending", ["gz", "bz2", "xz", "zst"])
def test_names_say_what_compressed_files_hold(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.jsonl.{ending}"
    path.write_bytes(b'{"text": "A"}\n')
    (part,) = parts_of(path, 100)
    assert (part.kind, part.format) == ("jsonl", "")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_compressed_files_stay_whole(pack: Any, tmp_path: Path) -> None:
    for name, content, kind in [
        ("a.txt", TEXT.encode(), "text"),
        ("a.conllu", BANK, "treebank"),
        ("a.jsonl", b'{"a": 1}\n{}\n', "jsonl"),
    ]:
        path = tmp_path / f"{name}.{'gz' if pack is gzip.compress else 'bz2'}"
        path.write_bytes(pack(content * 20))
        (part,) = parts_of(path, 1)
        assert (part.kind, part.format) == (kind, "conllu" if kind == "treebank" else "")


def test_other_formats_stay_whole_and_archives_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_bytes(BANK * 3)
    (part,) = parts_of(path, 20, format="conllx")
    assert (part.kind, part.format) == ("treebank", "conllx")
    path.write_bytes(b"PK\x03\x04")
    with pytest.raises(TreewrightError, match=rf"^{path}: is a zip archive"):
        parts_of(path, 20)


def test_a_file_that_becomes_shorter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(TEXT.encode())
    monkeypatch.setattr(planner, "size_of", lambda path: 1000)
    with pytest.raises(TreewrightError, match=rf"^{path}: became shorter while it was read\. Plan again"):
        parts_of(path, 10000)


def test_borders_far_behind_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"A " * 3000 + b"\n\n" + b"B " * 3000 + b"\n\nC.")
    monkeypatch.setattr(planner, "PIECE", 64)
    found = parts_of(path, 2000)
    assert [part.start for part in found] == [0, 6002, 12004]
    assert [part.characters for part in found] == [0, 6002, 12004]


def test_layouts() -> None:
    names = (None, "text", "presegmented", "horizontal", "vertical", "conllu")
    assert [layout_of(name) for name in names] == ["raw", "raw", "presegmented", "horizontal", "vertical", "raw"]


# The file


PARTS = [Part(0, "é.txt", "text", 0, 5, 9, "ab"), Part(1, "é.txt", "text", 5, 9, 9, "cd", goes_on=True, sentences=0)]


def test_a_plan_and_back(tmp_path: Path) -> None:
    path = str(tmp_path / "plan.jsonl")
    header = Header(layout="vertical", id_prefix="ü")
    assert write_plan(path, header, iter(PARTS)) == 2
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0]) == {
        **{"treewright_plan": 1, "treewright": __version__, "layout": "vertical", "newlines": "auto", "id_prefix": "ü"},
        **{"text_field": "text", "id_field": "", "numbered_by": ""},
    }
    assert lines[0].startswith('{"treewright_plan":1,')
    assert '"ü"' in lines[0]
    assert lines[1:] == [
        '{"number":0,"file":"é.txt","kind":"text","start":0,"end":5,"size":9,"sha256":"ab"}',
        '{"number":1,"file":"é.txt","kind":"text","start":5,"end":9,"size":9,"sha256":"cd","goes_on":true,"sentences":0}',
        '{"end":2}',
    ]
    plan = CorpusPlan.open(path)
    digest = hashlib.sha256("".join(line + "\n" for line in lines[:-1]).encode() + b'{"end":2}\n').hexdigest()
    assert plan == CorpusPlan(path, header, 2, 9, digest)
    assert list(plan.parts()) == PARTS
    with pytest.raises(TreewrightError, match="there is nothing in the inputs: no part to parse"):
        write_plan(path, header, iter([]))


FIRST, END = '{"treewright_plan":1}', '{"end":1}'


def line(**changed: Any) -> str:
    values = {"number": 0, "file": "a", "kind": "text", "start": 0, "end": 5, "size": 9, "sha256": "x", **changed}
    return json.dumps({name: value for name, value in values.items() if value is not ...})


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["3", line(), END], "1: this is no plan: the line is no JSON object"),
        (["{", line(), END], "1: this is no plan: the line is not JSON"),
        (["[" * 100_000, line(), END], "1: this is no plan: the line is not JSON"),
        (["{}", line(), END], "1: this is no plan. Make it again with `treewright corpus plan`"),
        (['{"treewright_plan":2}', line(), END], "1: the plan is of version 2, and this treewright knows 1"),
        (['{"treewright_plan":1,"x":1}', line(), END], "1: 'x' is not known here"),
        (['{"treewright_plan":1,"layout":1}', line(), END], "1: layout has the value 1, which cannot be"),
        ([FIRST, line(number=1), END], "2: part 0 should be here, and this is part 1"),
        ([FIRST, line(), line(), END], "3: part 1 should be here, and this is part 0"),
        ([FIRST, line()], "jsonl: the plan is not complete: its last line is missing"),
        ([FIRST, END], "jsonl: the plan is not complete"),
        ([FIRST, line(), END, END], "4: there is something after the end of the plan"),
        ([FIRST, line(kind=...), END], "2: the part lacks something"),
        ([FIRST, line(kind="x"), END], "2: the part has a kind or a range that cannot be"),
        ([FIRST, line(start=6), END], "2: the part has a kind or a range that cannot be"),
        ([FIRST, line(end=10), END], "2: the part has a kind or a range that cannot be"),
        ([FIRST, line(first_group=1), END], "2: the part has a kind or a range that cannot be"),
        ([FIRST, line(start=-1), END], "2: start has the value -1, which cannot be"),
        ([FIRST, line(start=True), END], "2: start has the value True, which cannot be"),
        ([FIRST, line(goes_on=1), END], "2: goes_on has the value 1, which cannot be"),
        ([FIRST, line(file="x" * 50), '{"end":0}'], "jsonl: the plan is not complete"),
        ([FIRST, line(start="x" * 50), END], f"2: start has the value '{'x' * 39}, which cannot be"),
        ([FIRST, line(sentences=-1), END], "2: sentences has the value -1, which cannot be"),
    ],
)  # fmt: skip
def test_plans_that_cannot_be(lines: list[str], problem: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.jsonl"
    path.write_text("".join(each + "\n" for each in lines), encoding="utf-8")
    with pytest.raises(PlanError) as raised:
        CorpusPlan.open(str(path))
    assert str(raised.value).partition("plan.")[2].partition(":")[2].strip().startswith(problem.removeprefix("jsonl: "))
    assert str(raised.value).endswith(". Make it again with `treewright corpus plan`")


@pytest.mark.parametrize(
    "changed",
    [{"start": 0, "end": 0}, {"start": 9, "end": 9}, {"goes_on": True}, {"sentences": None}, {"sentences": 3}],
)
def test_plans_that_can_be(changed: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "plan.jsonl"
    path.write_text("".join(each + "\n" for each in (FIRST, line(**changed), END)), encoding="utf-8")
    assert CorpusPlan.open(str(path)).n_parts == 1
