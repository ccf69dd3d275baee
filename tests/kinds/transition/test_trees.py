"""Whatever the words, the parser builds trees."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from treewright.treebank.blocks.block import Block

import treewright
from tests.toy import SYSTEMS, TRAIN, toy_parser
from treewright.kinds.transition.parser import TransitionParser
from treewright.steps.parser import Parser
from treewright.treebank.formats.conllu import CONLLU

FORMS = st.sampled_from(["dogs", "the", "sleep", ".", "old", "and"]) | st.text("abcdé", min_size=1, max_size=4)
TAGS = st.sampled_from(["NOUN", "VERB", "DET", "ADJ", "PUNCT", "CCONJ", "X", "_"])
SENTENCES = st.lists(st.lists(st.tuples(FORMS, TAGS), max_size=12), min_size=1, max_size=5)


def block_of(sentences: list[list[tuple[str, str]]]) -> Block:
    text = "".join(
        "# a comment keeps a sentence without words\n"
        + "".join(f"{n}\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t_\n" for n, (form, tag) in enumerate(words, 1))
        + "\n"
        for words in sentences
    )
    return Block(text.encode(), CONLLU, "generated")


def trees(parser: Parser, sentences: list[list[tuple[str, str]]]) -> list[list[int]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        block, heads, labels = parser.parse_block(block_of(sentences))
    assert all(0 <= label < len(parser.relations) for label in labels)
    assert block.n_sentences == len(sentences)
    return [[heads[word] for word in block.words_of(number)] for number in range(block.n_sentences)]


def reaches_the_root(heads: list[int], word: int) -> bool:
    for _ in heads:
        if word == 0:
            return True
        word = heads[word - 1]
    return word == 0


@pytest.mark.parametrize(("system", "root"), SYSTEMS)
@settings(max_examples=60, deadline=None)
@given(sentences=SENTENCES)
def test_every_tree_has_one_root(system: str, root: str, sentences: list[list[tuple[str, str]]]) -> None:
    for words, heads in zip(sentences, trees(toy_parser(system, root), sentences), strict=True):
        assert len(heads) == len(words)
        assert heads.count(0) == (1 if words else 0)
        assert all(0 <= head <= len(words) for head in heads)
        assert all(reaches_the_root(heads, word) for word in range(1, len(words) + 1))


@settings(max_examples=40, deadline=None)
@given(sentences=SENTENCES)
def test_a_sentence_is_parsed_the_same_in_any_company(sentences: list[list[tuple[str, str]]]) -> None:
    parser = toy_parser()
    assert trees(parser, sentences) == [trees(parser, [words])[0] for words in sentences]


@pytest.mark.parametrize(("system", "root"), SYSTEMS)
def test_a_hundred_thousand_words(system: str, root: str) -> None:
    """The time of covington grows with the square of the length: two thousand words there."""
    n = 2_000 if system.startswith("covington") else 100_000
    forms = [("the", "DET"), ("old", "ADJ"), ("dogs", "NOUN"), ("sleep", "VERB"), ("and", "CCONJ")]
    (heads,) = trees(toy_parser(system, root), [forms * (n // 5)])
    assert len(heads) == n
    assert heads.count(0) == 1
    depth: dict[int, int] = {0: 0}
    for word in range(1, len(heads) + 1):
        path = []
        while word not in depth:
            path.append(word)
            assert len(path) <= len(heads), "a cycle"
            word = heads[word - 1]
        for step, passed in enumerate(reversed(path), depth[word] + 1):
            depth[passed] = step
    assert len(depth) == len(heads) + 1


def test_one_sentence_from_python() -> None:
    parser = toy_parser()
    with pytest.warns(treewright.TreewrightWarning, match="UPOS"):
        sentence = TransitionParser(parser.settings, parser.weights, parser.info).parse_words(["dogs", "sleep"])
    assert len(sentence) == 2
    with pytest.raises(treewright.TreewrightError, match="tokeniser"):
        parser.parse("dogs sleep")
    parsed = list(parser.parse_stream(treewright.read(TRAIN), threads=2))
    assert [str(sentence) for sentence in parsed] == [str(parser.parse(given)) for given in treewright.read(TRAIN)]
