"""Work on items in several threads, with results in the order of the items."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def zip_in_order(
    function: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> Iterator[tuple[Item, Result]]:
    """Yield (item, function(item)) in the order of the items, with a few of them under way at a time."""
    if threads <= 1:
        for item in items:
            yield item, function(item)
        return
    from concurrent.futures import Future, ThreadPoolExecutor

    waiting: deque[tuple[Item, Future[Result]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for item in items:
                waiting.append((item, pool.submit(function, item)))
                if len(waiting) > 2 * threads:
                    first, future = waiting.popleft()
                    yield first, future.result()
            while waiting:
                first, future = waiting.popleft()
                yield first, future.result()
        finally:
            for _, future in waiting:
                future.cancel()
