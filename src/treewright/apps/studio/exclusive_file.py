"""A lock that one process holds at a time, on every system: it goes when its process dies, however it dies.

The system's own locks, where there are any; else a file that only one process can make, which counts as long as its
process lives.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path

from treewright.treebank.files.locks import NoLocksError, is_alive, lock

ELSEWHERE = 60.0  # seconds that a file of a process on another computer counts, of which nobody knows whether it lives


class ExclusiveFile:
    """A lock that is held until it is released."""

    def __init__(self, release: Callable[[], None]) -> None:
        self._release = release

    def release(self) -> None:
        """Let others have the lock."""
        release, self._release = self._release, _nothing
        release()

    def __del__(self) -> None:
        with contextlib.suppress(OSError):
            self.release()


def exclusive_file(path: Path) -> ExclusiveFile | None:
    """Lock a file; None where another process, or another part of this one, has locked it."""
    file = path.open("ab", buffering=0)
    try:
        lock(file.fileno())
    except BlockingIOError:
        file.close()
        return None
    except NoLocksError:
        file.close()
        return _of_any_system(path.with_name(f"{path.name}.held"))
    except BaseException:
        file.close()
        raise
    return ExclusiveFile(file.close)


def _of_any_system(path: Path) -> ExclusiveFile | None:
    own = f"{os.getpid()} {socket.gethostname()} {os.urandom(4).hex()}"
    for _ in range(2):
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            if not _is_left_over(path):
                return None
            aside = path.with_name(f"{path.name}.{os.urandom(4).hex()}")
            with contextlib.suppress(OSError):  # renamed first: of two who find it, one removes it
                path.rename(aside)
                aside.unlink()
            continue
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(own)
        return ExclusiveFile(lambda: _remove(path, own))
    return None


def _is_left_over(path: Path) -> bool:
    """Is the process that made a file dead?"""
    try:
        process, host, _ = path.read_text(encoding="utf-8").split(" ")
        age = time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return True
    except (OSError, ValueError):  # still being written
        return False
    return not is_alive(int(process)) if host == socket.gethostname() else age > ELSEWHERE


def _remove(path: Path, own: str) -> None:
    with contextlib.suppress(OSError):
        if path.read_text(encoding="utf-8") == own:
            path.unlink()


def _nothing() -> None:
    """Do nothing: the lock has been released."""
