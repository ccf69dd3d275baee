from array import array

import pytest
from hypothesis import given
from tree_cases import all_trees, nonprojective_words, trees
from treewright.treebank.lifting.projectivity import count_nonprojective, is_projective

from treewright.errors import TreewrightError


def count(heads: list[int]) -> int:
    return count_nonprojective(array("i", heads), array("i", [0, len(heads)]))[1]


@pytest.mark.parametrize("n", range(1, 7))
def test_every_small_tree_is_judged_as_by_the_definition(n: int) -> None:
    seen = 0
    for heads in all_trees(n):
        seen += 1
        expected = len(nonprojective_words(heads))
        assert count(heads) == expected, heads
        assert is_projective(array("i", heads)) == (expected == 0), heads
    assert seen == (n + 1) ** (n - 1)  # Cayley's formula: none was left out


@given(trees(max_words=40))
def test_larger_trees_are_judged_as_by_the_definition(heads: list[int]) -> None:
    assert count(heads) == len(nonprojective_words(heads))


def test_sentences_are_counted_apart_from_arcs() -> None:
    crossing, straight = [3, 4, 0, 3], [2, 0, 2]
    heads = array("i", crossing + straight + crossing)
    offsets = array("i", [0, 4, 4, 7, 11])
    per_sentence = len(nonprojective_words(crossing))
    assert per_sentence == 1
    assert count_nonprojective(heads, offsets) == (2, 2 * per_sentence)


def test_nothing_is_projective() -> None:
    assert is_projective(array("i"))
    assert count_nonprojective(array("i"), array("i", [0])) == (0, 0)


@pytest.mark.parametrize("heads", [[2, 1], [1], [0, 5], [-1, 0], [0, 3, 2]])
def test_what_is_not_a_tree_is_refused(heads: list[int]) -> None:
    with pytest.raises(TreewrightError, match="sentence 1 is not a tree"):
        is_projective(array("i", heads))


@pytest.mark.parametrize("offsets", [[], [-1, 2], [0, 2, 1], [0, 3]])
def test_offsets_outside_the_arrays_are_refused(offsets: list[int]) -> None:
    with pytest.raises(ValueError, match="sentence_word"):
        count_nonprojective(array("i", [0, 1]), array("i", offsets))


@pytest.mark.parametrize("shape", ["chain", "star", "nested"])
def test_a_very_long_sentence_is_judged(shape: str) -> None:
    n = 200_000
    if shape == "chain":
        heads = array("i", range(n))
    elif shape == "star":
        heads = array("i", [0] + [1] * (n - 1))
    else:  # every subtree reaches from a word to its mirror image
        heads = array("i", [*range(n // 2), *range(n // 2, 0, -1)])
    assert is_projective(heads)
    heads[n - 2], heads[n - 1] = n - 3, n - 2  # the last two arcs cross
    assert not is_projective(heads)
