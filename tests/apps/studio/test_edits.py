"""Edits, one by one, with all that they change: whole texts before and after, and what is said of impossible ones."""

from __future__ import annotations

from typing import Any

import pytest

from treewright.apps.studio.drafts import COLUMNS, Draft, EditError, sorted_deps
from treewright.apps.studio.edits import edited
from treewright.errors import TreewrightError

BLANK = "_" * 8


def lines(*rows: str) -> str:
    """Return a sentence: each row has some of ID FORM HEAD DEPREL DEPS MISC, and what is left out is empty."""
    text = ""
    for row in rows:
        token, form, head, deprel, deps, misc = (row.split() + ["_"] * 5)[:6]
        text += "\t".join((token, form, "_", "_", "_", "_", head, deprel, deps, misc)) + "\n"
    return text + "\n"


FOUR = ("1 a 2 x 2:x A=1", "2 b 0 root 0:root B=1", "3 c 2 y 1:y|2:y C=1", "4 d 3 z 3:z D=1")


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        # a word out: dependents go to its head, arcs from it are gone
        (
            FOUR,
            {"do": "delete", "word": 3},
            ("1 a 2 x 2:x A=1", "2 b 0 root 0:root B=1", "3 d 2 z _ D=1"),
        ),
        (
            FOUR,
            {"do": "delete", "word": 2},
            ("1 a 0 x _ A=1", "2 c 0 y 1:y C=1", "3 d 2 z 2:z D=1"),
        ),
        (("1 a 2 x", "2 b 0 root"), {"do": "delete", "word": 2}, ("1 a 0 x",)),
        (("1 a 0 x", "2 b 1 y 1:y"), {"do": "delete", "word": 1}, ("1 b 0 y _",)),
        (("1 a _", "2 b 1 y"), {"do": "delete", "word": 1}, ("1 b _ y",)),
        (
            ("1-3 abc", "1 a", "2 b", "3 c", "4-5 de", "4 d", "5 e"),
            {"do": "delete", "word": 1},
            ("1-2 abc", "1 b", "2 c", "3-4 de", "3 d", "4 e"),
        ),
        (("1-2 ab", "1 a", "2 b", "3 c"), {"do": "delete", "word": 2}, ("1 a", "2 c")),
        (
            ("0.1 p", "1 a", "1.1 q", "2 b _ _ 1.1:x|0.1:y"),
            {"do": "delete", "word": 1},
            ("0.1 p", "0.2 q", "1 b _ _ 0.2:x|0.1:y"),
        ),
        # words into one
        (
            FOUR,
            {"do": "merge", "first": 2, "last": 3},
            ("1 a 2 x 2:x A=1", "2 bc 0 root 0:root C=1", "3 d 2 z 2:z D=1"),
        ),
        (
            FOUR,
            {"do": "merge", "first": 3, "last": 4},
            ("1 a 2 x 2:x A=1", "2 b 0 root 0:root B=1", "3 cd 2 y 1:y|2:y D=1"),
        ),
        (
            FOUR,
            {"do": "merge", "first": 1, "last": 4},
            ("1 abcd 0 root 0:root D=1",),
        ),
        (("1 a 2 x 2:x", "2 b 1 y 1:y", "3 c 2 z"), {"do": "merge", "first": 1, "last": 2}, ("1 ab 1 x _", "2 c 1 z")),
        (
            ("1 a 3 x 3:k:l|2:m:n", "2 b 1 y", "3 c 0 root"),
            {"do": "merge", "first": 1, "last": 2},
            ("1 ab 2 x 2:k:l", "2 c 0 root"),
        ),
        (("1 a 2 x", "2 b"), {"do": "merge", "first": 1, "last": 2}, ("1 ab",)),
        (("1 a 2 x", "2 b 2 y"), {"do": "delete", "word": 2}, ("1 a _ x",)),  # its own head
        # one into several
        (
            FOUR,
            {"do": "split", "word": 2, "forms": ["p", "q q", "r"]},
            (
                "1 a 2 x 2:x A=1",
                "2 p 0 root 0:root",
                "3 q␣q 2",
                "4 r 2 _ _ B=1",
                "5 c 2 y 1:y|2:y C=1",
                "6 d 5 z 5:z D=1",
            ),
        ),
        (FOUR[:1], {"do": "split", "word": 1, "forms": ["p p", "q"]}, ("1 p␣p 3 x 3:x", "2 q 1 _ _ A=1")),
        # a new word
        (("1 a 2 x", "2 b 0 root"), {"do": "insert", "after": 0, "form": "n"}, ("1 n", "2 a 3 x", "3 b 0 root")),
        (("1 a 2 x", "2 b 0 root"), {"do": "insert", "after": 1, "form": "n n"}, ("1 a 3 x", "2 n␣n", "3 b 0 root")),
        (("1 a 2 x", "2 b 0 root"), {"do": "insert", "after": 2, "form": "n"}, ("1 a 2 x", "2 b 0 root", "3 n")),
        (("0.1 p", "1 a"), {"do": "insert", "after": 0, "form": "n"}, ("0.1 p", "1 n", "2 a")),
        (
            ("1 a", "1.1 p", "2-3 bc", "2 b", "3 c"),
            {"do": "insert", "after": 1, "form": "n"},
            ("1 a", "1.1 p", "2 n", "3-4 bc", "3 b", "4 c"),
        ),
        (("1-2 ab", "1 a", "2 b"), {"do": "insert", "after": 1, "form": "n"}, ("1-3 ab", "1 a", "2 n", "3 b")),
        # multiword tokens
        (("1 a", "2 b", "3 c"), {"do": "join", "first": 1, "last": 3, "form": "a c"}, ("1-3 a␣c", "1 a", "2 b", "3 c")),
        (
            ("1-2 ab", "1 a", "2 b", "3 c", "4 d"),
            {"do": "join", "first": 3, "last": 4, "form": "cd"},
            ("1-2 ab", "1 a", "2 b", "3-4 cd", "3 c", "4 d"),
        ),
        (
            ("1 a", "2 b", "3-4 cd", "3 c", "4 d"),
            {"do": "join", "first": 1, "last": 2, "form": "ab"},
            ("1-2 ab", "1 a", "2 b", "3-4 cd", "3 c", "4 d"),
        ),
        # empty nodes
        (("1 a", "2 b"), {"do": "empty", "after": 0, "form": "e"}, ("0.1 e", "1 a", "2 b")),
        (("0.1 e", "1 a"), {"do": "empty", "after": 0, "form": "f f"}, ("0.1 e", "0.2 f␣f", "1 a")),
        (
            ("1 a", "2-3 bc", "2 b", "3 c"),
            {"do": "empty", "after": 1, "form": "e"},
            ("1 a", "1.1 e", "2-3 bc", "2 b", "3 c"),
        ),
        (("1 a", "1.1 d", "2 b"), {"do": "empty", "after": 2, "form": "e"}, ("1 a", "1.1 d", "2 b", "2.1 e")),
        (
            ("1 a _ _ 1.1:x|0:root", "1.1 d", "2 b _ _ 1.1:y"),
            {"do": "remove", "token": "1.1"},
            ("1 a _ _ 0:root", "2 b"),
        ),
        # arcs
        (
            ("1 a", "1.1 e", "2 b"),
            {"do": "enhanced", "token": "1.1", "arcs": [["2", "b"], ["0", "root"], ["2", "a"], ["1.1", "x"]]},
            ("1 a", "1.1 e _ _ 0:root|1.1:x|2:a|2:b", "2 b"),
        ),
        (
            (*(f"{k} w" for k in range(1, 11)),),
            {"do": "enhanced", "token": "1", "arcs": [["10", "a"], ["9", "b"]]},
            ("1 w _ _ 9:b|10:a", *(f"{k} w" for k in range(2, 11))),
        ),
        (("1 a _ _ 2:x", "2 b"), {"do": "enhanced", "token": "1", "arcs": []}, ("1 a", "2 b")),
        # trees
        (
            ("1 a _ _", "2 b 1 x"),
            {"do": "tree", "heads": [2, 0], "relations": ["x", "root"]},
            ("1 a 2 x", "2 b 0 root"),
        ),
        (("1 a 2 x", "2 b 0 root"), {"do": "tree", "heads": [None, 0], "relations": ["y", "_"]}, ("1 a _ y", "2 b 0")),
        (("1 a 2 x", "2 b 0 root"), {"do": "attach", "word": 1, "head": None}, ("1 a", "2 b 0 root")),
        (("1 a 2 x", "2 b 0 root"), {"do": "attach", "word": 1, "head": 0, "relation": ""}, ("1 a 0 _", "2 b 0 root")),
        (("1 a 2 x", "2 b 0 root"), {"do": "attach", "word": 1, "head": 0}, ("1 a 0 x", "2 b 0 root")),
    ],
)
def test_what_an_edit_does(before: tuple[str, ...], edit: dict[str, Any], after: tuple[str, ...]) -> None:
    assert edited(lines(*before), edit) == lines(*after).replace("␣", " ")
    ends = lines(*before).replace("\n", "\r\n")
    assert edited(ends, edit) == lines(*after).replace("␣", " ").replace("\n", "\r\n")


