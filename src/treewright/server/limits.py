"""How much the server does at once and for one request."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from treewright.server.messages import HttpError


@dataclass(frozen=True)
class Limits:
    """What one request and all together may take."""

    body_bytes: int = 64 * 1024 * 1024
    words: int = 2_000_000
    seconds: float = 300.0
    at_once: int = 4
    waiting: int = 256
    connections: int = 1024
    idle_seconds: float = 60.0
    head_bytes: int = 64 * 1024
    stop_seconds: float = 30.0


class Gate:
    """Lets a few computing requests run, some wait in line, and sends the rest away to try later."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._places = threading.Semaphore(limits.at_once)
        self._lock = threading.Lock()
        self.waiting = 0
        self.running = 0

    @contextmanager
    def place(self, seconds: float) -> Iterator[None]:
        """Wait for a place, at most so long, and hold it."""
        if not self._places.acquire(blocking=False):
            self._wait(seconds)
        with self._lock:
            self.running += 1
        try:
            yield
        finally:
            with self._lock:
                self.running -= 1
            self._places.release()

    def _wait(self, seconds: float) -> None:
        with self._lock:
            if self.waiting >= self._limits.waiting:
                raise HttpError(429, f"{self.waiting} requests are waiting already: try later", {"Retry-After": "1"})
            self.waiting += 1
        try:
            if not self._places.acquire(timeout=max(0.0, seconds)):
                raise HttpError(503, "the server is busy: try later", {"Retry-After": "5"})
        finally:
            with self._lock:
                self.waiting -= 1
