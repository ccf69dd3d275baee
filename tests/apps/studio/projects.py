"""Small projects: sentences of the toy treebank, most of them annotated."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.toy import DEV, TRAIN
from treewright.apps.studio.project import Project, Shown
from treewright.apps.studio.suggesting import blanked


def toy_sentences(path: str, most: int) -> list[str]:
    """Return the first sentences of a part of the toy treebank."""
    return [text + "\n\n" for text in Path(path).read_text(encoding="utf-8").split("\n\n")[:most]]


def make_project(folder: Path, annotated: int, waiting: int) -> Path:
    """Write a.conllu with annotated sentences and some without trees; return the folder."""
    texts = [*toy_sentences(TRAIN, annotated), *map(blanked, toy_sentences(DEV, waiting))]
    (folder / "a.conllu").write_text("".join(texts), encoding="utf-8", newline="")
    return folder


class Sentence:
    """A sentence of a project, for somebody who looks before doing anything."""

    def __init__(self, project: Project, number: int = 0, file: str = "a.conllu") -> None:
        self.project, self.place = project, project.place(file, number)

    @property
    def shown(self) -> Shown:
        """The sentence as it is now."""
        return self.project.sentence(self.place)

    def edit(self, edit: Mapping[str, object], by: str = "") -> Shown:
        """Edit it."""
        return self.project.edit(self.place, edit, self.shown.revision, by)

    def lemma(self, lemma: str) -> Shown:
        """Give its first word a lemma."""
        return self.edit({"do": "cell", "token": "1", "column": "LEMMA", "value": lemma})

    def undo(self) -> Shown:
        """Undo an edit."""
        return self.project.undo(self.place, self.shown.revision)

    def redo(self) -> Shown:
        """Redo an edit."""
        return self.project.redo(self.place, self.shown.revision)

    def save(self) -> Shown:
        """Save it."""
        return self.project.save(self.place, self.shown.revision)

    def decide(self, choice: str, text: str = "") -> Shown | None:
        """End a conflict."""
        return self.project.decide(self.place, self.shown.revision, choice, text)


def killed(project: Project) -> None:
    """End the process of a project, as far as others can see: it has no time to close anything."""
    project.journal.close()
    if project.owner._living is not None:
        project.owner._living.release()
