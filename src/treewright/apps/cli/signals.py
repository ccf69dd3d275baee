"""SIGTERM and SIGHUP: end as if interrupted, so that temporary files are removed, then die of the signal."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType

_WANTED = ("SIGTERM", "SIGHUP")


class Terminated(BaseException):
    """A signal asks the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def raise_on_signals() -> list[int]:
    """Let the signals raise Terminated, and return which do; ignored ones stay ignored (nohup)."""
    if threading.current_thread() is not threading.main_thread():
        return []
    changed = []
    for name in _WANTED:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _raise)
            changed.append(number)
    return changed


def restore(numbers: list[int]) -> None:
    """Undo ``raise_on_signals``."""
    for number in numbers:
        signal.signal(number, signal.SIG_DFL)


def die_of(number: int) -> int:
    """End the process by a signal, as a shell expects; returns the exit code where it stays alive."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return 128 + number


def _raise(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # once is enough
    raise Terminated(number)
