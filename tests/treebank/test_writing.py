"""Writing and converting."""

import gzip
import io
import itertools
import sys
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright.errors import TreebankError, TreebankWarning, TreewrightError
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.treebank import read
from treewright.treebank.files.writing import convert, missing_blank, write
from treewright.treebank.sentences.sentence import Sentence

FULL = (
    "# sent_id = one\n"
    "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "1\tdo\tdo\tAUX\tVBP\tMood=Ind\t2\taux\t2:aux\t_\n"
    "2\tn't\tnot\tPART\tRB\t_\t0\troot\t_\t_\n"
    "2.1\te\t_\t_\t_\t_\t_\t_\t2:x\t_\n\n"
    "# only a comment\n\n"
    "1\t#\t#\tSYM\t#\t_\t0\troot\t_\t_\n\n"
)


def converted(text, tmp_path, to, from_=None):
    path = tmp_path / "converted"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        convert(text.encode(), path, to=to, from_=from_)
    assert len(caught) <= 1
    assert all(issubclass(warning.category, TreebankWarning) for warning in caught)
    return path.read_text(encoding="utf-8"), str(caught[0].message) if caught else ""


def test_conllu_to_conllx(tmp_path):
    text, warning = converted(FULL, tmp_path, "conllx")
    assert text == (
        "1\tdo\tdo\tAUX\tVBP\tMood=Ind\t2\taux\t_\t_\n"
        "2\tn't\tnot\tPART\tRB\t_\t0\troot\t_\t_\n\n"
        "1\t#\t#\tSYM\t#\t_\t0\troot\t_\t_\n\n"
    )
    assert warning.endswith(
        "conllx cannot hold everything; left out: 2 comment lines, 1 multiword tokens,"
        " 1 empty nodes, 1 sentences without words, 1 values of DEPS"
    )


def test_conllu_to_malt_tab(tmp_path):
    text, warning = converted(FULL, tmp_path, "malt-tab")
    assert text == "do\tAUX\t2\taux\nn't\tPART\t0\troot\n\n#\tSYM\t0\troot\n\n"
    for column in ("LEMMA", "XPOS", "FEATS", "DEPS"):
        assert f"values of {column}" in warning


def test_malt_tab_to_conllu_and_without_trees(tmp_path):
    text, warning = converted("#\tSYM\na\tN\n\nb\tN\n\n", tmp_path, "conllu")
    rows = ["1\t#\t_\tSYM", "2\ta\t_\tN", "", "1\tb\t_\tN", ""]
    assert text == "".join(f"{row}{chr(9).join(['', *'______']) if row else ''}\n" for row in rows)
    assert warning == ""
    assert converted("a\tN\n\n", tmp_path, "malt-tab")[0] == "a\tN\n\n"


def test_conllx_to_conllu_says_that_phead_is_lost(tmp_path):
    text, warning = converted("1\ta\ta\tN\tN\tf\t0\tROOT\t0\tROOT\n\n", tmp_path, "conllu")
    assert text == "1\ta\ta\tN\tN\tf\t0\tROOT\t_\t_\n\n"
    assert "left out: 1 values of PHEAD, 1 values of PDEPREL" in warning


def test_conllu_plus_has_a_header_and_loses_nothing(tmp_path):
    text, warning = converted(FULL, tmp_path, "conllu-plus")
    header, body = text.split("\n", 1)
    assert header == "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"
    assert (body, warning) == (FULL, "")
    assert converted(text, tmp_path, "conllu", "conllu-plus") == (FULL, "")
    text, warning = converted("a\tN\n\n", tmp_path, "conllu-plus")
    assert text == "# global.columns = ID FORM UPOS\n1\ta\tN\n\n"


def test_conllu_plus_gets_its_header_also_from_the_middle_of_a_file(tmp_path):
    text = "# global.columns = ID FORM X\n1\ta\tx\n\n1\tb\ty\n\n"
    write(itertools.islice(read(text.encode()), 1, None), tmp_path / "out.conllup")
    assert (tmp_path / "out.conllup").read_text() == "# global.columns = ID FORM X\n1\tb\ty\n\n"


def test_conll09_from_conllu(tmp_path):
    text, warning = converted(FULL, tmp_path, "conll09")
    first = text.split("\n")[0]
    assert first == "1\tdo\tdo\t_\tAUX\t_\tMood=Ind\t_\t2\t_\taux\t_\t_\t_"
    assert "values of XPOS" in warning
    again, _ = converted(text, tmp_path, "conllx")
    assert again.split("\n")[0] == "1\tdo\tdo\tAUX\t_\tMood=Ind\t2\taux\t_\t_"


def test_line_ends_marks_and_blank_lines_become_canonical(tmp_path):
    messy = "\ufeff\r\n1\ta\t\tX\t_\t_\t0\troot\t_\t_\r\n \t\r\n\r\n1\tb\t_\tX\t_\t_\t0\troot\t_\t_"
    path = tmp_path / "out.tab"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        convert(messy.encode(), path)
    assert path.read_bytes() == b"a\tX\t0\troot\n\nb\tX\t0\troot\n\n"


def test_the_name_of_the_target_decides(tmp_path):
    convert(b"a\tN\t0\tROOT\n\n", tmp_path / "x.conllu.gz")
    text = gzip.decompress((tmp_path / "x.conllu.gz").read_bytes())
    assert text == b"1\ta\t_\tN\t_\t_\t0\tROOT\t_\t_\n\n"
    write(read(tmp_path / "x.conllu.gz"), tmp_path / "no-suffix")
    assert (tmp_path / "no-suffix").read_bytes() == text


