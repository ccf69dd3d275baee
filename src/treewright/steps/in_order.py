"""Blocks through a step in several threads, with results in the order of the blocks."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from treewright.errors import TreewrightWarning
from treewright.steps.blocks import with_columns

if TYPE_CHECKING:
    from treewright.steps.call import Call
    from treewright.steps.step import Step
    from treewright.treebank.blocks.block import Block

Item = TypeVar("Item")
Result = TypeVar("Result")


def parsed_in_order(step: Step, blocks: Iterable[Block], threads: int, call: Call) -> Iterator[tuple[Block, bytes]]:
    """Yield each block with the text of its parse; say once which columns the model misses."""
    first = True

    def ready() -> Iterator[Block]:
        nonlocal first
        for block in blocks:
            if first and block.n_words:
                _warn_of_missing(step, block, call)
                first = False
            yield with_columns(block)

    return zip_in_order(partial(step.annotate, call=call), ready(), threads)


def _warn_of_missing(step: Step, block: Block, call: Call) -> None:
    """Say which columns the model misses; once for a file, by its first block."""
    missing = step.missing(block, call)
    if missing:
        warnings.warn(
            f"{block.source or 'the input'}: {', '.join(missing)} empty, but the model was trained with"
            f" {'it' if len(missing) == 1 else 'them'}: expect worse trees",
            TreewrightWarning,
            stacklevel=4,
        )


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
