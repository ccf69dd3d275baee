"""A project on disk: clean diffs, undo without end, nothing lost in a crash, changes on disk noticed."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from tests.apps.studio.projects import Sentence, killed
from treewright.apps.studio import exclusive_file, project_lock, treebank_file
from treewright.apps.studio.checking import findings
from treewright.apps.studio.project import OutOfDate, Place, Project, ProjectInUse, is_annotated
from treewright.apps.studio.treebank_file import stamp_of
from treewright.apps.studio.vocabulary import ProjectVocabulary
from treewright.errors import OutputError, TreewrightError
from treewright.treebank.files.output import OutputFile


def sentence(number: int, words: int = 3) -> str:
    rows = "".join(
        f"{n}\tw{n}\tw{n}\tNOUN\t_\t_\t{n - 1}\t{'root' if n == 1 else 'dep'}\t_\t_\n" for n in range(1, words + 1)
    )
    return f"# sent_id = s{number}\n{rows}\n"


FILE = "".join(map(sentence, range(4)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.conllu").write_text(FILE, encoding="utf-8", newline="")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.conllu").write_text(sentence(9), encoding="utf-8", newline="")
    return tmp_path


def later(path: Path, text: str) -> None:
    """Write a file as another program would, a while later."""
    path.write_text(text, encoding="utf-8", newline="")


def read(folder: Path) -> str:
    return (folder / "a.conllu").read_bytes().decode()


ATTACH = {"do": "attach", "word": 3, "head": 1}


def test_only_changed_lines_change_in_the_file(folder: Path) -> None:
    project = Project(folder)
    assert list(project.files) == ["a.conllu", "sub/b.conllu"]
    third = Sentence(project, 2)
    shown = third.edit(ATTACH)
    assert (shown.saved, shown.can_undo, shown.can_redo) == (False, True, False)
    assert read(folder) == FILE
    assert third.save().saved
    old, new = FILE.split("\n"), read(folder).split("\n")
    assert len(old) == len(new)
    assert [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]] == [
        ("3\tw3\tw3\tNOUN\t_\t_\t2\tdep\t_\t_", "3\tw3\tw3\tNOUN\t_\t_\t1\tdep\t_\t_")
    ]


def test_saving_one_sentence_leaves_the_edits_of_others_out(folder: Path) -> None:
    project = Project(folder)
    first, second = Sentence(project), Sentence(project, 1)
    first.edit(ATTACH)
    second.edit(ATTACH)
    first.save()
    assert read(folder).count("\t1\tdep") == 4 + 1
    assert (first.shown.saved, second.shown.saved) == (True, False)


def test_undo_and_redo_without_end_also_after_a_restart(folder: Path) -> None:
    project = Project(folder)
    first = Sentence(project)
    texts = [first.shown.text, *(first.lemma(f"l{number}").text for number in range(200))]
    project.close()
    first = Sentence(Project(folder))
    for text in texts[-2::-1]:
        assert first.undo().text == text
    assert not first.undo().can_undo
    for text in texts[1:51]:
        assert first.redo().text == text
    first.lemma("other")
    assert not first.shown.can_redo


def test_a_crash_loses_nothing(folder: Path) -> None:
    project = Project(folder)
    first, other = Sentence(project), Sentence(project, 0, "sub/b.conllu")
    first.edit(ATTACH)
    first.save()
    after = first.edit({"do": "attach", "word": 2, "head": 3}).text
    other.edit(ATTACH)
    with (folder / ".treewright" / "journal.jsonl").open("ab") as journal:
        journal.write(b'{"what":"edit","file":"a.con')  # cut short
    killed(project)
    again = Project(folder)
    assert again.sentence(first.place).text == after
    assert again.recovered == [first.place, other.place]
    assert again.problems == []
    changed = Sentence(again).edit({"do": "attach", "word": 2, "head": 1}).text
    killed(again)
    assert Sentence(Project(folder)).shown.text == changed


def test_names_and_edits_follow_their_sentence(folder: Path) -> None:
    project = Project(folder)
    third, last = Sentence(project, 2), Sentence(project, 3)
    after = third.edit(ATTACH)
    later(folder / "a.conllu", sentence(7) + sentence(3) + sentence(2) + sentence(0))
    assert project.refresh()
    assert (third.shown.number, last.shown.number) == (2, 1)
    assert third.shown.revision == after.revision  # nothing about it has changed
    assert project.edit(third.place, {"do": "attach", "word": 2, "head": 3}, after.revision).number == 2
    killed(project)
    later(folder / "a.conllu", sentence(3) + sentence(2) + sentence(8))
    again = Project(folder)
    assert again.recovered == [third.place]
    assert (again.sentence(third.place).number, again.sentence(last.place).number) == (1, 0)


def test_a_name_is_made_of_a_unique_sent_id_or_of_the_text(folder: Path) -> None:
    same = sentence(1)
    later(folder / "a.conllu", same + sentence(5) + same.replace("w3\tw3", "w3\tx") + same)
    project = Project(folder)
    keys = [project.place("a.conllu", n).key for n in range(4)]
    assert len(set(keys)) == 4
    assert keys[3] == f"{keys[0]}-2"
    project.close()
    later(folder / "a.conllu", same + sentence(5).replace("w3\tw3", "w3\tx"))
    assert Project(folder).place("a.conllu", 1).key == keys[1]


def test_a_checkout_of_an_old_version_brings_no_edits_back(folder: Path) -> None:
    project = Project(folder)
    first = Sentence(project)
    after = first.edit(ATTACH).text
    first.save()
    project.close()
    later(folder / "a.conllu", FILE)
    again = Project(folder)
    assert again.sentence(first.place).text == sentence(0)
    assert again.recovered == []
    assert Sentence(again).undo().text == after


def test_changes_on_disk_are_merged(folder: Path) -> None:
    project = Project(folder)
    first = Sentence(project)
    first.edit(ATTACH)
    later(folder / "a.conllu", FILE.replace("# sent_id = s3", "# sent_id = three"))
    assert project.refresh()
    assert not project.refresh()
    first.save()
    assert "# sent_id = three" in read(folder)
    assert "3\tw3\tw3\tNOUN\t_\t_\t1\tdep" in read(folder)


def test_a_save_sees_a_change_that_has_the_same_size_and_time(folder: Path) -> None:
    project = Project(folder)
    first = Sentence(project)
    shown = first.edit(ATTACH)
    file = project.file("a.conllu")
    later(folder / "a.conllu", FILE.replace("# sent_id = s3", "# sent_id = s9"))
    file._stamp = stamp_of(folder / "a.conllu")  # as if nothing told of it
    project.save(first.place, shown.revision)
    assert "# sent_id = s9" in read(folder)
    assert "\t1\tdep" in read(folder)


def test_a_file_that_is_written_while_it_is_saved(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(folder)
    first = Sentence(project)
    after = first.edit(ATTACH).text
    versions = [sentence(8) + FILE, sentence(8) + FILE + sentence(9)]
    write = OutputFile.write

    def slow(self: OutputFile, data: bytes) -> None:
        write(self, data)
        if versions:
            later(folder / "a.conllu", versions.pop(0))

    monkeypatch.setattr(treebank_file.OutputFile, "write", slow)
    first.save()
    assert read(folder) == sentence(8) + after + FILE[len(sentence(0)) :] + sentence(9)
    now = read(folder)
    first.lemma("x")
    versions += [sentence(7) + now, now] * 50
    with pytest.raises(TreewrightError, match="another program keeps writing it"):
        first.save()


@pytest.mark.parametrize("restart", [False, True])
def test_both_sides_changed_is_a_conflict_until_someone_decides(folder: Path, restart: bool) -> None:
    project = Project(folder)
    first = Sentence(project)
    mine = first.edit(ATTACH)
    theirs = FILE.replace("w1\tw1", "w1\tother", 1)
    later(folder / "a.conllu", theirs + sentence(8))
    with pytest.raises(OutOfDate, match="changed meanwhile"):
        project.save(first.place, mine.revision)
    if restart:
        killed(project)
        first = Sentence(Project(folder))
    with pytest.raises(OutOfDate, match="choose one"):
        first.save()
    shown = first.shown
    assert (shown.in_conflict, shown.text, shown.theirs) == (True, mine.text, theirs.split("\n\n")[0] + "\n\n")
    taken = first.decide("theirs")
    assert taken is not None
    assert (taken.text, taken.saved, taken.in_conflict) == (shown.theirs, True, False)
    assert first.undo().text == mine.text
    first.save()
    assert "other" not in read(folder)
    assert read(folder).endswith(sentence(8))


def test_a_conflict_ends_with_a_text_of_both(folder: Path) -> None:
    project = Project(folder)
    first, second = Sentence(project), Sentence(project, 1)
    first.edit(ATTACH)
    second.edit(ATTACH)
    later(folder / "a.conllu", FILE.replace("w1\tw1", "w1\tother"))
    project.refresh()
    text = first.shown.text.replace("w1\tw1", "w1\tboth", 1)
    for wrong in ("", "no CoNLL-U", text + text, text.replace("2\tw2", "4\tw2")):
        with pytest.raises(TreewrightError, match="no sentence of CoNLL-U"):
            first.decide("edit", wrong)
    done = first.decide("edit", text)
    assert done is not None
    assert (done.text, done.in_conflict, done.saved) == (text, False, False)
    first.save()
    assert text in read(folder)
    kept = second.decide("mine")
    assert kept is not None
    assert (kept.saved, kept.in_conflict) == (False, False)
    second.save()
    assert read(folder).count("other") == 2
    before = project.journal.path.read_bytes()
    assert second.decide("theirs") == second.shown  # there is nothing to decide
    assert project.journal.path.read_bytes() == before


@pytest.mark.parametrize("restart", [False, True])
def test_an_edited_sentence_that_others_delete(folder: Path, restart: bool) -> None:
    project = Project(folder)
    second, third = Sentence(project, 1), Sentence(project, 2)
    texts = second.edit(ATTACH).text, third.edit(ATTACH).text
    later(folder / "a.conllu", sentence(8) + sentence(0) + sentence(3))
    project.refresh()
    if restart:
        killed(project)
        project = Project(folder)
        second.project = third.project = project
        assert project.recovered == [second.place, third.place]
    assert [state.text for state in project.file("a.conllu")] == [sentence(8), sentence(0), *texts, sentence(3)]
    assert (second.shown.in_conflict, second.shown.theirs) == (True, None)
    with pytest.raises(OutOfDate, match="choose one"):
        second.save()
    assert third.decide("theirs") is None
    with pytest.raises(OutOfDate, match="no longer in"):
        project.sentence(third.place)
    second.decide("mine")
    second.save()
    assert read(folder) == sentence(8) + sentence(0) + texts[0] + sentence(3)
    assert second.undo().text == sentence(1)
    killed(project)
    assert Project(folder).recovered == [second.place]


def test_a_deleted_sentence_that_comes_back_meets_its_edits(folder: Path) -> None:
    project = Project(folder)
    second = Sentence(project, 1)
    shown = second.edit(ATTACH)
    later(folder / "a.conllu", sentence(0))
    project.refresh()
    assert second.shown.in_conflict
    later(folder / "a.conllu", sentence(3) + FILE)
    project.refresh()
    assert (second.shown.in_conflict, second.shown.text, second.shown.number) == (False, shown.text, 2)
    second.save()
    assert read(folder) == sentence(3) + sentence(0) + shown.text + sentence(2) + sentence(3)


def test_both_sides_did_the_same(folder: Path) -> None:
    project = Project(folder)
    first = Sentence(project)
    shown = first.edit(ATTACH)
    later(folder / "a.conllu", shown.text + sentence(3))
    project.refresh()
    assert (first.shown.saved, first.shown.in_conflict) == (True, False)
    later(folder / "a.conllu", FILE)  # and others took it back
    killed(project)
    again = Project(folder)
    assert (again.recovered, again.sentence(first.place).text) == ([], sentence(0))


def test_changes_of_old_revisions_are_rejected(folder: Path) -> None:
    project = Project(folder)
    first = Sentence(project)
    old = first.shown.revision
    new = first.edit(ATTACH).revision
    for change in (
        lambda: project.edit(first.place, ATTACH, old),
        lambda: project.undo(first.place, old),
        lambda: project.redo(first.place, old),
        lambda: project.save(first.place, old),
        lambda: project.decide(first.place, old, "mine"),
    ):
        with pytest.raises(OutOfDate, match="was changed meanwhile"):
            change()
    project.close()
    project.open()
    with pytest.raises(OutOfDate, match="was changed meanwhile"):  # revisions never come again
        project.undo(first.place, new)
    later(folder / "a.conllu", FILE[len(sentence(0)) :] + sentence(1))
    killed(project)
    again = Project(folder)
    assert {state.revision for state in again.file("a.conllu")}.isdisjoint({old, new})


def test_what_is_not_there_is_named(folder: Path) -> None:
    project = Project(folder)
    with pytest.raises(TreewrightError, match="has no file"):
        project.sentence(Place("../x", "k"))
    with pytest.raises(TreewrightError, match="4 sentences"):
        project.place("a.conllu", 4)
    with pytest.raises(OutOfDate, match="no longer in"):
        project.sentence(Place("a.conllu", "k"))
    project.close()
    (folder / "bad.conllu").write_text("1\tx\n\n", encoding="utf-8")
    project = Project(folder)
    assert "bad.conllu:1" in project.unreadable["bad.conllu"]
    assert len(project.files) == 2
    (folder / "bad.conllu").write_text(sentence(5), encoding="utf-8", newline="")
    assert project.refresh()
    assert project.unreadable == {}
    assert len(project.files) == 3


def test_links_in_a_circle_are_left_out(folder: Path) -> None:
    (folder / "one.conllu").symlink_to(folder / "two.conllu")
    (folder / "two.conllu").symlink_to(folder / "one.conllu")
    (folder / "nowhere.conllu").symlink_to(folder / "missing.conllu")
    (folder / "loop").symlink_to(folder)
    project = Project(folder)
    assert list(project.files) == ["a.conllu", "sub/b.conllu"]
    assert len(project.problems) == 3
    assert all("a link that leads nowhere" in problem for problem in project.problems)
    (folder / "missing.conllu").write_text(sentence(5), encoding="utf-8")
    (folder / "one.conllu").unlink()
    (folder / "two.conllu").unlink()
    project.refresh()
    assert project.problems == []
    assert {"missing.conllu", "nowhere.conllu"} < set(project.files)


def test_a_file_that_breaks_on_disk_is_not_overwritten(folder: Path) -> None:
    project = Project(folder)
    first = Sentence(project)
    first.edit(ATTACH)
    later(folder / "a.conllu", "1\tx\n\n")
    with pytest.raises(OutOfDate, match="cannot be read"):
        first.save()
    assert read(folder) == "1\tx\n\n"
    later(folder / "a.conllu", FILE + "# more\n\n")
    first.save()
    assert "3\tw3\tw3\tNOUN\t_\t_\t1\tdep" in read(folder)


def test_a_file_that_is_gone_and_comes_back(folder: Path) -> None:
    project = Project(folder)
    first = Sentence(project)
    after = first.edit(ATTACH).text
    (folder / "a.conllu").unlink()
    with pytest.raises(OutOfDate, match="gone from the disk"):
        first.save()
    assert not (folder / "a.conllu").exists()
    (problem,) = project.problems
    assert "gone from the disk" in problem
    killed(project)
    again = Project(folder)
    (problem,) = again.problems
    assert problem.endswith("Edits that were not saved wait for it in the journal, of 1 sentence")
    later(folder / "a.conllu", sentence(9) + FILE)
    assert again.refresh()
    assert (again.problems, again.sentence(first.place).text) == ([], after)
    Sentence(again, 1).save()
    (folder / "a.conllu").unlink()
    again.refresh()
    later(folder / "a.conllu", FILE)
    again.refresh()
    assert again.problems == []


def test_a_damaged_journal_blocks_nothing(folder: Path) -> None:
    project = Project(folder)
    first = Sentence(project)
    after = first.edit(ATTACH)
    project.close()
    path = folder / ".treewright" / "journal.jsonl"
    crafted = json.dumps({"what": "edit", "file": "a.conllu", "id": "x", "before": sentence(0), "after": "no CoNLL-U"})
    path.write_bytes(b"\0\0\n" + path.read_bytes() + crafted.encode() + b"\n[3]\n")
    again = Project(folder)
    assert again.sentence(first.place).text == after.text
    (problem,) = again.problems
    assert "journal.jsonl, line 1: it is not JSON. Lines that are wrong, 3 of them, are left out and kept" in problem
    assert "journal-rejected.jsonl" in problem
    assert len((folder / ".treewright" / "journal-rejected.jsonl").read_text(encoding="utf-8").splitlines()) == 3
    again.close()
    assert Project(folder).problems == []


def test_what_a_full_disk_refuses_is_gone_and_what_was_confirmed_is_there(folder: Path) -> None:
    project = Project(folder)
    first = Sentence(project)
    confirmed = first.edit(ATTACH)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (project.journal.path.stat().st_size + 30, hard))
    try:
        with pytest.raises(OutputError, match="cannot be written"):
            first.lemma("refused")
        with pytest.raises(OutputError, match="cannot be written"):
            first.undo()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert first.shown == confirmed
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, hard))
    try:
        with pytest.raises(OutputError, match="cannot be written"):
            first.save()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (read(folder), first.shown.saved) == (FILE, False)
    assert not list(folder.glob(".a.conllu*"))
    killed(project)
    again = Sentence(Project(folder))
    assert (again.shown.text, again.shown.can_undo) == (confirmed.text, True)
    again.save()
    assert confirmed.text in read(folder)


# One server at a time


def test_one_server_has_the_project(folder: Path) -> None:
    one = Project(folder)
    first = Sentence(one)
    shown = first.edit(ATTACH)
    with pytest.raises(ProjectInUse, match=rf"is open in another server: .*process {os.getpid()}, since") as raised:
        Project(folder)
    assert raised.value.owner["process"] == os.getpid()
    other = Project(folder, takeover=True)
    assert other.sentence(first.place).text == shown.text
    for change in (first.save, first.undo, lambda: first.lemma("x")):
        with pytest.raises(ProjectInUse, match="is open in another server"):
            change()
    assert (one.owner.is_mine, other.owner.is_mine) == (False, True)
    Sentence(other).save()
    with pytest.raises(ProjectInUse):
        one.open()
    other.close()
    one.open()
    assert first.shown.saved
    killed(one)
    Project(folder)
    assert len(list((folder / ".treewright").glob("living-*"))) == 1


def test_a_server_that_another_process_has_killed_gives_the_project_free(folder: Path) -> None:
    program = f"""
