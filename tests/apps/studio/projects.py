"""Small projects: sentences of the toy treebank, most of them annotated."""

from __future__ import annotations

from pathlib import Path

from tests.toy import DEV, TRAIN
from treewright.apps.studio.suggesting import blanked


def toy_sentences(path: str, most: int) -> list[str]:
    """Return the first sentences of a part of the toy treebank."""
    return [text + "\n\n" for text in Path(path).read_text(encoding="utf-8").split("\n\n")[:most]]


def make_project(folder: Path, annotated: int, waiting: int) -> Path:
    """Write a.conllu with annotated sentences and some without trees; return the folder."""
    texts = [*toy_sentences(TRAIN, annotated), *map(blanked, toy_sentences(DEV, waiting))]
    (folder / "a.conllu").write_text("".join(texts), encoding="utf-8", newline="")
    return folder
