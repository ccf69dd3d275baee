"""A project under random edits, saves, undos, changes by others, kills and full disks, against a model of what must be.

A run is a small treebank, two servers that take the project from each other, and two clients that act on what they saw
last, however old that is. The rules: what was confirmed is there, also after a kill; what was refused is not; a change
that is made concerns the sentence that the client saw, as it was; the disk holds what others wrote and what was saved,
and nothing else.
"""

from __future__ import annotations

import contextlib
import errno
import os
import resource
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from treewright.treebank.blocks.block import Block

from tests.apps.studio.projects import killed
from treewright.apps.studio import journal, treebank_file
from treewright.apps.studio.edits import edited
from treewright.apps.studio.project import OutOfDate, Place, Project, ProjectInUse, Shown
from treewright.apps.studio.sentence_names import core
from treewright.errors import OutputError
from treewright.treebank.files import output
from treewright.treebank.formats.conllu import CONLLU

FILE = "a.conllu"
STEPS = 40
CHANGES = ("insert", "delete", "move", "change", "word", "both", "restore", "checkout", "same", "twin", "rename")


class Lost(AssertionError):
    """Something was lost, doubled or moved."""


class Killed(BaseException):
    """The process ends here."""


def sentence(uid: int, chance: Random) -> str:
    """Return a sentence that no other is like; a third have no sent_id."""
    words = [f"w{chance.randrange(10**6)}" for _ in range(chance.randint(1, 4))]
    rows = [
        f"{n}\t{word}\tl\tNOUN\t_\t_\t{n - 1}\tdep\t_\t{f'Uid={uid}' if n == 1 else '_'}\n"
        for n, word in enumerate(words, 1)
    ]
    name = f"# sent_id = s{uid}\n" if chance.random() < 0.66 else ""
    return name + "".join(rows) + "\n"


TWIN = "1\ttwin\tl\tNOUN\t_\t_\t0\troot\t_\t_\n\n"  # stands in a file several times


def uid_of(text: str) -> str:
    """Return what tells a sentence from all others; nothing for twins."""
    return text.partition("\tUid=")[2].partition("\n")[0].strip()


