"""Split a stream of bytes into stretches of whole sentences, of about equal size.

Memory use is constant: a stretch ends at the last blank line read, and the rest waits for the next piece. Only a
sentence that is longer than a piece makes a stretch grow.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from treewright.errors import TreebankError, TreebankWarning
from treewright.treebank.blocks.block import MAX_BLOCK
from treewright.treebank.blocks.cutter import Cutter, is_text

BOM = b"\xef\xbb\xbf"
READ_BYTES = 1 << 20
LEAST_NULS = 4  # from which on text may be in UTF-16

if TYPE_CHECKING:
    from typing import Protocol

    class ByteStream(Protocol):
        """The input of a format: bytes, and the name of the file for messages."""

        source: str

        def read(self, size: int) -> bytes:
            """Return up to ``size`` bytes, b"" at the end."""

        def peek(self, size: int) -> bytes:
            """Return up to ``size`` of the next bytes without consuming them."""


def lines_of(stream: ByteStream) -> Iterator[bytes]:
    """Yield the lines of a stream, without their ends."""
    rest = b""
    while piece := stream.read(READ_BYTES):
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
    if rest:
        yield rest


def stretches(stream: ByteStream, block_bytes: int) -> Iterator[tuple[bytes, int]]:
    """Yield stretches of whole sentences as bytes, each with the number of its first line.

    The stretches together are the bytes of the stream. They are checked to be valid UTF-8.
    """
    to_skip = len(BOM) if stream.peek(len(BOM)) == BOM else 0
    cutter = Cutter(to_skip)
    pending = bytearray()
    start, line, warned = 0, 1, False
    while piece := stream.read(block_bytes):
        cutter.feed(piece[to_skip:] if to_skip else piece)
        to_skip = max(0, to_skip - len(piece))
        if cutter.padded_line and not warned:
            warned = True
            warnings.warn(
                f"{stream.source}:{cutter.padded_line}: a line of spaces or tabs, read as the blank line after a"
                " sentence",
                TreebankWarning,
                stacklevel=3,
            )
        if cutter.cut > start:
            inside = max(0, cutter.cut - start - len(pending))  # so much of the piece belongs to the stretch
            stretch = b"".join((pending[: cutter.cut - start], memoryview(piece)[:inside]))
            del pending[: cutter.cut - start]
            pending += memoryview(piece)[inside:]
            check_text(stretch, stream.source, line)
            yield stretch, line
            start, line = cutter.cut, cutter.cut_line
        else:
            pending += piece
            _check_size(pending, stream.source, line)
    if pending:
        check_text(pending, stream.source, line)
        yield bytes(pending), line


def missing_blank(data: bytes) -> bytes:
    """Return the line ends that must follow ``data`` before the next sentence."""
    if data.endswith((b"\n\n", b"\n\r\n")):
        return b""
    line_end = b"\r\n" if data.find(b"\r\n", max(0, len(data) - 1000)) >= 0 else b"\n"
    last = data.removesuffix(b"\n").removesuffix(b"\r")
    last = last[last.rfind(b"\n") + 1 :]
    blank = not last.strip(b" \t")
    if data.endswith(b"\n"):
        return b"" if blank else line_end
    return line_end if blank else 2 * line_end


def check_raw_text(data: bytes | bytearray, source: str, first_line: int) -> None:
    """Do as ``check_text``, but let stray NULs pass, which count as spaces. In UTF-16 every second byte is one."""
    nuls = data.count(0)
    in_utf16 = nuls >= LEAST_NULS and 0.4 * len(data) < nuls < 0.6 * len(data)
    check_text(data if in_utf16 or not nuls else data.replace(b"\0", b" "), source, first_line)


def check_text(data: bytes | bytearray, source: str, first_line: int) -> None:
    """Raise an error that names the line if the data is not text in UTF-8."""
    if is_text(data):
        return
    nul = data.find(0)
    if nul >= 0:
        raise TreebankError(
            "NUL byte: this is not a text file",
            source=source,
            line=first_line + data.count(b"\n", 0, nul),
            remedy="Give text in UTF-8; convert text in UTF-16 first.",
        )
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TreebankError(
            f"byte 0x{data[error.start]:02x} is not valid UTF-8",
            source=source,
            line=first_line + data.count(b"\n", 0, error.start),
            remedy="Convert the file to UTF-8, for example with `iconv -f latin1 -t utf-8`.",
        ) from None


def _check_size(pending: bytearray, source: str, line: int) -> None:
    # Binary files often have no blank line: check before collecting a gigabyte of one.
    if 0 in pending[-4096:]:
        check_text(pending, source, line)
    if len(pending) > MAX_BLOCK:
        raise TreebankError(
            f"more than {MAX_BLOCK >> 20} MB without a blank line",
            source=source,
            line=line,
            remedy="Separate sentences by blank lines.",
        )
