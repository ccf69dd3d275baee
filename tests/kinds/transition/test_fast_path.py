"""The fast path of greedy parsing, with all that it remembers, against the plain one: the same trees."""

from __future__ import annotations

import random
from array import array
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.kinds.transition.engines.walk import Scratch
from treewright.learners.frozen import FrozenWeights
from treewright.learners.table import LinearTable
from treewright.treebank.blocks.block import Block, Layout

import treewright
from tests.toy import LEFT_TO_RIGHT, TRAIN
from treewright.kinds.transition.parser import TransitionParser
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


@pytest.mark.parametrize("features", ["rich", "lean", "tiny", "malt"])
@pytest.mark.parametrize(("system", "root"), LEFT_TO_RIGHT)
@settings(max_examples=15, deadline=None)
@given(sentences=st.lists(st.lists(WORDS, max_size=12), min_size=1, max_size=6))
def test_the_same_trees_on_both_paths(system: str, root: str, features: str, sentences: list[list[Word]]) -> None:
    fast, block = engine(system, root, features), Block(text_of(sentences), CONLLU, "generated")
    scratch = Scratch(fast.extractor)
    expected = trees(plain(fast), block)
    assert trees(fast, block, scratch) == expected
    assert trees(fast, block, scratch) == expected, "with what was remembered"


@pytest.mark.parametrize("features", ["rich", "lean", "tiny"])
@pytest.mark.parametrize("vectorised", [False, True])
def test_the_same_trees_with_and_without_vector_instructions(vectorised: bool, features: str) -> None:
    fast = engine("arc-eager", "last", features)
    table = fast.scorer
    assert isinstance(table, LinearTable)
    block = next(iter(treewright.treebank.files.reading.read_blocks(TRAIN)))
    before = table.vectorised
    try:
        table.vectorised = vectorised
        assert trees(fast, block) == trees(plain(fast), block)
    finally:
        table.vectorised = before


@cache
def parser_of_many_relations(features: str, n: int) -> TransitionParser:
    """Return a parser whose kinds of moves have about so many relations each: several registers of sums."""
    rng = random.Random(n)
    lines = [line.split("\t") for line in Path(TRAIN).read_text("utf-8").split("\n")]
    text = "\n".join(
        "\t".join([*columns[:7], f"r{rng.randrange(n)}", *columns[8:]]) if len(columns) == 10 else columns[0]
        for columns in lines
    )
    found = treewright.train(text.encode(), features=features, iterations=1)
    assert isinstance(found, TransitionParser)
    return found


@pytest.mark.parametrize("features", ["fast", "lean", "tiny"])
@pytest.mark.parametrize("n", [10, 31, 33, 48, 64, 70, 150])
def test_the_first_of_many_equal_relations(features: str, n: int) -> None:
    """Where weights are nearly all nought, many relations have the same sum: the first one counts on both paths."""
    parser = parser_of_many_relations(features, n)
    block = next(iter(treewright.treebank.files.reading.read_blocks(TRAIN)))
    for seed in range(3):
        rng = random.Random(seed)
        arrays = {name: memoryview(bytes(part)) for name, part in parser.weights.arrays.items()}
        for name in ("moves", "values"):
            arrays[name] = memoryview(array("b", rng.choices((-1, 0, 1), (1, 8, 1), k=len(arrays[name])))).cast("B")
        table = LinearTable(FrozenWeights(arrays, parser.weights.settings))
        fast = GreedyParser(parser.system, parser.extractor, parser.moves, table)
        assert trees(fast, block) == trees(plain(fast), block)


@pytest.mark.parametrize("features", ["lean", "tiny"])
def test_the_same_trees_as_interpreted(features: str) -> None:
    """From the configuration to the move in one function, or with keys of the interpreter."""
    compiled, interpreted = (treewright.train(TRAIN, features=features, iterations=1).engine for _ in range(2))
    interpreted.extractor.interpret()
    block = next(iter(treewright.treebank.files.reading.read_blocks(TRAIN)))
    assert compiled.extractor.as_c
    assert trees(compiled, block) == trees(interpreted, block)


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
