"""Draw arcs above and below the words, in terminal cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from treewright.display.canvas import Canvas
from treewright.display.cells import LEFT_TO_RIGHT_MARK, cell_width, cut, isolated, printable
from treewright.display.levels import assign_levels
from treewright.display.picture import MISSED, WRONG_HEAD, Arc, MultiwordToken, Picture
from treewright.display.relation_colours import colour_of
from treewright.display.spacing import MOST_STUBS, nesting
from treewright.display.terminal_rows import Room, TerminalRow, TerminalRows

DIM = "2"
MARKED = "1;4"  # bold and underlined
TRIES = 20  # attempts to make room for labels between crossing arcs; four are rarely too few


class _Signs(NamedTuple):
    down: str
    up: str
    to_right: str
    to_left: str
    cut: str
    wrong: str
    missed: str
    instead: str


UNICODE = _Signs("▼", "▲", "▸", "◂", "…", "✗", "✓", "→")
ASCII = _Signs("v", "^", ">", "<", "~", "!", "+", "->")


@dataclass
class _Item:
    """An arc, or its part in one row."""

    arc: Arc
    left: int  # cells
    right: int
    ends: list[int]  # columns of its legs
    arrow: int | None  # the column of the leg to the dependent
    label: str
    margin: str = ""  # at the end of a part: the number of the word at the other end
    at_left_margin: bool = False
    level: int = 0


def draw_arcs(picture: Picture, width: int = 80, ascii_only: bool = False, coloured: bool = False) -> list[str]:
    """Return the lines of a drawing, at most ``width`` cells wide unless a single word with its label needs more."""
    signs = ASCII if ascii_only else UNICODE
    prepared = _prepare(picture, width, signs)
    room = Room(len(prepared.words))
    for _ in range(TRIES):
        rows = TerminalRows(prepared, width, room)
        items = [_items_of(rows, row, signs) for row in rows.rows]
        widened = [_widen(row_items, room) for row_items in items]  # all rows, not only the first that needs it
        if not any(widened):
            break
    lines: list[str] = []
    drawn = [
        _draw_row(rows, row, row_items, ascii_only, coloured, picture.right_to_left)
        for row, row_items in zip(rows.rows, items, strict=True)
    ]
    if picture.right_to_left:  # words are in reverse order, so the last row begins the sentence
        drawn.reverse()
    for row_lines in drawn:
        lines += [*([""] if lines else []), *row_lines]
    return lines


def _prepare(picture: Picture, width: int, signs: _Signs) -> Picture:
    """Make all text printable, and start right-to-left text at the right."""
    longest = max(8, width - 4)

    def shown(text: str) -> str:
        return cut(printable(text), longest, signs.cut)

    words = [
        replace(
            word,
            text=shown(word.text) or " ",
            tag=shown(word.tag.replace("→", signs.instead)),
            number=printable(word.number),
        )
        for word in picture.words
    ]
    arcs = [Arc(arc.head, arc.dependent, shown(_marked_label(arc, signs)), arc.below, arc.mark) for arc in picture.arcs]
    tokens = [MultiwordToken(token.first, token.last, shown(token.text)) for token in picture.tokens]
    made = Picture(words, arcs, right_to_left=picture.right_to_left, tokens=tokens)
    return made.mirrored() if picture.right_to_left else made


def _marked_label(arc: Arc, signs: _Signs) -> str:
    """Return the label with a sign for its mark, visible without colours."""
    sign = {WRONG_HEAD: signs.wrong, MISSED: signs.missed}.get(arc.mark, "")
    return sign + arc.label.replace("→", signs.instead)


# Positions of arcs


def _items_of(rows: TerminalRows, row: TerminalRow, signs: _Signs) -> dict[bool, list[_Item]]:
    """Return the arcs visible in a row, above and below, with their levels."""
    made: dict[bool, list[_Item]] = {False: [], True: []}
    going_on: dict[tuple[int, bool, bool], int] = {}
    for arc in rows.arcs_at(row):
        here = [place for place in (arc.left, arc.right) if row.first <= place <= row.last]
        if len(here) == 1 and not arc.is_upright and here[0] == arc.head:
            key = (arc.head, arc.below, arc.left == arc.head)
            going_on[key] = going_on.get(key, 0) + 1
            if going_on[key] > MOST_STUBS:
                continue
        made[arc.below].append(_item(rows, row, arc, here, signs))
    for items in made.values():
        items.sort(key=lambda item: (nesting(item.arc), item.right - item.left))
        levels = assign_levels([(item.left, item.right) for item in items])
        for item, level in zip(items, levels):  # noqa: B905
            item.level = level
    return made


def _item(rows: TerminalRows, row: TerminalRow, arc: Arc, here: list[int], signs: _Signs) -> _Item:
    columns = {place: rows.column(row, place, arc) for place in here}
    arrow = columns.get(arc.dependent)
    if arc.is_upright:
        column, width = columns[arc.dependent], cell_width(arc.shown_label)
        edge = row.edge(arc.dependent)
        left = max(edge, min(column - width // 2, edge + rows.word_widths[arc.dependent] - width))
        return _Item(arc, min(left, column), max(left + width - 1, column), [column], arrow, arc.shown_label)
    if len(here) == 2:
        return _Item(arc, columns[arc.left], columns[arc.right], list(columns.values()), arrow, arc.label)
    (column,) = columns.values()
    there = arc.right if here[0] == arc.left else arc.left
    number = rows.picture.words[there - 1].number
    rightwards = arc.dependent > arc.head
    pointer = signs.to_right if rightwards else signs.to_left
    if there > here[0]:
        return _Item(arc, column, row.width - 1, [column], arrow, arc.label, pointer + number)
    return _Item(arc, 0, column, [column], arrow, arc.label, number + pointer, at_left_margin=True)


def _leg_tops(items: Sequence[_Item]) -> dict[int, int]:
    """Return the height of the highest leg in each column."""
    tops: dict[int, int] = {}
    for item in items:
        for column in item.ends:
            tops[column] = max(tops.get(column, 0), item.level)
    return tops


def _label_place(item: _Item, tops: dict[int, int]) -> tuple[int, int]:
    """Return the start of an arc's label, and the number of cells missing to avoid crossing legs."""
    margin = cell_width(item.margin)
    first = item.left + (margin if item.at_left_margin else 1)
    last = item.right - (margin if item.margin and not item.at_left_margin else 1)
    width = cell_width(item.label)
    stretches, start = [], first
    for column in range(first, last + 2):
        if column == last + 1 or tops.get(column, 0) >= item.level:
            stretches.append((start, column - start))
            start = column + 1
    aim = (first + 1 if item.at_left_margin else last - width) if item.margin else (first + last + 1 - width) // 2
    best, lacking = first, max(0, width - max((size for _, size in stretches), default=0))
    nearest = None
    for start, size in stretches:
        if size >= width:
            air = 1 if size >= width + 2 else 0
            place = min(max(aim, start + air), start + size - width - air)
            if nearest is None or abs(place - aim) < nearest:
                nearest, best = abs(place - aim), place
        elif nearest is None and size == width - lacking:
            best = max(first, min(start, last + 1 - width))
    return best, lacking


