"""The compiled matcher finds what trying all assignments finds."""

from __future__ import annotations

import random

import pytest
from treewright.treebank.blocks.block import Block

from tests.query.naive import NaiveGraph, naive_matches
from tests.query.randomly import random_pattern, random_sentence
from treewright.query.matching import Query
from treewright.treebank.formats.conllu import CONLLU

SENTENCES = 6  # with each pattern


def compare(seed: int, patterns: int) -> int:
    """Compare the matches of random patterns in random sentences; return how many there were."""
    chance = random.Random(seed)
    found = 0
    for _ in range(patterns):
        text = random_pattern(chance)
        sentences = [random_sentence(chance) for _ in range(SENTENCES)]
        tree = chance.random() < 0.3
        query = Query(text, tree)
        block = Block(b"".join(map(bytes, map(type(sentences[0]).to_bytes, sentences))), CONLLU, "random")
        assert not block.problems
        wanted, got = [], []
        for number, sentence in enumerate(sentences):
            wanted += [(number, *match) for match in naive_matches(NaiveGraph(sentence, tree), query.pattern)]
        for each in query.in_block(block):
            for row in each.rows:
                labels = map(query.label, row[len(query.nodes) :])
                got.append((each.number, *row[: len(query.nodes)], *labels))
        shown = text + "\n" + block.data.decode()
        assert sorted(got) == sorted(set(got)), shown
        assert sorted(wanted) == sorted(got), shown
        assert query.count(block)[0] == len(got), shown
        found += len(got)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_random_patterns_find_what_all_assignments_find(seed: int) -> None:
    assert compare(seed, 250) > 500


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4, 13))
def test_ten_thousand_random_patterns_find_what_all_assignments_find(seed: int) -> None:
    assert compare(seed, 1000) > 2000
