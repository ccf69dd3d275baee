"""Word clusters as features of the tokeniser."""

from __future__ import annotations

import random
import re
from array import array
from dataclasses import replace
from functools import cache

import pytest
from treewright.features.word_clusters import WordClusters, cluster_key
from treewright.kinds.tokenizer.boundaries.boundary_clusters import REACH, clusters_beside
from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.treebank.blocks.block import Block

from tests.through_a_file import again, kept
from treewright.errors import CombinationError, ModelFileError
from treewright.kinds.tokenizer.raw_text import paragraphs, surface_sentences
from treewright.kinds.tokenizer.recipe import TokenizerRecipe
from treewright.kinds.tokenizer.tokenizer import Tokenizer
from treewright.kinds.tokenizer.training import TokenizerStrategy, boundary_scores, train_tokenizer
from treewright.steps.loading import step_of
from treewright.training.gathering import Gathered
from treewright.training.loop import Training
from treewright.treebank.formats.conllu import CONLLU

LETTERS = re.compile(r"[^\W\d_]+")


def clusters_of(numbers: dict[str, int], n_clusters: int = 4) -> WordClusters:
    """Return clusters with given members."""
    keys = array("Q", [cluster_key(word) for word in numbers])
    paths, depths = array("I", range(n_clusters)), array("B", [2] * n_clusters)
    return WordClusters(keys, array("H", numbers.values()), paths, depths, "made up")


def plain_clusters(numbers: dict[str, int], text: str, first: int, at: int, next_at: int) -> tuple[int, ...]:
    """Return the clusters around a boundary, as plainly as possible."""

    def cluster(words: list[str], place: int) -> int:
        return numbers.get(words[place].lower(), -1) if words else -1

    before = [LETTERS.findall(stretch) for stretch in text[first : at + 1].split(" ")]
    after = [LETTERS.findall(stretch) for stretch in text[next_at:].split(" ")]
    second_last = cluster(before[-2], -1) if len(before) > 1 else -1
    return (
        second_last,
        cluster(before[-1], -1),
        cluster(after[0], 0),
        cluster(after[1], 0) if len(after) > 1 else -1,
    )


def test_the_clusters_beside_a_boundary_are_those_of_a_plain_computation() -> None:
    chance = random.Random(5)
    numbers = {word: chance.randrange(4) for word in ("a", "b", "ab", "ba", "aß", "é", "ж", "жa", "aab")}
    clusters = clusters_of(numbers)
    checked = 0
    for _ in range(300):
        text = " ".join("".join(chance.choices("aAbBßéÉжЖ.-'5(", k=chance.randint(1, 5))) for _ in range(6))
        characters = Characters(text.encode())
        places = [place for place, character in enumerate(text) if character != " "]
        for at in places:
            next_at = at + 1 + (text[at + 1 : at + 2] == " ")
            first = chance.choice([place for place in places if place <= at])
            wanted = plain_clusters(numbers, text, first, at, next_at)
            assert clusters_beside(clusters, characters, first, at, next_at) == wanted, (text, first, at)
            checked += max(wanted) >= 0
    assert checked > 1000


def test_words_are_looked_up_as_they_are_whatever_the_spaces() -> None:
    clusters = clusters_of({"café": 1, "x\u0301": 2, "no": 3})
    text = Characters("No \n\t “Cafe\u0301” x\u0301".encode())
    assert clusters_beside(clusters, text, 0, 1, 3) == (-1, 3, 1, 2)
    with pytest.raises(IndexError):
        clusters_beside(clusters, text, 0, 5, 99)
    with pytest.raises(IndexError):
        clusters_beside(clusters, text, -1, 0, 1)


def test_only_near_characters_are_looked_at() -> None:
    """A word that may go on further has no cluster: cost stays linear."""
    long, short = "a" * (REACH + 1), "a" * (REACH - 1)
    clusters = clusters_of({long: 1, short: 2, "a" * REACH: 3})
    for word, found in ((long, -1), (short, 2)):
        text = Characters(f"{word} {word}!".encode())
        assert clusters_beside(clusters, text, 0, len(word) - 1, len(word) + 1)[1:3] == (found, found)


STEMS = [a + b + c for a in "bdfgk" for b in "aio" for c in "lmnr"]
random.Random(7).shuffle(STEMS)  # so that no letter tells the cluster


def treebank(stems: list[str], sentences: int, seed: int) -> Block:
    """Return sentences without any mark, each of which ends with a word of cluster 1."""
    chance = random.Random(seed)
    inner, last = [[stem for stem in stems if STEMS.index(stem) % 2 == parity] for parity in (0, 1)]
    lines = []
    for _ in range(sentences):
        words = [*chance.choices(inner, k=chance.randint(1, 3)), chance.choice(last)]
        lines.append(f"# text = {' '.join(words)}")
        lines.extend(f"{number}\t{word}" + "\t_" * 8 for number, word in enumerate(words, 1))
        lines.append("")
    return Block(("\n".join(lines) + "\n").encode(), CONLLU, "made up")


@cache
def with_clusters(given: bool) -> Tokenizer:
    """Train on a third of the stems."""
    clusters = clusters_of({stem: number % 2 for number, stem in enumerate(STEMS)}) if given else None
    return train_tokenizer([treebank(STEMS[:20], 200, 1)], TokenizerRecipe(iterations=4, seeds=1), clusters)


def sentences_f1(tokenizer: Tokenizer) -> float:
    unseen = STEMS[20:]
    return boundary_scores(tokenizer, list(paragraphs(surface_sentences([treebank(unseen, 100, 2)]))))[1].f1


def test_clusters_tell_where_sentences_of_unknown_words_end() -> None:
    assert sentences_f1(with_clusters(True)) > 95
    assert sentences_f1(with_clusters(False)) < 60


def test_a_file_gives_the_same_tokenizer_back() -> None:
    tokenizer = with_clusters(True)
    header, arrays = kept(tokenizer)
    assert header["settings"]["clusters"] == "made up"
    same = again(tokenizer)
    text = " ".join(random.Random(3).choices(STEMS, k=200))
    assert same.tokenize(text) == tokenizer.tokenize(text)
    assert same.to_file()[0] == header
    plain, _ = with_clusters(False).to_file()
    assert "clusters" not in plain["settings"]
    with pytest.raises(ModelFileError, match="clusters"):
        step_of(header, {**arrays, "clusters.depths": memoryview(b"")})


def test_a_tokeniser_that_goes_on_keeps_its_clusters() -> None:
    old = with_clusters(True)
    data = Gathered("more", [treebank(STEMS[:20], 50, 4)])
    recipe = TokenizerRecipe(iterations=1, seeds=1)
    new = Training(TokenizerStrategy(recipe, old), data).run()
    assert new.clusters is old.clusters
    assert sentences_f1(new) > 90
    assert Training(TokenizerStrategy(recipe, with_clusters(False)), data).run().clusters is None
    for base in (old, with_clusters(False)):
        with pytest.raises(CombinationError, match="tokeniser to go on from keeps its word clusters"):
            Training(TokenizerStrategy(recipe, base), replace(data, clusters=clusters_of({"a": 0}))).run()