def _widen(made: dict[bool, list[_Item]], room: Room) -> bool:
    """Request more room where crossing arcs leave none for a label or number; return whether any was needed."""
    widened = False
    for items in made.values():
        tops = _leg_tops(items)
        for item in items:
            if item.arc.is_upright:
                continue
            lacking = _label_place(item, tops)[1]
            if item.margin and (lacking or _is_crossed_at_margin(item, tops)):
                need = cell_width(item.margin) + cell_width(item.label) + 2
                before = (room.at_left, room.at_right)
                if item.at_left_margin:
                    room.at_left = max(room.at_left, need)
                else:
                    room.at_right = max(room.at_right, need)
                widened = widened or before != (room.at_left, room.at_right)
            elif lacking:
                room.before[item.arc.right] += lacking
                widened = True
    return widened


def _is_crossed_at_margin(item: _Item, tops: dict[int, int]) -> bool:
    """Return whether a leg overlaps the number at the margin."""
    width = cell_width(item.margin)
    start = 0 if item.at_left_margin else item.right + 1 - width
    return any(tops.get(column, 0) >= item.level for column in range(start, start + width))


# Drawing


def _draw_row(
    rows: TerminalRows,
    row: TerminalRow,
    made: dict[bool, list[_Item]],
    ascii_only: bool,
    coloured: bool,
    right_to_left: bool,
) -> list[str]:
    signs = ASCII if ascii_only else UNICODE
    above, below = ([item.level for item in made[side]] for side in (False, True))
    top, bottom = max(above, default=-1) + 1, max(below, default=-1) + 1
    words = range(row.first, row.last + 1)
    tagged = any(rows.picture.words[place - 1].tag for place in words)
    n_texts = 1 + tagged + rows.numbered
    width = max([row.width, *(item.right + 1 for items in made.values() for item in items)])
    tokens = _tokens_of(rows, row)
    first = top + bool(tokens)  # the line of the words
    canvas = Canvas(first + n_texts + bottom, width, ascii_only)
    under = {column for left, right, _ in tokens for column in range(left, right + 1)}

    def foot(column: int) -> int:
        return top - 1 if column in under else first - 1

    for item in made[False]:
        _draw_item(canvas, item, top - 1 - item.level, foot, signs)
    for item in made[True]:
        _draw_item(canvas, item, first + n_texts + item.level, lambda _: first + n_texts, signs)
    for side in (False, True):
        tops = _leg_tops(made[side])
        for item in made[side]:
            line = first + n_texts + item.level if side else top - 1 - item.level
            _draw_label(canvas, item, line, tops)
    for left, right, text in tokens:
        _draw_token(canvas, top, left, right, text, ascii_only)
    for place in words:
        _draw_word(canvas, rows, row, place, first, tagged, ascii_only)
    mark = LEFT_TO_RIGHT_MARK if right_to_left and not ascii_only else ""
    return [mark + line for line in canvas.lines(coloured)]


