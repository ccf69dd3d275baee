"""What was worked out before, and need not be again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")

MOST_REMEMBERED = 200_000  # keys; then all are forgotten: memory stays bounded


class Remembered(dict[Key, Value]):
    """What a function gives for keys, worked out once for each."""

    def __init__(self, work_out: Callable[[Key], Value]) -> None:
        super().__init__()
        self.work_out = work_out

    def __missing__(self, key: Key) -> Value:
        if len(self) > MOST_REMEMBERED:
            self.clear()
        self[key] = value = self.work_out(key)
        return value
