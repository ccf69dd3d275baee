"""Write files atomically: completely or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from types import TracebackType
from typing import IO, Any

from treewright.errors import OutputError, TreewrightError
from treewright.treebank.formats.registry import COMPRESSIONS

REMEDIES = {
    errno.ENOSPC: "The disk is full: free some space or choose another location.",
    errno.EDQUOT: "Your quota is used up: free some space or choose another location.",
    errno.EROFS: "The file system is read-only: choose another location.",
    errno.EACCES: "Change the permissions or choose another location.",
    errno.EPERM: "Change the permissions or choose another location.",
    errno.EFBIG: "The file system does not allow files of this size: choose another location.",
}
PART = ".part"  # ends the names of temporary files
SENT_AT_ONCE = 4 << 20  # bytes
ANY_MAY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class OutputFile:
    """A file to write bytes to in a ``with`` statement; an existing file stays until everything is written.

    The bytes go to a temporary file in the same folder, which is renamed at the end and removed if anything fails.
    It is on the disk before it gets its name, so that a power cut leaves the old file or the new one. Temporary files
    of processes that were killed are removed when the same file is written again: who writes one holds a lock on it.
    ``-`` is standard output; devices and pipes are written directly. Files named .gz, .bz2, .xz or .zst are compressed;
    equal input gives equal output.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._temporary = ""
        self._target = ""
        self._raw: IO[bytes] | None = None
        self._file: Any = None
        self._waiting = 0  # bytes written since the disk last started
        self._sent = 0

    def __enter__(self) -> OutputFile:
        try:
            self._raw = self._open()
            compressed = self.path.lower().endswith(COMPRESSIONS)
            self._file = self._compressed(self._raw) if compressed else self._raw
        except OSError as error:
            self._discard()
            raise output_error(self.path, error) from None
        except BaseException:  # a compression that needs an extra, Ctrl-C, a signal
            self._discard()
            raise
        return self

    def write(self, data: bytes) -> None:
        """Append bytes."""
        try:
            self._file.write(data)
            self._waiting += len(data)
            if self._waiting >= SENT_AT_ONCE and self._temporary:
                self._send()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise output_error(self.path, error) from None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None:
            self._discard()
            return
        try:
            self._finish()
        except OSError as problem:
            self._discard()
            if isinstance(problem, BrokenPipeError):
                raise
            raise output_error(self.path, problem) from None
        except BaseException:  # Ctrl-C or a signal, while the disk is busy
            self._discard()
            raise

    def _send(self) -> None:
        """Let the disk start writing, so that there is less to wait for at the end."""
        assert self._raw is not None
        self._waiting = 0
        self._raw.flush()
        end = self._raw.tell()
        if hasattr(os, "posix_fadvise"):
            with contextlib.suppress(OSError):  # only advice; Linux takes it as a request to write
                os.posix_fadvise(self._raw.fileno(), self._sent, end - self._sent, os.POSIX_FADV_DONTNEED)
        self._sent = end

    def _open(self) -> IO[bytes]:
        if self.path == "-":
            buffer: IO[bytes] | None = getattr(sys.stdout, "buffer", None)
            if buffer is None:
                raise TreewrightError("standard output is not available. Give the name of a file.")
            return buffer
        if "\0" in self.path or not self.path:
            raise TreewrightError(f"{self.path!r} is not a valid file name.")
        mode = _mode_of(self.path)
        if mode is not None and stat.S_ISDIR(mode):
            raise TreewrightError(f"{self.path}: is a directory. Give the name of a file.")
        # /dev/stdout points to whatever the shell opened, which must not be replaced by renaming.
        is_device = self.path.startswith("/dev/") and not self.path.startswith("/dev/shm/")
        if mode is not None and (not stat.S_ISREG(mode) or is_device):
            return open(self.path, "wb")
        self._target = os.path.realpath(self.path)
        folder, name = os.path.split(self._target)
        if not os.path.isdir(folder):
            raise TreewrightError(f"{self.path}: the folder {folder} does not exist. Create it first.")
        # Renaming would replace a read-only file, and root can write to it: respect the read-only flag in both cases.
        if mode is not None and not (mode & ANY_MAY_WRITE and _may_write(self._target)):
            raise PermissionError(errno.EACCES, "the file is read-only")
        # Use os.open instead of tempfile: the umask then applies as for any new file.
        temporary = os.path.join(folder, f"{_beginning(name)}{os.getpid()}-{os.urandom(4).hex()}{PART}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        sweep(folder, name)
        self._temporary = temporary  # before it exists: a signal may come at any time
        descriptor = os.open(temporary, flags, 0o666)
        with contextlib.suppress(OSError):
            _lock(descriptor)
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        return open(descriptor, "wb")

    def _compressed(self, raw: IO[bytes]) -> Any:
        name = self.path.lower()
        if name.endswith(".gz"):
            import gzip

            return gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0)
        if name.endswith(".bz2"):
            import bz2

            return bz2.BZ2File(raw, "wb")
        if name.endswith(".xz"):
            import lzma

            return lzma.LZMAFile(raw, "wb")
        from treewright.treebank.files.source import zstandard

        return zstandard().ZstdCompressor().stream_writer(raw, closefd=False)

    def _finish(self) -> None:
        assert self._raw is not None
        if self._file is not self._raw:
            self._file.close()
        if self.path == "-":
            self._raw.flush()
            return
        if self._temporary:
            self._raw.flush()
            os.fsync(self._raw.fileno())
        self._raw.close()
        if self._temporary:
            os.replace(self._temporary, self._target)
            self._temporary = ""
            _sync_folder(os.path.dirname(self._target))

    def _discard(self) -> None:
        if self.path == "-":
            return
        for file in (self._file, self._raw):
            # Closing flushes the buffer, and the disk may be full; the file is removed anyway.
            with contextlib.suppress(OSError, ValueError):
                if file is not None:
                    file.close()
        if self._temporary:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)
            self._temporary = ""


