"""The command line: one file per command, none imported before it is asked for."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    from treewright.apps.cli.program import run

    # The process gives all its memory back when it ends: searching a model for cycles first would take 10 ms.
    atexit.register(gc.freeze)
    return run(argv)
