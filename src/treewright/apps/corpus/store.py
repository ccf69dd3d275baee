"""The folder of a run: a file and a record for every finished part, the reasons of those that failed.

    OUT/corpus.json              which plan, model and options all parts here are of
    OUT/parts/0000/000012.conllu the trees of a part
    OUT/done/0000/000012.json    its record: written last, so a part with a record is finished
    OUT/failed/000012.json       why a part, or sentences of it, were set aside

Parts lie in folders of a thousand, so that no folder grows and one look at a folder says which of them are done.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from treewright.apps.corpus.storage import (
    MissingFile,
    exists,
    is_remote,
    join,
    make_folder,
    names_in,
    plain,
    read_bytes,
    remove,
    write_bytes,
)
from treewright.errors import TreewrightError
from treewright.treebank.files.locks import NoLocksError, lock
from treewright.treebank.files.output import PART as TEMPORARY
from treewright.treebank.files.output import sweep

GROUP = 1000  # parts in a folder
#: how parts are written → the ending of their files
ENDINGS = {
    "conllu": ".conllu",
    "conllu.gz": ".conllu.gz",
    "conllu.xz": ".conllu.xz",
    "conllu.zst": ".conllu.zst",
    "words.parquet": ".parquet",
    "sentences.parquet": ".parquet",
}
Record = dict[str, Any]
#: what a record has at least
OF_RECORDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("plan", "model", "treewright", "sha256"), (str,)),
    **dict.fromkeys(("part", "bytes", "sentences", "words", "set_aside"), (int,)),
    **dict.fromkeys(("seconds", "cpu_seconds"), (int, float)),
}


@dataclass(frozen=True)
class Settings:
    """What all parts of a folder have in common; a run with anything else is refused."""

    plan: str  # digests
    model: str
    to: str
    options: dict[str, Any]


class RunStore:
    """Finds and writes the files of a run."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    # Where things are

    def part_path(self, number: int, to: str) -> str:
        """Return the file of a part's trees."""
        return join(self.folder, "parts", f"{number // GROUP:04d}", f"{number:06d}{ENDINGS[to]}")

    def record_path(self, number: int) -> str:
        """Return the file of a part's record."""
        return join(self.folder, "done", f"{number // GROUP:04d}", f"{number:06d}.json")

    def failure_path(self, number: int) -> str:
        """Return the file that says why a part failed."""
        return join(self.folder, "failed", f"{number:06d}.json")

    # The run as a whole

    def prepare(self, settings: Settings) -> None:
        """Make the folder, or check that it is of the same plan, model and options."""
        wanted = {"format": 1, **vars(settings)}
        there = self.settings()
        if there is None:
            make_folder(self.folder)
            write_bytes(join(self.folder, "corpus.json"), _json(wanted))
            return
        names = {"plan": "another plan", "model": "another model", "to": "another --to", "options": "other options"}
        for name, what in names.items():
            if there.get(name) != wanted[name]:
                raise TreewrightError(
                    f"{self.folder}: has parts of {what}. Choose another folder with -o, or remove this one"
                )

    def settings(self) -> dict[str, Any] | None:
        """Return what the parts of the folder have in common; None if nothing was run here."""
        path = join(self.folder, "corpus.json")
        try:
            settings = json.loads(read_bytes(path))
        except MissingFile:
            return None
        except ValueError:
            settings = None
        if not isinstance(settings, dict) or settings.get("format") != 1:
            raise TreewrightError(f"{path}: is damaged. Remove the folder {self.folder}, or choose another with -o")
        return settings

    def make_folders(self, number: int) -> None:
        """Make the folders of a part."""
        for path in (self.part_path(number, "conllu"), self.record_path(number)):
            make_folder(os.path.dirname(path) if not is_remote(path) else path.rpartition("/")[0])

    def sweep(self, number: int, to: str) -> None:
        """Remove what killed workers left of the group of a part."""
        if is_remote(self.folder):
            return  # files are put there whole
        for path in (self.part_path(number, to), self.record_path(number)):
            folder = os.path.dirname(path)
            for name in names_in(folder):
                if name.startswith(".") and name.endswith(TEMPORARY):
                    sweep(folder, name[1:].rpartition(".")[0].rpartition(".")[0])

    # Parts

    def save(self, number: int, record: Record) -> None:
        """Write the record of a finished part: from now on it is never done again."""
        write_bytes(self.record_path(number), _json(record))

    def record(self, number: int) -> Record | None:
        """Return the record of a part; None if it is not finished."""
        path = self.record_path(number)
        record = read_json(path)
        if record is None and not exists(path):
            return None
        if record is None or not all(isinstance(record.get(name), kinds) for name, kinds in OF_RECORDS.items()):
            raise TreewrightError(f"{path}: the record is damaged. Remove it, and run the plan again: one part is done")
        return record

    def finished(self, group: int, to: str) -> set[int]:
        """Return which parts of a group are finished: record and file are there."""
        folder = f"{group:04d}"
        ending = ENDINGS[to]
        files = {name.removesuffix(ending) for name in names_in(join(self.folder, "parts", folder))}
        records = {name.removesuffix(".json") for name in names_in(join(self.folder, "done", folder))}
        return {int(name) for name in files & records if name.isdigit()}

    # Failures

    def save_failure(self, number: int, failure: Record) -> None:
        """Write why a part, or something in it, was set aside."""
        make_folder(join(self.folder, "failed"))
        write_bytes(self.failure_path(number), _json(failure))

    def failure(self, number: int) -> Record | None:
        """Return why a part was set aside; None if it was not."""
        return read_json(self.failure_path(number))

    def failed(self) -> set[int]:
        """Return the parts with something set aside."""
        names = names_in(join(self.folder, "failed"))
        return {int(name[:-5]) for name in names if name.endswith(".json") and name[:-5].isdigit()}

    def failed_whole(self) -> set[int]:
        """Return the parts that were set aside as a whole."""
        return {number for number in self.failed() if (self.failure(number) or {}).get("whole", True)}

    def forget_failure(self, number: int) -> None:
        """Remove the reason of a failure: the part is to be tried again, or has been done."""
        remove(self.failure_path(number))

    # Drivers

    @contextlib.contextmanager
    def locked(self, shard: tuple[int, int] | None) -> Iterator[None]:
        """Keep other drivers out while this one works: all of them, or only those of the same shard.

        The system frees a lock when its process dies, however it dies. Where there are no locks (object stores, some
        cluster file systems), two drivers do work twice, and the same bytes replace the same bytes.
        """
        if is_remote(self.folder):
            yield
            return
        with contextlib.ExitStack() as stack:
            stack.enter_context(self._lock("run.lock", exclusive=shard is None))
            if shard is not None:
                stack.enter_context(self._lock(f"shard-{shard[0]}-of-{shard[1]}.lock", exclusive=True))
            yield

    @contextlib.contextmanager
    def _lock(self, name: str, exclusive: bool) -> Iterator[IO[str]]:
        folder = plain(self.folder)
        path = os.path.join(folder, name)
        with open(path, "a+", encoding="utf-8") as file:
            try:
                lock(file.fileno(), shared=not exclusive)
            except BlockingIOError:
                file.seek(0)
                who = file.read(200).strip() or "another process"
                raise TreewrightError(
                    f"{self.folder}: {who} is at work here. Wait for it, or run shards (--shard 1/2, --shard 2/2)"
                ) from None
            except NoLocksError:
                pass
            if exclusive:
                file.truncate(0)
                file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
                file.flush()
            yield file


def _json(values: dict[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace") + b"\n"


def read_json(path: str) -> Record | None:
    """Return what a file holds; None if it is not there, or holds something else."""
    try:
        content = json.loads(read_bytes(path))
    except (MissingFile, ValueError):
        return None
    return content if isinstance(content, dict) else None
