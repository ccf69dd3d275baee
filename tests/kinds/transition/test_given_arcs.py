"""Given arcs by themselves, without a parser: what is read, what is rejected, and how a tree grows again."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence

import pytest
from treewright.treebank.blocks.block import Block

from treewright.errors import TreebankError
from treewright.steps.call import Call
from treewright.steps.given_arcs import GivenArcs
from treewright.steps.parser import Trees, empty_trees
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.formats.conllu import CONLLU

#: a sentence before the one that matters: numbers over the block are not numbers in the sentence
BEFORE = "1\tA\t_\tX\t_\t_\t_\t_\t_\t_\n2\tB\t_\tX\t_\t_\t_\t_\t_\t_\n\n"


def rows(heads: Sequence[object], banned: Mapping[int, str] = {}, relations: Sequence[str] = ()) -> str:
    """Return a sentence with these values of HEAD, of NotHead by word, and of DEPREL."""
    names = [*relations, *["_"] * len(heads)]
    lines = []
    for word, (head, relation) in enumerate(zip(heads, names, strict=False), 1):
        misc = f"NotHead={banned[word]}" if word in banned else "_"
        lines.append(f"{word}\tw\t_\tX\t_\t_\t{head}\t{relation}\t_\t{misc}\n")
    return "".join(lines) + "\n"


def block_of(text: str | bytes) -> Block:
    return Block(text if isinstance(text, bytes) else text.encode(), CONLLU, "a file", 1)


def trees_with(block: Block, heads: Sequence[int], confidence: bool = False) -> Trees:
    """Return the trees that a parser could have found."""
    trees = empty_trees(block, confidence)
    trees.heads[:] = array("i", heads)
    return trees


def grown(heads: Sequence[int], old: Sequence[int], banned: Mapping[int, str] = {}, single_root: bool = True):
    """Return the tree of a second sentence around its given arcs (-1: none), and the numbers of its moved words."""
    block = block_of(BEFORE + rows(["_" if head < 0 else head for head in heads], banned))
    trees = trees_with(block, [0, 1, *old])
    moved = GivenArcs(block).complete(trees, single_root)
    assert list(trees.heads[:2]) == [0, 1]
    assert set(moved) <= {1}
    return list(trees.heads[2:]), moved.get(1)


# What is read


def test_heads_are_given_where_they_are_numbers() -> None:
    assert list(GivenArcs(block_of(rows(["_", 0, 1, "x"]))).heads) == [-1, 0, 1, -1]


def test_arcs_are_given_where_they_are_to_be_kept() -> None:
    block = block_of(rows(["_", 0]))
    kept = Call(keep_arcs=True).given_arcs(block)
    assert kept is not None
    assert list(kept.heads) == [-1, 0]
    assert Call().given_arcs(block) is None


def test_a_format_without_heads_gives_none() -> None:
    (block,) = read_blocks(b"A\tX\nB\tY\n\n", "malt-tab")
    given = GivenArcs(block)
    assert list(given.heads) == [-1, -1]
    assert given.relations() == ["", ""]
    assert not given
    assert Call(keep_arcs=True).given_arcs(block) is None


def test_relations_are_those_of_given_arcs() -> None:
    block = block_of(rows([0, 1, "_", 1, 1], relations=["root", "_", "lost", "obj", "new"]))
    given = GivenArcs(block)
    assert given.relations() == ["root", "", "", "obj", "new"]
    assert list(given.labels({"obj": 5, "root": 3, "lost": 7})) == [3, -1, -1, 5, -1]


def test_a_relation_that_is_not_text_stays_as_it_is() -> None:
    given = GivenArcs(block_of(rows([0], relations=["a?"]).encode().replace(b"?", b"\xff")))
    assert given.relations() == ["a\udcff"]


def test_forbidden_heads_are_a_list_for_each_word() -> None:
    given = GivenArcs(block_of(rows(["_"] * 3, {1: "0,2", 3: "1"})))
    starts, heads = given.banned_arrays
    assert (list(starts), list(heads)) == ([0, 2, 2, 3], [0, 2, 1])


def test_forbidden_heads_stand_between_other_values() -> None:
    text = rows(["_", "_"], {1: "2"}).replace("NotHead=2", "A=1|NotHead=2|B=NotHead=7")
    assert GivenArcs(block_of(text)).banned == {0: (2,)}


@pytest.mark.parametrize(("value", "good"), [("12345678", True), ("123456789", False), ("x", False), ("1,", False)])
def test_forbidden_heads_are_numbers_of_up_to_eight_digits(value: str, good: bool) -> None:
    block = block_of(BEFORE + rows(["_"], {1: value}))
    if good:
        assert GivenArcs(block).banned == {2: (int(value),)}
        return
    with pytest.raises(TreebankError) as error:
        GivenArcs(block)
    assert str(error.value) == (
        f"a file:4: MISC has NotHead={value}. Write NotHead=2,5: numbers of words, 0 for the root"
    )


# What is rejected


@pytest.mark.parametrize(
    ("heads", "banned", "line", "problem"),
    [
        (["_", 2], {}, 6, "the head of word 2, 2, is the word itself"),
        ([3, "_"], {}, 5, "the head of word 1, 3, is not in the sentence"),
        ([2, "_"], {1: "2"}, 5, "the head of word 1, 2, is what NotHead forbids"),
        ([0, "_"], {1: "0"}, 5, "the head of word 1, 0, is what NotHead forbids"),
        (["_", 3, 2], {}, 6, "the given arcs form a cycle, 2 → 3 → 2"),
    ],
)
def test_arcs_that_no_tree_has(heads: list[object], banned: dict[int, str], line: int, problem: str) -> None:
    """The error names the place, and words by their numbers in the sentence."""
    with pytest.raises(TreebankError) as error:
        GivenArcs(block_of(BEFORE + "# sent_id = s2\n" + rows(heads, banned)))
    remedy = "Correct it, or write `_` for HEAD to have it filled in"
    assert str(error.value) == f"a file:{line} (sent_id s2): {problem}. {remedy}"


def test_the_last_word_may_be_a_head() -> None:
    assert list(GivenArcs(block_of(rows([2, "_"]))).heads) == [2, -1]


# Words that may not govern others


def test_words_that_govern_given_arcs_and_given_roots_are_free_to_govern() -> None:
    block = block_of(rows(["_"] * 2) + rows(["_", 3, "_", 0, "_"]))
    assert GivenArcs(block).freed(bytes([1] * 7)) == bytes([1, 1, 1, 1, 0, 0, 1])
    assert GivenArcs(block).freed(b"") == b""


# Which trees obey


def test_a_tree_obeys_where_it_has_the_given_arcs_and_no_forbidden_one() -> None:
    given = GivenArcs(block_of(BEFORE + rows([2, "_", "_"], {3: "1"})))
    words = range(2, 5)
    assert given.are_in(words, [2, 0, 2])
    assert given.are_in(words, [2, 3, 0])
    assert not given.are_in(words, [3, 0, 2])  # not the given arc
    assert not given.are_in(words, [2, 0, 1])  # a forbidden one
    assert not given.are_in(words, [2, 2, 0])  # a word is its own head


@pytest.mark.parametrize(
    ("given", "old"),
    [([-1, -1], [0, 1]), ([-1, 1, -1], [0, 1, 2]), ([0, -1, 0], [0, 1, 0]), ([0, 0, -1], [0, 0, 2])],
)
def test_trees_that_obey_are_left_alone(given: list[int], old: list[int]) -> None:
    """Several roots are fine where several are given."""
    assert grown(given, old) == (old, None)


def test_several_roots_are_fine_where_a_parser_builds_such_trees() -> None:
    assert grown([-1, -1, 2], [0, 0, 2], single_root=False) == ([0, 0, 2], None)
    assert grown([-1, -1, 2], [0, 0, 2], single_root=True) == ([0, 1, 2], [2])


# How a tree grows again


def test_a_given_root_is_the_only_one() -> None:
    assert grown([-1, 0, -1], [0, 1, 2]) == ([2, 0, 2], [1, 2])


def test_the_root_of_before_is_attached_before_its_dependents() -> None:
    """It lost its arc, so it is attached first, and the word below it stays there."""
    assert grown([-1, 0, -1], [0, 1, 1]) == ([2, 0, 1], [1, 2])


def test_two_given_roots_both_stay() -> None:
    assert grown([0, -1, 0], [0, 1, 1]) == ([0, 1, 0], [3])


def test_words_beside_a_given_arc_stay_roots_where_several_are_allowed() -> None:
    assert grown([-1, -1, 1], [0, 0, 2], single_root=False) == ([0, 0, 1], [3])


def test_a_word_that_lost_its_arc_comes_before_words_whose_head_is_still_outside() -> None:
    """Word 3 may not stay below 4. It goes to 1 first, so that 2 keeps 3 as its head."""
    assert grown([-1] * 4, [0, 3, 4, 1], {3: "4"}) == ([0, 3, 1, 1], [3])


def test_a_given_arc_is_one_that_its_word_lost() -> None:
    assert grown([-1, -1, 1, -1], [0, 3, 4, 1]) == ([0, 3, 1, 1], [3])


def test_arcs_of_the_old_tree_come_first_and_then_the_nearest_head() -> None:
    """Word 3 may not stay below 4. Word 2, which is nearer to 4 than 1 is, is reached before a head is chosen."""
    assert grown([-1] * 4, [0, 1, 4, 1], {3: "4"}) == ([0, 1, 2, 1], [3])


def test_a_root_is_found_that_may_be_one() -> None:
    assert grown([-1, -1, -1], [0, 1, 1], {1: "0"}) == ([2, 0, 1], [1, 2])


@pytest.mark.parametrize("banned", [{1: "0,2", 2: "0,1"}, {2: "0,1"}], ids=["no root", "no head for the other"])
def test_where_no_tree_is_left_the_sentence_is_named(banned: Mapping[int, str]) -> None:
    with pytest.raises(TreebankError) as error:
        grown([-1, -1], [0, 1], banned)
    assert error.value.problem == "no tree has the given arcs without those that NotHead forbids"
    assert (error.value.source, error.value.line) == ("a file", 4)


def test_only_some_sentences_are_looked_at() -> None:
    block = block_of(rows([2, "_"]) * 3)
    trees = trees_with(block, [0, 1] * 3)
    assert GivenArcs(block).complete(trees, True, range(1, 2)) == {1: [1, 2]}
    assert list(trees.heads) == [0, 1, 2, 0, 0, 1]
    assert GivenArcs(block).complete(trees, True) == {0: [1, 2], 2: [1, 2]}
    assert list(trees.heads) == [2, 0] * 3


def test_words_that_moved_have_no_confidence() -> None:
    block = block_of(BEFORE + rows(["_", "_", "_", 1]))
    trees = trees_with(block, [0, 1, 2, 0, 2, 3], confidence=True)
    assert trees.confidences is not None
    trees.confidences[:] = array("f", [0.5] * 6)
    assert GivenArcs(block).complete(trees, True) == {1: [4]}
    assert list(trees.confidences[:5]) == [0.5] * 5
    assert math.isnan(trees.confidences[5])


# What is written


def test_given_relations_are_written_and_certain() -> None:
    block = block_of(rows([0, 1, 1, "_"], relations=["new", "_", "obj", "_"]))
    trees = trees_with(block, [0, 1, 1, 1], confidence=True)
    trees.labels[:] = array("i", [0, 1, 0, 1])
    assert trees.confidences is not None
    trees.confidences[:] = array("f", [0.5] * 4)
    written = GivenArcs(block).written(trees, ["root", "obj"])
    assert list(written.labels) == [2, 1, 1, 1]
    assert list(written.confidences or ()) == [1.0, 0.5, 1.0, 0.5]
    assert written.more_relations == ("new",)
