"""Items in groups, as they arrive: what is there is passed on at once, without waiting for a slow source."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Generic, TypeVar

Item = TypeVar("Item")

PATIENCE = 0.05  # seconds that an item may wait for others


def groups_as_they_come(items: Iterable[Item], most: int) -> Iterator[list[Item]]:
    """Yield groups of up to ``most`` items; an empty group says that there is nothing more for now.

    What has a length is at hand, and is cut. Anything else is read in a thread of its own, so that the items that are
    there need not wait for the next one; in groups of one nothing waits, and no thread is needed.
    """
    if most == 1 or hasattr(items, "__len__"):
        rest = iter(items)
        while group := list(islice(rest, most)):
            yield group
        return
    reader = _Reader(items, 2 * most)
    try:
        while not reader.at_end:
            yield reader.group(most)
    finally:
        reader.stop()
    if reader.error is not None:
        raise reader.error


class _Reader(Generic[Item]):
    """A thread that reads ahead, by a bounded number of items."""

    def __init__(self, items: Iterable[Item], ahead: int) -> None:
        self.at_end = False
        self.error: BaseException | None = None
        self._items = items
        self._queue: queue.Queue[tuple[Item] | None] = queue.Queue(ahead)
        self._stopped = threading.Event()
        self._idle, self._patience = True, PATIENCE
        threading.Thread(target=self._read, name="treewright-reader", daemon=True).start()

    def _read(self) -> None:
        try:
            for item in self._items:
                if not self._put((item,)):
                    return
        except BaseException as error:  # whatever it is, the caller gets it
            self.error = error
        self._put(None)

    def _put(self, item: tuple[Item] | None) -> bool:
        """Store an item when there is room; return whether anyone still wants it."""
        while not self._stopped.is_set():
            with suppress(queue.Full):
                self._queue.put(item, timeout=1)
                return True
        return False

    def group(self, most: int) -> list[Item]:
        """Return the items that are there, up to ``most``; none of them waits for long."""
        items: list[Item] = []
        due: float | None = None if self._idle else time.monotonic() + self._patience
        while len(items) < most:
            try:
                item = self._queue.get(timeout=None if due is None else max(0.0, due - time.monotonic()))
            except queue.Empty:
                break
            if item is None:
                self.at_end = True
                break
            items.append(item[0])
            due = due if len(items) > 1 else time.monotonic() + PATIENCE
        self._idle = not items
        # After all that was there, what is under way need not wait again to hear that nothing follows.
        self._patience = PATIENCE if len(items) == most else 0.0
        return items

    def stop(self) -> None:
        """Let the thread end as soon as the source gives it back."""
        self._stopped.set()
