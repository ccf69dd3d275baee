"""Dependency graphs as data: the arcs of DEPS, word by word, with empty nodes collapsed.

A graph gives every word any number of heads. Empty nodes are no words: an arc that comes from one is replaced by
arcs from its heads, and the relation keeps the path (``3:conj>obl``), as the shared tasks on enhanced UD do it.
Arcs are kept flat: those of word w (counted over the whole block) are ``first[w] .. first[w + 1]``.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate

from treewright.errors import TreebankError
from treewright.treebank.block import Block
from treewright.treebank.sentence import Sentence

EMPTY_NODE = re.compile(rb"^[0-9]+\.[0-9]+\t.*$", re.MULTILINE)
MOST_STEPS = 8  # through empty nodes; a chain of more is a loop

Arc = tuple[int, str]  # head (0 is the root) and relation


class Graphs:
    """The graphs of a block's sentences, in flat arrays; words count from 0 over the whole block."""

    __slots__ = ("first", "heads", "labels")

    def __init__(self, arcs: Iterable[list[tuple[int, int]]]) -> None:
        """Keep the arcs (head, number of the relation) of every word."""
        self.heads, self.labels = array("i"), array("i")
        counts = [0]
        for of_word in arcs:
            counts.append(len(of_word))
            for head, label in of_word:
                self.heads.append(head)
                self.labels.append(label)
        self.first = array("i", accumulate(counts))

    def arcs_of(self, word: int) -> list[tuple[int, int]]:
        """Return head and relation of every arc to a word."""
        span = slice(self.first[word], self.first[word + 1])
        return list(zip(self.heads[span], self.labels[span], strict=True))

    def __len__(self) -> int:
        return len(self.heads)


def graph_of(sentence: Sentence) -> list[list[Arc]]:
    """Return the arcs to every word of a sentence, empty nodes collapsed."""
    block = Block(sentence.to_bytes(), sentence.layout, sentence.source, sentence.line or 1)
    return arcs_of_sentence(block, 0)


def set_graph(sentence: Sentence, graph: Iterable[Iterable[Arc]]) -> None:
    """Write the arcs to every word into DEPS, in the order of their heads; the tree stays as it is."""
    for word, arcs in zip(sentence.words, graph, strict=True):
        word.deps = sorted(arcs)


def sentence_graphs(block: Block) -> Iterator[list[list[Arc]]]:
    """Yield the graph of every sentence: for each word its arcs, empty nodes collapsed."""
    has_empty = EMPTY_NODE.search(block.data) is not None
    for sentence in range(block.n_sentences):
        yield arcs_of_sentence(block, sentence, has_empty)


def arcs_of_sentence(block: Block, sentence: int, has_empty: bool = True) -> list[list[Arc]]:
    """Return, for every word of a sentence, its arcs; repeated ones once, in the order of the file."""
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
        found = [arc for item in _items(text) for arc in _collapsed(*item, empty, 0)]
        graph.append(list(dict.fromkeys(_checked(arc, text, len(words), block, word) for arc in found)))
    return graph


def _items(text: str) -> list[tuple[str, str]]:
    return [(head, relation) for head, _, relation in (item.partition(":") for item in text.split("|"))]


def _empty_nodes(block: Block, sentence: int) -> dict[str, list[tuple[str, str]]]:
    """Return the arcs to each empty node of a sentence."""
    found = {}
    for line in EMPTY_NODE.findall(block.text_of(sentence)):
        cells = line.rstrip(b"\r").decode("utf-8", "surrogateescape").split("\t")
        if len(cells) > block.layout.deps and cells[block.layout.deps] != "_":
            found[cells[0]] = _items(cells[block.layout.deps])
    return found


def _collapsed(
    head: str, relation: str, empty: dict[str, list[tuple[str, str]]], steps: int
) -> Iterator[tuple[int | str, str]]:
    """Yield the arcs that stand for one when no empty node is left on the way."""
    if head.isdecimal() and head.isascii():
        yield int(head), relation
    elif head in empty:
        if steps < MOST_STEPS:
            for further, above in empty[head]:
                yield from _collapsed(further, f"{above}>{relation}", empty, steps + 1)
    else:
        yield head, relation


def _checked(arc: tuple[int | str, str], text: str, n: int, block: Block, word: int) -> Arc:
    head, relation = arc
    if not isinstance(head, int) or head > n or not relation:
        raise TreebankError(
            f"DEPS {text!r} has an arc without a head in the sentence or without a relation",
            source=block.source,
            line=block.line_of_word(word),
            remedy="DEPS is '_' or 'head:relation|head:relation' with heads of the same sentence",
        )
    return head, relation


def with_graphs(block: Block, graphs: Iterable[list[Arc]]) -> bytes:
    """Return the text of a block with DEPS of every word replaced, all else as it was.

    Empty nodes belong to the graph that is replaced: their lines are left out.
    """
    from treewright.treebank.graph_writing import GraphWriter

    numbers: dict[str, int] = {}
    arcs = [
        (word, head, numbers.setdefault(relation, len(numbers)))
        for word, of_word in enumerate(graphs)
        for head, relation in of_word
    ]
    columns = [array("i", column) for column in zip(*arcs, strict=True)] or [array("i") for _ in range(3)]
    return GraphWriter(list(numbers)).write(block, *columns)
