"""Test whether the difference between two graph parsers is significant.

McNemar's test is over the gold arcs that only one of the two systems found: it measures recall only. The paired
bootstrap over sentences is of F1, which also counts wrong arcs.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from random import Random
from typing import Any

from treewright.evaluation.graphs import paired_sentences
from treewright.evaluation.significance import Bootstrap, PairedTests, bootstrap_of, check_resamples, mcnemar
from treewright.evaluation.stretches import name_of
from treewright.treebank.files.source import Source
from treewright.treebank.graphs.graph import Graph


@dataclass(frozen=True)
class GraphComparison(PairedTests):
    """Two systems' graphs against one gold standard."""

    labelled: bool
    sentences: int
    gold_arcs: int
    first_f1: float
    second_f1: float

    def __str__(self) -> str:
        heading = (
            f"{'labelled' if self.labelled else 'unlabelled'} F1 over {self.gold_arcs:,} gold arcs,"
            f" {self.sentences:,} sentences"
        )
        return self.text(heading, self.first_f1, self.second_f1, " over gold arcs")


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
    check_resamples(resamples)
    counts = tuple(array("i") for _ in range(5))  # per sentence: gold, first, correct in first, second, correct in it
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


def _arcs(graph: Graph, labelled: bool) -> set[tuple[Any, ...]]:
    return {(word, *arc) if labelled else (word, arc[0]) for word, arcs in enumerate(graph) for arc in arcs}


def _f1(gold: int, system: int, right: int) -> float:
    return 2 * right / (gold + system) if gold + system else 0.0


def _difference(totals: list[int]) -> float:
    return _f1(totals[0], totals[1], totals[2]) - _f1(totals[0], totals[3], totals[4])


def _bootstrap(counts: tuple[array[int], ...], resamples: int, seed: int) -> Bootstrap:
    """Resample sentences; F1 is computed from sums, so each sample is summed again."""
    observed = _difference([sum(column) for column in counts])
    rows = list(zip(*counts, strict=True))
    random = Random(seed)
    drawn = []
    for _ in range(resamples):
        sample = random.choices(rows, k=len(rows))
        drawn.append(_difference([sum(column) for column in zip(*sample, strict=True)]) if rows else 0.0)
    return bootstrap_of(observed, drawn, seed)
