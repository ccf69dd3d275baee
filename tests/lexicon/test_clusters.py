"""Clusters of words: the exchange against plain counting, the tree against all pairs; bad files."""

from __future__ import annotations

import lzma
import math
import random
from array import array
from itertools import pairwise
from pathlib import Path

import pytest
from treewright.features.word_clusters import WordClusters, cluster_key
from treewright.lexicon.exchange import Exchange
from treewright.lexicon.hierarchy import gain_of, mergers, paths

from treewright.errors import CombinationError, ModelFileError, TreebankError
from treewright.lexicon.clustering import clusters_of_text, clusters_of_vectors
from treewright.lexicon.raw_words import read_raw
from treewright.lexicon.vectors import read_vectors


def f(n: float) -> float:
    return n * math.log(n) if n else 0.0


def plain_likelihood(text: list[int], clusters: list[int], size: int) -> float:
    """The likelihood of the definition, counted from the text."""
    cells = [[0] * size for _ in range(size)]
    for a, b in pairwise(text):
        if a >= 0 and b >= 0:
            cells[clusters[a]][clusters[b]] += 1
    rows = [sum(row) for row in cells]
    columns = [sum(column) for column in zip(*cells, strict=True)]
    return sum(f(n) for row in cells for n in row) - sum(map(f, rows)) - sum(map(f, columns))


@pytest.mark.parametrize("seed", range(20))
def test_every_move_is_the_best_by_plain_counting(seed: int) -> None:
    draw = random.Random(seed)
    n_words, size = draw.randint(4, 9), draw.randint(2, 4)
    text = [draw.randrange(-1, n_words) for _ in range(draw.randint(5, 80))]
    exchange = Exchange(array("i", text), n_words, size)
    clusters = list(exchange.clusters)
    assert exchange.likelihood() == pytest.approx(plain_likelihood(text, clusters, size))
    for _ in range(3):
        for word in range(n_words):
            tried = [[*clusters[:word], k, *clusters[word + 1 :]] for k in range(size)]
            values = [plain_likelihood(text, each, size) for each in tried]
            exchange.round(word, word + 1)
            clusters = list(exchange.clusters)
            assert values[clusters[word]] == pytest.approx(max(values))
            assert exchange.likelihood() == pytest.approx(max(values))


@pytest.mark.parametrize("seed", range(5))
def test_a_merger_costs_what_the_likelihood_loses(seed: int) -> None:
    draw = random.Random(seed)
    size = 4
    text = [draw.randrange(size) for _ in range(60)]
    counts = Exchange(array("i", text), size, size).tables()
    before = plain_likelihood(text, list(range(size)), size)
    losses = {}
    for a in range(size):
        for b in range(a + 1, size):
            merged = [a if k == b else k for k in range(size)]
            losses[a, b] = plain_likelihood(text, merged, size) - before
            assert gain_of(counts, size, a, b) == pytest.approx(losses[a, b])
    order = mergers(counts, size)
    assert losses[order[0]] == pytest.approx(max(losses.values()))
    assert len(order) == size - 1


def test_paths_are_those_of_a_tree() -> None:
    bits, depths = paths([(0, 2), (1, 3), (0, 1)], 4, 8)
    found = [f"{path:0{depth}b}" for path, depth in zip(bits, depths, strict=True)]
    assert found == ["00", "10", "01", "11"]
    assert list(paths([(0, 2), (1, 3), (0, 1)], 4, 1)[1]) == [1, 1, 1, 1]


def sentences(n: int) -> str:
    """Text in which nouns follow one kind of word and verbs another."""
    draw = random.Random(1)
    nouns, verbs = [f"noun{a}{b}" for a in "abcdef" for b in "xyz"], [f"verb{a}{b}" for a in "abcdef" for b in "xyz"]
    pick = draw.choice
    return "".join(f"The {pick(nouns)} will {pick(verbs)} a {pick(nouns)}.\n" for _ in range(n))


def test_words_that_behave_alike_share_a_cluster(tmp_path: Path) -> None:
    path = tmp_path / "raw.txt.xz"
    path.write_bytes(lzma.compress(sentences(800).encode()))
    clusters = clusters_of_text([path], 6, "raw")
    noun, verb = clusters.path("nounax"), clusters.path("verbax")
    assert noun != verb
    assert {clusters.path(f"noun{a}{b}") for a in "abcdef" for b in "xyz"} == {noun}
    assert clusters.path("NOUNBY") == noun
    assert clusters.path("unheard") is None
    with pytest.raises(CombinationError, match="too few"):
        clusters_of_text([path], 200, "raw")


def test_raw_text_is_counted(tmp_path: Path) -> None:
    text = read_raw([b"A b a.\n\nA c-d 12\n"], 2, 10)
    assert text.words == ["a"]
    assert list(text.numbers) == [0, -1, 0, -1, -1, 0, -1, -1, -1, -1]
    path = tmp_path / "latin.txt"
    path.write_bytes(b"fine\n\xe9t\xe9\n")
    with pytest.raises(TreebankError, match=r"latin\.txt.*2.*UTF-8"):
        read_raw([path], 1, 10)


@pytest.mark.parametrize("header", [b"", b"4 2\n"])
def test_vectors_of_all_three_formats(header: bytes) -> None:
    vectors = read_vectors(header + b"a 1 0\nb 0.5 -2e-1 \nnew york 0 1\na 9 9\n")
    assert vectors.words == ["a", "b", "new york"]
    assert vectors.dimensions == 2
    assert list(vectors[0]) == [1, 0]
    assert vectors[1][1] == pytest.approx(-0.2)
    assert len(read_vectors(header + b"a 1 0\nb 1 1\n", most=1)) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "no word vectors"),
        (b"2 2\n", "no word vectors"),
        (b"a 1 2\nb 1\n", "expected a word and 2 numbers"),
        (b"a 1 x\n", "cannot be read"),
        (b"a 1 nan\n", "not finite"),
        (b"a 1 1e999\n", "not finite"),
        (b"\xff 1 2\n", "cannot be read"),
        (b"5 0\n", "dimensions"),
    ],
)
def test_files_that_are_no_vectors(text: bytes, message: str) -> None:
    with pytest.raises(TreebankError, match=message):
        read_vectors(text)


def test_vectors_are_clustered_by_direction(tmp_path: Path) -> None:
    draw = random.Random(2)
    lines = []
    for k, (x, y) in enumerate([(1, 0), (0, 1), (-1, 0)] * 10):
        lines.append(f"w{k % 3}{k} {x * (k + 1) + draw.uniform(-0.1, 0.1)} {y * (k + 1) + draw.uniform(-0.1, 0.1)}\n")
    path = tmp_path / "v.vec"
    path.write_text("".join(lines))
    clusters = clusters_of_vectors(path, 3, "v")
    found = [{clusters.path(f"w{k % 3}{k}") for k in range(start, 30, 3)} for start in range(3)]
    assert all(len(each) == 1 for each in found)
    assert len(set.union(*found)) == 3


def test_damaged_clusters_are_rejected() -> None:
    good = (array("Q", [cluster_key("a")]), array("H", [1]), array("I", [0, 1]), array("B", [1, 1]))
    assert WordClusters(*good).path("A") == "1"
    for place, bad in ((0, array("Q", [0])), (1, array("H", [2])), (2, array("I", [0])), (3, array("B", [1, 99]))):
        with pytest.raises(ModelFileError, match="word clusters"):
            WordClusters(*good[:place], bad, *good[place + 1 :])
