"""How much the server does at once, and for one request."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from treewright.apps.server.messages import HttpError

#: bodies up to this many bytes are not counted together
SMALL_BODY = 1 << 20


@dataclass(frozen=True)
class Limits:
    """What one request and all together may take.

    ``sentence_words``: the longest sentence where the time of a parse grows faster than its length.
    """

    body_bytes: int = 64 * 1024 * 1024
    words: int = 2_000_000
    seconds: float = 300.0
    at_once: int = 4
    waiting: int = 256
    connections: int = 1024
    all_bodies_bytes: int = 1 << 30
    sentence_words: int = 1000
    idle_seconds: float = 60.0
    head_bytes: int = 64 * 1024
    stop_seconds: float = 30.0


class Budget:
    """How many bytes the bodies of all requests under way hold; small ones are not counted."""

    def __init__(self, size: int) -> None:
        self._left = size
        self._lock = threading.Lock()

    def take(self, size: int) -> int:
        """Take some of it, or tell the client to try later; return what to give back."""
        if size <= SMALL_BODY:
            return 0
        with self._lock:
            if size > self._left:
                raise HttpError(503, "large requests are under way: try later", {"Retry-After": "5"})
            self._left -= size
        return size

    def give_back(self, size: int) -> None:
        """Give back what was taken."""
        if size:
            with self._lock:
                self._left += size


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
        """Wait for a place, at most this many seconds, and hold it."""
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
