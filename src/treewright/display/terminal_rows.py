"""Break words into rows of the terminal's width, with room for labels and for arcs that continue in other rows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from treewright.display.cells import cell_width
from treewright.display.picture import Arc, Picture, Word
from treewright.display.spacing import FULL_ENOUGH, Slots, arcs_by_end, arcs_by_right_end, arcs_cut, slot_at


@dataclass(frozen=True)
class TerminalRow:
    """The words from ``first`` to ``last`` (positions from 1), and the first cell of each."""

    first: int
    last: int
    edges: Sequence[int]
    width: int

    def edge(self, place: int) -> int:
        """Return the first cell of a word."""
        return self.edges[place - self.first]


class Room:
    """Additional room for crossing arcs: before each word (by position), and at both margins of all rows."""

    def __init__(self, n_words: int) -> None:
        self.before = [0] * (n_words + 1)
        self.at_left = self.at_right = 0


class TerminalRows:
    """The layout of a picture for a width; ``rows`` holds the result."""

    def __init__(self, picture: Picture, width: int, room: Room | None = None) -> None:
        self.picture = picture
        self.width = width
        n = len(picture.words)
        self._room = room or Room(n)
        self._slots = [Slots(n, [arc for arc in picture.arcs if arc.below is below]) for below in (False, True)]
        self._ending = arcs_by_right_end(n, picture.arcs)
        self._at = arcs_by_end(n, picture.arcs)
        # The label of the root has no line next to it and must not touch a neighbouring label.
        self._upright = [
            max((cell_width(arc.shown_label) for arc in arcs if arc.is_upright), default=0) for arcs in self._at
        ]
        # Put air around the labels if one row is enough. With several rows, number the words if arcs continue in
        # another row.
        self.numbered = False
        for self._air, self._gap in ((2, 2), (0, 1)):
            self._measure()
            whole = self._row(1) if n else TerminalRow(1, 0, [], 0)
            if whole.last == n and whole.width <= width:
                self.rows = [whole]
                return
        self.numbered = True
        self._measure()
        self._prepare_breaks()
        self.rows = []
        while not self.rows or self.rows[-1].last < n:
            self.rows.append(self._next_row(self.rows[-1].last + 1 if self.rows else 1))

    def _measure(self) -> None:
        self.word_widths = [0] + [
            max(self._text_width(word), self._upright[place], *(slots.count(place) for slots in self._slots), 1)
            for place, word in enumerate(self.picture.words, 1)
        ]
        for token in self.picture.tokens:  # which may be wider than its words
            words = range(token.first, token.last + 1)
            lacking = cell_width(token.text) - sum(self.word_widths[place] for place in words) - len(words) + 1
            self.word_widths[token.last] += max(0, lacking)

    def _text_width(self, word: Word) -> int:
        return max(cell_width(word.text), cell_width(word.tag), len(word.number) if self.numbered else 0)

    def offset(self, place: int, arc: Arc) -> int:
        """Return the offset in a word's cells where an arc meets it."""
        slots = self._slots[arc.below]
        slot = slot_at(arc, place)
        return (self.word_widths[place] - slots.count(place)) // 2 + slots.rank(place, slot)

    def column(self, row: TerminalRow, place: int, arc: Arc) -> int:
        """Return the column of a row where an arc meets a word."""
        return row.edge(place) + self.offset(place, arc)

    def arcs_at(self, row: TerminalRow) -> list[Arc]:
        """Return the arcs with an end in a row, each once."""
        visible = []
        for place in range(row.first, row.last + 1):
            visible += [arc for arc in self._at[place] if arc.is_upright or arc.left == place or arc.left < row.first]
        return visible

    def _need(self, arc: Arc) -> int:
        return cell_width(arc.shown_label) + 1 + (self._air if arc.label else 0)

    def stub_need(self, arc: Arc, there: int) -> int:
        """Return the cells that an arc needs between its word and the margin, where it names its other end."""
        return cell_width(arc.shown_label) + len(self.picture.words[there - 1].number) + 3

    def _row(self, first: int) -> TerminalRow:
        """Place words as far left as their labels allow, until the row is full."""
        edges: list[int] = []
        position = self._room.at_left if first > 1 else 0
        end = self.width - (self._room.at_right if self.numbered else 0)
        for place in range(first, len(self.picture.words) + 1):
            position += self._room.before[place] if place > first else 0
            for arc in self._ending[place]:
                if arc.left >= first:
                    start = edges[arc.left - first] + self.offset(arc.left, arc) + self._need(arc)
                else:
                    start = self.stub_need(arc, arc.left)
                position = max(position, start - self.offset(place, arc))
            if edges and position + self.word_widths[place] > end:
                break
            edges.append(position)
            position += self.word_widths[place] + self._gap
        last = first + len(edges) - 1
        return TerminalRow(first, last, edges, edges[-1] + self.word_widths[last] if edges else 0)

    def _prepare_breaks(self) -> None:
        """Count the arcs over each gap between words, and the room for arcs to the right of each word."""
        n = len(self.picture.words)
        starting: list[list[tuple[int, int]]] = [[] for _ in range(n + 1)]
        for arc in self.picture.arcs:
            if not arc.is_upright:
                room = self.offset(arc.left, arc) + self.stub_need(arc, arc.right)
                starting[arc.left].append((arc.right, room))
        self._cut = arcs_cut(n, self.picture.arcs)
        self._starting = [sorted(ends) for ends in starting]
        self._room_after: list[list[int]] = []  # the largest room of this and all later ends
        for ends in self._starting:
            rooms = [room for _, room in ends]
            for k in range(len(rooms) - 2, -1, -1):
                rooms[k] = max(rooms[k], rooms[k + 1])
            self._room_after.append(rooms)
        self._most_room = max((rooms[0] for rooms in self._room_after if rooms), default=0)

    def _may_end(self, row: TerminalRow, last: int) -> bool:
        """Return whether arcs that continue after a row have room for label and number before the margin."""
        for place in range(last, row.first - 1, -1):
            if row.edge(place) + self._most_room <= self.width:
                return True
            k = bisect_right(self._starting[place], (last, 1 << 30))
            if k < len(self._starting[place]) and row.edge(place) + self._room_after[place][k] > self.width:
                return False
        return True

    def _next_row(self, first: int) -> TerminalRow:
        row = self._row(first)
        if row.last == len(self.picture.words):
            return row
        ends = [last for last in range(row.last, first - 1, -1) if self._may_end(row, last)]
        full = [last for last in ends if row.edge(last) + self.word_widths[last] >= FULL_ENOUGH * self.width]
        last = min(full, key=lambda end: (self._cut[end], -end)) if full else max(ends, default=row.last)
        edges = row.edges[: last - first + 1]
        width = max(edges[-1] + self.word_widths[last], self.width if self._cut[last] else 0)
        for place in range(last, first - 1, -1):  # an end without enough room makes the row wider
            if row.edge(place) + self._most_room <= width:
                break
            k = bisect_right(self._starting[place], (last, 1 << 30))
            if k < len(self._starting[place]):
                width = max(width, row.edge(place) + self._room_after[place][k])
        return TerminalRow(first, last, edges, width)
