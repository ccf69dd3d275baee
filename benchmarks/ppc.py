"""Parse, price and cut against brute force: the tables of Riedel, Smith & McCallum (2012), with our models.

    python benchmarks/ppc.py MODEL TREEBANK [--longest 25] [--table-2]

Brute force takes seconds for a sentence of 25 words and minutes for one of 60: ``--longest`` leaves out longer ones
from all methods alike. Each sentence is parsed by all methods in turn, so that a busy machine slows all of them down.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from typing import Any

from treewright.graphbased.ppc import Certificate, decode
from treewright.parsing.parser import Parser
from treewright.treebank.reading import read_blocks

SETS = {
    "ArcGP+GPArc": ("ArcGP", "GPArc"),
    "OneGP+NoGP": ("OneGP", "NoGP"),
    "all": ("ArcGP", "GPArc", "OneGP"),  # NoGP is implied
}


@dataclass
class Tally:
    """What one method did."""

    seconds: float = 0.0
    right: int = 0
    labelled: int = 0
    middling: int = 0  # sentences of 15 to 25 words, and their seconds
    middling_seconds: float = 0.0
    certificates: list[Certificate] = field(default_factory=list)

    def add(self, seconds: float, certificate: Certificate, n: int, right: int, labelled: int) -> None:
        """Count a sentence."""
        self.seconds += seconds
        self.right += right
        self.labelled += labelled
        self.certificates.append(certificate)
        if 15 <= n <= 25:
            self.middling += 1
            self.middling_seconds += seconds


def run(parser: Any, path: str, longest: int, methods: dict[str, tuple[str, Any]]) -> tuple[dict[str, Tally], int, int]:
    tallies = {name: Tally() for name in methods}
    words = sentences = 0
    decoder = parser._decoder()
    relations = [relation.encode() for relation in parser.relations]
    for block in read_blocks(path):
        for number in range(block.n_sentences):
            place = block.words_of(number)
            n = len(place)
            if not 1 < n <= longest:
                continue
            sentences += 1
            words += n
            for name, (method, constraints) in methods.items():
                start = time.process_time()
                decoder.load(block, number)
                decoder.start_search()
                if method == "exact":
                    tree, certificate = decode(decoder.search, exact=True)
                elif constraints:
                    tree, certificate = decode(decoder.search, method, constraints=constraints)
                else:
                    tree, certificate = decode(decoder.search, method)
                seconds = time.process_time() - start
                gold = [block.head_of(word) for word in place]
                right = [tree[i + 1] == gold[i] for i in range(n)]
                labels = decoder_labels(decoder, tree, n)
                same = [
                    right[i] and relations[labels[i]] == block.value(place[i], block.layout.deprel) for i in range(n)
                ]
                tallies[name].add(seconds, certificate, n, sum(right), sum(same))
    return tallies, sentences, words


def decoder_labels(decoder: Any, tree: Any, n: int) -> Any:
    from array import array

    heads, labels = array("i", bytes(4 * n)), array("i", bytes(4 * n))
    decoder.write(tree, heads, labels, 0)
    return labels


def show(tallies: dict[str, Tally], sentences: int, words: int, base: str) -> None:
    against = tallies[base]
    print(f"{sentences} sentences, {words} words; speed relative to {base}; CPU seconds")
    print("| | " + " | ".join(tallies) + " |\n|---|" + "---|" * len(tallies))

    def row(name: str, cell: Any) -> None:
        print(f"| {name} | " + " | ".join(cell(tally) for tally in tallies.values()) + " |")

    parts = max(1, sum(c.parts for c in against.certificates))
    row("sentences/s", lambda t: f"{sentences / max(t.seconds, 1e-9):.1f}")
    row("relative", lambda t: f"{against.seconds / max(t.seconds, 1e-9):.1f}×")
    row("sentences/s, 15-25 words", lambda t: f"{t.middling / max(t.middling_seconds, 1e-9):.1f}")
    row("grandparents scored", lambda t: f"{100 * sum(c.scored for c in t.certificates) / parts:.2f} %")
    row("grandparents added", lambda t: f"{100 * sum(c.added for c in t.certificates) / parts:.2f} %")
    objective = sum(c.objective for c in against.certificates)
    row("objective", lambda t: f"{100 * sum(c.objective for c in t.certificates) / objective:.4f} %")
    row("integral", lambda t: f"{100 * sum(c.integral for c in t.certificates) / sentences:.2f} %")
    row("proved optimal", lambda t: f"{100 * sum(c.optimal for c in t.certificates) / sentences:.2f} %")
    row("without any LP", lambda t: f"{100 * sum(c.programmes == 0 for c in t.certificates) / sentences:.2f} %")
    row("UAS / LAS", lambda t: f"{100 * t.right / words:.2f} / {100 * t.labelled / words:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("treebank")
    parser.add_argument("--longest", type=int, default=25, help="words of the longest sentence (default 25)")
    parser.add_argument("--table-2", action="store_true", help="compare sets of constraints, by brute force")
    parser.add_argument("--methods", default="brute,paper,bounds,exact", help="(default brute,paper,bounds,exact)")
    arguments = parser.parse_args()
    model = Parser.load(arguments.model)
    if arguments.table_2:
        methods: dict[str, tuple[str, Any]] = {name: ("brute", constraints) for name, constraints in SETS.items()}
    else:
        methods = {name: (name, None) for name in arguments.methods.split(",")}
    show(*run(model, arguments.treebank, arguments.longest, methods), next(iter(methods)))


if __name__ == "__main__":
    main()
