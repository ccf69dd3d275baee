from array import array

from treewright.evaluation.comparison import Comparison

COUNTS: tuple[str, ...]

def count_right(
    first: array[int],
    second: array[int],
    key: array[int],
    n_keys: int,
    ignored_flags: int,
    head_flags: int,
    right_flags: int,
) -> array[int]: ...
def shapes(pair: Comparison) -> tuple[array[int], array[int]]: ...
def confused(
    flags: array[int], gold: array[int], system: array[int], ignored_flags: int, label_flags: int
) -> array[int]: ...
def count_after_first(
    flags: array[int],
    first_word: array[int],
    ignored_flags: int,
    right_flags: int,
    bounds: array[int],
    words: array[int],
    errors: array[int],
    expected: array[float],
) -> tuple[int, int, int]: ...
def count_by_history(
    first: array[int],
    second: array[int],
    first_word: array[int],
    ignored_flags: int,
    right_flags: int,
    counts: array[int],
) -> None: ...
