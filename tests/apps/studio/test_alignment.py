"""Where sentences are in another version of their file."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from treewright.apps.studio.alignment import Sentences, places, sentence_keys
from treewright.apps.studio.project import Project
from treewright.apps.studio.sentence_names import core, digest_of, sent_id
from treewright.apps.studio.sentence_state import SentenceState, framed, is_sentence, joined
from treewright.apps.studio.treebank_file import TreebankFile
from treewright.errors import TreebankError


def text(words: str, name: str = "", lemma: str = "l") -> str:
    rows = "".join(f"{n}\t{word}\t{lemma}" + "\t_" * 7 + "\n" for n, word in enumerate(words.split(), 1))
    return (f"# sent_id = {name}\n" if name else "") + rows + "\n"


A, B, C, D = (text(word) for word in ("a a", "b b", "c c", "d d"))


def found(old: list[str], new: list[str], **edited: str) -> list[int | None]:
    """Return the places of sentences; those with edits by their numbers."""
    return places(Sentences.of(old), Sentences.of(new), {int(name[1:]): each for name, each in edited.items()})


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ([], [A], []),
        ([A, B, C], [A, B, C], [0, 1, 2]),
        ([A, B, C], [D, A, B, C], [1, 2, 3]),
        ([A, B, C], [A, C], [0, None, 1]),
        ([A, B, C], [C, A, B], [1, 2, 0]),
        ([A, B, C, D], [D, C, B, A], [3, 2, 1, 0]),
        ([A, A, A], [B, A, A, A], [1, 2, 3]),
        ([A, A, B], [A, D, A, B], [0, 2, 3]),
        ([C, A, D, A, B], [D, A, B, C, A], [3, 4, 0, 1, 2]),  # of equal ones, neighbours tell
        ([A, B], [B, C, A, A], [2, 0]),
        ([text("a b c", "s1"), B], [B, text("x y z", "s1")], [1, 0]),  # another text of this name
        ([text("a b c", "s1"), B], [B, text("a b c", "s2")], [1, 0]),  # the same words
        ([text("a b c", "s1"), text("d e", "s2")], [text("n", "s1"), text("a b c", "s2"), text("d e", "s3")], [1, 2]),
        ([text("a b c", "s1"), text("a b c", "s2")], [text("a b c", "s2", "x"), text("a b c", "s1", "x")], [1, 0]),
        ([A, text("k l m"), B], [A, text("k l n"), B], [0, 1, 2]),  # alike, and between the same
        ([A, text("k l m"), B], [A, text("x y z"), B], [0, None, 2]),
        ([A, text("k l m"), text("o p"), B], [A, text("o p q"), text("k n m"), B], [0, 2, None, 3]),
        ([text("k l m"), A, B], [B, A, text("k l n")], [None, 1, 0]),  # changed and moved, without a name
        ([text("a", "s1", "x"), text("b", "s1")], [text("c", "s1"), text("d", "s1")], [None, None]),  # names twice
    ],
)
def test_where_sentences_are(old: list[str], new: list[str], wanted: list[int | None]) -> None:
    assert found(old, new) == wanted


def test_what_is_saved_is_found_by_its_edited_text() -> None:
    mine = A.replace("\tl\t", "\tmine\t")
    assert found([A, B], [B, mine], n0=mine) == [1, 0]
    assert found([A, B, A], [mine, B, A], n0=mine) == [0, 1, 2]
    assert found([A, B, A], [A, B, mine], n0=mine) == [2, 1, 0]  # and not as an edit of the other one
    assert found([A, B], [A, mine, B], n0=mine) == [0, 2]  # somebody else has added the same


def test_sentences_without_neighbours() -> None:
    old = Sentences.of([C, text("k l m")])
    assert places(old, Sentences.of([text("k l n"), C]), neighbours=False) == [1, None]
    unknown = Sentences.of([None, None], ["?", digest_of(B)])
    assert places(unknown, Sentences.of([A, B])) == [None, 1]  # of which nothing else is known


def test_places_by_a_plain_reference() -> None:
    """Sentences that come, go and move, each of its own kind: the same text is the same sentence."""
    chance = random.Random(1)
    for _ in range(300):
        old = [text(f"w{n}", f"s{n}" if chance.random() < 0.5 else "") for n in range(chance.randrange(9))]
        new = [each for each in old if chance.random() < 0.8] + [text(f"x{n}") for n in range(chance.randrange(3))]
        chance.shuffle(new)
        assert found(old, new) == [new.index(each) if each in new else None for each in old]


def test_many_sentences_take_linear_time() -> None:
    """Whatever happens to them; a comparison of all with all would take minutes."""
    many = [text(f"w{n % 5}") for n in range(4_000)]
    assert found(many, many[::-1]).count(None) == 0
    assert found(many, [A, *many[100:], *many[:100]]).count(None) == 0
    assert found([A] * 4_000, [B, *[A] * 4_000]) == list(range(1, 4_001))
    assert found([text(f"a{n}") for n in range(1000)], [text(f"b{n}") for n in range(1000)]).count(None) == 1000


def test_names() -> None:
    named = [text("a", "s1"), text("b", "s2"), text("c", "s2"), B, B]
    keys = sentence_keys(Sentences.of(named), {}, set())
    assert keys[0] == digest_of("sent_id s1")
    assert keys[1:4] == [digest_of(each) for each in named[1:4]]
    assert keys[4] == f"{keys[3]}-2"
    assert sentence_keys(Sentences.of(named), {3: "k"}, {keys[0]}) == [f"{keys[0]}-2", keys[1], keys[2], "k", keys[3]]
    assert sent_id("#sent_id=x y \r\n") == "x y"
    assert sent_id("# sent_id = \n") is None
    assert sent_id("# no\n") is None


# What stands around a sentence


def test_frames() -> None:
    assert core("\ufeff\r\n" + A) == A.strip()
    assert framed(A, "\ufeff\n" + B.rstrip()) == "\ufeff\n" + A.strip()
    assert framed(A, None) == A
    assert joined(["\n" + A.rstrip() + "\n", "\ufeff" + B, C.rstrip()]) == "\ufeff\n" + A + B + C.rstrip()
    assert joined([A.replace("\n", "\r\n").rstrip() + "\r\n", B]) == A.replace("\n", "\r\n") + B
    assert joined([A[:-1] + " \t\n", B]) == A[:-1] + " \t\n" + B
    assert joined([]) == ""


def test_what_is_one_sentence() -> None:
    assert all(map(is_sentence, [A, A.rstrip(), "# c\n\n", "\ufeff" + A]))
    assert not any(map(is_sentence, ["", A + B, A.replace("1\t", "3\t"), "x\n\n", A.replace("a", "\ud800")]))


def test_only_blank_lines_around_it_are_no_change() -> None:
    state = SentenceState("k", A.rstrip() + "\n")
    state.add(B.rstrip() + "\n")
    assert state.meet(A)
    assert (state.text, state.base, state.in_conflict) == (B, A, False)
    assert state.meet("\n" + B)
    assert (state.text, state.is_unsaved) == ("\n" + B, False)
    state.step(-1)
    assert (state.text, state.is_unsaved) == ("\n" + A, True)


# Files


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "a.conllu").write_text(A + B + C, encoding="utf-8", newline="")
    return tmp_path / "a.conllu"


def opened(path: Path) -> TreebankFile:
    numbers = iter(range(1000))
    return TreebankFile(path, lambda: f"r{next(numbers)}")


def test_a_file_as_it_is_opened(path: Path) -> None:
    file = opened(path)
    assert list(file.texts) == [state.saved for state in file] == [A, B, C]
    assert [state.revision for state in file] == ["r1", "r2", "r3"]
    assert (file.problem, file.refresh(), file.refresh(look_inside=True)) == ("", None, None)
    assert file.number_of(file.keys[1]) == 1


def test_a_file_that_cannot_be_read(path: Path) -> None:
    path.write_text(A + "x\ty" + "\t_" * 8 + "\n\n", encoding="utf-8")
    with pytest.raises(TreebankError, match=rf"^{path}:4: a line that cannot be read \(id\)\. Correct it first: `tree"):
        opened(path)
    path.write_text(A + "1\ty\n\n", encoding="utf-8")
    with pytest.raises(TreebankError, match=r":4: a line that cannot be read \(columns\)"):
        opened(path)


def test_saving_keeps_every_byte_of_the_others(path: Path) -> None:
    before = (
        b"\xef\xbb\xbf" + A.encode().replace(b"\n", b"\r\n") + b"\n\n" + B.encode() + b"1\t\xff" + b"\t_" * 8 + b"\n"
    )
    path.write_bytes(before)
    file = opened(path)
    file[file.keys[1]].add(D)
    file.save(file[file.keys[1]])
    assert path.read_bytes() == before.replace(B.encode(), D.encode())
    assert not file[file.keys[1]].is_unsaved
    file[file.keys[2]].add(C)
    file.save(file[file.keys[2]])
    assert path.read_bytes().endswith(D.encode() + C.encode().rstrip() + b"\n")


def test_a_file_that_breaks_and_is_mended(path: Path) -> None:
    file = opened(path)
    file[file.keys[0]].add(D)
    path.write_text("1\ty\n\n", encoding="utf-8")
    assert file.refresh() == []
    assert f"{path}:1" in file.problem
    assert list(file.texts) == [D, B, C]
    assert file.refresh() is None  # there is nothing new
    path.write_text(A + B + C, encoding="utf-8", newline="")
    assert file.refresh() == []
    assert (file.problem, list(file.texts)) == ("", [D, B, C])


def test_revisions_change_with_what_is_shown_alone(path: Path) -> None:
    file = opened(path)
    before = [state.revision for state in file]
    path.write_text(D + A + text("b b", lemma="x") + C, encoding="utf-8", newline="")
    changed = file.refresh()
    assert changed is not None
    assert [file.number_of(state.key) for state in changed] == [2]
    now = [state.revision for state in file]
    assert [now[1], now[3]] == [before[0], before[2]]
    assert {now[0], now[2]}.isdisjoint(before)


def test_a_project_of_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_bytes(b"1\t\xff" + b"\t_" * 8 + b"\n\n")
    project = Project(tmp_path)
    place = project.place("a.conllu", 0)
    edit = {"do": "cell", "token": "1", "column": "LEMMA", "value": "x"}
    shown = project.edit(place, edit, project.sentence(place).revision)
    project.save(place, shown.revision)
    assert (tmp_path / "a.conllu").read_bytes() == b"1\t\xff\tx" + b"\t_" * 7 + b"\n\n"
