"""Choose the relations of a treebank to replace by patterns (relation_fillers.pyx)."""

from __future__ import annotations

from treewright.treebank.blocks.block import Block
from treewright.treebank.graphs.graph import Arc
from treewright.treebank.graphs.relation_fillers import RelationFillers

FEWEST = 2  # relations that a pattern must replace


def with_patterns(blocks: list[Block], graphs: list[list[list[Arc]]]) -> list[list[list[Arc]]]:
    """Return the graphs with patterns in place of relations that are partly copied from other words."""
    names = sorted({relation for graph in graphs for arcs in graph for _, relation in arcs})
    if not any(":" in name for name in names):
        return graphs
    fillers = RelationFillers(names)
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
