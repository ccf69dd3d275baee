"""How far a head is away, as a network sees it: a kind of distance, to the left or to the right, or the root.

Each dependent has a preference for each kind, which adds to the scores of its heads. Near words are told apart, far
ones are taken together: few sentences of a treebank show one of them.
"""

from __future__ import annotations

from array import array

BEGINNINGS = (1, 2, 3, 4, 6, 9, 15)  # the least distance of each kind
ROOT_KIND = len(BEGINNINGS)  # heads to the left have smaller numbers, heads to the right larger ones
N_KINDS = 2 * len(BEGINNINGS) + 1


def kinds_of_distances() -> array[int]:
    """Return the number, from 1 on, of each distance's kind; whatever is farther is of the last kind."""
    return array("i", (sum(start <= distance for start in BEGINNINGS) for distance in range(BEGINNINGS[-1] + 1)))
