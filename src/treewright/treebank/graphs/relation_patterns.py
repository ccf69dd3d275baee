"""Choose the relations of a treebank to replace by patterns (relation_fillers.pyx)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from treewright.treebank.blocks.block import Block
from treewright.treebank.graphs.graph import Arc
from treewright.treebank.graphs.relation_fillers import RelationFillers

FEWEST = 2  # relations that a pattern must replace
LEAST = 0.02  # of the relations with a marker, the share of those with a case that it takes


def with_patterns(
    blocks: list[Block], graphs: list[list[list[Arc]]], cases: Mapping[str, Sequence[str]] | None = None
) -> list[list[list[Arc]]]:
    """Return the graphs with patterns in place of relations that are partly copied from other words.

    ``cases``: those that markers take, see ``cases_of_markers``.
    """
    names = sorted({relation for graph in graphs for arcs in graph for _, relation in arcs})
    if not any(":" in name for name in names):
        return graphs
    fillers = RelationFillers(names, cases)
    places = [(block, sentence) for block in blocks for sentence in range(block.n_sentences)]
    patterns = [fillers.patterns_of(*place, graph) for place, graph in zip(places, graphs, strict=True)]
    stands_for: dict[str, set[str]] = {}
    for graph, of_graph in zip(graphs, patterns, strict=True):
        for arcs, of_word in zip(graph, of_graph, strict=True):
            for (_, relation), pattern in zip(arcs, of_word, strict=True):
                stands_for.setdefault(pattern, set()).add(relation)
    return [
        [
            [
                (head, pattern if len(stands_for[pattern]) >= FEWEST else relation)
                for (head, relation), pattern in zip(arcs, of_word, strict=True)
            ]
            for arcs, of_word in zip(graph, of_graph, strict=True)
        ]
        for graph, of_graph in zip(graphs, patterns, strict=True)
    ]


def cases_of_markers(blocks: list[Block], graphs: list[list[list[Arc]]]) -> dict[str, list[str]]:
    """Return the cases that markers take in relations such as ``obl:in:loc``, the usual one first.

    A tagger mistakes cases that its treebank never has beside a marker.
    """
    cases = {
        feature[5:].lower()
        for block in blocks
        for word in range(block.n_words if block.layout.feats >= 0 else 0)
        for feature in block.value(word, block.layout.feats).decode("utf-8", "replace").split("|")
        if feature.startswith("Case=")
    }
    counts: dict[str, Counter[str]] = {}
    for graph in graphs:
        for arcs in graph:
            for _, relation in arcs:
                *_, marker, case = ["", "", *relation.split(":")[1:]]
                if case in cases and marker:
                    counts.setdefault(marker, Counter())[case] += 1
    return {
        marker: [case for case, count in found.most_common() if count >= LEAST * found.total()]
        for marker, found in counts.items()
        if found.total() >= FEWEST
    }
