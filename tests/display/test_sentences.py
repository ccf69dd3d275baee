"""From sentences to pictures: trees, graphs, empty nodes, differences, and the methods of Sentence."""

import pytest

from treewright.display.difference import picture_of_difference
from treewright.display.from_sentence import has_graph, picture_of
from treewright.display.picture import MISSED, RIGHT, WRONG_HEAD, WRONG_LABEL
from treewright.errors import TreebankError, TreewrightError
from treewright.treebank.sentences.sentence import Sentence


def sentence(*rows, name="s"):
    """Return a sentence of rows "ID FORM HEAD DEPREL [DEPS]"."""
    lines = [f"# sent_id = {name}"]
    for row in rows:
        number, form, head, relation, *deps = row.split()
        deps = deps[0] if deps else "_"
        lines.append("\t".join([number, form, form.lower(), "X", "_", "_", head, relation, deps, "_"]))
    return Sentence.from_conllu("\n".join(lines) + "\n\n")


GRAPH = sentence(
    "1 Ann 2 nsubj 2:nsubj|4:nsubj:xsubj",
    "2 wants 0 root 0:root",
    "3-4 tobuy _ _",
    "3 to 4 mark 4:mark",
    "4 buy 2 xcomp 2:xcomp",
    "5 tea 4 obj 4:obj",
    "5.1 wants _ _ 2:conj:and",
    "6 Tom 2 conj 5.1:nsubj",
)


def arcs(picture):
    return [(arc.head, arc.dependent, arc.label, arc.below) for arc in picture.arcs]


def test_the_tree_is_above_and_further_heads_are_below():
    assert has_graph(GRAPH)
    picture = picture_of(GRAPH)
    assert [word.text for word in picture.words] == ["Ann", "wants", "to", "buy", "tea", "wants", "Tom"]
    assert [word.number for word in picture.words][-2:] == ["5.1", "6"]
    assert [word.is_empty for word in picture.words].index(True) == 5
    assert arcs(picture) == [
        (2, 1, "nsubj", False),
        (4, 1, "nsubj:xsubj", True),
        (0, 2, "root", False),
        (4, 3, "mark", False),
        (2, 4, "xcomp", False),
        (4, 5, "obj", False),
        (2, 6, "conj:and", True),
        (2, 7, "conj", False),
        (6, 7, "nsubj", True),
    ]


def test_the_tree_alone():
    picture = picture_of(GRAPH, graph=False)
    assert len(picture.words) == 6
    assert not any(arc.below for arc in picture.arcs)


def test_a_longer_label_in_the_graph_is_the_same_arc():
    both = sentence("1 on 2 case 2:case", "2 Monday 3 obl 3:obl:on", "3 left 0 root 0:root")
    assert not has_graph(both)
    assert arcs(picture_of(both, graph=True))[1] == (3, 2, "obl:on", False)


def test_a_graph_without_a_tree_has_its_first_heads_above():
    graph = sentence("1 a _ _ 2:x|3:y", "2 b _ _ 0:root", "3 c _ _ _")
    assert arcs(picture_of(graph)) == [(2, 1, "x", False), (3, 1, "y", True), (0, 2, "root", False)]


def test_partial_trees_and_heads_that_are_not_there():
    picture = picture_of(sentence("1 a 2 x", "2 b _ _", "3 c 0 root 9:z"))
    assert arcs(picture) == [(2, 1, "x", False), (0, 3, "root", False)]


@pytest.mark.parametrize(("tags", "tag"), [("none", ""), ("upos", "X"), ("xpos", ""), ("lemma", "ann")])
def test_what_stands_beneath(tags, tag):
    assert picture_of(GRAPH, tags).words[0].tag == tag


def test_unknown_tags_are_refused():
    with pytest.raises(TreewrightError, match="upos"):
        picture_of(GRAPH, "feats")


GOLD = sentence("1 a 2 det", "2 b 3 nsubj", "3 c 0 root", "4 d 3 obj")


def test_differences_are_marked():
    system = sentence("1 a 2 det", "2 b 3 obj", "3 c 0 root", "4 d 2 nmod")
    picture = picture_of_difference(GOLD, system)
    marks = {(arc.head, arc.dependent, arc.label, arc.below): arc.mark for arc in picture.arcs}
    assert marks == {
        (2, 1, "det", False): RIGHT,
        (3, 2, "obj→nsubj", False): WRONG_LABEL,
        (0, 3, "root", False): RIGHT,
        (2, 4, "nmod", False): WRONG_HEAD,
        (3, 4, "obj", True): MISSED,
    }
    assert picture.notes == ("1 wrong head, 1 wrong relation, 1 missed arc",)


