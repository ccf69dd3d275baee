"""Dependency graphs: the arcs of DEPS for each word, with empty nodes collapsed.

In a graph a word can have any number of heads. Empty nodes are not words: an arc from an empty node is replaced by arcs
from the heads of that node. The relation keeps the path (``3:conj>obl``), as in the shared tasks on enhanced UD.
Arcs are stored in flat arrays: those of word w (counted over the whole block) are ``first[w] .. first[w + 1]``.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, TypeGuard

from treewright.errors import TreebankError
from treewright.treebank.blocks.block import Block

if TYPE_CHECKING:
    from treewright.treebank.sentences.sentence import Sentence


EMPTY_NODE = re.compile(rb"^[0-9]+\.[0-9]+\t.*$", re.MULTILINE)
MOST_STEPS = 8  # through empty nodes; a longer chain is a loop

Arc = tuple[int, str]  # head (0 is the root) and relation
Graph = list[list[Arc]]  # the arcs to each word of a sentence


class Graphs:
    """The graphs of a block's sentences in flat arrays; words are numbered from 0 over the whole block."""

    __slots__ = ("first", "heads", "labels")

    def __init__(self, arcs: Iterable[list[tuple[int, int]]]) -> None:
        """Store the arcs (head, number of the relation) of every word."""
        self.heads, self.labels = array("i"), array("i")
        counts = [0]
        for of_word in arcs:
            counts.append(len(of_word))
            for head, label in of_word:
                self.heads.append(head)
                self.labels.append(label)
        self.first = array("i", accumulate(counts))

    def __len__(self) -> int:
        return len(self.heads)


def graph_of(sentence: Sentence) -> list[list[Arc]]:
    """Return the arcs to every word of a sentence, with empty nodes collapsed."""
    block = Block(sentence.to_bytes(), sentence.layout, sentence.source, sentence.line or 1)
    return arcs_of_sentence(block, 0)


def set_graph(sentence: Sentence, graph: Iterable[Iterable[Arc]]) -> None:
    """Write the arcs to every word into DEPS, ordered by head; the tree stays the same."""
    for word, arcs in zip(sentence.words, graph, strict=True):
        word.deps = sorted(arcs)


def sentence_graphs(block: Block) -> Iterator[list[list[Arc]]]:
    """Yield the graph of every sentence: the arcs of each word, with empty nodes collapsed."""
    has_empty = EMPTY_NODE.search(block.data) is not None
    for sentence in range(block.n_sentences):
        yield arcs_of_sentence(block, sentence, has_empty)


def arcs_of_sentence(block: Block, sentence: int, has_empty: bool = True) -> list[list[Arc]]:
    """Return the arcs of every word of a sentence in the order of the file, each arc once."""
    column = block.layout.deps
    words = block.words_of(sentence)
    if column < 0:
        return [[] for _ in words]
    empty = _empty_nodes(block, sentence) if has_empty else {}
    graph: list[list[Arc]] = []
    for word in words:
        text = block.value(word, column).decode("utf-8", "surrogateescape")
        if text == "_":
            graph.append([])
            continue
        arcs = [arc for item in arcs_in(text) for arc in _collapsed(*item, empty, 0)]
        graph.append(list(dict.fromkeys(_checked(arc, text, len(words), block, word) for arc in arcs)))
    return graph


def usable_deps(block: Block, sentence: int) -> list[str]:
    """Return DEPS of every word without the arcs that no graph can hold and without repeated arcs.

    An arc from an empty node is removed if it leads back to the word, or out of the sentence.
    """
    words = block.words_of(sentence)
    empty = _empty_nodes(block, sentence)
    deps = []
    for number, word in enumerate(words, 1):
        items = arcs_in(block.value(word, block.layout.deps).decode("utf-8", "surrogateescape"))
        kept = [
            f"{head}:{relation}"
            for head, relation in items
            if all(_fits(arc, len(words)) and arc[0] != number for arc in _collapsed(head, relation, empty, 0))
        ]
        deps.append("|".join(dict.fromkeys(kept)) or "_")
    return deps


def arcs_in(text: str) -> list[tuple[str, str]]:
    """Return the arcs that a cell of DEPS names, with heads as written."""
    if text == "_":
        return []
    return [(head, relation) for head, _, relation in (item.partition(":") for item in text.split("|"))]


def empty_lines(block: Block, sentence: int) -> dict[str, list[str]]:
    """Return the cells of each empty node of a sentence that has DEPS, by its number."""
    lines = EMPTY_NODE.findall(block.text_of(sentence))
    rows = [line.rstrip(b"\r").decode("utf-8", "surrogateescape").split("\t") for line in lines]
    return {cells[0]: cells for cells in rows if len(cells) > block.layout.deps and cells[block.layout.deps] != "_"}


def _empty_nodes(block: Block, sentence: int) -> dict[str, list[tuple[str, str]]]:
    """Return the arcs to each empty node of a sentence."""
    return {number: arcs_in(cells[block.layout.deps]) for number, cells in empty_lines(block, sentence).items()}


def _collapsed(
    head: str, relation: str, empty: dict[str, list[tuple[str, str]]], steps: int
) -> Iterator[tuple[int | str, str]]:
    """Yield the arcs that replace one arc so that no path goes through an empty node."""
    if head.isdecimal() and head.isascii() and len(head) <= 9:
        yield int(head), relation
    elif head in empty:
        if steps < MOST_STEPS:
            for further, above in empty[head]:
                yield from _collapsed(further, f"{above}>{relation}", empty, steps + 1)
    else:
        yield head, relation


def _checked(arc: tuple[int | str, str], text: str, n: int, block: Block, word: int) -> Arc:
    if not _fits(arc, n):
        raise TreebankError(
            f"an arc in DEPS `{text}` has no head in the sentence or no relation",
            source=block.source,
            line=block.line_of_word(word),
            remedy="DEPS is `_` or `head:relation|head:relation`, with heads in the same sentence",
        )
    return arc


def _fits(arc: tuple[int | str, str], n: int) -> TypeGuard[Arc]:
    """Return whether an arc has a head among n words or the root, and a relation."""
    return isinstance(arc[0], int) and arc[0] <= n and bool(arc[1])
