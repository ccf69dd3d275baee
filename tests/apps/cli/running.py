"""Commands as a user runs them: another process, its exit code, what it prints."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import treewright
from tests.apps.cli.command_server import CommandServer

COMMAND = (sys.executable, "-m", "treewright")


_SERVER = CommandServer()


def environment() -> dict[str, str]:
    """Return an environment in which the package under test is found from any folder."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**kept, "PYTHONPATH": str(Path(treewright.__file__).parent.parent), "PYTHONUTF8": "1"}


def run(
    *words: str | Path, stdin: bytes = b"", stdout: int = subprocess.PIPE, folder: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end."""
    if stdout == subprocess.PIPE:
        return _SERVER.run([str(word) for word in words], environment(), stdin, folder=folder)
    return subprocess.run(
        [*COMMAND, *map(str, words)],
        input=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=environment(),
        cwd=folder,
        timeout=120,
    )


def succeed(*words: str | Path, stdin: bytes = b"") -> bytes:
    """Run a command that must not fail; return what it printed."""
    result = run(*words, stdin=stdin)
    assert result.returncode == 0, result.stderr.decode()
    return result.stdout


def refuse(*words: str | Path, stdin: bytes = b"") -> str:
    """Run a command that must be refused: exit code 2 and one line on standard error, which is returned."""
    result = run(*words, stdin=stdin)
    message = result.stderr.decode()
    assert (result.returncode, message.count("\n"), message[-1:]) == (2, 1, "\n"), message
    assert message.startswith("treewright")
    assert "Traceback" not in message
    return message