def test_standard_output(monkeypatch):
    buffer = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(buffer))
    convert(FULL.encode(), "-")
    assert buffer.getvalue() == FULL.encode()


def test_a_file_may_be_converted_in_place(tmp_path):
    path = tmp_path / "x.conllx"
    path.write_text(FULL, encoding="utf-8")
    with pytest.warns(TreebankWarning):
        convert(path, path, from_="conllu")
    assert path.read_text(encoding="utf-8").startswith("1\tdo\t")


@pytest.mark.parametrize("bad", ["1\ta\n\n", "2\ta" + "\t_" * 8 + "\n\n", "1\ta\0" + "\t_" * 8])
def test_an_error_leaves_the_target_as_it_was(tmp_path, bad):
    target = tmp_path / "x.conllx"
    target.write_bytes(b"old")
    with pytest.raises(TreebankError):
        convert((FULL + bad).encode(), target, from_="conllu")
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_unknown_formats_are_refused_before_anything_is_opened(tmp_path):
    with pytest.raises(TreebankError, match="unknown format 'x'"):
        convert("none", tmp_path / "out", to="x")
    with pytest.raises(TreebankError, match="unknown format 'x'"):
        convert("none", tmp_path / "out", from_="x")
    with pytest.raises(TreebankError, match="no such file"):
        convert("none", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_only_treebanks_can_be_written(tmp_path):
    with pytest.raises(TreewrightError, match="a sentence is needed here, not str"):
        write(["text"], tmp_path / "out")
    with pytest.raises(TreewrightError, match="a sentence is needed here, not int"):
        write([1], tmp_path / "out")
    write(Sentence.from_words(["a"]), tmp_path / "out")
    assert (tmp_path / "out").read_bytes().startswith(b"1\ta\t")
    write([], tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b""


def test_sentences_from_many_places_are_separated(tmp_path):
    row = "1\ta" + "\t_" * 8
    sentences = [
        Sentence.from_conllu(text)
        for text in (row, row + "\n", "\ufeff" + row + "\n\n", row + "\r\n", row + "\n ", row)
    ]
    write(sentences, tmp_path / "out")
    with pytest.warns(TreebankWarning):
        assert len(list(read(tmp_path / "out"))) == len(sentences)
    assert "\ufeff" not in (tmp_path / "out").read_text(encoding="utf-8")


def test_blocks_and_sentences_of_several_layouts_in_one_file(tmp_path):
    block = next(read_blocks(b"b\tN\n\n"))
    items = [Sentence.from_words(["a"]), block, *read(b"c\tN\t0\tROOT\n\n")]
    write(items, tmp_path / "x.conllu")
    assert [s[0].form for s in read(tmp_path / "x.conllu")] == ["a", "b", "c"]
    assert next(read(b"c\tN\t0\tROOT\n\n").__iter__()).to_conllu() == ("1\tc\t_\tN\t_\t_\t0\tROOT\t_\t_\n\n")


ENDS = (b"a\n\n", b"a\r\n\r\n", b"a\n \n", b"a\n", b"a\r\n", b"a", b"a\n ", b"a\r\nb")
MISSING = (b"", b"", b"", b"\n", b"\r\n", b"\n\n", b"\n", b"\r\n\r\n")


@pytest.mark.parametrize(("data", "missing"), list(zip(ENDS, MISSING, strict=True)))
def test_missing_blank(data, missing):
    assert missing_blank(data) == missing


# Compiled rearrangement against a plain one

CELL = st.text("ab _é=", max_size=3)


@st.composite
def treebanks(draw):
    text = ""
    for _ in range(draw(st.integers(1, 4))):
        text += "".join(f"# {c}\n" for c in draw(st.lists(CELL, max_size=2)))
        for number in range(1, draw(st.integers(0, 3)) + 1):
            for mark in draw(st.lists(st.sampled_from([f"{number}-9", f"{number}.1"]), max_size=1)):
                text += mark + "\tx" * 9 + "\n"
            cells = draw(st.lists(CELL, min_size=9, max_size=9))
            cells[5] = draw(st.sampled_from("012_"))
            text += "\t".join([str(number), *cells]) + "\n"
        text += draw(st.sampled_from(["\n", "\n\n", " \n"]))
    return text


def plain_conllx(text):
    out = ""
    for sentence in text.replace("\n \n", "\n\n").split("\n\n"):
        rows = [line.split("\t") for line in sentence.strip("\n").split("\n") if line.strip()]
        rows = [row for row in rows if row[0].isdigit()]
        lines = ["\t".join([cell or "_" for cell in row[:8]] + ["_", "_"]) for row in rows]
        out += "".join(line + "\n" for line in lines) + ("\n" if lines else "")
    return out


@settings(max_examples=200)
@given(treebanks())
def test_rearranging_equals_a_plain_conversion(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "rearranged"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        convert(text.encode(), path, to="conllx", from_="conllu")
    assert path.read_text(encoding="utf-8") == plain_conllx(text)


def test_a_header_of_the_ten_columns_stays_in_conllu(tmp_path):
    row = b"1\tDogs\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    text = b"# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n# sent_id = 1\n" + row
    for name in ("out.conllu", "out.conllup"):
        convert(text, tmp_path / name)
        assert (tmp_path / name).read_bytes() == text


def test_several_files_as_one_have_one_header(tmp_path):
    """A line like it elsewhere in a file stays: it is a comment."""
    header, row = b"# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n", b"1\ta" + 4 * b"\t_"
    row += b"\t0\troot\t_\t_\n\n"
    convert([header + row, header + row + header + row], tmp_path / "out.conllu")
    assert (tmp_path / "out.conllu").read_bytes() == header + row + row + header + row
