"""Who may write to a project: one server at a time. Another one is told who has it, and can take it over.

``.treewright/owner.json`` names the owner. It holds a lock on a file of its own as long as it lives, so that others
see whether it does. Whatever it writes, it writes while it holds a second lock, and only if it is still the owner: one
that has been replaced notices before it changes anything.
"""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import secrets
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

from treewright.apps.studio.exclusive_file import ExclusiveFile, exclusive_file
from treewright.errors import OutputError, TreewrightError
from treewright.treebank.files.output import OutputFile, output_error

FOLDER = ".treewright"
PATIENCE = 20.0  # seconds, for another server that is writing just now
MOMENT = 0.01


class Owner(TypedDict):
    """A server that has a project open."""

    token: str
    user: str
    host: str
    process: int
    since: str


class ProjectInUse(TreewrightError):
    """Another server has the project open."""

    def __init__(self, owner: Owner, folder: Path) -> None:
        super().__init__(
            f"{folder.name} is open in another server: {owner['user']} on {owner['host']}, process {owner['process']},"
            f" since {owner['since']}. Stop that one, or take the project over: what it has told its users is kept, and"
            " it will write no more"
        )
        self.owner = owner


class ProjectLock:
    """The right to write to a project."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._place = folder / FOLDER
        self.token = ""
        self._living: ExclusiveFile | None = None
        self._is_writing = False
        self.obstacle = ""  # why nobody can be the owner: the folder cannot be written to
        self._seen: Owner | None = None  # who was the owner then

    @property
    def is_mine(self) -> bool:
        """Is this the owner, as far as there can be one?"""
        owner = self._owner()
        if self.obstacle:
            return owner == self._seen
        return owner is not None and owner["token"] == self.token

    def acquire(self, takeover: bool = False) -> None:
        """Become the owner; an error where another one lives, unless the project is to be taken over.

        Where the folder cannot be written to, there is no owner: one can look, and is told why one cannot write.
        """
        self.obstacle = ""
        try:
            self._place.mkdir(exist_ok=True)
            with self._alone():
                owner = self._owner()
                if owner is not None and owner["token"] != self.token and not takeover and self._lives(owner["token"]):
                    raise ProjectInUse(owner, self._folder)
                token = secrets.token_hex(6)
                living = exclusive_file(self._living_path(token))
                own = Owner(
                    token=token,
                    user=_user(),
                    host=socket.gethostname(),
                    process=os.getpid(),
                    since=time.strftime("%Y-%m-%d %H:%M:%S"),
                )
                with OutputFile(self._place / "owner.json") as output:
                    output.write(json.dumps(own).encode())
                self.release()
                self.token, self._living = token, living
                self._tidy()
        except OSError as error:
            self.obstacle = str(output_error(self._place, error))
        except OutputError as error:
            self.obstacle = str(error)
        if self.obstacle:
            self.release()
            self.token, self._seen = secrets.token_hex(6), self._owner()

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Keep other servers from writing; an error where this one is no longer the owner. One thread at a time."""
        if self._is_writing:
            yield
            return
        if self.obstacle:  # perhaps it is gone: whoever asks next tries again
            obstacle, self.obstacle = self.obstacle, ""
            raise OutputError(obstacle)
        with self._alone():
            owner = self._owner()
            if owner is None or owner["token"] != self.token:
                raise ProjectInUse(owner or _nobody(), self._folder)
            self._is_writing = True
            try:
                yield
            finally:
                self._is_writing = False

    def release(self) -> None:
        """Be the owner no longer; others see at once that this one does not live."""
        if self._living is not None:
            self._living.release()
            with contextlib.suppress(OSError):
                self._living_path(self.token).unlink()
        self._living, self.token = None, ""

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        end = time.monotonic() + PATIENCE
        while (held := self._try()) is None:
            if time.monotonic() > end:
                raise TreewrightError(f"{self._folder.name}: another server has been writing for long. Try again")
            time.sleep(MOMENT)
        try:
            yield
        finally:
            held.release()

    def _try(self) -> ExclusiveFile | None:
        try:
            return exclusive_file(self._place / "lock")
        except OSError as error:
            raise output_error(self._place / "lock", error) from None

    def _owner(self) -> Owner | None:
        try:
            found = json.loads((self._place / "owner.json").read_bytes())
            return Owner(
                token=str(found["token"]),
                user=str(found["user"]),
                host=str(found["host"]),
                process=int(found["process"]),
                since=str(found["since"]),
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _living_path(self, token: str) -> Path:
        return self._place / f"living-{token}.lock"

    def _lives(self, token: str) -> bool:
        path = self._living_path(token)
        if not token.isalnum() or not path.exists():
            return False
        held = exclusive_file(path)
        if held is not None:
            held.release()
        return held is None

    def _tidy(self) -> None:
        """Remove what dead owners have left."""
        for path in self._place.glob("living-*.lock"):
            if path != self._living_path(self.token) and not self._lives(path.stem.removeprefix("living-")):
                with contextlib.suppress(OSError):
                    path.unlink()


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "somebody"


def _nobody() -> Owner:
    return Owner(token="", user="somebody", host="another computer", process=0, since="a while")
