"""Edits of a sentence: each changes what it is about, and no other line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from treewright.apps.studio import drafts
from treewright.apps.studio.drafts import Draft
from treewright.apps.studio.edits import KINDS, edited
from treewright.errors import TreewrightError

TEXT = (
    "# sent_id = 1\n# text = Vámonos al mar\n"
    "1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tVamos\tir\tVERB\t_\tMood=Imp\t0\troot\t0:root\t_\n"
    "2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t1:obj\t_\n"
    "3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "3\ta\ta\tADP\t_\t_\t5\tcase\t5:case\t_\n"
    "4\tel\tel\tDET\t_\t_\t5\tdet\t5:det\t_\n"
    "4.1\tgran\tgrande\tADJ\t_\t_\t_\t_\t5:amod\t_\n"
    "5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t1:obl|4.1:x\tSpaceAfter=No\n"
    "\n"
)


def changed_lines(new: str) -> list[str]:
    return [line for line in new.split("\n") if line not in TEXT.split("\n")]


@pytest.mark.parametrize(
    ("edit", "lines"),
    [
        ({"do": "attach", "word": 5, "head": 2}, ["5\tmar\tmar\tNOUN\t_\t_\t2\tobl\t1:obl|4.1:x\tSpaceAfter=No"]),
        (
            {"do": "attach", "word": 2, "head": 5, "relation": "iobj"},
            ["2\tnos\tnosotros\tPRON\t_\t_\t5\tiobj\t1:obj\t_"],
        ),
        ({"do": "attach", "word": 2, "head": None}, ["2\tnos\tnosotros\tPRON\t_\t_\t_\t_\t1:obj\t_"]),
        (
            {"do": "cell", "token": "4.1", "column": "LEMMA", "value": "gran"},
            ["4.1\tgran\tgran\tADJ\t_\t_\t_\t_\t5:amod\t_"],
        ),
        ({"do": "cell", "token": "3-4", "column": "FORM", "value": "Al"}, ["3-4\tAl\t_\t_\t_\t_\t_\t_\t_\t_"]),
        ({"do": "comments", "comments": ["# sent_id = 1", "new"]}, ["# new"]),
        (
            {"do": "enhanced", "token": "3", "arcs": [["5", "case"], ["4.1", "dep"]]},
            ["3\ta\ta\tADP\t_\t_\t5\tcase\t4.1:dep|5:case\t_"],
        ),
        ({"do": "remove", "token": "3-4"}, []),
    ],
)
def test_an_edit_changes_its_line_alone(edit: dict[str, object], lines: list[str]) -> None:
    assert changed_lines(edited(TEXT, edit)) == lines


def test_comments_come_without_their_line_ends_and_whole() -> None:
    assert Draft("# text = LUX\r\n# n = 1\r\n1\tLUX\tlux\r\n\r\n").comments == ["# text = LUX", "# n = 1"]


def test_splitting_numbers_what_comes_behind() -> None:
    new = edited(TEXT, {"do": "split", "word": 1, "forms": ["Va", "mos"]})
    assert [cells[0] for _, cells in Draft(new).rows()] == ["1-3", "1", "2", "3", "4-5", "4", "5", "5.1", "6"]
    assert Draft(new).row("6")[1][6:9] == ["1", "obl", "1:obl|5.1:x"]
    assert Draft(new).row("4")[1][6] == "6"
    assert Draft(new).row("2")[1][6] == "1"


def test_deleting_and_merging() -> None:
    new = Draft(edited(TEXT, {"do": "delete", "word": 4}))
    assert [cells[0] for _, cells in new.rows()] == ["1-2", "1", "2", "3", "3.1", "4"]
    assert new.row("3")[1][6] == "4"
    new = Draft(edited(TEXT, {"do": "merge", "first": 4, "last": 5}))
    assert new.row("4")[1][:9] == ["4", "elmar", "mar", "NOUN", "_", "_", "1", "obl", "1:obl|4.1:x"]
    assert new.row("3")[1][6:9] == ["4", "case", "4:case"]


def test_a_merged_word_ends_as_the_last_of_its_parts() -> None:
    """What MISC says of the space behind a word is said of the whole, not what it says between the parts."""
    text = "1\tcan\tcan\tAUX\t_\t_\t3\taux\t_\tSpaceAfter=No\n2\tnot\tnot\tPART\t_\t_\t3\tadvmod\t_\tGloss=no\n"
    text += "3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    new = Draft(edited(text, {"do": "merge", "first": 1, "last": 2}))
    assert new.word(1)[1] == ["1", "cannot", "can", "AUX", "_", "_", "2", "aux", "_", "Gloss=no"]
    new = Draft(edited(TEXT, {"do": "merge", "first": 4, "last": 5}))
    assert new.word(4)[1][9] == "SpaceAfter=No"
    assert len(new.words()) == 4


def test_no_space_behind_a_word_that_is_split_is_none_behind_its_last_part() -> None:
    new = Draft(edited(TEXT, {"do": "split", "word": 5, "forms": ["m", "a", "r"]}))
    assert [cells[9] for _, cells in new.words()] == ["_", "_", "_", "_", "_", "_", "SpaceAfter=No"]
    assert new.word(5)[1][:9] == ["5", "m", "mar", "NOUN", "_", "_", "1", "obl", "1:obl|4.1:x"]
    assert [cells[1:] for _, cells in new.words()][5:] == [
        ["a", "_", "_", "_", "_", "5", "_", "_", "_"],
        ["r", "_", "_", "_", "_", "5", "_", "_", "SpaceAfter=No"],
    ]


def test_empty_nodes_of_a_deleted_word_do_not_clash_with_those_before() -> None:
    """Both words have two: those of the word that goes get the numbers behind the others, and arcs follow them."""
    text = TEXT
    for after in (3, 3, 4):
        text = edited(text, {"do": "empty", "after": after, "form": "x"})
    for token, head in (("3.2", "3.1"), ("4.1", "3.2"), ("4.2", "4.1"), ("5", "4.2")):
        text = edited(text, {"do": "enhanced", "token": token, "arcs": [[head, "dep"]]})
    new = Draft(edited(text, {"do": "delete", "word": 4}))
    ids = [cells[0] for _, cells in new.rows()]
    assert ids == ["1-2", "1", "2", "3", "3.1", "3.2", "3.3", "3.4", "4"]
    assert [new.row(token)[1][8] for token in ids[5:]] == ["3.1:dep", "3.2:dep", "3.3:dep", "3.4:dep"]


def test_a_new_empty_node_gets_a_number_behind_those_that_are_there() -> None:
    text = edited(TEXT, {"do": "empty", "after": 4, "form": "x"})
    new = Draft(edited(edited(text, {"do": "remove", "token": "4.1"}), {"do": "empty", "after": 4, "form": "y"}))
    assert [cells[:2] for _, cells in new.rows()][-3:-1] == [["4.2", "x"], ["4.3", "y"]]


def test_empty_nodes_of_the_first_word_stand_before_all_when_it_is_deleted() -> None:
    text = edited(TEXT, {"do": "empty", "after": 0, "form": "x"})
    text = edited(edited(text, {"do": "empty", "after": 1, "form": "y"}), {"do": "empty", "after": 2, "form": "z"})
    new = Draft(edited(text, {"do": "delete", "word": 1}))
    assert [cells[:2] for _, cells in new.rows()][:4] == [["0.1", "x"], ["0.2", "y"], ["1", "nos"], ["1.1", "z"]]


def test_inserting_a_word_and_joining_words() -> None:
    new = Draft(edited(TEXT, {"do": "insert", "after": 2, "form": "ya"}))
    assert new.row("3")[1][1] == "ya"
    assert new.row("4-5")[1][1] == "al"
    assert new.row("6")[1][6] == "1"
    first = Draft(edited(TEXT, {"do": "insert", "after": 0, "form": "¡"}))
    assert [cells[0] for _, cells in first.rows()][:3] == ["1", "2-3", "2"]
    parted = edited(TEXT, {"do": "remove", "token": "3-4"})
    assert edited(parted, {"do": "join", "first": 3, "last": 4, "form": "al"}) == TEXT


def test_empty_nodes_come_and_go_with_their_arcs() -> None:
    more = Draft(edited(TEXT, {"do": "empty", "after": 4, "form": "x"}))
    assert [cells[0] for _, cells in more.rows()][-3:] == ["4.1", "4.2", "5"]
    gone = Draft(edited(TEXT, {"do": "remove", "token": "4.1"}))
    assert gone.row("5")[1][8] == "1:obl"


@pytest.mark.parametrize(
    "edit",
    [
        {"do": "fly"},
        {},
        {"do": "attach", "word": 9, "head": 1},
        {"do": "attach", "word": 1, "head": 9},
        {"do": "attach", "word": 1, "head": 1},
        {"do": "attach", "word": "1", "head": 2},
        {"do": "cell", "token": "1", "column": "HEAD", "value": "2"},
        {"do": "cell", "token": "1", "column": "LEMMA", "value": "a\tb"},
        {"do": "cell", "token": "1", "column": "UPOS", "value": "a b"},
        {"do": "cell", "token": "1", "column": "FORM", "value": " "},
        {"do": "join", "first": 2, "last": 3, "form": "x"},
        {"do": "comments", "comments": ["a\nb"]},
        {"do": "remove", "token": "1"},
        {"do": "tree", "heads": [0], "relations": ["root"]},
        {"do": "enhanced", "token": "1", "arcs": [["7", "x"]]},
    ],
)
def test_impossible_edits_are_rejected(edit: dict[str, object]) -> None:
    with pytest.raises(TreewrightError):
        edited(TEXT, edit)


def test_other_line_ends_stay() -> None:
    windows = TEXT.replace("\n", "\r\n")
    assert edited(windows, {"do": "attach", "word": 5, "head": 2}).count("\r\n") == windows.count("\r\n")
    marked = "\ufeff" + TEXT.split("\n", 3)[3]
    assert edited(marked, {"do": "attach", "word": 1, "head": 2}).startswith("\ufeff1\tVamos")
    odd = TEXT.replace("gran\t", "gr\u2028an\t", 1)
    assert edited(odd, {"do": "attach", "word": 5, "head": 2}).count("\n") == TEXT.count("\n")


def test_every_kind_of_edit_is_known() -> None:
    assert {"attach", "cell", "tree", "enhanced", "comments", "join", "split", "merge", "insert", "delete"} <= set(
        KINDS
    )


# Long sentences


def chain(n: int) -> str:
    """Return a sentence in which each word depends on the one before, with an enhanced arc."""
    rows = (f"{k}\tw{k}\t_\t_\t_\t_\t{k - 1}\tdep\t{k - 1}:dep\t_\n" for k in range(1, n + 1))
    return "".join(rows) + "\n"


@pytest.mark.parametrize(
    "edit",
    [
        lambda n: {"do": "tree", "heads": [0] + [1] * (n - 1), "relations": ["x"] * n},
        lambda n: {"do": "merge", "first": 2, "last": n - 1},
        lambda n: {"do": "delete", "word": 1},
        lambda n: {"do": "enhanced", "token": "1", "arcs": [[str(k), "x"] for k in range(2, n)]},
    ],
    ids=["tree", "merge", "delete", "enhanced"],
)
def test_an_edit_looks_at_each_line_a_few_times(edit: Callable[[int], dict[str, object]], monkeypatch) -> None:
    looks = 0

    def counted(line: str) -> list[str]:
        nonlocal looks
        looks += 1
        return cells_of(line)

    cells_of = drafts._cells
    monkeypatch.setattr(drafts, "_cells", counted)
    counts = []
    for n in (50, 100):
        looks = 0
        edited(chain(n), edit(n))
        counts.append(looks)
    assert counts[1] <= 2.1 * counts[0]


def test_merging_numbers_what_stood_between_and_behind() -> None:
    text = (
        "1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\t_\t_\t_\t_\t2\tx\t_\tA=1\n1.1\tp\t_\t_\t_\t_\t_\t_\t3:q\t_\n"
        "2\tb\t_\t_\t_\t_\t5\ty\t5:y|3:y\tB=1\n2.1\tq\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "3-4\tcd\t_\t_\t_\t_\t_\t_\t_\t_\n3\tc\t_\t_\t_\t_\t2\tz\t2.1:z\tC=1\n3.1\tr\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "4\td\t_\t_\t_\t_\t3\tx\t3.1:x|2:x\t_\n5\te\t_\t_\t_\t_\t0\troot\t0:root\t_\n\n"
    )
    assert edited(text, {"do": "merge", "first": 1, "last": 3}) == (
        "1\tabc\t_\t_\t_\t_\t3\ty\t3:y\tC=1\n1.1\tp\t_\t_\t_\t_\t_\t_\t1:q\t_\n1.2\tq\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "1.3\tr\t_\t_\t_\t_\t_\t_\t_\t_\n2\td\t_\t_\t_\t_\t1\tx\t1.3:x|1:x\t_\n3\te\t_\t_\t_\t_\t0\troot\t0:root\t_\n\n"
    )
