"""Leaves in training: the tags whose words do not govern others, and gold trees and graphs without arcs from them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from treewright.kinds.transition.learning.corpus import sentence_offsets
from treewright.systems.obeying import governing_words, leaf_flags, learn_leaf_tags, obey
from treewright.training.gathering import Gathered
from treewright.treebank.graphs.graph import Graph


def leaves_in_trees(
    governors: str, data: Gathered, heads: array[int], labels: array[int], single_root: bool, base: Sequence[str] | None
) -> tuple[list[str], list[str]]:
    """Return the tags of leaves, and notes for the user; arcs from leaves are moved in ``heads`` and ``labels``.

    ``base``: the tags of a model to go on from. Where a tagger has tagged the treebank, its mistakes do not count: what
    governs others is learnt from gold tags.
    """
    if governors == "any":
        return [], []
    offsets = sentence_offsets(data.blocks)
    tags = learn_leaf_tags(data.gold_blocks, governing_words(heads, offsets), base)
    changed = obey(heads, labels, offsets, leaf_flags(tags, data.blocks), single_root) if tags else 0
    note = f"{changed:,} tree{'s' * (changed != 1)} changed: no dependents of {', '.join(tags)}"
    return tags, [note] if changed else []


def leaves_in_graphs(
    governors: str, data: Gathered, graphs: list[Graph], base: Sequence[str] | None
) -> tuple[list[str], list[Graph]]:
    """Return the tags of leaves, and the graphs with arcs from leaves moved to words above them that may govern."""
    if governors == "any":
        return [], graphs
    governs = bytearray()
    for graph in graphs:
        heads = {head for arcs in graph for head, _ in arcs}
        governs += bytes(word in heads for word in range(1, len(graph) + 1))
    tags = learn_leaf_tags(data.gold_blocks, governs, base)
    flags, start, obeying = leaf_flags(tags, data.blocks), 0, []
    for graph in graphs:
        own = b"\0" + flags[start : start + len(graph)]
        obeying.append(_obeying(graph, own) if any(own[head] for arcs in graph for head, _ in arcs) else graph)
        start += len(graph)
    return tags, obeying


def _obeying(graph: Graph, own: bytes) -> Graph:
    """Return a graph with arcs from leaves moved; ``own`` has a 1 for every leaf, and stands for the root with 0.

    An arc is not moved to where there is one already.
    """
    found = []
    for word, arcs in enumerate(graph, 1):
        kept = [arc for arc in arcs if not own[arc[0]]]
        moved: dict[int, str] = {}
        for head, relation in arcs:
            if own[head] and head != word:
                above = _governor(graph, own, head)
                moved.setdefault(0 if above == word else above, relation)
        heads = {head for head, _ in kept}
        found.append(kept + [arc for arc in moved.items() if arc[0] not in heads])
    return found


def _governor(graph: Graph, own: bytes, head: int) -> int:
    """Return a head, or the next word above it that may govern; or the root."""
    for _ in graph:
        if not own[head]:
            return head
        head = graph[head - 1][0][0] if graph[head - 1] else 0
    return 0