def test_no_difference():
    picture = picture_of_difference(GOLD, GOLD)
    assert {arc.mark for arc in picture.arcs} == {RIGHT}
    assert picture.notes == ("no differences",)


def test_differences_of_graphs():
    system = sentence(
        "1 Ann 2 nsubj 2:nsubj",
        "2 wants 0 root 0:root",
        "3 to 4 mark 4:mark",
        "4 buy 2 xcomp 2:xcomp",
        "5 tea 4 obj 4:obj|2:obj",
        "5.1 wants _ _ 2:conj:and",
        "6 Tom 2 conj 5.1:nsubj",
    )
    picture = picture_of_difference(GRAPH, system, graph=True)
    wrong = {(arc.head, arc.dependent, arc.label, arc.mark) for arc in picture.arcs if arc.is_wrong}
    assert wrong == {(2, 5, "obj", WRONG_HEAD), (4, 1, "nsubj:xsubj", MISSED)}


@pytest.mark.parametrize(
    ("rows", "problem"),
    [(("1 a 2 det", "2 B 3 nsubj", "3 c 0 root", "4 d 3 obj"), "word 2 is 'B'"), (("1 a 0 root",), "1 words, but 4")],
)
def test_other_words_cannot_be_compared(rows, problem):
    with pytest.raises(TreebankError, match=problem):
        picture_of_difference(GOLD, sentence(*rows))


# The methods of Sentence


def test_tree_is_a_string():
    drawn = GOLD.tree(width=80)
    assert isinstance(drawn, str)
    assert drawn.splitlines()[-1].split() == ["a", "b", "c", "d"]
    assert not drawn.endswith("\n")
    assert GOLD.tree(ascii_only=True).isascii()
    assert GOLD.tree("indented").splitlines()[0].split() == ["c", "root"]


def test_draw():
    assert GOLD.draw().startswith("<svg")
    assert GOLD.draw("html").startswith("<!DOCTYPE html>")
    assert GOLD.draw("tikz").startswith("% s\n\\begin{dependency}")
    assert "✗" in sentence("1 a 2 det", "2 b 3 nsubj", "3 c 0 root", "4 d 1 obj").draw(gold=GOLD)
    with pytest.raises(TreewrightError, match="svg"):
        GOLD.draw("png")
    with pytest.raises(TreewrightError, match="arcs"):
        GOLD.tree("circles")


def test_notebooks():
    assert GOLD._repr_svg_() == GOLD.draw("svg")
    assert GOLD._repr_html_().startswith("<div")


# Indented


def test_indented():
    assert GRAPH.tree("indented").splitlines() == [
        "wants      root",
        "├─ Ann     nsubj    also nsubj:xsubj of 4 buy",
        "├─ buy     xcomp",
        "│  ├─ to   mark",
        "│  └─ tea  obj",
        "└─ Tom     conj     also nsubj of 5.1 wants",
        "wants               also conj:and of 2 wants",
    ]


def test_indented_says_what_is_wrong():
    system = sentence("1 a 2 det", "2 b 3 obj", "3 c 0 root", "4 d 2 nmod")
    text = system.tree("indented", gold=GOLD)
    assert "obj→nsubj  wrong relation" in text
    assert "wrong head  should be obj of 3 c" in text


def test_cycles_are_drawn_too():
    lines = sentence("1 a 0 root", "2 b 4 x", "3 c 2 y", "4 d 3 z").tree("indented").splitlines()
    assert [line.split()[-2:] for line in lines[:1]] == [["a", "root"]]
    assert "head 4 closes a cycle" in lines[1]
    assert [line.lstrip("│└─ ")[0] for line in lines] == ["a", "b", "c", "d"]


def test_a_deep_tree_does_not_grow_without_end():
    n = 3000
    deep = Sentence.from_words([{"form": "w", "head": k, "deprel": "x"} for k in range(n)])
    lines = deep.tree("indented", width=80).splitlines()
    assert len(lines) == n
    assert max(map(len, lines)) < 200
