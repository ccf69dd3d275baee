"""Restore empty nodes: the reverse of collapsing them in graph.py.

An arc ``3:conj>obl`` leads through an empty node: the node is attached to 3 by ``conj``, and the word to the node by
``obl``. Arcs of a sentence with the same start share the node; so do arcs with other starts if all their ends are the
same. The node is placed before its first dependent after its head. Where the nodes of a treebank repeat their heads, it
has the form, the lemma and the tags of its head, and says so (``CopyOf=3``); otherwise it has none, because they are
unknown. Collapsing the result gives the same graph.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable

from treewright.treebank.blocks.block import Block
from treewright.treebank.graphs.graph import Graph, arcs_in, arcs_of_sentence, empty_lines
from treewright.treebank.graphs.graph_signs import PATH

MULTIWORD = re.compile(rb"^[0-9]+-[0-9]+\t", re.MULTILINE)
TextArc = tuple[str, str]  # the number of a head, and a relation
Way = tuple[str, ...]  # to an empty node: a word or the root, and relations


def with_empty_nodes(block: Block, sentences: Iterable[int] | None = None, copied: Collection[str] = ()) -> bytes:
    """Return the text of a block with empty nodes for the paths in DEPS and everything else unchanged.

    Nodes with a relation of ``copied`` (without subtypes) are copies of their heads.
    ``sentences`` are those that have paths, in order, if the caller knows them.
    """
    column = block.layout.deps
    if column < 0 or block.layout.id < 0 or PATH.encode() not in block.data:
        return block.data
    pieces = []
    done = 0
    for sentence in range(block.n_sentences) if sentences is None else sentences:
        start, end = block.span_of(sentence)
        graph = arcs_of_sentence(block, sentence)
        if any(PATH in relation for arcs in graph for _, relation in arcs):
            pieces += [block.data[done:start], _rewritten(block, sentence, graph, copied)]
            done = end
    return b"".join([*pieces, block.data[done:]])


def empty_nodes_of(graph: Graph) -> tuple[list[list[TextArc]], dict[str, list[TextArc]]]:
    """Return the arcs to every word, with heads as written, and those to every empty node by its number, in order."""
    ends: dict[Way, set[tuple[int, str]]] = {}  # what is attached at the end of a way, and below
    for word, arcs in enumerate(graph, 1):
        for head, relation in arcs:
            steps = relation.split(PATH)
            for n in range(1, len(steps)):
                ends.setdefault((str(head), *steps[:n]), set()).add((word, PATH.join(steps[n:])))
    first = {way: _first_after(int(way[0]), [word for word, _ in found]) for way, found in ends.items()}
    numbers: dict[Way, str] = {}
    known: dict[frozenset[tuple[int, str]], str] = {}
    taken: dict[int, int] = {}
    for way in sorted(first, key=lambda way: (first[way], len(way), way)):
        place, attached = first[way] - 1, frozenset(ends[way])
        if attached not in known:
            taken[place] = taken.get(place, 0) + 1
            known[attached] = f"{place}.{taken[place]}"
        numbers[way] = known[attached]
    nodes: dict[str, list[TextArc]] = {}
    for way, number in numbers.items():
        arc = numbers.get(way[:-1], way[0]), way[-1]
        if arc not in nodes.setdefault(number, []):
            nodes[number].append(arc)
    words = [list(dict.fromkeys(_last_step(head, relation, numbers) for head, relation in arcs)) for arcs in graph]
    return words, nodes


def copied_relations(blocks: Iterable[Block]) -> list[str]:
    """Return the relations, without subtypes, of empty nodes that mostly have the lemma of their heads."""
    counts: Counter[str] = Counter()
    for block in blocks:
        lemma = block.layout.lemma
        for sentence in range(block.n_sentences if lemma >= 0 else 0):
            for cells in empty_lines(block, sentence).values():
                for head, relation in arcs_in(cells[block.layout.deps]):
                    word = int(head) - 1 if head.isdecimal() else -1
                    words = block.words_of(sentence)
                    of_head = block.value(words[word], lemma).decode() if 0 <= word < len(words) else "_"
                    counts[_base(relation)] += 1 if of_head == cells[lemma] != "_" else -1
    return sorted(base for base, count in counts.items() if count > 0)


def _base(relation: str) -> str:
    return relation.partition(":")[0]


def _first_after(head: int, words: list[int]) -> int:
    """Return the first of a node's words, rather one after the head: a shared subject stands before both verbs."""
    return min([word for word in words if word > head] or words)


def _last_step(head: int, relation: str, numbers: dict[Way, str]) -> TextArc:
    *before, last = relation.split(PATH)
    return (numbers[(str(head), *before)], last) if before else (str(head), last)


def _rewritten(block: Block, sentence: int, graph: Graph, copied: Collection[str]) -> bytes:
    words, nodes = empty_nodes_of(graph)
    start, end = block.span_of(sentence)
    pieces: list[bytes] = []
    done = start
    new_lines = dict.fromkeys(range(len(words) + 1), b"")
    for number, arcs in sorted(nodes.items(), key=lambda item: tuple(map(int, item[0].split(".")))):
        new_lines[int(number.split(".")[0])] += _line(block, sentence, number, arcs, copied)
    for place, word in enumerate(block.words_of(sentence)):
        line_start = block.place(word, 0)[0]
        deps_start, deps_end = block.place(word, block.layout.deps)
        token = MULTIWORD.search(block.data, done, line_start)  # it stays with its words
        before = token.start() if token else line_start
        pieces += [block.data[done:before], new_lines[place], block.data[before:deps_start], _text(words[place])]
        done = deps_end
    return b"".join([*pieces, block.data[done:end]])


def _line(block: Block, sentence: int, number: str, arcs: list[TextArc], copied: Collection[str]) -> bytes:
    """Return the line of an empty node."""
    layout = block.layout
    cells = [b"_"] * len(layout.columns)
    cells[layout.id], cells[layout.deps] = number.encode(), _text(arcs)
    heads = [head for head, relation in arcs if _base(relation) in copied and head.isdecimal() and head != "0"]
    if heads:
        word = block.words_of(sentence)[int(heads[0]) - 1]
        for column in (layout.form, layout.lemma, layout.upos, layout.xpos, layout.feats):
            if column >= 0:
                cells[column] = block.value(word, column)
        if layout.misc >= 0:
            cells[layout.misc] = f"CopyOf={heads[0]}".encode()
    return b"\t".join(cells) + b"\n"


def _text(arcs: list[TextArc]) -> bytes:
    ordered = sorted(set(arcs), key=lambda arc: (tuple(map(int, arc[0].split("."))), arc[1]))
    return ("|".join(f"{head}:{relation}" for head, relation in ordered) or "_").encode("utf-8", "surrogateescape")
