"""Ways to solve the linear programme of a parse, side by side: the tables of Riedel, Smith & McCallum (2012).

Each sentence is parsed in all ways in turn, so a busy machine slows all of them down alike. A sentence that takes
too many iterations of the simplex method in one way is counted, and left out of all: the same ones on any machine.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from treewright.errors import CombinationError
from treewright.kinds.exact.parser import ExactParser
from treewright.kinds.exact.programme.ppc import ALL, decode
from treewright.kinds.exact.programme.programme import ProgrammeTooLongError
from treewright.kinds.exact.search.decoding import Decoder
from treewright.steps.certificate import Certificate
from treewright.treebank.blocks.block import Block
from treewright.treebank.files.reading import read_blocks

MIDDLING = range(15, 26)  # words of sentences with a row of their own for speed


@dataclass(frozen=True)
class Way:
    """A method of ppc.py with a set of constraints; ``exact`` branches if the relaxation is no tree.

    ``tighten``: the duals that are tightened before parts are priced.
    """

    method: str
    constraints: tuple[str, ...] = ALL
    exact: bool = False
    tighten: str = "all"


#: Table 1: brute force, the published algorithm to the letter and with all duals tightened, ours, ours with branching
METHODS = {
    "brute force": Way("brute"),
    "paper, onegp": Way("paper", tighten="onegp"),
    "paper": Way("paper"),
    "bounds": Way("bounds"),
    "exact": Way("bounds", exact=True),
}
#: Table 2: sets of constraints, all parts at once; brute force of Table 1 has all of them (NoGP is implied)
CONSTRAINT_SETS = {
    "ArcGP+GPArc": Way("brute", ("ArcGP", "GPArc")),
    "OneGP+NoGP": Way("brute", ("OneGP", "NoGP")),
    "all": Way("brute"),
}


@dataclass
class Tally:
    """What one way did over all sentences."""

    seconds: float = 0.0
    middling_seconds: float = 0.0
    right: int = 0
    labelled: int = 0
    parts: int = 0
    scored: int = 0
    added: int = 0
    objective: float = 0.0
    integral: int = 0
    optimal: int = 0
    without_programme: int = 0

    def add(self, seconds: float, certificate: Certificate, n: int, right: int, labelled: int) -> None:
        """Count a sentence of n words."""
        self.seconds += seconds
        self.middling_seconds += seconds if n in MIDDLING else 0.0
        self.right += right
        self.labelled += labelled
        self.parts += certificate.parts
        self.scored += certificate.scored
        self.added += certificate.added
        self.objective += certificate.objective
        self.integral += certificate.integral
        self.optimal += certificate.optimal
        self.without_programme += certificate.programmes == 0


@dataclass
class SolverComparison:
    """What all ways did with the same sentences. ``late``: sentences left out because of the limit."""

    tallies: dict[str, Tally]
    sentences: int = 0
    words: int = 0
    middling: int = 0
    late: int = 0


def compare_solvers(
    parser: Any,
    treebank: Any,
    ways: dict[str, Way],
    *,
    lengths: range = range(2, 26),
    sentences: int = 0,
    limit: int | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> SolverComparison:
    """Parse sentences of a gold treebank in every way: ``sentences`` of them, evenly spaced, or all (0).

    ``limit``: iterations of the simplex method for a linear programme. ``tell`` is called with the numbers of finished
    and of all sentences.
    """
    if not isinstance(parser, ExactParser) or parser.settings["order"] == 1:
        raise CombinationError("only exact parsers with parts of three words (order 2) need a solver")
    chosen = _chosen(parser, treebank, lengths, sentences)
    comparison = SolverComparison({name: Tally() for name in ways})
    decoder = parser.new_decoder()
    relations = [relation.encode() for relation in parser.relations]
    for done, (block, advised, number) in enumerate(chosen):
        if tell is not None:
            tell(done, len(chosen))
        n = len(block.words_of(number))
        try:
            solved = [_solved(decoder, block, advised, number, way, relations, limit) for way in ways.values()]
        except ProgrammeTooLongError:
            comparison.late += 1
            continue
        comparison.sentences += 1
        comparison.words += n
        comparison.middling += n in MIDDLING
        for tally, (seconds, certificate, right, labelled) in zip(comparison.tallies.values(), solved, strict=True):
            tally.add(seconds, certificate, n, right, labelled)
    return comparison


def _chosen(parser: ExactParser, treebank: Any, lengths: range, sentences: int) -> list[tuple[Block, Block, int]]:
    """Return (block, block with the adviser's trees, number) of the sentences to parse."""
    chosen = []
    for block in read_blocks(treebank):
        advised = parser.advised(block)
        chosen += [(block, advised, i) for i in range(block.n_sentences) if len(block.words_of(i)) in lengths]
    if sentences and len(chosen) > sentences:
        chosen = [chosen[i * len(chosen) // sentences] for i in range(sentences)]
    return chosen


def _solved(
    decoder: Decoder,
    block: Block,
    advised: Block,
    number: int,
    way: Way,
    relations: Sequence[bytes],
    limit: int | None,
) -> tuple[float, Certificate, int, int]:
    """Return CPU seconds, certificate, right heads and right arcs of one sentence."""
    start = time.process_time()
    decoder.load(advised, number)
    decoder.start_search()
    tree, certificate = decode(
        decoder.search, way.method, exact=way.exact, constraints=way.constraints, tighten=way.tighten, limit=limit
    )
    seconds = time.process_time() - start
    place = block.words_of(number)
    heads, labels = (array("i", bytes(4 * len(place))) for _ in range(2))
    decoder.write(tree, heads, labels, 0)
    right = [tree[i + 1] == block.head_of(word) for i, word in enumerate(place)]
    named = [relations[labels[i]] == block.value(word, block.layout.deprel) for i, word in enumerate(place)]
    return seconds, certificate, sum(right), sum(a and b for a, b in zip(right, named, strict=True))


def rows_of(comparison: SolverComparison, base: str) -> list[tuple[str, list[str]]]:
    """Return the rows of a table: a name, and a value for every way; ``base`` is the way to compare with."""
    tallies, against = list(comparison.tallies.values()), comparison.tallies[base]
    n, words = max(1, comparison.sentences), max(1, comparison.words)

    def row(name: str, value: Callable[[Tally], str]) -> tuple[str, list[str]]:
        return name, [value(tally) for tally in tallies]

    def share(part: float, whole: float, digits: int = 2) -> str:
        return f"{100 * part / whole:.{digits}f} %" if whole else ""

    return [
        row("sentences/s", lambda t: f"{n / max(t.seconds, 1e-9):.1f}"),
        row(f"relative to {base}", lambda t: f"{against.seconds / max(t.seconds, 1e-9):.1f}×"),
        row("sentences/s, 15 to 25 words", lambda t: f"{comparison.middling / max(t.middling_seconds, 1e-9):.1f}"),
        row("parts scored", lambda t: share(t.scored, against.parts)),
        row("parts added", lambda t: share(t.added, against.parts)),
        row(f"objective, relative to {base}", lambda t: share(t.objective, against.objective, 4)),
        row("integral", lambda t: share(t.integral, n)),
        row("proved optimal", lambda t: share(t.optimal, n)),
        row("without any linear programme", lambda t: share(t.without_programme, n)),
        row("UAS / LAS", lambda t: f"{100 * t.right / words:.2f} / {100 * t.labelled / words:.2f}"),
    ]
