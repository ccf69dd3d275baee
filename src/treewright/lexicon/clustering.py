"""From raw text or word vectors to clusters of words."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush

from treewright.errors import CombinationError
from treewright.features.word_clusters import MOST_BITS, WordClusters, cluster_key
from treewright.lexicon.exchange import Exchange
from treewright.lexicon.hierarchy import halves, mergers, paths, scaled
from treewright.lexicon.raw_words import RawText, read_raw
from treewright.lexicon.vectors import WordVectors, read_vectors
from treewright.treebank.files.source import Source

LEAST_SEEN = 5  # occurrences in raw text from which on a word gets a cluster
MOST_WORDS = 40_000  # with a cluster: the most frequent ones
ROUNDS = 8  # over all words, unless nearly none moves before
STEP = 250  # words between two looks at the progress bar

Advanced = Callable[[int], None]


def clusters_of_text(
    sources: Sequence[Source], n_clusters: int, name: str, advanced: Advanced = lambda _: None
) -> WordClusters:
    """Learn clusters of words from raw text.

    ``advanced`` hears of every word that was placed: ROUNDS times MOST_WORDS at most.
    """
    text = read_raw(sources, LEAST_SEEN, MOST_WORDS)
    _check(len(text.words), n_clusters, name)
    return _by_exchange(text, n_clusters, name, advanced)


def _by_exchange(text: RawText, n_clusters: int, name: str, advanced: Advanced) -> WordClusters:
    exchange = Exchange(text.numbers, len(text.words), n_clusters)
    for _ in range(ROUNDS):
        moved = 0
        for first in range(0, len(text.words), STEP):
            moved += exchange.round(first, first + STEP)
            advanced(min(STEP, len(text.words) - first))
        if 100 * moved < len(text.words):
            break
    order = mergers(exchange.tables(), n_clusters)
    return _made(text.words, exchange.clusters, *paths(order, n_clusters, MOST_BITS), name)


def clusters_of_vectors(source: Source, n_clusters: int, name: str) -> WordClusters:
    """Cluster the words of a file of word vectors."""
    vectors = read_vectors(source, MOST_WORDS)
    _check(len(vectors), n_clusters, name)
    return _by_bisection(vectors, n_clusters, name)


def _by_bisection(vectors: WordVectors, n_clusters: int, name: str) -> WordClusters:
    matrix = scaled(vectors.matrix, vectors.dimensions)
    heap: list[tuple[int, int, int, array[int]]] = [(-len(vectors), 0, 0, array("i", range(len(vectors))))]
    heapify(heap)
    done: list[tuple[int, int, array[int]]] = []
    while heap and len(heap) + len(done) < n_clusters:
        _, path, depth, members = heappop(heap)
        sides = halves(matrix, vectors.dimensions, members)
        parts = [array("i", [m for m, side in zip(members, sides, strict=True) if side == half]) for half in (0, 1)]
        if depth >= MOST_BITS or not all(parts):
            done.append((path, depth, members))
            continue
        for half, part in enumerate(parts):
            heappush(heap, (-len(part), path << 1 | half, depth + 1, part))
    done.extend((path, depth, members) for _, path, depth, members in heap)
    cluster_of = array("i", bytes(4 * len(vectors)))
    for number, (_, _, members) in enumerate(done):
        for member in members:
            cluster_of[member] = number
    found_paths = array("I", [path for path, _, _ in done])
    return _made(vectors.words, cluster_of, found_paths, array("B", [depth for _, depth, _ in done]), name)


def _made(
    words: Sequence[str], cluster_of: Sequence[int], found: array[int], depths: array[int], name: str
) -> WordClusters:
    """Return the clusters; of words that differ in case only, the first counts."""
    by_key: dict[int, int] = {}
    for word, number in zip(words, cluster_of, strict=True):
        by_key.setdefault(cluster_key(word), number)
    return WordClusters(array("Q", by_key), array("H", by_key.values()), found, depths, name)


def _check(n_words: int, n_clusters: int, name: str) -> None:
    if n_words < 2 * n_clusters:
        raise CombinationError(
            f"{name} has {n_words:,} words that occur often enough, too few for {n_clusters} clusters: give more text,"
            " or fewer --clusters"
        )
