"""Files here and elsewhere: paths of this machine, and addresses (``s3://…``, ``memory://…``) by fsspec.

Paths of this machine need no library. Whatever is written appears whole or not at all: here by renaming; object
stores do so by themselves; other remote file systems by moving.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from typing import IO, Any, cast

from treewright.errors import MissingExtraError, OutputError, TreebankError, TreewrightError
from treewright.treebank.files.output import OutputFile

#: protocols whose `put` shows a file only when all of it has arrived
WHOLE_PUTS = frozenset(("s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oci", "memory"))


def is_remote(path: str) -> bool:
    """Say whether a path is an address that fsspec opens."""
    return "://" in path and not path.startswith("file://")


def plain(path: str) -> str:
    """Return a path without the protocol of local files."""
    return path.removeprefix("file://")


def join(folder: str, *names: str) -> str:
    """Return the path of something in a folder."""
    return "/".join((folder.rstrip("/"), *names)) if is_remote(folder) else os.path.join(plain(folder), *names)


def base_name(path: str) -> str:
    """Return the name of a file without its folders."""
    return path.rstrip("/").rpartition("/")[2] if is_remote(path) else os.path.basename(path)


def file_system(path: str) -> tuple[Any, str]:
    """Return the file system of an address, and the path in it."""
    try:
        import fsspec
    except ImportError:
        raise MissingExtraError(path, "fsspec", "cluster") from None
    try:
        system, inner = fsspec.core.url_to_fs(path)
    except ImportError as error:
        raise TreewrightError(f"{path}: {error}") from None
    except ValueError as error:
        raise TreewrightError(f"{path}: {error}. Check the address") from None
    return system, inner


class MissingFile(TreebankError):
    """There is no such file, here or elsewhere."""


@contextlib.contextmanager
def _told(path: str, done: str = "read") -> Iterator[None]:
    """Turn what the system, or a library of remote storage, says of a file into one line."""
    try:
        yield
    except FileNotFoundError:
        raise MissingFile("no such file", source=path, remedy="Check the path.") from None
    except Exception as error:
        if isinstance(error, TreewrightError) or not _is_of_storage(error):
            raise
        if is_remote(path):
            reason, remedy = str(error), "Check address and rights"
        else:
            reason = getattr(error, "strerror", None) or str(error)
            remedy = "Check the path, the rights and the disk."
        raise TreebankError(f"cannot be {done} ({reason})", source=path, remedy=remedy) from None


def _is_of_storage(error: Exception) -> bool:
    """Say whether an error is about files or addresses; any other is a bug, and is raised as it is.

    Libraries of remote storage raise what the system would, ValueError for addresses that they cannot take, and
    errors that they declare themselves, which have no base in common.
    """
    return isinstance(error, (OSError, ValueError, NotImplementedError)) or type(error).__module__ != "builtins"


def open_bytes(path: str, start: int = 0) -> IO[bytes]:
    """Open a file at a place of it."""
    with _told(path):
        if is_remote(path):
            system, inner = file_system(path)
            file = cast("IO[bytes]", system.open(inner, "rb"))
        else:
            file = open(plain(path), "rb")  # noqa: SIM115 (the caller closes it)
        if start:
            file.seek(start)
        return file


def size_of(path: str) -> int:
    """Return the bytes of a file."""
    with _told(path):
        if is_remote(path):
            system, inner = file_system(path)
            return int(system.size(inner))
        if os.path.isdir(plain(path)):
            raise TreebankError("is a directory", source=path, remedy="Give a file.")
        return os.path.getsize(plain(path))


def read_bytes(path: str, start: int = 0, length: int = -1) -> bytes:
    """Return the bytes of a file, or some of them."""
    with open_bytes(path, start) as file, _told(path):
        return file.read(length)


def checksum(path: str) -> tuple[str, int]:
    """Return the SHA-256 of a file and its size."""
    digest, size = hashlib.sha256(), 0
    with open_bytes(path) as file, _told(path):
        while piece := file.read(1 << 20):
            digest.update(piece)
            size += len(piece)
    return digest.hexdigest(), size


def write_bytes(path: str, data: bytes) -> None:
    """Write a small file, whole or not at all."""
    with local_output(path) as target, OutputFile(target) as output:
        output.write(data)


@contextlib.contextmanager
def local_output(path: str) -> Iterator[str]:
    """Give a path of this machine to write to, with ``OutputFile``; at the end the file is where it belongs."""
    if not is_remote(path):
        yield plain(path)
        return
    with tempfile.TemporaryDirectory(prefix="treewright-") as folder:
        target = os.path.join(folder, base_name(path))
        yield target
        system, inner = file_system(path)
        try:
            protocols = {system.protocol} if isinstance(system.protocol, str) else set(system.protocol)
            if WHOLE_PUTS & protocols:
                system.put_file(target, inner)
            else:
                aside = f"{inner}.{os.urandom(6).hex()}.part"
                system.put_file(target, aside)
                system.mv(aside, inner)
        except Exception as error:
            if not _is_of_storage(error):
                raise
            raise OutputError(f"{path}: cannot be written ({error}). Check address, rights and space") from None


def make_folder(path: str) -> None:
    """Make a folder with those above it."""
    if is_remote(path):
        system, inner = file_system(path)
        with (
            contextlib.suppress(TreebankError),
            _told(path, "made"),
        ):  # object stores have no folders: writing shows whether it works
            system.makedirs(inner, exist_ok=True)
        return
    try:
        os.makedirs(plain(path), exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"{path}: the folder cannot be made ({error.strerror}). Check the path, or choose another with -o"
        ) from None


def names_in(folder: str) -> list[str]:
    """Return the names of the files in a folder, in order; none where there is no folder."""
    with contextlib.suppress(MissingFile), _told(folder):
        if not is_remote(folder):
            return sorted(os.listdir(plain(folder)))
        system, inner = file_system(folder)
        system.invalidate_cache(inner)
        return sorted(base_name(f"://{entry}") for entry in system.ls(inner, detail=False))
    return []


def exists(path: str) -> bool:
    """Say whether a file is there."""
    if not is_remote(path):
        return os.path.exists(plain(path))
    system, inner = file_system(path)
    with _told(path):
        return bool(system.exists(inner))


def remove(path: str) -> None:
    """Remove a file, if it is there."""
    with contextlib.suppress(MissingFile), _told(path, "removed"):
        if is_remote(path):
            system, inner = file_system(path)
            system.rm_file(inner)
        else:
            os.unlink(plain(path))


def remote_files(word: str) -> list[tuple[str, str]]:
    """Return the files that an address means: a file, a pattern, all below a folder; each with its name."""
    system, inner = file_system(word)
    with _told(word):
        if any(sign in inner for sign in "*?["):
            files = sorted(system.glob(inner))
            if not files:
                raise TreewrightError(f"{word}: no file matches. Check the pattern")
            return [
                (system.unstrip_protocol(each), base_name(f"://{each}")) for each in files if not system.isdir(each)
            ]
        if system.isdir(inner):
            files = sorted(system.find(inner))
            root = system._strip_protocol(inner).rstrip("/")
            return [(system.unstrip_protocol(each), each[len(root) + 1 :]) for each in files]
    return [(word, base_name(word))]
