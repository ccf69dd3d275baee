"""Processes that work for this one: started with our package on their path, ended with their children."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: the terminal's Ctrl-C ends the processes of its own group only
OWN_GROUP: dict[str, Any] = (
    {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
    if sys.platform == "win32"
    else {"start_new_session": True}
)
PACKAGE_FOLDER = str(Path(__file__).parents[2])


def start_worker(module: str, stderr: int | None = subprocess.PIPE) -> subprocess.Popen[str]:
    """Start a module in a process that waits for work on its input. The terminal's Ctrl-C does not reach it."""
    path = os.environ.get("PYTHONPATH")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([PACKAGE_FOLDER, *([path] if path else [])]),
        "PYTHONIOENCODING": "utf-8",
        # One core per worker: other libraries would take all cores, and times could not be compared.
        **{f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")},
    }
    return subprocess.Popen(
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        encoding="utf-8",
        env=environment,
        **OWN_GROUP,
    )


def end_worker(process: subprocess.Popen[str]) -> None:
    """Stop a worker and the processes that it started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGTERM)  # it leads its own session and process group
    else:  # Windows knows no groups that end together, but which process started which
        with contextlib.suppress(OSError):
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], check=False, capture_output=True)
        process.terminate()


def reason_of_death(code: int, errors: str) -> str:
    """Return in one line why a worker returned no result."""
    lines = [line for line in errors.splitlines() if line.strip()]
    if code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        hint = ": there may be too little memory for this many jobs" if name == "SIGKILL" else ""
        return f"the process was killed by {name}{hint}"
    return lines[-1] if lines else f"the process exited with code {code} and no result"


@contextlib.contextmanager
def terminate_as_interrupt() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C, so that no process is left running."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def available_cores() -> int:
    """Return the number of cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
