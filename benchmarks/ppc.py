"""Parse, price and cut against brute force: the tables of Riedel, Smith & McCallum (2012), with our models.

    python benchmarks/ppc.py MODEL TREEBANK [--longest 25] [--sample 40] [--limit 60] [--table-2]

Brute force takes seconds for a sentence of 25 words and minutes for one of 60: ``--longest`` leaves out longer ones,
``--sample`` takes so many of the rest, evenly, and ``--limit`` leaves out those that brute force is not done with after
so many seconds; they are counted, and left out from all methods alike. Each sentence is parsed by all methods in turn,
so that a busy machine slows all of them down.
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


def chosen_sentences(parser: Any, path: str, shortest: int, longest: int, sample: int) -> list[tuple[Any, Any, int]]:
    """Return (block, block with the guide's trees, number) of the sentences to parse."""
    found = []
    for block in read_blocks(path):
        guided = parser._with_guide(block)
        for number in range(block.n_sentences):
            if shortest <= len(block.words_of(number)) <= longest:
                found.append((block, guided, number))
    if sample and len(found) > sample:
        found = [found[i * len(found) // sample] for i in range(sample)]
    return found


def run(
    parser: Any, chosen: list[tuple[Any, Any, int]], methods: dict[str, tuple[str, Any]], limit: float | None
) -> tuple[dict[str, Tally], int, int, int]:
    tallies = {name: Tally() for name in methods}
    words = late = 0
    decoder = parser._decoder()
    relations = [relation.encode() for relation in parser.relations]
    for block, guided, number in chosen:
        place = block.words_of(number)
        n = len(place)
        results = []
        try:
            for name, (method, constraints) in methods.items():
                start = time.process_time()
                decoder.load(guided, number)
                decoder.start_search()
                how: dict[str, Any] = {"constraints": constraints} if constraints else {}
                if method == "exact":
                    tree, certificate = decode(decoder.search, exact=True)
                else:
                    tree, certificate = decode(decoder.search, method, limit=limit, **how)
                seconds = time.process_time() - start
                gold = [block.head_of(word) for word in place]
                right = [tree[i + 1] == gold[i] for i in range(n)]
                labels = decoder_labels(decoder, tree, n)
                same = [
                    right[i] and relations[labels[i]] == block.value(place[i], block.layout.deprel) for i in range(n)
                ]
                results.append((name, seconds, certificate, sum(right), sum(same)))
        except TimeoutError:
            late += 1
            continue
        words += n
        for name, seconds, certificate, right_heads, right_arcs in results:
            tallies[name].add(seconds, certificate, n, right_heads, right_arcs)
    return tallies, len(chosen) - late, words, late


def decoder_labels(decoder: Any, tree: Any, n: int) -> Any:
    from array import array

    heads, labels = array("i", bytes(4 * n)), array("i", bytes(4 * n))
    decoder.write(tree, heads, labels, 0)
    return labels


def show(tallies: dict[str, Tally], sentences: int, words: int, late: int, base: str) -> None:
    against = tallies[base]
    if not sentences:
        raise SystemExit("no sentences of this length were solved within the limit")
    left_out = f"; {late} more left out: beyond the limit" if late else ""
    print(f"{sentences} sentences, {words} words{left_out}; speed relative to {base}; CPU seconds")
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
    parser.add_argument("--shortest", type=int, default=2, help="words of the shortest sentence (default 2)")
    parser.add_argument("--sample", type=int, default=0, help="sentences to take, evenly spread (default: all)")
    parser.add_argument("--limit", type=float, help="seconds for a linear programme; beyond, a sentence is left out")
    parser.add_argument("--table-2", action="store_true", help="compare sets of constraints, by brute force")
    parser.add_argument("--methods", default="brute,paper,bounds,exact", help="(default brute,paper,bounds,exact)")
    arguments = parser.parse_args()
    model = Parser.load(arguments.model)
    if arguments.table_2:
        methods: dict[str, tuple[str, Any]] = {name: ("brute", constraints) for name, constraints in SETS.items()}
    else:
        methods = {name: (name, None) for name in arguments.methods.split(",")}
    chosen = chosen_sentences(model, arguments.treebank, arguments.shortest, arguments.longest, arguments.sample)
    show(*run(model, chosen, methods, arguments.limit), next(iter(methods)))


if __name__ == "__main__":
    main()