def _tokens_of(rows: TerminalRows, row: TerminalRow) -> list[tuple[int, int, str]]:
    """Return the first and last cell and the form of the multiword tokens in a row."""
    spans = []
    for token in rows.picture.tokens:
        first, last = max(token.first, row.first), min(token.last, row.last)
        if first <= last:
            spans.append((row.edge(first), row.edge(last) + rows.word_widths[last] - 1, token.text))
    return spans


def _draw_token(canvas: Canvas, line: int, left: int, right: int, text: str, ascii_only: bool) -> None:
    """Draw a multiword token over its words: its form between brackets."""
    start, run, end = (".", "-", ".") if ascii_only else ("┌", "─", "┐")
    room = right - left + 1 - cell_width(text)
    before, after = max(0, room) // 2, max(0, room) - max(0, room) // 2
    if before:
        canvas.text(line, left, start + run * (before - 1), DIM)
        canvas.text(line, right + 1 - after, run * (after - 1) + end, DIM)
    canvas.text(line, left + before, text, "", text if ascii_only else isolated(text))


def _draw_item(canvas: Canvas, item: _Item, line: int, at_word: Callable[[int], int], signs: _Signs) -> None:
    """Draw the lines of an arc: its run at ``line``, and its legs to the line next to the words, by column."""
    colour = colour_of(item.arc.label, item.arc.mark).ansi
    if not item.arc.is_upright:
        canvas.horizontal(line, item.left, item.right, colour)
    for column in item.ends:
        if item.arc.below:
            canvas.vertical_up(column, at_word(column), line, colour)
        else:
            canvas.vertical(column, line, at_word(column), colour)
    if item.arrow is not None:
        canvas.text(at_word(item.arrow), item.arrow, signs.up if item.arc.below else signs.down, colour)


def _draw_label(canvas: Canvas, item: _Item, line: int, tops: dict[int, int]) -> None:
    colour = colour_of(item.arc.label, item.arc.mark).ansi
    if item.margin:
        column = 0 if item.at_left_margin else item.right + 1 - cell_width(item.margin)
        canvas.text(line, column, item.margin, DIM)
    if item.arc.is_upright:
        width = cell_width(item.label)
        column = max(item.left, min(item.ends[0] - width // 2, item.right + 1 - width))
        canvas.text(line, column, item.label or " ", colour)
    elif item.label:
        canvas.text(line, _label_place(item, tops)[0], item.label, colour)


def _draw_word(
    canvas: Canvas, rows: TerminalRows, row: TerminalRow, place: int, line: int, tagged: bool, ascii_only: bool
) -> None:
    """Centre a word and its tag in its cells."""
    word = rows.picture.words[place - 1]
    texts = [(word.text, MARKED if word.is_marked else DIM if word.is_empty else "")]
    if tagged:
        texts.append(
            (word.tag, colour_of("", WRONG_HEAD).ansi if word.wrong_tag else MARKED if word.is_marked else DIM)
        )
    if rows.numbered:
        texts.append((word.number, DIM))
    for k, (text, colour) in enumerate(texts):
        if text:
            column = row.edge(place) + (rows.word_widths[place] - cell_width(text)) // 2
            canvas.text(line + k, column, text, colour, text if ascii_only else isolated(text))
