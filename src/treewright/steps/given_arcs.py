"""Arcs that the input gives: a parser fills in the rest of each tree around them.

A word whose HEAD is filled keeps it, and its DEPREL where that is filled, too; ``NotHead=2,5`` in MISC names heads that
a word must not have (0 is the root). Every kind of parser obeys in its own search: transition systems by legality
(systems/kept_arcs.pyx), graph-based and exact parsers by what their search may choose. Where that search cannot build
such a tree, because the given arcs cross and the parser is projective, or because a forbidden arc was the last one
possible, ``complete`` attaches what is left: the tree always has the given arcs, and never a forbidden one.
"""

from __future__ import annotations

import heapq
import math
from array import array
from collections.abc import Sequence
from functools import cached_property

from treewright.errors import TreebankError
from treewright.steps.parser import Trees
from treewright.systems.kept_arcs import KeptArcs
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks.checks import find_cycles

NOT_HEAD = b"NotHead="
#: kinds of words while a tree grows: with its own arc, with that of a word that lost its own, with any other
OWN, LOST, OTHER = 0, 1, 2


class GivenArcs:
    """What is given for the words of a block: heads (-1: none), relations, and heads that words must not have."""

    def __init__(self, block: Block) -> None:
        self.block = block
        filled = block.layout.head >= 0
        self.heads = array("i", (max(-1, block.head_of(word)) if filled else -1 for word in range(block.n_words)))
        self.banned = {word: heads for word in range(block.n_words) if (heads := _banned_heads(block, word))}
        for sentence in range(block.n_sentences):
            self._check(sentence)

    def __bool__(self) -> bool:
        """Is anything given at all?"""
        return bool(self.banned) or any(head >= 0 for head in self.heads)

    def _check(self, sentence: int) -> None:
        """Reject arcs that no tree has."""
        words = self.block.words_of(sentence)
        heads = list(self.heads[words.start : words.stop])
        if all(head < 0 for head in heads):
            return
        for word, head in zip(words, heads, strict=True):
            number = word - words.start + 1
            if head > len(words) or head == number or head in self.banned.get(word, ()):
                why = "is the word itself" if head == number else "is not in the sentence"
                if head <= len(words) and head != number:
                    why = "is what NotHead forbids"
                raise self._error(sentence, word, f"the head of word {number}, {head}, {why}")
        for cycle in find_cycles(heads):
            shown = " → ".join(map(str, [*cycle, cycle[0]]))
            raise self._error(sentence, words[cycle[0] - 1], f"the given arcs form a cycle, {shown}")

    def _error(self, sentence: int, word: int, problem: str) -> TreebankError:
        block = self.block
        return TreebankError(
            problem,
            source=block.source,
            line=block.line_of_word(word),
            sent_id=block.sent_id(sentence),
            remedy="Correct it, or write `_` for HEAD to have it filled in",
        )

    def labels(self, numbers: dict[str, int]) -> array[int]:
        """Return the number of each given relation; -1 where none is given, or one without a number."""
        return array("i", (numbers.get(relation, -1) for relation in self.relations()))

    def relations(self) -> list[str]:
        """Return the relation of every given arc; an empty text where none is given."""
        column = self.block.layout.deprel
        if column < 0:
            return [""] * len(self.heads)
        values = (self.block.value(word, column) if head >= 0 else b"_" for word, head in enumerate(self.heads))
        return ["" if value == b"_" else value.decode("utf-8", "surrogateescape") for value in values]

    @cached_property
    def banned_arrays(self) -> tuple[array[int], array[int]]:
        """Return where the forbidden heads of each word begin in a list of all, and that list."""
        starts, all_banned = array("i", [0]), array("i")
        for word in range(len(self.heads)):
            all_banned.extend(self.banned.get(word, ()))
            starts.append(len(all_banned))
        return starts, all_banned

    def kept(self, relations: Sequence[str]) -> KeptArcs:
        """Return the form that transition systems read; ``relations`` are those of the moves."""
        numbers = {relation: number for number, relation in enumerate(relations)}
        return KeptArcs(self.heads, self.labels(numbers), *self.banned_arrays)

    def freed(self, leaves: bytes) -> bytes:
        """Return which words may not govern others: of these, those that no given arc comes from, and no given root."""
        flags = bytearray(leaves)
        for sentence in range(self.block.n_sentences if leaves else 0):
            words = self.block.words_of(sentence)
            for word in words:
                if (head := self.heads[word]) >= 0:
                    flags[words.start + head - 1 if head else word] = 0
        return bytes(flags)

    def may(self, word: int, number: int, head: int) -> bool:
        """May a word (of the block; its number in its sentence) have a head?"""
        given = self.heads[word]
        return given == head if given >= 0 else head != number and head not in self.banned.get(word, ())

    def are_in(self, words: range, heads: Sequence[int]) -> bool:
        """Has a tree of some words the given arcs, and no forbidden one?"""
        return all(
            self.may(word, number, head) for number, (word, head) in enumerate(zip(words, heads, strict=True), 1)
        )

    # After a parser's own search

    def complete(self, trees: Trees, single_root: bool, sentences: range | None = None) -> dict[int, list[int]]:
        """Attach again what breaks the rules; return, by sentence, the numbers of the words that have new heads."""
        moved: dict[int, list[int]] = {}
        for sentence in range(self.block.n_sentences) if sentences is None else sentences:
            words = self.block.words_of(sentence)
            heads = trees.heads[words.start : words.stop]
            roots_given = self.heads[words.start : words.stop].count(0)
            if self.are_in(words, heads) and not (single_root and heads.count(0) > max(1, roots_given)):
                continue
            moved[sentence] = self._grow_again(trees, sentence, single_root)
            if trees.confidences is not None:
                for number in moved[sentence]:
                    trees.confidences[words.start + number - 1] = math.nan
        return moved

    def _grow_again(self, trees: Trees, sentence: int, single_root: bool) -> list[int]:
        """Replace a tree by one that obeys, as like it as possible; return the numbers of the words that moved."""
        words = self.block.words_of(sentence)
        old = [0, *trees.heads[words.start : words.stop]]
        given = [word - words.start + 1 for word in words if self.heads[word] == 0]
        n = len(words)
        if not single_root or len(given) > 1:
            new = self._grown(words.start, old, None)
        else:
            tops = given or sorted(range(1, n + 1), key=lambda word: (old[word] != 0, word))
            may_be = (top for top in tops if self.may(words.start + top - 1, top, 0))
            new = next((tree for top in may_be if (tree := self._grown(words.start, old, top))), None)
        if new is None:
            raise self._error(sentence, words[0], "no tree has the given arcs without those that NotHead forbids")
        trees.heads[words.start : words.stop] = array("i", new[1:])
        return [word for word in range(1, n + 1) if new[word] != old[word]]

    def _grown(self, start: int, old: Sequence[int], root: int | None) -> list[int] | None:
        """Grow a tree from the root, by arcs of the old one as long as there are any; None where words stay out.

        A search from the root that takes every permitted arc reaches every word that can be reached: where a tree
        exists, it finds one. ``root``: the only word that the root may take.
        """
        n, new = len(old) - 1, [-1] * len(old)
        waiting: list[tuple[int, int, int, int]] = []

        def offer(head: int) -> None:
            for word in range(1, n + 1):
                if new[word] >= 0 or not self.may(start + word - 1, word, head):
                    continue
                if head == 0 and root not in (None, word):
                    continue
                lost = not self.may(start + word - 1, word, old[word]) or (old[word] == 0 and root not in (None, word))
                rank = OWN if head == old[word] else LOST if lost else OTHER
                heapq.heappush(waiting, (rank, abs(head - old[word]), word, head))

        offer(0)
        while waiting:
            _, _, word, head = heapq.heappop(waiting)
            if new[word] < 0:
                new[word] = head
                offer(word)
        new[0] = 0
        return None if -1 in new else new

    def written(self, trees: Trees, relations: Sequence[str]) -> Trees:
        """Write the given relations over those found, also ones that the parser does not know; they are certain."""
        known = {relation: number for number, relation in enumerate(relations)}
        for word, relation in enumerate(self.relations()):
            if relation:
                trees.labels[word] = known.setdefault(relation, len(known))
                if trees.confidences is not None:
                    trees.confidences[word] = 1.0
        return trees._replace(more_relations=tuple(known)[len(relations) :])


def _banned_heads(block: Block, word: int) -> tuple[int, ...]:
    """Return the heads that MISC forbids for a word."""
    if block.layout.misc < 0 or NOT_HEAD not in (misc := block.value(word, block.layout.misc)):
        return ()
    values = [value for part in misc.split(b"|") if part.startswith(NOT_HEAD) for value in part[8:].split(b",")]
    if not all(value.isdigit() and len(value) < 9 for value in values):
        raise TreebankError(
            f"MISC has {misc.decode('utf-8', 'replace')}",
            source=block.source,
            line=block.line_of_word(word),
            remedy="Write NotHead=2,5: numbers of words, 0 for the root",
        )
    return tuple(int(value) for value in values)
