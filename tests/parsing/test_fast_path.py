"""The fast path of greedy parsing, with all that it remembers, against the plain one: the same trees."""

from __future__ import annotations

import random
from array import array
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright
from tests.toy import LEFT_TO_RIGHT, TRAIN
from treewright.learners.table import LinearTable
from treewright.parsing.greedy import GreedyParser
from treewright.parsing.walk import Scratch
from treewright.treebank.block import Block, Layout
from treewright.treebank.formats.conllu import CONLLU

TYPES = 8192  # words that are remembered at most

WORDS = st.tuples(
    st.sampled_from(["dogs", "the", "sleep", ".", "and"]) | st.text("abé", min_size=1, max_size=3),
    st.sampled_from(["dog", "the", "sleep", "_"]),
    st.sampled_from(["NOUN", "VERB", "DET", "PUNCT", "_"]),
    st.sampled_from(["NN", "VB", "_"]),
    st.sampled_from(["_", "Case=Nom", "Case=Nom|Number=Sing", "Number=Plur", "A=1|B=2|C=3|D=4"]),
)
Word = tuple[str, ...]


def text_of(sentences: list[list[Word]]) -> bytes:
    return "".join(
        "# a comment keeps a sentence without words\n"
        + "".join("\t".join((str(n), *word, *"_____"[: 9 - len(word)])) + "\n" for n, word in enumerate(words, 1))
        + "\n"
        for words in sentences
    ).encode()


@cache
def engine(system: str, root: str, features: str) -> GreedyParser:
    parser = treewright.train(TRAIN, system=system, root=root, features=features, iterations=1)
    found: GreedyParser = parser.engine
    return found


@cache
def split_engine() -> GreedyParser:
    """A parser that decides kinds before relations, with a feature model that others run as C."""
    found: GreedyParser = treewright.train(TRAIN, features="lean", decision="split", iterations=1).engine
    assert found.split
    assert found.extractor.as_c
    return found


def plain(parser: GreedyParser) -> GreedyParser:
    return GreedyParser(
        parser.system, parser.extractor, parser.moves, parser.scorer, parser.split, parser.deprojectivizer, fast=False
    )


def trees(parser: GreedyParser, block: Block, scratch: Scratch | None = None) -> tuple[array[int], array[int]]:
    heads, labels = array("i", [-1] * block.n_words), array("i", [-1] * block.n_words)
    parser.parse_block(block, heads, labels, scratch)
    return heads, labels


@pytest.mark.parametrize("features", ["rich", "lean", "malt"])
@pytest.mark.parametrize(("system", "root"), LEFT_TO_RIGHT)
@settings(max_examples=15, deadline=None)
@given(sentences=st.lists(st.lists(WORDS, max_size=12), min_size=1, max_size=6))
def test_the_same_trees_on_both_paths(system: str, root: str, features: str, sentences: list[list[Word]]) -> None:
    fast, block = engine(system, root, features), Block(text_of(sentences), CONLLU, "generated")
    scratch = Scratch(fast.extractor)
    expected = trees(plain(fast), block)
    assert trees(fast, block, scratch) == expected
    assert trees(fast, block, scratch) == expected, "with what was remembered"


@pytest.mark.parametrize("vectorised", [False, True])
def test_the_same_trees_with_and_without_vector_instructions(vectorised: bool) -> None:
    fast = engine("arc-eager", "last", "rich")
    table = fast.scorer
    assert isinstance(table, LinearTable)
    block = next(iter(treewright.treebank.reading.read_blocks(TRAIN)))
    before = table.vectorised
    try:
        table.vectorised = vectorised
        assert trees(fast, block) == trees(plain(fast), block)
    finally:
        table.vectorised = before


def many_types(rng: random.Random, n: int) -> list[Word]:
    return [(f"w{rng.randrange(2 * TYPES)}", "_", rng.choice(["NOUN", "VERB", "DET"]), "_", "_") for _ in range(n)]


def test_more_types_than_are_remembered() -> None:
    """A sentence is parsed alike whether the memory is empty, full or half full when it comes."""
    rng = random.Random(1)
    sentences = [many_types(rng, n) for n in (60, 3 * TYPES, 60, 0, TYPES - 100, 300, 60, 2 * TYPES, 60)]
    fast, block = engine("arc-eager", "last", "rich"), Block(text_of(sentences), CONLLU, "generated")
    heads, labels = trees(fast, block)
    start = 0
    for words in sentences:
        end = start + len(words)
        alone = trees(fast, Block(text_of([words]), CONLLU, "generated"))
        assert (heads[start:end], labels[start:end]) == alone
        start = end
    backwards = Block(text_of(sentences[::-1]), CONLLU, "generated")
    heads_backwards, _ = trees(fast, backwards)
    assert heads_backwards[:60] == heads[-60:]


def test_another_layout_is_another_memory() -> None:
    """The same bytes in other columns are other words."""
    swapped = Layout("swapped", ["ID", "LEMMA", "FORM", *CONLLU.columns[3:]])
    words = [("the", "dogs", "DET"), ("dogs", "the", "NOUN"), ("sleep", "old", "VERB")]
    sentence: list[list[Word]] = [[(*word, "_", "_") for word in words]]
    fast = engine("arc-eager", "last", "rich")
    scratch = Scratch(fast.extractor)
    for layout in (CONLLU, swapped, CONLLU):
        block = Block(text_of(sentence), layout, "generated")
        assert trees(fast, block, scratch) == trees(plain(fast), block)


@settings(max_examples=15, deadline=None)
@given(sentences=st.lists(st.lists(WORDS, max_size=12), min_size=1, max_size=6))
def test_the_same_trees_where_kinds_are_decided_first(sentences: list[list[Word]]) -> None:
    block = Block(text_of(sentences), CONLLU, "generated")
    assert trees(split_engine(), block) == trees(plain(split_engine()), block)
