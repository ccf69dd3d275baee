"""What replaces standard output when it is a terminal, or closed."""

from __future__ import annotations

import errno
import io
from typing import IO, TextIO

from treewright.apps.cli.terminal import for_terminal


class ClosedOutput(io.TextIOBase):
    """Standard output that the caller closed: the first word that a command has to say is an error."""

    def write(self, text: str, /) -> int:
        """Raise the error of a closed file."""
        raise OSError(errno.EBADF, "it is closed. Send the output to a file, or to /dev/null")

    def writable(self) -> bool:
        """Always true: whoever writes gets the error that says what is wrong."""
        return True


class TerminalBytes:
    """Bytes on their way to a terminal, where a command writes a treebank to standard output."""

    def __init__(self, inner: IO[bytes]) -> None:
        self._inner = inner

    def write(self, data: bytes) -> int:
        """Write all but control characters."""
        self._inner.write(for_terminal(bytes(data).decode("utf-8", "replace")).encode())
        return len(data)

    def flush(self) -> None:
        """Write what is waiting."""
        self._inner.flush()


class TerminalText:
    """Standard output where it is a terminal."""

    def __init__(self, inner: TextIO) -> None:
        self._inner = inner
        self.buffer = TerminalBytes(inner.buffer)
        self.encoding, self.errors = inner.encoding, inner.errors

    def write(self, text: str) -> int:
        """Write all but control characters."""
        self._inner.write(for_terminal(text))
        return len(text)

    def isatty(self) -> bool:
        """Yes."""
        return True

    def fileno(self) -> int:
        """Return the number of the terminal."""
        return self._inner.fileno()

    def flush(self) -> None:
        """Write what is waiting."""
        self._inner.flush()
