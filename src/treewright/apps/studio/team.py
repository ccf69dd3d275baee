"""Several annotators of one project: who they are, and which sentences are theirs.

Each has a layer: copies of the sentences that were assigned, in ``layers/NAME/FILE`` of the project, an ordinary file.
An annotator sees that layer and nothing else, so that two annotations of a sentence are independent. Whoever leads the
project sees everything, assigns, and adjudicates into the files outside of the layers. The parser learns from those
files only: what it suggests to one annotator says nothing of what another one did.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from treewright.apps.studio.drafts import Draft
from treewright.apps.studio.project import Project
from treewright.apps.studio.project_lock import FOLDER
from treewright.apps.studio.sentence_names import ENCODING, core
from treewright.apps.studio.suggesting import blanked
from treewright.errors import TreewrightError
from treewright.steps.border import schema
from treewright.treebank.files.output import OutputFile

LAYERS = "layers/"
LEAD = "lead"  # what notes of whoever leads the project are signed with
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}\Z")
NOTE, DECIDED = "note", "adjudicated"  # comments of sentences that exports leave out
_TOKENS = schema.map_of(schema.text(200), schema.text(40))


class Progress(NamedTuple):
    """How far an annotator is with a file."""

    user: str
    file: str
    sentences: int
    annotated: int


def tokens_of(folder: Path, names: Sequence[str]) -> dict[str, str]:
    """Return a token for each annotator, the same as last time; new ones are made up."""
    path = folder / FOLDER / "users.json"
    known: dict[str, str] = {}
    if path.exists():
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
            schema.require(_TOKENS, known, "users")
        except (ValueError, TreewrightError):
            raise TreewrightError(f"{path}: not as it was written. Correct it, or remove it for new tokens") from None
    for name in names:
        if not NAME.match(name) or name == LEAD:
            raise TreewrightError(f"--user {name}: take letters, digits, - and _, at most 40, and not {LEAD!r}")
        known.setdefault(name, secrets.token_urlsafe(24))
    path.parent.mkdir(exist_ok=True)
    with OutputFile(path) as output:
        output.write(json.dumps(known, indent=1).encode() + b"\n")
    os.chmod(path, 0o600)
    return {name: known[name] for name in names}


def is_visible(file: str, user: str) -> bool:
    """May somebody see a file? Whoever leads has no name here."""
    return not user or file.startswith(f"{LAYERS}{user}/")


def layer(user: str, file: str) -> str:
    """Return the file of an annotator's layer for a file of the project."""
    return f"{LAYERS}{user}/{file}"


def assign(
    project: Project, file: str, numbers: Iterable[int], users: Sequence[str], keep_trees: bool
) -> dict[str, int]:
    """Give sentences to annotators; return how many are new to each. What a layer has already stays as it is."""
    with project.lock, project.owner.writing():
        source = project.file(file)
        texts = [core(source.text_at(number)) for number in numbers]
        return {user: _add(project, layer(user, file), texts, keep_trees) for user in users}


def _add(project: Project, name: str, texts: Sequence[str], keep_trees: bool) -> int:
    path = project.folder / name
    project.refresh()
    old = list(project.files[name].texts) if name in project.files else []
    if not old and path.exists():
        raise TreewrightError(f"{path}: cannot be read. Correct it first")
    there = {_identity(text) for text in old}
    new = [text for text in texts if _identity(text) not in there]
    if new:
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_bytes() if path.exists() else b""
        if before and not before.endswith(b"\n\n"):
            before = before.rstrip(b"\r\n") + b"\n\n"
        shown = [text if keep_trees else core(blanked(text)) for text in map(without_remarks, new)]
        with OutputFile(path) as output:
            output.write(before + "".join(f"{core(text)}\n\n" for text in shown).encode(*ENCODING))
        project.refresh()
    return len(new)


def progress(project: Project, users: Sequence[str]) -> list[Progress]:
    """Return how far the annotators are."""
    with project.lock:
        return [
            Progress(user, name.removeprefix(layer(user, "")), len(file), file.attached)
            for user in users
            for name, file in project.files.items()
            if name.startswith(layer(user, ""))
        ]


def without_remarks(text: str) -> str:
    """Return a sentence without notes, and without what was said of decisions."""
    draft = Draft(text)
    draft.lines = [line for line in draft.lines if not is_remark(line)]
    return draft.text


def is_remark(line: str) -> bool:
    """Is a line a comment that belongs to the work and not to the treebank?"""
    return line.startswith("#") and line.lstrip("#").partition("=")[0].strip() in (NOTE, DECIDED)


def is_note(line: str) -> bool:
    """Is a line a note of an annotator?"""
    return is_remark(line) and line.lstrip("#").partition("=")[0].strip() == NOTE


def add_note(draft: Draft, text: str, by: str) -> None:
    """Write a note into a sentence."""
    draft.set_comments([*draft.comments, f"# {NOTE} = {by}: {' '.join(text.split())}"])


def _identity(text: str) -> str:
    """Return what a sentence is known by in the layers: its words and its sent_id, whatever was annotated."""
    return core(without_remarks(blanked(text)))
