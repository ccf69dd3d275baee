"""A project on disk: clean diffs, undo without end, nothing lost in a crash, changes on disk noticed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from treewright.apps.studio.checking import findings
from treewright.apps.studio.project import OutOfDate, Place, Project, is_annotated
from treewright.apps.studio.vocabulary import ProjectVocabulary
from treewright.errors import TreewrightError


def sentence(number: int, words: int = 3) -> str:
    rows = "".join(
        f"{n}\tw{n}\tw{n}\tNOUN\t_\t_\t{n - 1}\t{'root' if n == 1 else 'dep'}\t_\t_\n" for n in range(1, words + 1)
    )
    return f"# sent_id = s{number}\n{rows}\n"


FILE = "".join(map(sentence, range(4)))
FIRST = Place("a.conllu", 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.conllu").write_text(FILE, encoding="utf-8", newline="")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.conllu").write_text(sentence(9), encoding="utf-8", newline="")
    return tmp_path


def later(path: Path, text: str) -> None:
    """Write a file as another program would, a while later."""
    path.write_text(text, encoding="utf-8", newline="")
    stamp = path.stat().st_mtime_ns + 10**9
    os.utime(path, ns=(stamp, stamp))


def test_only_changed_lines_change_in_the_file(folder: Path) -> None:
    project = Project(folder)
    assert list(project.files) == ["a.conllu", "sub/b.conllu"]
    shown = project.edit(Place("a.conllu", 2), {"do": "attach", "word": 3, "head": 1})
    assert (shown.saved, shown.can_undo, shown.can_redo) == (False, True, False)
    assert (folder / "a.conllu").read_text(encoding="utf-8") == FILE
    project.save(Place("a.conllu", 2))
    old, new = FILE.split("\n"), (folder / "a.conllu").read_text(encoding="utf-8").split("\n")
    assert len(old) == len(new)
    assert [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]] == [
        ("3\tw3\tw3\tNOUN\t_\t_\t2\tdep\t_\t_", "3\tw3\tw3\tNOUN\t_\t_\t1\tdep\t_\t_")
    ]


def test_saving_one_sentence_leaves_the_edits_of_others_out(folder: Path) -> None:
    project = Project(folder)
    project.edit(FIRST, {"do": "attach", "word": 3, "head": 1})
    project.edit(Place("a.conllu", 1), {"do": "attach", "word": 3, "head": 1})
    project.save(FIRST)
    assert (folder / "a.conllu").read_text(encoding="utf-8").count("\t1\tdep") == 4 + 1
    assert project.files["a.conllu"].changed == [1]


def test_undo_and_redo_without_end_also_after_a_restart(folder: Path) -> None:
    project = Project(folder)
    texts = [project.sentence(FIRST).text]
    for number in range(200):
        texts.append(project.edit(FIRST, {"do": "cell", "token": "1", "column": "LEMMA", "value": f"l{number}"}).text)
    project.close()
    project = Project(folder)
    for text in texts[-2::-1]:
        assert project.undo(FIRST).text == text
    assert not project.undo(FIRST).can_undo
    for text in texts[1:51]:
        assert project.redo(FIRST).text == text
    project.edit(FIRST, {"do": "cell", "token": "1", "column": "LEMMA", "value": "other"})
    assert not project.sentence(FIRST).can_redo


def test_a_crash_loses_nothing(folder: Path) -> None:
    project = Project(folder)
    project.edit(FIRST, {"do": "attach", "word": 3, "head": 1})
    project.save(FIRST)
    after = project.edit(FIRST, {"do": "attach", "word": 2, "head": 3}).text
    project.edit(Place("sub/b.conllu", 0), {"do": "attach", "word": 3, "head": 1})
    with (folder / ".treewright" / "journal.jsonl").open("ab") as journal:
        journal.write(b'{"what":"edit","file":"a.con')  # cut short
    again = Project(folder)  # the first one never closed
    assert again.sentence(FIRST).text == after
    assert again.recovered == [FIRST, Place("sub/b.conllu", 0)]
    again.edit(FIRST, {"do": "attach", "word": 2, "head": 1})
    assert Project(folder).sentence(FIRST).text == again.sentence(FIRST).text


def test_edits_that_were_not_saved_follow_their_sentence(folder: Path) -> None:
    project = Project(folder)
    after = project.edit(FIRST, {"do": "attach", "word": 3, "head": 1}).text
    later(folder / "a.conllu", sentence(7) + FILE)
    assert Project(folder).sentence(Place("a.conllu", 1)).text == after


def test_a_checkout_of_an_old_version_brings_no_edits_back(folder: Path) -> None:
    project = Project(folder)
    project.edit(FIRST, {"do": "attach", "word": 3, "head": 1})
    project.save(FIRST)
    later(folder / "a.conllu", FILE)
    assert Project(folder).sentence(FIRST).text == sentence(0)
    assert Project(folder).recovered == []


def test_changes_on_disk_are_merged(folder: Path) -> None:
    project = Project(folder)
    project.edit(FIRST, {"do": "attach", "word": 3, "head": 1})
    later(folder / "a.conllu", FILE.replace("# sent_id = s3", "# sent_id = three"))
    assert project.refresh()
    assert not project.refresh()
    project.save(FIRST)
    text = (folder / "a.conllu").read_text(encoding="utf-8")
    assert "# sent_id = three" in text
    assert "3\tw3\tw3\tNOUN\t_\t_\t1\tdep" in text


def test_both_sides_changed_is_a_conflict_until_someone_decides(folder: Path) -> None:
    project = Project(folder)
    mine = project.edit(FIRST, {"do": "attach", "word": 3, "head": 1}).text
    later(folder / "a.conllu", FILE.replace("w1\tw1", "w1\tother", 1))
    with pytest.raises(OutOfDate, match="choose one"):
        project.save(FIRST)
    assert [conflict.sentence for conflict in project.conflicts["a.conllu"]] == [0]
    assert project.sentence(FIRST).text == mine
    assert "other" in project.decide(FIRST, mine=False).text
    assert project.undo(FIRST).text == mine
    project.save(FIRST)
    assert "other" not in (folder / "a.conllu").read_text(encoding="utf-8")


def test_an_edit_of_an_old_revision_is_rejected(folder: Path) -> None:
    project = Project(folder)
    project.edit(FIRST, {"do": "attach", "word": 3, "head": 1}, revision=0)
    with pytest.raises(OutOfDate):
        project.edit(FIRST, {"do": "attach", "word": 2, "head": 3}, revision=0)


def test_what_is_not_there_is_named(folder: Path) -> None:
    project = Project(folder)
    with pytest.raises(TreewrightError, match="has no file"):
        project.sentence(Place("../x", 0))
    with pytest.raises(TreewrightError, match="4 sentences"):
        project.sentence(Place("a.conllu", 4))
    (folder / "bad.conllu").write_text("1\tx\n\n", encoding="utf-8")
    project = Project(folder)
    assert "bad.conllu:1" in project.unreadable["bad.conllu"]
    assert len(project.files) == 2
    (folder / "bad.conllu").write_text(sentence(5), encoding="utf-8", newline="")
    assert project.refresh()
    assert project.unreadable == {}
    assert len(project.files) == 3


def test_a_file_that_breaks_on_disk_is_not_overwritten(folder: Path) -> None:
    project = Project(folder)
    project.edit(FIRST, {"do": "attach", "word": 3, "head": 1})
    later(folder / "a.conllu", "1\tx\n\n")
    with pytest.raises(OutOfDate, match="cannot be read"):
        project.save(FIRST)
    assert (folder / "a.conllu").read_text(encoding="utf-8") == "1\tx\n\n"
    later(folder / "a.conllu", FILE + "# more\n\n")
    project.save(FIRST)
    assert "3\tw3\tw3\tNOUN\t_\t_\t1\tdep" in (folder / "a.conllu").read_text(encoding="utf-8")


def test_findings_while_typing() -> None:
    good = sentence(1)
    assert findings(good) == []
    assert any("cycle" in found.message for found in findings(good.replace("\t0\troot", "\t3\tdep")))
    bad = good.replace("NOUN\t_\t_\t1", "NUON\t_\tcase=nom\t1")
    assert {found.tokens for found in findings(bad)} == {("2",)}
    assert len(findings(bad)) == 2
    assert any("# text" in found.message for found in findings("# text = w1 w2\n" + good))
    assert findings("# text = w1 w2 w3\n" + good) == []


def test_annotated_means_that_every_word_has_a_head() -> None:
    assert is_annotated(sentence(1))
    assert not is_annotated(sentence(1).replace("\t2\tdep", "\t_\t_"))


def test_completion_knows_what_the_treebank_uses() -> None:
    words = ProjectVocabulary([sentence(1)]).to_json()
    assert isinstance(words["relations"], list)
    assert words["relations"][:2] == ["dep", "root"]
    assert words["relationsByTags"] == {"NOUN NOUN": ["dep"], "NOUN ROOT": ["root"]}
