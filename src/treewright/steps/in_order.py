"""Blocks through a step in several threads, with results in the order of the blocks."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, starmap
from typing import TYPE_CHECKING, TypeVar

from treewright.errors import TreewrightWarning
from treewright.steps.blocks import with_columns
from treewright.treebank.files.writing import Changed

if TYPE_CHECKING:
    from treewright.steps.call import Call
    from treewright.steps.step import Step
    from treewright.treebank.blocks.block import Block

Item = TypeVar("Item")
Result = TypeVar("Result")


def parsed_in_order(step: Step, blocks: Iterable[Block | None], threads: int, call: Call) -> Iterator[Changed]:
    """Yield each block with the text of its parse; say once which columns the model misses.

    None among the blocks says that no other comes for now: nothing that is under way waits for it.
    """
    if threads > 1:
        looked_at = _looked_at(step, blocks, call)
        parsed = zip_in_order(lambda block: step.annotate(with_columns(block), call), looked_at, threads)
        yield from starmap(Changed, parsed)
        return
    looked = False
    for block in blocks:
        if block is not None:
            looked = looked or _looks(step, block, call)
            yield Changed(block, step.annotate(with_columns(block), call))


def _looked_at(step: Step, blocks: Iterable[Block | None], call: Call) -> Iterator[Block | None]:
    looked = False
    for block in blocks:
        looked = looked or (block is not None and _looks(step, block, call))
        yield block


def _looks(step: Step, block: Block, call: Call) -> bool:
    """Say once for a file, by its first block with words, what to expect of its parse. Has this one any words?"""
    if not block.n_words:
        return False
    name = "the text" if block.source == "<bytes>" else block.source or "the input"
    known = step._familiarity(block)
    if known is not None and known.is_foreign:
        warnings.warn(
            f"{name}: unlike the training data, perhaps in another language; {known}. Do not rely on the result",
            TreewrightWarning,
            stacklevel=3,
        )
    missing = step._missing(block, call)
    if missing:
        warnings.warn(
            f"{name}: {', '.join(missing)} empty, but the model was trained with"
            f" {'it' if len(missing) == 1 else 'them'}: expect worse trees",
            TreewrightWarning,
            stacklevel=3,
        )
    return True


def zip_in_order(
    function: Callable[[Item], Result], items: Iterable[Item | None], threads: int
) -> Iterator[tuple[Item, Result]]:
    """Yield (item, function(item)) in the order of the items, with a few of them under way at a time.

    None is no item: all that is under way is finished before the next one is asked for.
    """
    from concurrent.futures import Future, ThreadPoolExecutor

    waiting: deque[tuple[Item, Future[Result]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for item in chain(items, [None]):
                if item is not None:
                    waiting.append((item, pool.submit(function, item)))
                while len(waiting) > (2 * threads if item is not None else 0):
                    first, future = waiting.popleft()
                    yield first, future.result()
        finally:
            for _, future in waiting:
                future.cancel()
