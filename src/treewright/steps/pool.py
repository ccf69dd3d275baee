"""Scratch memory to borrow: a parser never changes, so each thread at work brings its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class Pool(Generic[T]):
    """Things that one thread at a time may use; there are as many as were ever used at once."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._free: deque[T] = deque()

    @contextmanager
    def borrowed(self) -> Iterator[T]:
        """Lend one, made if none is free. After an error it is not used again."""
        try:
            one = self._free.pop()
        except IndexError:
            one = self._make()
        yield one
        self._free.append(one)
