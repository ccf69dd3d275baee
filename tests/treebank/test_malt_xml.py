"""Malt-XML: read as CoNLL-U with the lines of the file, written as an equivalent document."""

import warnings
import xml.etree.ElementTree as ElementTree

import pytest

from treewright.errors import TreebankError, TreebankWarning
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.treebank import read
from treewright.treebank.files.writing import convert

DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<treebank id="små" xmlns:xsi="urn:x">
  <head>
    <name>Two &amp; three</name>
    <annotation>
      <attribute name="head"/>
      <attribute name="postag"><value name="N"/><value name="V"/><value name="never"/></attribute>
      <attribute name="deprel"><value name="ROOT"/><value name="SUB"/></attribute>
    </annotation>
  </head>
  <body>
    <sentence id="s1" user="ann" date="2005">
      <word id="1" form="A &lt;&quot;b&quot;&gt; &#38;" postag="N" head="2" deprel="SUB"/>
      <word id="2" form="går" postag="V" head="0" deprel="ROOT" note="100%|x%7C%25" empty=""/>
    </sentence>
    <sentence id="s2">
      <!-- without a tree -->
      <word id="1" form="Ö" postag="N"/>
    </sentence>
  </body>
</treebank>
"""


def sentences(document, **kwargs):
    return list(read(document.encode(), **kwargs))


def canonical(document):
    return ElementTree.canonicalize(document, strip_text=True)


def test_sentences_and_words():
    first, second = sentences(DOCUMENT)
    assert [(t.form, t.upos, t.head, t.deprel) for t in first] == [
        ('A <"b"> &', "N", 2, "SUB"),
        ("går", "V", 0, "ROOT"),
    ]
    assert (first.sent_id, first.metadata["malt-xml.user"]) == ("s1", "ann")
    assert (second.sent_id, second.heads) == ("s2", [None])
    assert first[1].misc == {"malt:note": "100%25%7Cx%257C%2525", "malt:empty": "%"}


@pytest.mark.parametrize("block_bytes", [1, 7, 1 << 20])
def test_lines_are_those_of_the_document(block_bytes):
    blocks = list(read_blocks(DOCUMENT.encode(), block_bytes=block_bytes))
    lines = [block.line_of_word(word) for block in blocks for word in range(block.n_words)]
    assert lines == [13, 14, 18]
    assert sum(block.n_sentences for block in blocks) == 2


def test_writing_gives_an_equivalent_document(tmp_path):
    convert(DOCUMENT.encode(), tmp_path / "out.xml")
    again = (tmp_path / "out.xml").read_text(encoding="utf-8")
    without_comment = DOCUMENT.replace("<!-- without a tree -->", "")
    assert canonical(again) == canonical(without_comment)


def test_through_conllu_and_back(tmp_path):
    convert(DOCUMENT.encode(), tmp_path / "x.conllu")
    convert(tmp_path / "x.conllu", tmp_path / "y.xml")
    assert canonical((tmp_path / "y.xml").read_text(encoding="utf-8")) == canonical(DOCUMENT)


def test_from_conllu_the_header_has_the_tags_and_roots_are_root(tmp_path):
    rows = (
        "1\ta\tl\tN\tXX\tF=1\t2\tnsubj\t2:nsubj\tSpaceAfter=No\n"
        "2\tb\t_\tV\t_\t_\t0\troot\t_\t_\n"
        "2.1\tc\t_\t_\t_\t_\t_\t_\t2:x\t_\n\n"
    )
    with pytest.warns(TreebankWarning) as caught:
        convert(f"# text = a b\n{rows}".encode(), tmp_path / "out.xml")
    assert len(caught) == 1
    for what in ("1 comment lines", "1 empty nodes", "values of XPOS", "of DEPS", "of MISC"):
        assert what in str(caught[0].message)
    tree = ElementTree.parse(tmp_path / "out.xml")
    tags = {attribute.get("name"): [value.get("name") for value in attribute] for attribute in tree.iter("attribute")}
    assert tags == {"head": [], "postag": ["N", "V"], "deprel": ["nsubj", "ROOT"]}
    assert [word.attrib for word in tree.iter("word")] == [
        {"id": "1", "form": "a", "lemma": "l", "postag": "N", "feats": "F=1", "head": "2", "deprel": "nsubj"},
        {"id": "2", "form": "b", "postag": "V", "head": "0", "deprel": "ROOT"},
    ]


def test_what_the_writer_makes_up_is_not_read_back(tmp_path):
    table = "a\tX\t2\tx\nb\tY\t0\tROOT\n\nc\tX\t0\tROOT\n\n"
    (tmp_path / "in.tab").write_text(table)
    convert(tmp_path / "in.tab", tmp_path / "out.xml", to="malt-xml")
    assert [each.get("id") for each in ElementTree.parse(tmp_path / "out.xml").iter("sentence")] == ["1", "2"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        convert(tmp_path / "out.xml", tmp_path / "back.tab", to="malt-tab")
    assert (tmp_path / "back.tab").read_text() == table


@pytest.mark.parametrize("known", ["# sent_id = 1\n", "# malt-xml.head = <head/>\n"])
def test_what_the_treebank_says_itself_is_read_back(tmp_path, known):
    text = f"{known}1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    convert(text.encode(), tmp_path / "out.xml", to="malt-xml")
    convert(tmp_path / "out.xml", tmp_path / "back.conllu", to="conllu")
    assert (tmp_path / "back.conllu").read_text() == text.replace("root", "ROOT")


def test_nothing_but_an_empty_document_can_be_written(tmp_path):
    convert(b"", tmp_path / "out.xml", to="malt-xml")
    assert ElementTree.parse(tmp_path / "out.xml").getroot().tag == "treebank"


def test_comments_cannot_smuggle_in_markup(tmp_path):
    text = b"# malt-xml.head = <a><b></a>\n# malt-xml.treebank = x><y\n# malt-xml.a<b = c\n1" + (
        b"\ta" + b"\t_" * 8 + b"\n\n"
    )
    with pytest.warns(TreebankWarning, match="3 comment lines"):
        convert(text, tmp_path / "out.xml")
    ElementTree.parse(tmp_path / "out.xml")


@pytest.mark.parametrize(
    ("document", "problem", "line"),
    [
        ('<!DOCTYPE t [<!ENTITY a "b">]>\n<treebank/>', "document type", 1),
        ('<!DOCTYPE t SYSTEM "http://x.invalid/t.dtd"><treebank/>', "document type", 1),
        ("<treebank>\n<body>\n<sentence></body></treebank>", "mismatched tag", 3),
        ("<treebank>\n<body>", "no element found", 2),
        ("<treebank>\n<word/></treebank>", "unexpected element <word>", 2),
        ("<treebank>\n<sentence><word id='1'/></sentence></treebank>", "has no form", 2),
        ("<treebank>\n<sentence>text</sentence></treebank>", "text between", 2),
        ("<treebank>\n<sentence><word id='1' form='a&#9;b'/></sentence></treebank>", "a tab", 2),
        ("<treebank>\n<sentence><word id='1' form='&a;'/></sentence></treebank>", "undefined", 2),
        ("<treebank><head>" + "<a>" * 100, "nested too deeply", 1),
        ("<?xml version='1.0' encoding='no-such'?><treebank/>", "encoding", 1),
    ],
)
def test_bad_documents(document, problem, line):
    with pytest.raises(TreebankError) as caught:
        sentences(document)
    assert problem in str(caught.value)
    assert caught.value.line == line
    assert caught.value.remedy


def test_problems_of_words_name_the_line_of_the_document():
    with pytest.raises(TreebankError, match=r"the text:14 \(sent_id s1\): expected ID 2, found `7`"):
        sentences(DOCUMENT.replace('id="2" form', 'id="7" form'))
    with pytest.raises(TreebankError, match=r"the text:13 \(sent_id s1\): HEAD is `x`"):
        sentences(DOCUMENT.replace('head="2"', 'head="x"'))


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-16", "windows-1252"])
def test_other_encodings(encoding):
    document = DOCUMENT.replace("UTF-8", encoding).encode(encoding)
    assert [s.sent_id for s in read(document)] == ["s1", "s2"]
    assert next(iter(read(document)))[1].form == "går"


def test_control_characters_cannot_be_written(tmp_path):
    with pytest.raises(TreebankError, match="XML cannot represent"):
        convert(b"1\t\x01" + b"\t_" * 8 + b"\n\n", tmp_path / "out.xml")
    assert not list(tmp_path.iterdir())
