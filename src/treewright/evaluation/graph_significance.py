"""Is one graph parser better than another, or was it luck?

McNemar's test is over gold arcs: those that just one of the two systems has found. It sees recall only; the paired
bootstrap over sentences is of F1, which sees wrong arcs, too.
"""

from __future__ import annotations

from array import array
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from treewright.errors import TreewrightError
from treewright.evaluation.graphs import paired_sentences
from treewright.evaluation.significance import Bootstrap, McNemar, comparison_text, mcnemar
from treewright.evaluation.source import Source, name_of


@dataclass(frozen=True)
class GraphComparison:
    """Two systems' graphs against one gold standard."""

    first: str
    second: str
    labelled: bool
    sentences: int
    gold_arcs: int
    first_f1: float
    second_f1: float
    mcnemar: McNemar
    bootstrap: Bootstrap

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        heading = (
            f"{'labelled' if self.labelled else 'unlabelled'} F1 over {self.gold_arcs:,} gold arcs,"
            f" {self.sentences:,} sentences"
        )
        scores = ((self.first_f1, self.first), (self.second_f1, self.second))
        return comparison_text(heading, scores, "McNemar over gold arcs", self.mcnemar, self.bootstrap)


def compare_graph_systems(
    gold: Source,
    first: Source,
    second: Source,
    *,
    labelled: bool = True,
    tree_as_graph: bool = False,
    second_tree_as_graph: bool | None = None,
    resamples: int = 1000,
    seed: int = 1,
) -> GraphComparison:
    """Test the difference between the graphs of two systems; all three files must have the same words."""
    if resamples < 1:
        raise TreewrightError(f"{resamples} resamples. The bootstrap needs at least one")
    counts = tuple(array("i") for _ in range(5))  # per sentence: gold, first, right in first, second, right in second
    only_first = only_second = 0
    others = tree_as_graph if second_tree_as_graph is None else second_tree_as_graph
    ours = paired_sentences(gold, first, tree_as_graph)
    theirs = paired_sentences(gold, second, others)
    for (wanted, found, _), (_, rival, _) in zip(ours, theirs, strict=True):
        arcs = [_arcs(graph, labelled) for graph in (wanted, found, rival)]
        right, rival_right = arcs[0] & arcs[1], arcs[0] & arcs[2]
        only_first += len(right - rival_right)
        only_second += len(rival_right - right)
        for column, value in zip(
            counts, (len(arcs[0]), len(arcs[1]), len(right), len(arcs[2]), len(rival_right)), strict=True
        ):
            column.append(value)
    totals = [sum(column) for column in counts]
    return GraphComparison(
        first=name_of(first),
        second=name_of(second),
        labelled=labelled,
        sentences=len(counts[0]),
        gold_arcs=totals[0],
        first_f1=100 * _f1(totals[0], totals[1], totals[2]),
        second_f1=100 * _f1(totals[0], totals[3], totals[4]),
        mcnemar=mcnemar(only_first, only_second),
        bootstrap=_bootstrap(counts, resamples, seed),
    )


def _arcs(graph: list[list[tuple[int, str]]], labelled: bool) -> set[tuple[Any, ...]]:
    return {(word, *arc) if labelled else (word, arc[0]) for word, arcs in enumerate(graph) for arc in arcs}


def _f1(gold: int, system: int, right: int) -> float:
    return 2 * right / (gold + system) if gold + system else 0.0


def _difference(totals: list[int]) -> float:
    return _f1(totals[0], totals[1], totals[2]) - _f1(totals[0], totals[3], totals[4])


def _bootstrap(counts: tuple[array[int], ...], resamples: int, seed: int) -> Bootstrap:
    """Resample sentences; F1 is of the sums, so that each sample is summed anew."""
    observed = _difference([sum(column) for column in counts])
    rows = list(zip(*counts, strict=True))
    random = Random(seed)
    drawn = []
    for _ in range(resamples):
        sample = random.choices(rows, k=len(rows))
        drawn.append(_difference([sum(column) for column in zip(*sample, strict=True)]) if rows else 0.0)
    drawn.sort()
    far = sum(abs(value - observed) >= abs(observed) - 1e-12 for value in drawn)
    low, high = (drawn[round(share * (resamples - 1))] for share in (0.025, 0.975))
    return Bootstrap(100 * observed, 100 * low, 100 * high, (far + 1) / (resamples + 1), resamples, seed)
