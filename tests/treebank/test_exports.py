"""Sentences for other libraries, and treebanks from memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.toy import TEST

import treewright as tw

TEXT = """\
# newdoc id = first
# sent_id = a
# text = don't go
1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tdo\tdo\tAUX\t_\t_\t3\taux\t3:aux\t_
2\tn't\tnot\tPART\t_\tPolarity=Neg\t3\tadvmod\t3:advmod\tA=b
2.1\tthere\t_\t_\t_\t_\t_\t_\t3:obl\t_
3\tgo\tgo\tVERB\t_\t_\t0\troot\t0:root|2.1:x\t_

# sent_id = b
1\tHi\t_\tINTJ\t_\t_\t0\troot\t_\t_

# newdoc
# sent_id = c
1\tHo\t_\tINTJ\t_\t_\t_\t_\t_\t_

"""


@pytest.fixture
def sentences():
    return list(tw.read(TEXT.encode()))


def test_a_table_has_a_row_for_each_word(sentences):
    pytest.importorskip("pandas")
    table = tw.to_pandas(sentences)
    assert list(table["form"]) == ["do", "n't", "go", "Hi", "Ho"]
    assert list(table["sentence"]) == [1, 1, 1, 2, 3]
    assert list(table["sent_id"]) == ["a", "a", "a", "b", "c"]
    assert list(table["document"].fillna("-")) == ["first"] * 4 + ["-"]
    assert list(table["head"].fillna(-1)) == [3, 3, 0, 0, -1]
    assert list(table["multiword"].fillna("-")) == ["don't", "don't", "-", "-", "-"]
    assert table["xpos"].isna().all()
    assert sentences[0].to_pandas().equals(table[:3])
    assert tw.to_arrow(TEXT.encode()).to_pydict() == tw.read(TEXT.encode()).to_arrow().to_pydict()
    assert tw.to_arrow(sentences)["deps"].to_pylist()[:3] == ["3:aux", "3:advmod", "0:root|2.1:x"]


def test_json_keeps_everything(sentences, tmp_path):
    first = json.loads(sentences[0].to_json())
    assert first["sent_id"] == "a"
    assert first["tokens"][2] == {
        **{"id": 2, "form": "n't", "lemma": "not", "upos": "PART", "feats": "Polarity=Neg"},
        **{"head": 3, "deprel": "advmod", "deps": "3:advmod", "misc": "A=b"},
    }
    for name in ("out.json", "out.jsonl", "out.json.gz"):
        tw.write(sentences, tmp_path / name)
        tw.convert(tmp_path / name, tmp_path / "back.conllu")
        assert (tmp_path / "back.conllu").read_text() == TEXT
    assert len(json.loads((tmp_path / "out.json").read_text())) == 3
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 3
    tw.write([], tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text()) == []


@pytest.mark.parametrize("line", ['{"tokens": [{"form": "a\\tb"}]}', '{"tokens": 7}', '[{"tokens": [', "{}"])
def test_json_that_is_no_treebank_is_named_by_line(line):
    with pytest.raises(tw.TreebankError, match=":2: not a sentence in JSON"):
        list(tw.read(("[\n" + line + "\n]\n").encode(), format="json"))


def test_parquet_has_the_same_table(sentences, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    tw.convert(TEST, tmp_path / "toy.parquet")
    assert parquet.read_table(tmp_path / "toy.parquet").to_pydict() == tw.to_arrow(TEST).to_pydict()
    tw.write([], tmp_path / "empty.parquet")
    assert parquet.read_table(tmp_path / "empty.parquet").num_rows == 0
    with pytest.raises(tw.TreebankError, match="written only"):
        list(tw.read(tmp_path / "toy.parquet"))


def test_graphs_for_networkx(sentences):
    pytest.importorskip("networkx")
    tree = sentences[0].to_networkx()
    assert sorted(tree.edges(data="deprel")) == [(0, 3, "root"), (3, 1, "aux"), (3, 2, "advmod")]
    assert tree.nodes[2]["lemma"] == "not"
    graph = sentences[0].to_networkx(graph=True)
    assert ("2.1", 3, "x") in graph.edges(data="deprel")
    assert "2.1" in graph


def test_data_for_displacy(sentences):
    shown = sentences[0].to_displacy()
    assert [word["text"] for word in shown["words"]] == ["do", "n't", "go"]
    assert {"start": 0, "end": 2, "label": "aux", "dir": "left"} in shown["arcs"]


def test_the_tree_seen_from_a_word(sentences):
    do, nt, go = sentences[0]
    assert do.parent is go
    assert go.parent is None
    assert go.children == [do, nt]
    assert go.subtree == [do, nt, go]
    assert do.subtree == [do]
    nt.parent = do
    assert [word.form for word in do.subtree] == ["do", "n't"]
    nt.head = go
    assert nt.head == 3


@pytest.mark.parametrize(
    ("head", "told"),
    [(4, "3 words"), (-1, "3 words"), (3, "its own head"), (1, "below it"), ("1", "not a valid"), (True, "not a")],
)
def test_a_head_is_checked(sentences, head, told):
    go = sentences[0][2]
    with pytest.raises(tw.TreewrightError, match=told):
        go.head = head
    assert go.head == 0
    with pytest.raises(tw.TreewrightError, match="another sentence"):
        go.head = sentences[1][0]
    with pytest.raises(tw.TreewrightError, match="no word"):
        sentences[0].multiword_tokens[0].head = 1


def test_heads_are_set_together(sentences):
    sentence = sentences[0]
    sentence.heads = [0, 1, 2]
    assert sentence.heads == [0, 1, 2]
    for wrong in ([0, 3, 2], [0, 1], [0, 1, 9], [2, 3, 1]):
        with pytest.raises(tw.TreewrightError):
            sentence.heads = wrong
    assert sentence.heads == [0, 1, 2]
    sentence.heads = [None, 1, None]
    assert sentence.heads == [None, 1, None]


def test_whatever_reads_a_treebank_takes_sentences(tmp_path):
    sentences = list(tw.read(TEST))
    for given in (TEST, sentences, tw.read(TEST), iter(sentences), tuple(sentences)):
        scores = tw.evaluate(TEST, given)
        assert scores.las == 100.0
    assert tw.analyze(sentences, tw.read(TEST), sentences).total.words == tw.evaluate(TEST, TEST).attachment().words
    parser = tw.train(sentences, tw.read(TEST), iterations=1)
    assert parser.info["dev"]["LAS" if "LAS" in parser.info["dev"] else "las"] > 50
    for given in (TEST, tw.read(TEST), sentences, (each for each in sentences)):
        tw.write(given, tmp_path / "out.conllu")
        assert (tmp_path / "out.conllu").read_bytes() == Path(TEST).read_bytes()
    with pytest.raises(tw.TreewrightError, match="needed here, not int"):
        tw.train([[1]])


def test_skipping_reaches_what_reads(tmp_path):
    broken = TEXT.replace("1\tHi\t", "1\tHi").encode()
    tw.write(tw.read(broken, on_error="skip"), tmp_path / "out.conllu")
    assert [sentence.sent_id for sentence in tw.read(tmp_path / "out.conllu")] == ["a", "c"]
