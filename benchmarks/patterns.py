"""How fast patterns are found, beside udapi and the library conllu, where they are installed; all must count the same.

    python benchmarks/patterns.py TREEBANK [--copies 4] [--runs 3] [--index]

Each question is asked of the whole file, reading included, on one core. `--copies` makes the file longer; the peers
read one copy, as they are slow. `--index` also writes an index and asks for the rarest lemma.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec

import treewright as tw
from treewright.query.index.index_file import build_index

#: question → pattern, and the same for a node of udapi or a word of conllu
QUESTIONS = {
    "verb, subject, object": "pattern { V [upos=VERB]; V -[nsubj]-> S; V -[obj]-> O }",
    "noun before its adjective": "pattern { N [upos=NOUN]; N -[amod]-> A; A [upos=ADJ]; N << A }",
    "verbs without subject": "pattern { V [upos=VERB] } without { V -[nsubj]-> S }",
}


def with_udapi(path: str) -> dict[str, Callable[[], int]]:
    """Return the questions as loops over udapi's nodes."""
    import udapi

    def nodes() -> list:
        return udapi.Document(path).nodes

    def both() -> int:
        found = 0
        for node in nodes():
            if node.upos == "VERB":
                relations = Counter(child.deprel for child in node.children)
                found += relations["nsubj"] * relations["obj"]
        return found

    def order() -> int:
        return sum(
            node.upos == "ADJ" and node.deprel == "amod" and node.parent.upos == "NOUN" and node.parent.precedes(node)
            for node in nodes()
        )

    def alone() -> int:
        return sum(node.upos == "VERB" and all(child.deprel != "nsubj" for child in node.children) for node in nodes())

    return dict(zip(QUESTIONS, (both, order, alone), strict=True))


def with_conllu(path: str) -> dict[str, Callable[[], int]]:
    """Return the questions as loops over the words of the library conllu."""
    import conllu

    def sentences():
        with open(path, encoding="utf-8") as file:
            for tokens in conllu.parse_incr(file):
                words = [token for token in tokens if isinstance(token["id"], int)]
                below: dict[int, list] = {}
                for word in words:
                    below.setdefault(word["head"], []).append(word)
                yield words, below

    def both() -> int:
        found = 0
        for words, below in sentences():
            for word in words:
                if word["upos"] == "VERB":
                    relations = Counter(child["deprel"] for child in below.get(word["id"], ()))
                    found += relations["nsubj"] * relations["obj"]
        return found

    def order() -> int:
        found = 0
        for words, _ in sentences():
            for word in words:
                if word["upos"] == "ADJ" and word["deprel"] == "amod" and 0 < word["head"] < word["id"]:
                    found += words[word["head"] - 1]["upos"] == "NOUN"
        return found

    def alone() -> int:
        return sum(
            word["upos"] == "VERB" and all(child["deprel"] != "nsubj" for child in below.get(word["id"], ()))
            for words, below in sentences()
            for word in words
        )

    return dict(zip(QUESTIONS, (both, order, alone), strict=True))


PEERS = {"udapi": with_udapi, "conllu": with_conllu}


def best(function: Callable[[], int], runs: int) -> tuple[int, float]:
    """Return what a function gives, and the least processor time it took."""
    least, found = float("inf"), 0
    for _ in range(runs):
        start = time.process_time()
        found = function()
        least = min(least, time.process_time() - start)
    return found, least


def ask(path: str, copies: int, runs: int) -> None:
    """Print how many million words a second each question takes, and by what factor fewer peers."""
    with open(path, "rb") as file:
        data = file.read()
    words = sum(block.n_words for block in tw.read(path).blocks())
    with tempfile.TemporaryDirectory() as folder:
        long = os.path.join(folder, "long.conllu")
        with open(long, "wb") as file:
            file.write(data * copies)
        peers = {name: make for name, make in PEERS.items() if find_spec(name) is not None}
        print(f"| question | matches | {' | '.join(['treewright', *peers])} |\n|{'---|' * (3 + len(peers))}")
        for question, pattern in QUESTIONS.items():
            count, seconds = best(lambda pattern=pattern: tw.find(long, pattern, tree=True).count(), runs)
            ours = copies * words / seconds
            print(f"| {question} | {count // copies:,} | {ours / 1e6:.1f} |", end="")
            for name, make in peers.items():
                theirs, taken = best(make(path)[question], 1)
                assert theirs * copies == count, (name, theirs, count // copies)
                print(f" {words / taken / 1e6:.2f} ({ours * taken / words:.0f} times) |", end="")
            print()


def ask_index(path: str, copies: int, runs: int) -> None:
    """Print how long a rare lemma takes with an index."""
    with open(path, "rb") as file:
        data = file.read()
    with tempfile.TemporaryDirectory() as folder:
        long = os.path.join(folder, "long.conllu")
        with open(long, "wb") as file:
            file.write(data * copies)
            file.write(b"1\tquux\tquux\tX\t_\t_\t0\troot\t_\t_\n\n")
        _, building = best(lambda: build_index(long)["words"], 1)
        words = build_index(long)["words"]
        pattern = 'pattern { X [lemma="quux"] }'
        found, seconds = best(lambda: tw.find(long, pattern).count(), runs + 1)
        assert found == 1
        print(f"index of {words:,} words: {words / building / 1e6:.2f} M words/s; a lemma: {1000 * seconds:.2f} ms")


def main() -> None:
    """Ask."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank")
    parser.add_argument("--copies", type=int, default=4)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--index", action="store_true")
    arguments = parser.parse_args()
    (ask_index if arguments.index else ask)(arguments.treebank, arguments.copies, arguments.runs)


if __name__ == "__main__":
    main()
