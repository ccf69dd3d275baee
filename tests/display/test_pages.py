"""HTML pages, LaTeX, displaCy and brat."""

import json
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from treewright.display import tikz
from treewright.display.brat import BratDocument
from treewright.display.displacy import data_of
from treewright.display.html import fragment, page
from treewright.display.picture import Arc, Picture, Word, make_picture

PICTURE = Picture(
    [
        Word("We", "PRON", "1", "we"),
        Word("saw", "VERB", "2"),
        Word("it", "PRON", "3"),
        Word("saw", "VERB", "3.1", is_empty=True),
    ],
    [Arc(2, 1, "nsubj"), Arc(0, 2, "root"), Arc(2, 3, "obj"), Arc(4, 1, "nsubj:xsubj", below=True)],
    "s-1",
    "We saw it",
)


class Page(HTMLParser):
    """What a page is made of."""

    VOID = ("meta", "rect", "path")

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.ids, self.texts, self.tags = [], [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.append(tag)
        if tag == "a":
            self.links.append(found["href"])
        if "id" in found:
            self.ids.append(found["id"])
        assert not {"src", "onload", "xlink:href"} & set(found), "nothing is fetched, nothing is run"
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_many_sentences_have_a_table_of_contents():
    text = page([PICTURE] * 3, "a & b")
    found = Page(text)
    assert not found.open
    assert found.ids == ["s1", "s2", "s3"]
    assert [link for link in found.links if found.links.count(link) == 2] == ["#s1", "#s2", "#s3"] * 2
    assert "a & b" in found.texts
    assert found.tags.count("svg") == 3
    assert text.count("<style>") == 1


def test_one_sentence_has_none():
    assert "nav" not in Page(page([PICTURE])).tags


@given(st.text(), st.text())
def test_text_stays_text(word, title):
    picture = Picture([Word(word, word)], [Arc(0, 1, word)], title, word, notes=(word,))
    found = Page(page([picture, picture], title))
    assert not found.open
    assert set(found.tags) <= {
        *("html", "head", "meta", "title", "style", "body", "h1", "h2", "nav", "ol", "li", "a", "section", "p", "div"),
        *("svg", "desc", "g", "path", "text", "rect"),
    }


def test_a_fragment_scrolls_and_brings_its_style():
    text = fragment(PICTURE)
    assert text.startswith("<div")
    assert "overflow-x:auto" in text
    assert "<style>" in text
    assert 'dir="rtl"' in fragment(make_picture(["שלום"], []))


def test_latex():
    text = tikz.draw(PICTURE)
    assert text.startswith("% s-1\n\\begin{dependency}\n")
    rows = [line for line in text.splitlines() if line.endswith("\\\\")]
    assert [row.count("\\&") for row in rows] == [3, 3]
    assert "\\textit{saw}" in rows[0]
    assert "\\deproot[edge height=" in text
    assert "edge below]{4}{1}{nsubj:xsubj}" in text
    assert text.count("\\depedge") == 3


def test_latex_is_escaped():
    text = tikz.draw(make_picture(["50%", "A&B", "{x}_$#", "~^\\"], [(1, 2, "a_b")]))
    row = text.splitlines()[2]
    assert row.count("\\&") == 3
    assert "50\\%" in row
    assert "A\\symbol{38}B" in row
    assert "\\{x\\}\\_\\$\\#" in row
    assert "\\textasciitilde{}\\textasciicircum{}\\textbackslash{}" in row
    assert "{a\\_b}" in text


def test_displacy():
    data = json.loads(json.dumps(data_of(PICTURE)))
    assert data["words"][0] == {"text": "We", "tag": "PRON", "lemma": "we"}
    assert data["arcs"] == [
        {"start": 0, "end": 1, "label": "nsubj", "dir": "left"},
        {"start": 1, "end": 2, "label": "obj", "dir": "right"},
        {"start": 0, "end": 3, "label": "nsubj:xsubj", "dir": "left"},
    ]
    assert all(arc["start"] < arc["end"] for arc in data["arcs"])
    assert data_of(make_picture(["שלום"], []))["settings"] == {"direction": "rtl"}


def test_brat():
    document = BratDocument([PICTURE, make_picture(["naïve", "木"], [(1, 2, "nmod:of")])])
    assert document.text == "We saw it saw\nnaïve 木\n"
    lines = document.annotation().splitlines()
    spans = [line.split("\t") for line in lines if line.startswith("T")]
    assert len(spans) == 6
    for _, place, form in spans:
        _, start, end = place.split()
        assert document.text[int(start) : int(end)] == form
    assert spans[0] == ["T1", "PRON 0 2", "We"]
    assert "R1\tnsubj Arg1:T2 Arg2:T1" in lines
    assert "R3\tnsubj_xsubj Arg1:T4 Arg2:T1" in lines
    assert "R4\tnmod_of Arg1:T5 Arg2:T6" in lines
    assert document.data()["relations"][3] == ["R4", "nmod_of", [["Arg1", "T5"], ["Arg2", "T6"]]]
