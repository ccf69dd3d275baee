"""SDP graphs read and written."""

import pytest

import treewright
from treewright.errors import TreebankError, TreebankWarning
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.writing import convert
from treewright.treebank.formats.registry import Sample, guess
from treewright.treebank.graphs.graph import graph_of

ROWS = [
    ("1", "Ann", "Ann", "NNP", "-", "-", "_", "ARG1", "_", "ARG1"),
    ("2", "tried", "try", "VBD", "+", "+", "v:e-i-h", "_", "_", "_"),
    ("3", "hard", "hard", "RB", "-", "+", "_", "_", "_", "_"),
    ("4", "to", "to", "TO", "-", "-", "_", "_", "_", "_"),
    ("5", "sleep", "sleep", "VB", "-", "+", "v:e-i", "ARG2", "_", "_"),
]
TEXT_2015 = "#SDP 2015\n#20001001\n" + "".join("\t".join(row) + "\n" for row in ROWS) + "\n"
TEXT_2014 = "#20001001\n" + "".join("\t".join((*row[:6], *row[7:])) + "\n" for row in ROWS) + "\n"
GRAPH = [[(2, "ARG1"), (5, "ARG1")], [(0, "top")], [], [], [(2, "ARG2")]]


@pytest.mark.parametrize("text", [TEXT_2015, TEXT_2014, TEXT_2015.replace("\n", "\r\n"), "\ufeff" + TEXT_2015])
def test_graphs_are_read_and_the_format_is_guessed(text):
    assert guess(Sample(text.encode(), "x")).name == "sdp"
    (sentence,) = treewright.read(text.encode())
    assert sentence.sent_id == "20001001"
    assert [word.xpos for word in sentence] == ["NNP", "VBD", "RB", "TO", "VB"]
    assert graph_of(sentence) == GRAPH


def test_a_round_trip_gives_the_same_bytes(tmp_path):
    convert(TEXT_2015.encode(), tmp_path / "a.conllu")
    assert "Pred=Yes" in (tmp_path / "a.conllu").read_text()
    convert(tmp_path / "a.conllu", tmp_path / "a.sdp")
    assert (tmp_path / "a.sdp").read_text() == TEXT_2015


def test_several_blocks_have_one_header(tmp_path):
    text = TEXT_2015 + TEXT_2015.partition("\n")[2].replace("#20001001", "#20001002")
    convert(text.encode(), tmp_path / "a.conllu")
    blocks = list(read_blocks((tmp_path / "a.conllu").read_bytes(), block_bytes=50))
    assert len(blocks) > 1
    treewright.write(blocks, tmp_path / "b.sdp")
    assert (tmp_path / "b.sdp").read_text() == text


def test_what_sdp_cannot_hold_is_told(tmp_path):
    text = "1\tGo\tgo\tVERB\t_\tMood=Imp\t0\troot\t0:root|2:a|2:b\t_\n2\t!\t!\tPUNCT\t_\t_\t1\tp\t1:p\t_\n\n"
    with pytest.warns(TreebankWarning, match="additional arcs between the same words"):
        convert(text.encode(), tmp_path / "a.sdp")
    (sentence,) = treewright.read(tmp_path / "a.sdp")
    assert graph_of(sentence) == [[(0, "top"), (2, "a")], [(1, "p")]]
    assert [word.xpos for word in sentence] == ["VERB", "PUNCT"]


@pytest.mark.parametrize(
    ("old", "new", "problem", "line"),
    [
        ("\tARG2\t_\t_\n", "\tARG2\t_\n", "expected 3 columns of roles, found 2", 7),
        ("5\tsleep", "6\tsleep", "expected ID 5, found '6'", 7),
        ("3\thard\thard\tRB\t-\t+\t_\t_\t_\t_", "3\thard", "expected at least 7 columns, found 2", 5),
    ],
)
def test_a_bad_row_is_refused_with_its_line(old, new, problem, line):
    assert old in TEXT_2015
    with pytest.raises(TreebankError, match=problem) as caught:
        list(treewright.read(TEXT_2015.replace(old, new).encode()))
    assert f"{line}" in str(caught.value)
