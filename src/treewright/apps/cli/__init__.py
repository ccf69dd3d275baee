"""The command line: one file per command, none imported before it is asked for."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    from treewright.apps.cli.program import run

    return run(argv)
