"""Files that a parser reads and writes, their formats, and its own. The parser here does nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.kinds.transition.test_plain_parser import BARE, FULL, TWO, Graphs, Plain, block_of
from treewright.errors import TreewrightError
from treewright.steps import text
from treewright.steps.border.container import read_model
from treewright.steps.call import PLAIN, Call
from treewright.steps.files import parse_files
from treewright.steps.model_file import write_model
from treewright.steps.reader import blocks_of
from treewright.steps.step import Step
from treewright.steps.text import GivenText
from treewright.treebank.files.sentence_names import SentenceNames


def test_the_target_has_the_format_that_is_asked_for(tmp_path: Path) -> None:
    source, target, told = tmp_path / "in.conllu", tmp_path / "out.txt", []
    source.write_text(BARE * 2)
    assert Plain().parse_file(source, target, to="malt-tab", progress=told.append) == (2, 2)
    assert target.read_text() == "girls\t_\t0\troot\n\n" * 2
    assert sum(told) == 2 * len(BARE)


@pytest.mark.parametrize("first", [0, 1])
def test_several_files_become_one_in_the_format_of_the_first(tmp_path: Path, first: int) -> None:
    read = (FULL, "girls\tNN\n\n")
    written = (FULL.replace("_\t_\t_\t_\n", "0\troot\t_\t_\n"), "girls\tNN\t0\troot\n\n")
    parse_files(Plain(), [read[first].encode()] * 2, tmp_path / "out", PLAIN)
    assert (tmp_path / "out").read_text() == written[first] * 2
    mixed = [read[first].encode(), read[1 - first].encode()]
    parse_files(Plain(), mixed, tmp_path / "out", PLAIN)
    assert (tmp_path / "out").read_text() == written[first] + (
        "girls\tNOUN\t0\troot\n\n" if first else "1\tgirls\t_\tNN\t_\t_\t0\troot\t_\t_\n\n"
    )


def test_several_files_become_one_in_the_format_that_is_asked_for_or_has_room(tmp_path: Path) -> None:
    tab = [b"girls\tNN\n\n"] * 2
    parse_files(Plain(), tab, tmp_path / "out", PLAIN, to="conllu")
    assert (tmp_path / "out").read_text() == "1\tgirls\t_\tNN\t_\t_\t0\troot\t_\t_\n\n" * 2
    parse_files(Plain(), tab, tmp_path / "out", Call(confidence=True))
    assert (tmp_path / "out").read_text().startswith("1\tgirls\t_\tNN\t_\t_\t0\troot\t_\tConfidence=")


@pytest.mark.filterwarnings("ignore:.*no sentences in it")
def test_empty_files_become_an_empty_file(tmp_path: Path) -> None:
    assert parse_files(Plain(), [b"", b""], tmp_path / "out", PLAIN) == (0, 0)
    assert (tmp_path / "out").read_bytes() == b""


def test_texts_get_the_names_of_their_documents_and_numbers_that_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[SentenceNames] = []
    formats: list[str | None] = []

    def split(step: Step, given: GivenText, call: Call) -> Any:
        seen.append(given.names)
        formats.append(given.layout)
        return iter([block_of(TWO if given.stream.peek(9) == b"b" else FULL * 2)])

    monkeypatch.setattr(text, "split", split)
    names = {"id_prefix": "p", "names": ("first", "second.txt")}
    out = tmp_path / "out.conllu"
    counts = parse_files(Plain(), [b"b", b"a", b"a"], out, PLAIN, format="vertical", **names)  # type: ignore[arg-type]
    assert (counts, formats) == ((5, 6), ["vertical"] * 3)
    assert seen == [
        SentenceNames("p", before=before, file=file) for before, file in ((0, "first"), (1, "second.txt"), (3, ""))
    ]
    assert [names.for_writer()["document"] for names in seen] == [b"first", b"second", b""]


def test_ends_of_lines_stay_where_the_format_stays(tmp_path: Path) -> None:
    """The name of the target says nothing: it is written as it was read."""
    Plain().parse_file(FULL.replace("\n", "\r\n").encode(), tmp_path / "out.unknown")
    expected = "1\tgirls\tgirl\tNOUN\t_\t_\t0\troot\t_\t_\r\n\r\n"
    assert (tmp_path / "out.unknown").read_bytes() == expected.encode()


def test_a_format_overrides_the_guess() -> None:
    assert [block.layout.name for block in blocks_of(Plain(), FULL.encode(), "conllx", PLAIN)] == ["conllx"]
    assert [block.layout.name for block in blocks_of(Plain(), FULL.encode(), None, PLAIN)] == ["conllu"]


def test_bytes_that_are_no_text_are_replaced_in_the_description_of_a_model(tmp_path: Path) -> None:
    write_model(tmp_path / "m.tw", {"kind": "x", "info": {"name": "a\udcffb"}}, {})
    assert read_model(tmp_path / "m.tw")[0]["info"] == {"name": "a\ufffdb"}


def test_the_file_is_named_whose_format_has_no_room_for_confidences(tmp_path: Path) -> None:
    columns = "# global.columns = ID FORM UPOS HEAD DEPREL DEPS\n"
    (tmp_path / "few.conllup").write_text(columns + "1\ta\tX\t0\troot\t_\n2\tb\tX\t1\tobj\t_\n\n")
    for parser in (Plain(), Graphs("obj")):
        [block] = blocks_of(parser, str(tmp_path / "few.conllup"), None, PLAIN)
        with pytest.raises(TreewrightError, match=r"few\.conllup: the format conllu-plus has no MISC column"):
            parser.parse_block(block, confidence=True)


def test_the_file_is_named_whose_characters_the_output_cannot_have(tmp_path: Path) -> None:
    (tmp_path / "odd.conllu").write_text(FULL.replace("girls", "g\x01"))
    with pytest.raises(TreewrightError, match=r"odd\.conllu: XML cannot represent the character"):
        Plain().parse_file(tmp_path / "odd.conllu", tmp_path / "out.xml")
