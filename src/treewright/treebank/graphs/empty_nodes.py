"""Restore empty nodes: the reverse of collapsing them in graph.py.

An arc ``3:conj>obl`` leads through an empty node: the node is attached to 3 by ``conj``, and the word to the node by
``obl``. Arcs of a sentence with the same start share the node. The node is placed before its first dependent and has
no form, because the form is unknown. Collapsing the result gives the same graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from treewright.treebank.blocks.block import Block
from treewright.treebank.graphs.graph import Arc, arcs_of_sentence
from treewright.treebank.graphs.graph_signs import PATH

MULTIWORD = re.compile(rb"^[0-9]+-[0-9]+\t", re.MULTILINE)


def with_empty_nodes(block: Block, sentences: Iterable[int] | None = None) -> bytes:
    """Return the text of a block with empty nodes for the paths in DEPS and everything else unchanged.

    ``sentences`` are those that have paths, in order, if the caller knows them.
    """
    column = block.layout.deps
    if column < 0 or block.layout.id < 0 or PATH.encode() not in block.data:
        return block.data
    pieces = []
    copied = 0
    for sentence in range(block.n_sentences) if sentences is None else sentences:
        start, end = block.span_of(sentence)
        graph = arcs_of_sentence(block, sentence)
        if any(PATH in relation for arcs in graph for _, relation in arcs):
            pieces += [block.data[copied:start], _rewritten(block, sentence, graph)]
            copied = end
    return b"".join([*pieces, block.data[copied:]])


def empty_nodes_of(graph: list[list[Arc]]) -> tuple[list[list[tuple[str, str]]], dict[str, tuple[str, str]]]:
    """Return the arcs to every word, with heads as written, and the arc to every empty node by its number."""
    first: dict[tuple[str, ...], int] = {}  # path to a node → the first word attached to it or to a node below it
    for word, arcs in enumerate(graph, 1):
        for head, relation in arcs:
            steps = relation.split(PATH)
            for n in range(1, len(steps)):
                first.setdefault((str(head), *steps[:n]), word)
    numbers: dict[tuple[str, ...], str] = {}
    taken: dict[int, int] = {}
    for way in sorted(first, key=lambda way: (first[way], len(way), way)):
        place = first[way] - 1
        taken[place] = taken.get(place, 0) + 1
        numbers[way] = f"{place}.{taken[place]}"
    nodes = {number: (numbers.get(way[:-1], way[0]), way[-1]) for way, number in numbers.items()}
    words = [[_last_step(head, relation, numbers) for head, relation in arcs] for arcs in graph]
    return words, nodes


def _last_step(head: int, relation: str, numbers: dict[tuple[str, ...], str]) -> tuple[str, str]:
    *before, last = relation.split(PATH)
    return (numbers[(str(head), *before)], last) if before else (str(head), last)


def _rewritten(block: Block, sentence: int, graph: list[list[Arc]]) -> bytes:
    words, nodes = empty_nodes_of(graph)
    start, end = block.span_of(sentence)
    layout = block.layout
    pieces: list[bytes] = []
    copied = start
    new_lines = dict.fromkeys(range(len(words) + 1), b"")
    for number, arc in sorted(nodes.items(), key=lambda item: tuple(map(int, item[0].split(".")))):
        cells = [b"_"] * len(layout.columns)
        cells[layout.id], cells[layout.deps] = number.encode(), _text([arc])
        new_lines[int(number.split(".")[0])] += b"\t".join(cells) + b"\n"
    for place, word in enumerate(block.words_of(sentence)):
        line_start = block.place(word, 0)[0]
        deps_start, deps_end = block.place(word, layout.deps)
        token = MULTIWORD.search(block.data, copied, line_start)  # it stays with its words
        before = token.start() if token else line_start
        pieces += [block.data[copied:before], new_lines[place], block.data[before:deps_start], _text(words[place])]
        copied = deps_end
    return b"".join([*pieces, block.data[copied:end]])


def _text(arcs: list[tuple[str, str]]) -> bytes:
    ordered = sorted(set(arcs), key=lambda arc: (tuple(map(int, arc[0].split("."))), arc[1]))
    return ("|".join(f"{head}:{relation}" for head, relation in ordered) or "_").encode("utf-8", "surrogateescape")
