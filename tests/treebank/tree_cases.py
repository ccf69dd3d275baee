"""Trees for tests, and the definitions of the papers written as plainly as possible."""

import functools
import itertools

from hypothesis import strategies as st


def path_to_root(heads: list[int], word: int) -> list[int]:
    """The heads above a word, up to 0; stops after as many steps as there are words."""
    path = []
    while word and len(path) <= len(heads):
        word = heads[word - 1]
        path.append(word)
    return path


def is_tree(heads: list[int]) -> bool:
    return all(path_to_root(heads, word)[-1] == 0 for word in range(1, len(heads) + 1))


def nonprojective_words(heads: list[int]) -> list[int]:
    """Words whose arc spans a word that does not descend from the head: the definition."""
    return [
        word
        for word, head in enumerate(heads, 1)
        if any(head not in path_to_root(heads, between) for between in range(min(head, word) + 1, max(head, word)))
    ]


@functools.cache
def all_trees(n: int) -> list[list[int]]:
    heads_of_all = itertools.product(range(n + 1), repeat=n)
    return [list(heads) for heads in heads_of_all if is_tree(list(heads))]


@st.composite
def trees(draw: st.DrawFn, max_words: int = 12, single_root: bool = False) -> list[int]:
    """A tree over shuffled positions, so that most of them are not projective."""
    n = draw(st.integers(1, max_words))
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for place, word in enumerate(order[1:], 1):
        above = draw(st.integers(0 if single_root else -1, place - 1))
        heads[word - 1] = 0 if above < 0 else order[above]
    return heads
