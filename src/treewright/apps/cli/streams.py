"""The standard streams as every command may rely on them: open, and able to write any text."""

from __future__ import annotations

import io
import os
import sys
from typing import Any


def prepare_streams() -> None:
    """Open what is closed, let ASCII-only streams show other characters as escapes, and guard the terminal."""
    _fill_gaps()
    if sys.stdout is None:
        from treewright.apps.cli.guarded_output import ClosedOutput

        sys.stdout = ClosedOutput()
    if sys.stderr is None:
        sys.stderr = io.TextIOWrapper(io.FileIO(os.devnull, "w"), encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.isatty():
        from treewright.apps.cli.guarded_output import TerminalText

        guarded: Any = TerminalText(sys.stdout)
        sys.stdout = guarded


def _fill_gaps() -> None:
    """Open the null device where a standard stream is closed: else the next file would take its number."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.close(opened)
