"""The sentences to look at: where two parses differ most, or where one has most errors."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from treewright.analysis.inputs import Piece
from treewright.evaluation.attachment import Convention
from treewright.evaluation.comparison import Comparison
from treewright.evaluation.tally import right_per_sentence
from treewright.treebank.sentences.sentence import Sentence


@dataclass(frozen=True)
class Extreme:
    """A sentence with its trees; an error is a wrong word."""

    number: int  # in the treebank, from 1
    line: int  # of the gold file
    sent_id: str
    words: int
    first_errors: int
    second_errors: int | None
    gold: Sentence
    first: Sentence
    second: Sentence | None


class Extremes:
    """Keeps only the few sentences that stand out."""

    def __init__(self, convention: Convention, wanted: int) -> None:
        self._convention, self._wanted = convention, wanted
        self._seen = 0
        # First parse better, second parse better (with one parse: most errors): (margin, -words, -number, sentence)
        self._heaps: list[list[tuple[int, int, int, Extreme]]] = [[], []]

    def add(self, piece: Piece) -> None:
        """Consider the sentences of a piece."""
        ignored, wanted = self._convention.ignored_flags, self._convention.right_flags
        words, first = right_per_sentence(piece.first, ignored, wanted)
        second = right_per_sentence(piece.second, ignored, wanted)[1] if piece.second is not None else words
        for place, (scored, a, b) in enumerate(zip(words, first, second, strict=True)):
            if a != b and self._wanted > 0:
                self._offer(piece, place, int(b > a), abs(a - b), scored)
        self._seen += len(words)

    def _offer(self, piece: Piece, place: int, which: int, weight: int, scored: int) -> None:
        heap = self._heaps[which]
        key = (weight, -scored, -(self._seen + place + 1))
        if len(heap) < self._wanted:
            heapq.heappush(heap, (*key, self._extreme(piece, place)))
        elif key > heap[0][:3]:
            heapq.heapreplace(heap, (*key, self._extreme(piece, place)))

    def _extreme(self, piece: Piece, place: int) -> Extreme:
        pair, other = piece.first, piece.second
        return Extreme(
            number=self._seen + place + 1,
            line=pair.gold.line_of(pair.gold_from + place),
            sent_id=pair.gold.sent_id(pair.gold_from + place),
            words=pair.first_word[place + 1] - pair.first_word[place],
            first_errors=self._errors(pair, place),
            second_errors=None if other is None else self._errors(other, place),
            gold=Sentence.from_block(pair.gold, pair.gold_from + place),
            first=Sentence.from_block(pair.system, pair.system_from + place),
            second=None if other is None else Sentence.from_block(other.system, other.system_from + place),
        )

    def _errors(self, pair: Comparison, place: int) -> int:
        ignored, wanted = self._convention.ignored_flags, self._convention.right_flags
        flags = pair.flags[pair.first_word[place] : pair.first_word[place + 1]]
        return sum(not flag & ignored and flag & wanted != wanted for flag in flags)

    def found(self) -> tuple[list[Extreme], list[Extreme]]:
        """Return where the first parse is better and where the second is; with one parse, the worst come second."""
        first, second = (
            [extreme for *_, extreme in sorted(heap, key=lambda item: item[:3], reverse=True)] for heap in self._heaps
        )
        return first, second
