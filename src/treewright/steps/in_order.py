"""Blocks through a step in several threads, with results in the order of the blocks."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
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
    if threads > 1:
        looked_at = _looked_at(step, blocks, call)
        yield from zip_in_order(lambda block: step.annotate(with_columns(block), call), looked_at, threads)
        return
    looked = False
    for block in blocks:
        looked = looked or _looks(step, block, call)
        yield block, step.annotate(with_columns(block), call)


def _looked_at(step: Step, blocks: Iterable[Block], call: Call) -> Iterator[Block]:
    looked = False
    for block in blocks:
        looked = looked or _looks(step, block, call)
        yield block


def _looks(step: Step, block: Block, call: Call) -> bool:
    """Say which columns the model misses: once for a file, by its first block with words. Has this one any?"""
    missing = step.missing(block, call) if block.n_words else []
    if missing:
        warnings.warn(
            f"{block.source or 'the input'}: {', '.join(missing)} empty, but the model was trained with"
            f" {'it' if len(missing) == 1 else 'them'}: expect worse trees",
            TreewrightWarning,
            stacklevel=4,
        )
    return block.n_words > 0


def zip_in_order(
    function: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> Iterator[tuple[Item, Result]]:
    """Yield (item, function(item)) in the order of the items, with a few of them under way at a time."""
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