from pathlib import Path
from treewright.apps.studio.project import Project
project = Project(Path({str(folder)!r}))
print("open", flush=True)
import time
time.sleep(100)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        with pytest.raises(ProjectInUse, match=f"process {process.pid}"):
            Project(folder)
        process.kill()
    assert Project(folder).owner.is_mine


def test_a_folder_that_cannot_be_written_to_can_be_looked_at(folder: Path) -> None:
    obstacle = folder / ".treewright"
    obstacle.write_text("in the way", encoding="utf-8")
    project = Project(folder)
    first = Sentence(project)
    assert project.owner.is_mine
    (problem,) = project.problems
    assert "cannot be written" in problem
    with pytest.raises(OutputError, match="cannot be written"):
        first.edit(ATTACH)
    assert not project.owner.is_mine  # whoever asks next opens it again
    obstacle.unlink()
    project.open()
    assert project.problems == []
    first.edit(ATTACH)
    assert first.save().saved


def test_a_project_is_opened_on_a_full_disk(folder: Path) -> None:
    project = Project(folder)
    confirmed = Sentence(project).edit(ATTACH)
    killed(project)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        again = Project(folder)
        assert again.owner.is_mine
        assert Sentence(again).shown.text == confirmed.text
        with pytest.raises(OutputError, match="cannot be written"):
            Sentence(again).undo()
        assert not again.owner.is_mine
        again.open()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    with pytest.raises(OutputError, match="cannot be written"):
        Sentence(again).undo()
    again.open()
    assert Sentence(again).undo().can_redo