class World:
    """A project, what is done to it, and what must come of that."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = Random(seed)
        self.path = folder / FILE
        self.folder = folder
        self.count = 0
        self.tally: Counter[str] = Counter()
        self.ending = self.chance.choice(["\n", "\n", "\n", "\r\n"])
        self.has_mark = self.chance.random() < 0.1
        self.last_is_open = self.chance.random() < 0.2
        self.disk = [self.new() for _ in range(self.chance.randint(1, 7))]
        self.older = [list(self.disk)]
        self.checked = 0  # how many of them there were when everything was compared last
        self.deleted: list[str] = []
        self.write(self.disk)
        self.unsaved: dict[str, str] = {}
        self.stacks: dict[str, tuple[list[str], int]] = {}
        self.servers = [Project(folder), None]
        self.views: list[dict[str, Shown]] = [{}, {}]
        self.log: list[str] = []

    def new(self) -> str:
        """Return another sentence, now and then one that is there already."""
        self.count += 1
        return core(TWIN if self.chance.random() < 0.15 else sentence(self.count, self.chance))

    # The disk

    def write(self, texts: list[str]) -> None:
        """Write the file as an editor does: in place, or by renaming another."""
        data = "".join(f"{text}\n\n" for text in texts)
        if self.last_is_open and data:
            data = data[:-1]
        data = ("\ufeff" if self.has_mark else "") + data.replace("\r\n", "\n").replace("\n", self.ending)
        path = self.path if self.chance.random() < 0.5 else self.path.with_suffix(".new")
        path.write_bytes(data.encode())
        path.replace(self.path)
        self.disk = texts

    def read(self) -> list[str]:
        """Return the sentences of the file."""
        block = Block(self.path.read_bytes(), CONLLU, "")
        return [plain(block.text_of(n).decode()) for n in range(block.n_sentences)]

    def others_write(self) -> None:
        """Change the file as another program would."""
        texts = list(self.disk)
        for _ in range(self.chance.randint(1, 3)):
            what = self.chance.choice(CHANGES)
            self.tally[f"others: {what}"] += 1
            self.log.append(f"others {what}")
            at = self.chance.randrange(len(texts)) if texts else 0
            if what == "insert" or not texts:
                texts.insert(at, self.new())
            elif what == "delete" and len(texts) > 1:
                self.deleted.append(texts.pop(at))
            elif what == "move":
                texts.insert(self.chance.randrange(len(texts)), texts.pop(at))
            elif what == "change":
                texts[at] = texts[at].replace("\tl\t", f"\tm{self.chance.randrange(9)}\t", 1)
            elif what == "word":
                texts[at] = texts[at].replace("\tw", "\tv", 1)
            elif what == "both":
                texts[at] = texts[at].replace("\tw", "\tv").replace("\tdep\t", f"\tx{self.chance.randrange(9)}\t")
                texts.insert(self.chance.randrange(len(texts)), texts.pop(at))
            elif what == "restore" and self.deleted:
                texts.insert(at, self.deleted.pop())
            elif what == "checkout":
                texts = list(self.chance.choice(self.older))
            elif what == "same" and self.unsaved:  # as somebody does here
                text = plain(self.chance.choice(list(self.unsaved.values())))
                fitting = [n for n, each in enumerate(texts) if uid_of(each) == uid_of(text) and uid_of(text)]
                for n in fitting[:1]:
                    texts[n] = text
            elif what == "twin":
                texts.insert(at, core(TWIN))
            elif what == "rename":
                texts = [t.replace("# sent_id = ", f"# sent_id = {n}", 1) for n, t in enumerate(texts)]
        self.older.append(texts)
        self.write(texts)

    # What must hold

    @property
    def owner(self) -> Project:
        """The server that has the project."""
        return next(each for each in self.servers if each is not None and each.owner.is_mine)

    def require(self, holds: bool, what: str) -> None:
        """Complain if something does not hold."""
        if not holds:
            raise Lost(f"{what}\nafter {self.log[-12:]}")

    def check(self) -> None:
        """Compare the project and the disk with the model."""
        project = self.owner
        project.refresh()
        self.require(self.read() == self.disk, "the disk is not as it was left")
        states = list(project.file(FILE))
        self.require([plain(s.saved) for s in states if s.saved is not None] == self.disk, "another file is shown")
        by_key = {state.key: state for state in states}
        self.require(len(by_key) == len(states), "two sentences have one name")
        for key, text in list(self.unsaved.items()):
            state = by_key.get(key)
            if state is None or not state.is_unsaved:
                seen = [self.disk, *self.older[self.checked :]]  # it is saved, if it was on disk in between
                self.require(any(plain(text) in each for each in seen), "an edit is lost")
                del self.unsaved[key]
            else:
                self.require(plain(state.text) == plain(text), "an edit is another")
        for key, state in by_key.items():
            if key not in self.unsaved:
                self.require(not state.is_unsaved, "an edit has come from nowhere")
            elif not state.in_conflict and uid_of(state.saved or "") and uid_of(state.text):
                self.require(uid_of(state.text) == uid_of(state.saved or ""), "an edit has moved")
        for key, (versions, at) in list(self.stacks.items()):  # a sentence that was gone may have a new past; of
            text, since = plain(versions[at]), self.older[self.checked :]  # twins without edits, nobody can tell which
            gone = any(text not in each for each in since) or (bool(since) and not uid_of(text))
            if gone and key not in self.unsaved:
                del self.stacks[key]
        self.checked = len(self.older)

    # What clients do

    def look(self, who: int) -> None:
        """Show a client a sentence."""
        self.check()
        project = self.owner
        states = list(project.file(FILE))
        if states:
            key = self.chance.choice(states).key
            self.views[who][key] = project.sentence(Place(FILE, key))

    def act(self, who: int) -> None:
        """Let a client do something to what it saw."""
        views = self.views[who]
        if not views:
            return self.look(who)
        key = self.chance.choice(list(views)[-3:])
        view, place = views[key], Place(FILE, key)
        project: Any = self.owner
        if view.in_conflict:
            choice = self.chance.choice(["mine", "theirs", "edit", "save"])
            if choice == "save":
                return self.attempt(who, place, view, "save", lambda: project.save(place, view.revision), None)
            text = view.text.replace("\tl\t", "\tmerged\t", 1)
            after = {"mine": view.text, "theirs": view.theirs, "edit": text}[choice]
            return self.attempt(
                who, place, view, "decide", lambda: project.decide(place, view.revision, choice, text), after
            )
        what = self.chance.choices(["edit", "undo", "redo", "save"], [5, 2, 1, 3])[0]
        if what == "edit":
            self.count += 1
            misc = not uid_of(view.text)
            value = f"Twin={self.count}" if misc else f"e{self.count}"
            edit = {"do": "cell", "token": "1", "column": "MISC" if misc else "LEMMA", "value": value}
            after = edited(view.text, edit)
            return self.attempt(who, place, view, what, lambda: project.edit(place, edit, view.revision), after)
        if what == "save":
            return self.attempt(who, place, view, what, lambda: project.save(place, view.revision), view.text)
        return self.attempt(who, place, view, what, lambda: getattr(project, what)(place, view.revision), None)

    def attempt(
        self, who: int, place: Place, view: Shown, what: str, call: Callable[[], Shown | None], after: str | None
    ) -> None:
        """Do something, perhaps on a full disk or shortly before the process ends; compare what came of it."""
        fault = self.chance.choices(["none", "full", "kill", "meanwhile"], [12, 2, 2, 1 if what == "save" else 0])[0]
        self.log.append(f"{what} {place.key} {view.revision} {fault}")
        self.tally[what] += 1
        self.tally[f"fault: {fault}"] += 1
        try:
            with getattr(self, f"_{fault}")():
                shown = call()
        except OutOfDate:
            self.tally["409"] += 1
            self.views[who].pop(place.key)
            return self.check()
        except OutputError:
            self.tally["refused"] += 1
            return self.check()
        except Killed:
            return self.crashed(place, view, what, after)
        self.confirmed(who, place, view, what, shown, after)
        return self.check()

    def confirmed(self, who: int, place: Place, view: Shown, what: str, shown: Shown | None, after: str | None) -> None:
        """Take note of what was answered."""
        key = place.key
        if what == "save":
            self.saved(view, view.text)
            self.unsaved.pop(key, None)
        elif shown is None:
            self.require(what == "decide" and after is None, "a sentence went away")
            self.unsaved.pop(key, None)
        else:
            if after is not None:
                self.require(plain(shown.text) == plain(after), "another sentence was changed, or in another way")
            self.remember(key, view.text, what, shown.text)
            if shown.saved:
                self.unsaved.pop(key, None)
            else:
                self.unsaved[key] = shown.text
        if shown is None:
            self.views[who].pop(key)
        else:
            self.views[who][key] = shown

    def saved(self, view: Shown, text: str) -> None:
        """Take note of a save: one sentence of the file is replaced, the one that the client saw."""
        real, old, new = self.read(), view.theirs, plain(text)
        if old is None:
            at = [n for n, each in enumerate(real) if each == new and real[:n] + real[n + 1 :] == self.disk]
            self.require(bool(at), "a sentence was not put back")
        else:
            fitting = [n for n, each in enumerate(self.disk) if each == plain(old)]
            options = [[*self.disk[:n], new, *self.disk[n + 1 :]] for n in fitting]
            self.require(real in options, "a saved sentence is not on disk, or in the wrong place")
        self.disk = real
        self.older.append(real)

    def remember(self, key: str, before: str, what: str, after: str) -> None:
        """Compare undo and redo with the versions that are known."""
        versions, at = self.stacks.get(key, ([before], 0))
        if plain(versions[at]) != plain(before):
            versions, at = [before], 0
        if what in ("undo", "redo"):
            to = at - 1 if what == "undo" else at + 1
            if 0 <= to < len(versions):
                self.require(plain(after) == plain(versions[to]), f"{what} gives another version")
                at = to
            else:
                versions, at = [after], 0
        elif plain(before) != plain(after):
            versions, at = [*versions[: at + 1], after], at + 1
        self.stacks[key] = versions, at

    def crashed(self, place: Place, view: Shown, what: str, after: str | None) -> None:
        """Start again after a kill: what was asked for last may have happened or not."""
        self.tally["killed"] += 1
        key, real = place.key, self.read()
        if what == "save" and real != self.disk:
            self.saved(view, view.text)
            self.unsaved.pop(key, None)
        self.restart()
        project = self.owner
        project.refresh()
        file = project.file(FILE)
        state = next((each for each in file if each.key == key), None)
        now = None if state is None else plain(state.text)
        expected = self.unsaved.get(key, view.text)
        if state is not None and state.is_unsaved and now != plain(expected):
            self.require(what != "save", "a kill while saving changed an edit")
            self.require(after is None or now == plain(after), "a kill made an edit of its own")
            self.unsaved[key] = state.text
        elif state is None or not state.is_unsaved:
            undone = what in ("undo", "redo", "decide", "edit")
            self.require(
                key not in self.unsaved or undone or plain(self.unsaved[key]) in self.disk, "a kill lost an edit"
            )
            self.unsaved.pop(key, None)
        self.stacks.pop(key, None)
        self.check()

    # Servers

    def restart(self) -> None:
        """End the server that has the project, without a word, and start another."""
        old = self.owner
        number = self.servers.index(old)
        killed(old)
        self.servers[number] = Project(self.folder)

    def change_servers(self) -> None:
        """Stop, kill or replace the server that has the project."""
        what = self.chance.choice(["kill", "close", "takeover"])
        self.tally[what] += 1
        self.log.append(what)
        old = self.owner
        number = self.servers.index(old)
        if what == "kill":
            self.restart()
        elif what == "close":
            old.close()
            self.servers[number] = Project(self.folder)
        else:
            with contextlib.suppress(ProjectInUse):
                Project(self.folder)
                raise Lost("two servers have the project")
            other = self.servers[1 - number]
            if other is None:
                self.servers[1 - number] = Project(self.folder, takeover=True)
            else:
                other.open(takeover=True)
            view = next(iter(self.views[0].items()), None)
            if view is not None:
                with contextlib.suppress(ProjectInUse):
                    old.save(Place(FILE, view[0]), view[1].revision)
                    raise Lost("a server that was replaced has saved")
        self.check()

    # Faults

    @contextlib.contextmanager
    def _none(self) -> Iterator[None]:
        yield

    @contextlib.contextmanager
    def _full(self) -> Iterator[None]:
        """No file grows beyond some byte, or the disk notices late that it is full."""
        if self.chance.random() < 0.3:
            with mock.patch.object(os, "fsync", side_effect=OSError(errno.ENOSPC, "No space left on device")):
                yield
            return
        size = self.path.stat().st_size
        path = self.folder / ".treewright" / "journal.jsonl"
        now = path.stat().st_size if path.exists() else 0
        limit = self.chance.choice([self.chance.randrange(size + 1), now + self.chance.randrange(600)])
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    @contextlib.contextmanager
    def _kill(self) -> Iterator[None]:
        """The process ends while it writes the journal or the file."""
        where = self.chance.choice(["journal", "fsync", "before", "after"])
        replace, most = os.replace, self.chance.randrange(2)

        def cut(file: Any, data: bytes) -> None:
            file.write(data[: self.chance.randrange(len(data) + 1)])
            raise Killed

        def synced(descriptor: int, left: list[int] = [most]) -> None:  # noqa: B006
            left[0] -= 1
            if left[0] < 0:
                raise Killed

        def replaced(*names: Any) -> None:
            if where == "after":
                replace(*names)
            raise Killed

        patches = {
            "journal": mock.patch.object(journal, "_write_all", cut),
            "fsync": mock.patch.object(os, "fsync", synced),
        }
        with patches.get(where, mock.patch.object(output.os, "replace", replaced)):
            yield

    @contextlib.contextmanager
    def _meanwhile(self) -> Iterator[None]:
        """Others write the file after the server has read it."""
        write, world = output.OutputFile.write, self
        left = [self.chance.randint(1, 3)]

        def written(self: Any, data: bytes) -> None:
            write(self, data)
            if left[0] > 0:
                left[0] -= 1
                world.others_write()

        with mock.patch.object(treebank_file.OutputFile, "write", written):
            yield


def plain(text: str | None) -> str:
    """Return a sentence without what stands around it, with one kind of line end."""
    return core((text or "").replace("\r\n", "\n"))


def run(folder: Path, seed: int) -> Counter[str]:
    """Play one run; return what happened in it."""
    folder.mkdir()
    with mock.patch.object(os, "fsync", return_value=None):
        world = World(folder, seed)
        world.check()
        for _ in range(STEPS):
            what = world.chance.choices(["look", "act", "others", "servers"], [4, 9, 3, 1])[0]
            if what == "others":
                world.others_write()
                world.check() if world.chance.random() < 0.7 else None
            elif what == "servers":
                world.change_servers()
            else:
                getattr(world, what)(world.chance.randrange(2))
        for project in world.servers:
            if project is not None:
                project.close()
    return world.tally
