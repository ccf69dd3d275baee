"""The command line: one file per command, none imported before it is asked for."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    from treewright.apps.cli.program import run

    # The end of the process gives all memory back: to look through it for cycles first takes a model 10 ms.
    atexit.register(gc.freeze)
    return run(argv)
