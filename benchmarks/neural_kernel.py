"""Words per second of the neural kernel, and which part takes how much of the time.

    python benchmarks/neural_kernel.py [--path avx2] [--sentences 640] [--batch 64] [--rounds 5]

The network has random weights and the sizes of a parser: vectors of 340 numbers from words, n-grams and tags, two
layers of LSTMs with 200 units a direction, dense layers of 192 for arcs and of 96 for relations, 50 relations.
"""

from __future__ import annotations

import argparse
import random
import time
from array import array
from collections import defaultdict
from collections.abc import Callable
from itertools import accumulate
from typing import TypeAlias, TypeVar

from treewright.kinds.network.kernel.arcs import arc_scores, log_softmax_rows
from treewright.kinds.network.kernel.bilstm import BiLstm
from treewright.kinds.network.kernel.dense import Dense
from treewright.kinds.network.kernel.embeddings import Embeddings
from treewright.kinds.network.kernel.paths import current, use_path
from treewright.kinds.network.kernel.relations import Relations

T = TypeVar("T")
Part: TypeAlias = "array[int] | tuple[array[int], array[int]]"
#: rows, width and column of the tables of words, n-grams, lemmas, UPOS, XPOS and FEATS
TABLES = [(8000, 100, 0), (16384, 64, 100), (6000, 64, 164), (18, 32, 228), (50, 32, 260), (200, 48, 292)]
WIDTH, HIDDEN, ARC, RELATION, LABELS = 340, 200, 192, 96, 50


def weights(rng: random.Random, n: int, k: int) -> tuple[memoryview, array[float]]:
    """Return random 8-bit weights and their scales."""
    numbers = bytes(int(min(127, max(-127, rng.gauss(0, 32)))) & 255 for _ in range(n * k))
    return memoryview(numbers).cast("b", (n, k)), array("f", [1 / 32 / k**0.5] * n)


class Network:
    """The layers of a parser, and the processor's seconds that each took."""

    def __init__(self, rng: random.Random) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.embeddings = Embeddings(WIDTH, [(*weights(rng, n, width), column) for n, width, column in TABLES])
        self.lstms = [self.lstm(rng, WIDTH), self.lstm(rng, 2 * HIDDEN)]
        self.arc = [self.dense(rng, ARC, 2 * HIDDEN) for _ in range(2)]
        self.bilinear = Dense(*weights(rng, ARC, ARC), array("f", [0.0] * ARC))
        self.relation = [self.dense(rng, RELATION, 2 * HIDDEN) for _ in range(2)]
        tables = [weights(rng, LABELS, RELATION) for _ in range(3)]
        self.relations = Relations(tables[0], tables[1], tables[2], array("f", [0.0] * LABELS))

    @staticmethod
    def lstm(rng: random.Random, width: int) -> BiLstm:
        """Return a layer of LSTMs."""
        inputs, recurrent = weights(rng, 8 * HIDDEN, width), weights(rng, 8 * HIDDEN, HIDDEN)
        return BiLstm(*inputs, *recurrent, array("f", [0.0] * 8 * HIDDEN))

    @staticmethod
    def dense(rng: random.Random, n: int, k: int) -> Dense:
        """Return a dense layer."""
        return Dense(*weights(rng, n, k), array("f", [0.0] * n), "leaky")

    def timed(self, name: str, run: Callable[..., T], *arguments: object) -> T:
        """Run something and note how long it took."""
        start = time.process_time()
        result = run(*arguments)
        self.seconds[name] += time.process_time() - start
        return result

    def run(self, parts: list[Part], lengths: array[int]) -> array[int]:
        """Return the relations of a batch; every word is the dependent of the row before it."""
        n = sum(lengths)
        x = self.timed("embeddings", self.embeddings.look_up, parts, n)
        for number, lstm in enumerate(self.lstms, 1):
            x = self.timed(f"LSTM {number}", lstm.apply, x, lengths)
        dep, head = (self.timed("dense", layer.apply, x) for layer in self.arc)
        head = self.timed("dense", self.bilinear.apply, head)
        scores = self.timed("arcs", arc_scores, head, dep, lengths)
        self.timed("softmax", log_softmax_rows, scores)
        dep, head = (self.timed("dense", layer.apply, x) for layer in self.relation)
        heads = array("i", [max(0, i - 1) for i in range(n)])
        return self.timed("relations", self.relations.best, dep, head, heads)


def batch(rng: random.Random, n_sentences: int) -> tuple[list[Part], array[int]]:
    """Return random words: ids for all tables, a bag of n-grams among them, and lengths of 18 on average."""
    lengths = array("i", [max(2, int(rng.gammavariate(2.5, 18 / 2.5))) for _ in range(n_sentences)])
    n = sum(lengths)
    sizes = [rng.randint(4, 24) for _ in range(n)]
    parts: list[Part] = [array("i", [rng.randrange(rows) for _ in range(n)]) for rows, _, _ in TABLES]
    grams = array("i", [rng.randrange(TABLES[1][0]) for _ in range(sum(sizes))])
    parts[1] = grams, array("i", [0, *accumulate(sizes)])
    return parts, lengths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--path", help="the instructions to use; default: the fastest")
    parser.add_argument("--sentences", type=int, default=640)
    parser.add_argument("--batch", type=int, default=64, help="sentences at a time")
    parser.add_argument("--rounds", type=int, default=5, help="of each part and batch the fastest round counts")
    arguments = parser.parse_args()
    if arguments.path:
        use_path(arguments.path)
    rng = random.Random(1)
    network = Network(rng)
    batches = [batch(rng, arguments.batch) for _ in range(0, arguments.sentences, arguments.batch)]
    network.run(*batches[0])
    best: dict[tuple[str, int], float] = {}
    for _ in range(arguments.rounds):
        for number, (parts, lengths) in enumerate(batches):
            network.seconds.clear()
            network.run(parts, lengths)
            for name, seconds in network.seconds.items():
                best[name, number] = min(seconds, best.get((name, number), seconds))
    words, whole = sum(sum(lengths) for _, lengths in batches), sum(best.values())
    print(
        f"{current()}: {words / whole:,.0f} words per second of one core, {words} words in batches of {arguments.batch}"
    )
    for name in network.seconds:
        seconds = sum(best[name, number] for number in range(len(batches)))
        print(f"  {name:<12}{seconds / whole:6.1%}{seconds / words * 1e6:8.2f} µs a word")


if __name__ == "__main__":
    main()