COMMENTED = "# a = 1 \n#b\n" + lines("1 a")


@pytest.mark.parametrize(
    ("comments", "after"),
    [
        (["# a = 1 ", "#b"], COMMENTED),
        (["#b"], "#b\n" + lines("1 a")),
        (["new", "# a = 1 "], "# new\n# a = 1 \n" + lines("1 a")),
        ([], lines("1 a")),
    ],
)
def test_comments(comments: list[str], after: str) -> None:
    assert edited(COMMENTED, {"do": "comments", "comments": comments}) == after
    assert Draft(COMMENTED).comments == ["# a = 1 ", "#b"]
    ends = COMMENTED.replace("\n", "\r\n")
    assert edited(ends, {"do": "comments", "comments": comments}) == after.replace("\n", "\r\n")


def test_comments_keep_their_own_line_ends() -> None:
    mixed = "# a\r\n# b\n" + lines("1 a")
    assert edited(mixed, {"do": "comments", "comments": ["# b", "# c", "# a"]}) == "# b\n# c\r\n# a\r\n" + lines("1 a")


def test_tags_fill_what_is_empty() -> None:
    text = lines("1 a 0 root 0:root M=1", "2 b 1 x").replace("a\t_\t_\t_", "a\tl\t_\tX")
    tree = {"do": "tree", "heads": [0, 1], "relations": ["root", "x"]}
    after = edited(text, {**tree, "tags": [["la", "NOUN", "NN", "A=1"], ["l b", "VERB", "VB", ""]]})
    rows = [cells for _, cells in Draft(after).rows()]
    assert rows[0] == ["1", "a", "l", "NOUN", "X", "A=1", "0", "root", "0:root", "M=1"]
    assert rows[1] == ["2", "b", "l b", "VERB", "VB", "_", "1", "x", "_", "_"]
    for tags in ([["l", "N", "X", "F"]], [["l", "N", "X", "F"], ["l", "N", "X"]], [["l", "N", "X"]]):
        with pytest.raises(EditError, match="tags are given for every word: lemma, upos, xpos, feats"):
            edited(text, {**tree, "tags": tags})
    with pytest.raises(EditError, match="UPOS holds no spaces"):
        edited(text, {**tree, "tags": [["l", "N N", "X", "F"]] * 2})


