"""Open the source of a treebank: a path, standard input, a file object or bytes."""

from __future__ import annotations

import os
import sys
from typing import IO, TYPE_CHECKING, Any, TypeAlias, TypeGuard, Union, cast

from treewright.errors import MissingExtraError, TreebankError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from treewright.treebank.sentences.in_memory import InMemory

    class _Readable(Protocol):
        def read(self, size: int, /) -> bytes: ...


#: what holds bytes: a path, ``-`` for standard input, bytes, a binary file
ByteSource = Union[str, "os.PathLike[str]", bytes, IO[bytes]]
#: what a treebank can be given as: bytes to read, or sentences in memory
Source: TypeAlias = "ByteSource | InMemory"

GZIP, BZIP2, XZ, ZIP = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"PK\x03\x04"
ZSTANDARD = b"\x28\xb5\x2f\xfd"
COMPRESSED = (GZIP, BZIP2, XZ, ZIP, ZSTANDARD)


class InputStream:
    """A stream of bytes that can peek ahead; its errors name the file and a remedy."""

    def __init__(self, raw: _Readable, source: str, close: Callable[[], None] | None = None) -> None:
        self.source = source
        self._raw = raw
        self._ahead = b""
        self._close = close

    def read(self, size: int) -> bytes:
        """Return up to ``size`` bytes, b"" at the end."""
        if self._ahead:
            piece, self._ahead = self._ahead[:size], self._ahead[size:]
            return piece
        try:
            piece = self._raw.read(size)
        except TreebankError:
            raise
        except EOFError:
            raise TreebankError(
                "the compressed file is truncated", source=self.source, remedy="Copy or download it again."
            ) from None
        except OSError as error:
            raise _unreadable(self.source, error) from None
        except Exception as error:
            # zlib.error, lzma.LZMAError and zstd.ZstdError, recognised without importing the modules.
            if type(error).__module__.lstrip("_").partition(".")[0] not in ("zlib", "lzma", "zstd", "zstandard"):
                raise
            raise _damaged(self.source, str(error)) from None
        if isinstance(piece, str):
            raise TreebankError(
                "the file object returns text instead of bytes",
                source=self.source,
                remedy="Open it in binary mode ('rb').",
            )
        return piece or b""

    def peek(self, size: int) -> bytes:
        """Return up to ``size`` of the next bytes without consuming them."""
        ahead, self._ahead = self._ahead, b""
        try:
            while len(ahead) < size and (piece := self.read(size - len(ahead))):
                ahead += piece
        finally:
            self._ahead = ahead
        return ahead[:size]

    def close(self) -> None:
        """Close the file if this stream opened it; a given file object stays open."""
        if self._close is not None:
            self._close()


class _Typed:
    """What is typed at a terminal, whose end is one for good: asking again would wait for more."""

    def __init__(self, keyboard: IO[bytes]) -> None:
        self._keyboard = keyboard
        self._is_at_end = False

    def read(self, size: int) -> bytes:
        """Return ``size`` bytes, fewer at the end."""
        found = b""
        while len(found) < size and not self._is_at_end:
            line = self._keyboard.readline(size - len(found))
            self._is_at_end = not line
            found += line
        return found


def holds_bytes(source: Source) -> TypeGuard[ByteSource]:
    """Return whether a source is to be read: a path, bytes or a file; else its sentences are in memory."""
    return isinstance(source, (str, bytes, os.PathLike)) or hasattr(source, "read")


def open_input(source: Source) -> InputStream:
    """Open a source for reading and decompress it; the caller closes it. What is open already stays as it is."""
    if isinstance(source, InputStream):
        return source
    if not holds_bytes(source):
        raise TreebankError(
            f"a {type(source).__name__} cannot be read as a file", remedy="Give a path, bytes or a binary file."
        )
    stream = _open_raw(source)
    try:
        head = stream.peek(6)
        return _decompressed(stream, head) if head.startswith(COMPRESSED) else stream
    except BaseException:
        stream.close()
        raise


def name_of(source: Source) -> str:
    """Return the name of a source for messages."""
    if isinstance(source, bytes):
        return "the text"
    if hasattr(source, "read"):
        name = getattr(source, "name", None)
        return name if isinstance(name, str) else "<stream>"
    if not isinstance(source, (str, os.PathLike)):
        given = getattr(source, "source", "")  # of a Treebank, a Sentence or a Block
        return name_of(given) if given else "<sentences>"
    path = os.fspath(source)
    return "<stdin>" if path == "-" else path


def _open_raw(source: ByteSource) -> InputStream:
    name = name_of(source)
    if isinstance(source, bytes):
        import io

        return InputStream(io.BytesIO(source), name)
    if hasattr(source, "read"):
        return InputStream(cast("IO[bytes]", source), name)
    if name == "<stdin>":
        buffer = getattr(sys.stdin, "buffer", None)
        if buffer is None:
            raise TreebankError("standard input is not available", remedy="Give the path of a file.")
        return InputStream(_Typed(buffer) if buffer.isatty() else buffer, name)
    try:
        file = open(name, "rb", buffering=0)  # noqa: SIM115 (closed by the stream)
    except ValueError:
        raise TreebankError(f"{name!r} is not a valid file name") from None
    except OSError as error:
        raise _unreadable(name, error) from None
    return InputStream(file, name, file.close)


def _decompressed(stream: InputStream, head: bytes) -> InputStream:
    opened: Any
    if head.startswith(GZIP):
        import gzip

        opened = gzip.GzipFile(fileobj=cast("IO[bytes]", stream), mode="rb")
    elif head.startswith(BZIP2):
        import bz2

        opened = bz2.BZ2File(cast("IO[bytes]", stream))
    elif head.startswith(XZ):
        import lzma

        opened = lzma.LZMAFile(cast("IO[bytes]", stream))  # noqa: SIM115
    elif head.startswith(ZSTANDARD):
        opened = zstandard().ZstdDecompressor().stream_reader(cast("IO[bytes]", stream), read_across_frames=True)
    else:
        raise TreebankError("is a zip archive", source=stream.source, remedy="Unpack it and give the treebank file.")
    return InputStream(opened, stream.source, stream.close)


def zstandard() -> Any:
    """Return the library that reads and writes .zst, an extra."""
    try:
        import zstandard as library
    except ImportError:
        raise MissingExtraError("a file compressed with Zstandard (.zst)", "zstandard", "zst") from None
    return library


def _damaged(source: str, reason: str) -> TreebankError:
    return TreebankError(
        f"the compressed file is damaged ({reason})", source=source, remedy="Copy or download it again."
    )


def _unreadable(source: str, error: OSError) -> TreebankError:
    if isinstance(error, IsADirectoryError) or os.path.isdir(source):
        return TreebankError("is a directory", source=source, remedy="Give a treebank file.")
    if isinstance(error, FileNotFoundError):
        remedy = "Check the path."
        if "\n" in source or "\t" in source:
            source = source[:30] + "…"
            remedy = "To read a treebank from a string, pass bytes: text.encode()."
        return TreebankError("no such file", source=source, remedy=remedy)
    if isinstance(error, PermissionError):
        return TreebankError("permission denied", source=source, remedy="Change its permissions, or run as its owner.")
    if error.errno is None:
        return _damaged(source, str(error))
    return TreebankError(f"cannot be read ({error.strerror})", source=source, remedy="Check the path and the disk.")
