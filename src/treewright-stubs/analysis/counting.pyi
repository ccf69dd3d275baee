from array import array

from treewright.evaluation.comparison import Comparison

COUNTS: tuple[str, ...]

def count_right(
    first: array[int], second: array[int], key: array[int], n_keys: int, left_out: int, head: int, right: int
) -> array[int]: ...
def shapes(pair: Comparison) -> tuple[array[int], array[int]]: ...
def confused(flags: array[int], gold: array[int], system: array[int], left_out: int, label: int) -> array[int]: ...
def count_after_first(
    flags: array[int],
    first_word: array[int],
    left_out: int,
    right: int,
    bounds: array[int],
    words: array[int],
    errors: array[int],
    expected: array[float],
) -> tuple[int, int, int]: ...
def count_by_history(
    first: array[int], second: array[int], first_word: array[int], left_out: int, right: int, counts: array[int]
) -> None: ...