def output_error(path: str | os.PathLike[str], error: OSError) -> OutputError:
    """Return an error of the system as one that says what to do."""
    remedy = REMEDIES.get(error.errno or 0, "Check the path and the disk.")
    return OutputError(f"{os.fspath(path)}: cannot be written ({error.strerror}). {remedy}")


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise the error that writing to a file would raise, without changing anything."""
    output = OutputFile(path)
    try:
        output.__enter__()
    finally:
        output._discard()


def sweep(folder: str, name: str) -> None:
    """Remove the temporary files of a file that nobody is writing any more."""
    beginning = _beginning(name)
    with contextlib.suppress(OSError):
        for entry in os.listdir(folder):
            if entry.startswith(beginning) and _is_leftover(entry[len(beginning) :]):
                _remove_unlocked(os.path.join(folder, entry))


def _beginning(name: str) -> str:
    return f".{name[:40]}."


def _is_leftover(rest: str) -> bool:
    """Return whether the end of a name is that of a dead process's file: its number, eight digits, ending."""
    from treewright.treebank.files.locks import is_alive

    process, _, chance = rest.removesuffix(PART).partition("-")
    return rest.endswith(PART) and process.isdigit() and len(chance) == 8 and not is_alive(int(process))


def _lock(descriptor: int) -> None:
    """Lock a file for this process, without waiting; an error where another one has it."""
    from treewright.treebank.files.locks import NoLocksError, lock

    with contextlib.suppress(NoLocksError):
        lock(descriptor)


def _remove_unlocked(path: str) -> None:
    """Remove a temporary file unless a process has it locked: on another computer, too."""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0))
        try:
            _lock(descriptor)
            os.unlink(path)
        finally:
            os.close(descriptor)


def _sync_folder(folder: str) -> None:
    """Write the folder's list of files to the disk, where that can be asked for."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _may_write(path: str) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _mode_of(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