@pytest.mark.parametrize("column", ["FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "DEPREL", "DEPS", "MISC"])
def test_cells(column: str) -> None:
    """Forms, lemmas and MISC may have spaces; values lose those around them."""
    place = COLUMNS.index(column)
    after = edited(lines("1 a", "2 b"), {"do": "cell", "token": "2", "column": column, "value": " v "})
    assert [cells for _, cells in Draft(after).rows()][1][place] == "v"
    spaced = {"do": "cell", "token": "2", "column": column, "value": "v v"}
    if column in ("FORM", "LEMMA", "MISC"):
        assert Draft(edited(lines("1 a", "2 b"), spaced)).row("2")[1][place] == "v v"
    else:
        with pytest.raises(EditError, match=f"{column} holds no spaces"):
            edited(lines("1 a", "2 b"), spaced)
    if column != "FORM":
        empty = {"do": "cell", "token": "2", "column": column, "value": " "}
        assert Draft(edited(after, empty)).row("2")[1][place] == "_"
    for sign in "\t\n\r":
        with pytest.raises(EditError, match=f"{column} holds no tabs and no line ends"):
            edited(lines("1 a", "2 b"), {**spaced, "value": f"a{sign}b"})


def test_what_is_no_row_stays() -> None:
    """A comment may have tabs, and a line may be short."""
    odd = "#\ta\tb\n1\ta\n \t\nnothing\n\n"
    assert [cells for _, cells in Draft(odd).rows()] == [["1", "a", *BLANK]]
    assert edited(odd, {"do": "cell", "token": "1", "column": "LEMMA", "value": "l"}) == odd.replace(
        "1\ta\n", "1\ta\tl" + "\t_" * 7 + "\n"
    )
    spaces = "1\ta \t" + "\t".join("_" * 7) + "\t \n"
    assert [cells for _, cells in Draft(spaces).rows()] == [["1", "a ", *"_" * 7, " "]]


def test_nothing_at_all_is_a_sentence_without_words() -> None:
    assert Draft("").text == ""
    assert edited("", {"do": "insert", "after": 0, "form": "a"}) == lines("1 a")[:-1]
    assert edited("# c\n\n", {"do": "insert", "after": 0, "form": "a"}) == "# c\n" + lines("1 a")


def test_the_byte_order_mark_stays_in_front() -> None:
    draft = Draft("\ufeff# c\n" + lines("1 a"))
    assert draft.comments == ["# c"]
    assert draft.text == "\ufeff# c\n" + lines("1 a")


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"do": "fly"}, "unknown edit 'fly'. Choose from attach, cell, "),
        ({"do": 3}, "unknown edit '3'. Choose"),
        ({"do": "attach", "word": True, "head": 1}, "word: must be a whole number"),
        ({"do": "attach", "word": 1, "head": "x"}, "head: must be a whole number"),
        ({"do": "attach", "word": 1, "head": 5}, "5 is no word of the sentence: heads are 0 to 4"),
        ({"do": "attach", "word": 1, "head": -1}, "-1 is no word of the sentence: heads are 0 to 4"),
        ({"do": "attach", "word": 2, "head": 2}, "a word cannot be its own head"),
        ({"do": "attach", "word": 9, "head": 2}, "the sentence has no token 9"),
        ({"do": "attach", "word": 2, "head": 1, "relation": 3}, "relation: must be a string"),
        ({"do": "attach", "word": 2, "head": 1, "relation": "a b"}, "DEPREL holds no spaces"),
        (
            {"do": "cell", "token": "1", "column": "HEAD", "value": "2"},
            "HEAD cannot be set as text; the columns are FO",
        ),
        ({"do": "cell", "token": "1", "column": "FORM", "value": " "}, "a word needs a form"),
        ({"do": "cell", "token": 1, "column": "FORM", "value": "x"}, "token: must be a string"),
        (
            {"do": "tree", "heads": [0], "relations": ["x"]},
            "the sentence has 4 words: give as many heads and relations",
        ),
        ({"do": "tree", "heads": [0] * 4, "relations": ["x"] * 3}, "the sentence has 4 words: give as many heads"),
        ({"do": "tree", "heads": 3, "relations": []}, "heads: must be a list of numbers"),
        ({"do": "tree", "heads": "0123", "relations": []}, "heads: must be a list of numbers"),
        ({"do": "tree", "heads": ["0"], "relations": []}, "heads: must be a list of numbers"),
        ({"do": "tree", "heads": [True], "relations": []}, "heads: must be a list of numbers"),
        ({"do": "tree", "heads": [0], "relations": [1]}, "relations: must be a list of strings"),
        ({"do": "tree", "heads": [2, 0, 2, 4], "relations": ["x"] * 4}, "a word cannot be its own head"),
        ({"do": "comments", "comments": ["a\rb"]}, "a comment is one line"),
        ({"do": "comments", "comments": ["a\nb"]}, "a comment is one line"),
        (
            {"do": "join", "first": 0, "last": 2, "form": "x"},
            "a multiword token spans two words or more of the sentence",
        ),
        (
            {"do": "join", "first": 2, "last": 2, "form": "x"},
            "a multiword token spans two words or more of the sentence",
        ),
        (
            {"do": "join", "first": 3, "last": 5, "form": "x"},
            "a multiword token spans two words or more of the sentence",
        ),
        ({"do": "remove", "token": "1"}, "words are deleted with `delete`, which numbers the others again"),
        ({"do": "remove", "token": "1.1"}, "the sentence has no token 1.1"),
        ({"do": "empty", "after": 5, "form": "x"}, "the sentence has no word 5"),
        ({"do": "empty", "after": -1, "form": "x"}, "after: must be a whole number"),
        ({"do": "insert", "after": 5, "form": "x"}, "the sentence has no word 5"),
        ({"do": "insert", "after": -1, "form": "x"}, "after: must be a whole number"),
        ({"do": "split", "word": 1, "forms": ["x"]}, "a word is split into two forms or more"),
        ({"do": "split", "word": 1, "forms": ["x", " "]}, "a word is split into two forms or more"),
        ({"do": "merge", "first": 0, "last": 2}, "two neighbouring words or more are merged"),
        ({"do": "merge", "first": 2, "last": 2}, "two neighbouring words or more are merged"),
        ({"do": "merge", "first": 3, "last": 5}, "two neighbouring words or more are merged"),
        ({"do": "enhanced", "token": "1", "arcs": ["2:x"]}, "arcs: must be a list of pairs"),
        ({"do": "enhanced", "token": "1", "arcs": ["ab"]}, "arcs: must be a list of pairs"),
        ({"do": "enhanced", "token": "1", "arcs": [3]}, "arcs: must be a list of pairs"),
        (
            {"do": "enhanced", "token": "1", "arcs": [["2", "x", "y"]]},
            "arcs: must be a list of pairs",
        ),
        ({"do": "enhanced", "token": "1", "arcs": [[2, "x"]]}, "arcs: must be a list of pairs"),
        ({"do": "enhanced", "token": "1", "arcs": [["2", 1]]}, "arcs: must be a list of pairs"),
        ({"do": "enhanced", "token": "1", "arcs": [["7", "x"]]}, "the sentence has no token 7"),
        ({"do": "enhanced", "token": "1", "arcs": [["2", ""]]}, "an enhanced arc is a node and a relation, not 2:"),
    ],
)
def test_what_is_said_of_impossible_edits(edit: dict[str, Any], said: str) -> None:
    with pytest.raises(TreewrightError) as raised:
        edited(lines(*FOUR), edit)
    assert str(raised.value).startswith(said)


@pytest.mark.parametrize(("first", "last"), [(1, 2), (2, 3), (3, 4), (1, 4)])
def test_multiword_tokens_do_not_overlap(first: int, last: int) -> None:
    with pytest.raises(EditError, match="the multiword token 2-3 is in the way"):
        edited(lines("1 a", "2-3 bc", "2 b", "3 c", "4 d"), {"do": "join", "first": first, "last": last, "form": "x"})


def test_the_last_word_stays() -> None:
    with pytest.raises(EditError, match="a sentence needs a word"):
        edited(lines("1 a"), {"do": "delete", "word": 1})


def test_arcs_come_from_nodes() -> None:
    assert sorted_deps([("3.1", "x"), ("3", "y")]) == "3:y|3.1:x"
    with pytest.raises(EditError, match="an enhanced arc is a node and a relation, not 3-4:x"):
        sorted_deps([("3-4", "x")])


def test_what_names_no_node_stays_in_arcs() -> None:
    before = lines("1 a _ _ x:y|2:z|9.1:u", "2 b")
    after = lines("1 n", "2 a _ _ x:y|3:z|10.1:u", "3 b")
    assert edited(before, {"do": "insert", "after": 0, "form": "n"}) == after
