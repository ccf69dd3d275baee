"""A whole small network: the same bits for any batch, in any thread, on any path, and on any machine."""

from __future__ import annotations

import random
import zlib
from array import array
from concurrent.futures import ThreadPoolExecutor

import pytest
from treewright.kinds.network.kernel.arcs import arc_scores, log_softmax_rows
from treewright.kinds.network.kernel.bilstm import BiLstm
from treewright.kinds.network.kernel.dense import Dense
from treewright.kinds.network.kernel.embeddings import Embeddings
from treewright.kinds.network.kernel.relations import Relations

#: what one machine computed; every other one must compute the same
CHECKSUM = 1966522709


def weights(rng, n, k):
    numbers = bytes(rng.randrange(-127, 128) & 255 for _ in range(n * k))
    return memoryview(numbers).cast("b", (n, k)), array("f", [rng.randrange(1, 20) / 4096 for _ in range(n)])


def biases(rng, n):
    return array("f", [rng.randrange(-100, 100) / 256 for _ in range(n)])


class Network:
    """Layers with random weights, the same ones everywhere."""

    def __init__(self):
        rng = random.Random(7)
        self.embeddings = Embeddings(30, [(*weights(rng, 40, 20), 0), (*weights(rng, 60, 13), 17)])
        self.lstms = [self.lstm(rng, 30, 21), self.lstm(rng, 42, 19)]
        self.dep, self.head = (Dense(*weights(rng, 27, 38), biases(rng, 27), "leaky") for _ in range(2))
        self.other = Dense(*weights(rng, 27, 38), biases(rng, 27))
        joint, dep, head = (weights(rng, 18, 27) for _ in range(3))
        self.relations = Relations(joint, dep, head, biases(rng, 18))

    @staticmethod
    def lstm(rng, width, hidden):
        return BiLstm(*weights(rng, 8 * hidden, width), *weights(rng, 8 * hidden, hidden), biases(rng, 8 * hidden))

    def run(self, sentences):
        """Return the bytes of all results for each sentence, a list of words with an id and a bag of ids."""
        words = [word for sentence in sentences for word in sentence]
        lengths = array("i", [len(sentence) for sentence in sentences])
        offsets = array("i", [0])
        for _, bag in words:
            offsets.append(offsets[-1] + len(bag))
        bags = (array("i", [k for _, bag in words for k in bag]), offsets)
        x = self.embeddings.look_up([array("i", [word for word, _ in words]), bags], len(words))
        for lstm in self.lstms:
            x = lstm.apply(x, lengths)
        dep, head = self.dep.apply(x), self.head.apply(x)
        arcs = [arc_scores(head, dep, lengths) for _ in range(2)]
        log_softmax_rows(arcs[1])
        heads = array("i", range(len(words)))
        labels = self.relations.scores(dep, self.other.apply(x), heads)
        return split(sentences, x, labels, arcs)


def split(sentences, x, labels, arcs):
    rows, scores, out, first = x.tolist(), labels.tolist(), [], 0
    at = arcs[0].offsets
    for s, sentence in enumerate(sentences):
        end = first + len(sentence)
        parts = [array("h", row) for row in rows[first:end]] + [array("f", row) for row in scores[first:end]]
        parts += [array("f", matrix.view()[at[s] : at[s + 1]]) for matrix in arcs]
        out.append(b"".join(part.tobytes() for part in parts))
        first = end
    return out


def some_sentences(n):
    rng = random.Random(n)
    return [
        [(rng.randrange(40), [rng.randrange(60) for _ in range(rng.randrange(5))]) for _ in range(rng.randrange(1, 30))]
        for _ in range(n)
    ]


def in_batches(network, sentences, size):
    return [out for i in range(0, len(sentences), size) for out in network.run(sentences[i : i + size])]


@pytest.fixture(scope="module")
def network():
    return Network()


def test_every_machine_computes_the_same(network, path):
    """If this fails on a new machine or compiler, its floats are not computed as written."""
    assert zlib.crc32(b"".join(network.run(some_sentences(20)))) == CHECKSUM


@pytest.mark.parametrize("size", [1, 7, 64])
def test_batches_do_not_matter(network, size, path):
    sentences = some_sentences(70)
    assert in_batches(network, sentences, size) == network.run(sentences)


def test_threads_do_not_matter(network):
    sentences = some_sentences(60)
    alone = network.run(sentences)
    with ThreadPoolExecutor(4) as pool:
        for got in pool.map(lambda size: in_batches(network, sentences, size), [4, 9, 60, 13] * 3):
            assert got == alone