@pytest.fixture
def no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without any locks."""

    def missing(file: IO[bytes]) -> None:
        raise ImportError

    monkeypatch.setattr(exclusive_file, "_of_unix", missing)
    monkeypatch.setattr(exclusive_file, "_of_windows", missing)


def test_locks_of_systems_without_any(folder: Path, no_locks: None, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "lock"
    held = exclusive_file.exclusive_file(path)
    assert held is not None
    assert exclusive_file.exclusive_file(path) is None
    held.release()
    held.release()
    again = exclusive_file.exclusive_file(path)
    assert again is not None
    monkeypatch.setattr(exclusive_file, "is_alive", lambda process: False)
    third = exclusive_file.exclusive_file(path)  # its process is dead
    assert third is not None
    again.release()  # it is not the owner's any more: the other one stays
    monkeypatch.setattr(exclusive_file, "is_alive", lambda process: True)
    assert exclusive_file.exclusive_file(path) is None
    monkeypatch.setattr("socket.gethostname", lambda: "elsewhere")
    assert exclusive_file.exclusive_file(path) is None
    held_path = folder / "lock.held"
    os.utime(held_path, (0, 0))
    assert exclusive_file.exclusive_file(path) is not None


def test_a_project_on_a_system_without_locks(folder: Path, no_locks: None) -> None:
    one = Project(folder)
    Sentence(one).edit(ATTACH)
    with pytest.raises(ProjectInUse):
        Project(folder)
    other = Project(folder, takeover=True)
    with pytest.raises(ProjectInUse):
        Sentence(one).undo()
    Sentence(other).save()
    other.close()
    assert Project(folder).owner.is_mine


def test_who_waits_for_long_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(folder)
    monkeypatch.setattr(project_lock, "PATIENCE", 0.02)
    held = exclusive_file.exclusive_file(folder / ".treewright" / "lock")
    with pytest.raises(TreewrightError, match="another server has been writing for long"):
        Sentence(project).edit(ATTACH)
    assert held is not None
    held.release()
    Sentence(project).edit(ATTACH)


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
