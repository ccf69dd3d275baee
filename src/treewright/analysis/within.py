"""An analysis of the words that a pattern finds in the gold trees; all others are left out."""

from __future__ import annotations

from treewright.analysis.inputs import Piece
from treewright.evaluation.comparison import FLAGS
from treewright.query.matching import Query
from treewright.treebank.blocks.block import Block


class WithinPattern:
    """Marks the words that are no node of any match."""

    def __init__(self, pattern: str) -> None:
        self._query = Query(pattern, tree=True)
        self._block: Block | None = None
        self._found: dict[int, set[int]] = {}
        self.words = 0

    def mark(self, piece: Piece) -> None:
        """Mark words of a piece, for both parses alike."""
        first = piece.first
        for sentence in range(first.n_sentences):
            found = self._words_of(first.gold, first.gold_from + sentence)
            for place in range(first.first_word[sentence], first.first_word[sentence + 1]):
                if place - first.first_word[sentence] + 1 in found:
                    self.words += 1
                else:
                    for pair in piece.parses:
                        pair.flags[place] |= FLAGS["outside"]

    def _words_of(self, block: Block, sentence: int) -> set[int]:
        """Return the numbers of the words that matches have in a sentence."""
        if block is not self._block:
            self._block = block
            nodes = len(self._query.nodes)
            self._found = {
                each.number: {place for row in each.rows for place in row[:nodes]}
                for each in self._query.in_block(block)
            }
        return self._found.get(sentence, set())
