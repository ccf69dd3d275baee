from array import array
from collections.abc import Callable

from treewright.treebank.blocks.block import Block
from typing_extensions import Buffer

def single_numbers(
    block: Block,
    first: int,
    last: int,
    column: int,
    known: dict[bytes, int],
    look_up: Callable[[bytes], int],
    root: int,
) -> array[int]: ...
def piece_numbers(text: bytes, shortest: int, longest: int, buckets: int) -> bytes: ...
def bags_of_numbers(
    block: Block,
    first: int,
    last: int,
    column: int,
    known: dict[bytes, bytes],
    look_up: Callable[[bytes], bytes],
) -> tuple[array[int], array[int]]: ...
def word_numbers(block: Block, column: int, known: dict[bytes, int], look_up: Callable[[bytes], int]) -> array[int]: ...
def looked_up(numbers: Buffer, table: Buffer) -> array[int]: ...
def texts_of_rows(
    columns: list[array[int]], known: dict[bytes, bytes], look_up: Callable[[bytes], bytes]
) -> list[bytes]: ...
def with_values(block: Block, columns: list[tuple[int, list[bytes]]]) -> bytes: ...
