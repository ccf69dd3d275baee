"""A sentence being edited: its lines as text, of which an edit changes as few as it can.

A change of one cell rewrites one line. Where words come or go, the words after them get other numbers, and so do the
IDs, heads, enhanced arcs and multiword ranges that name them; nothing else changes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence, Set

from treewright.errors import TreewrightError

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
ID, FORM, HEAD, DEPREL, DEPS, MISC = 0, 1, 6, 7, 8, 9
EDITABLE = ("FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "DEPREL", "DEPS", "MISC")
WORD = re.compile(r"[0-9]+\Z")
RANGE = re.compile(r"([0-9]+)-([0-9]+)\Z")
EMPTY = re.compile(r"([0-9]+)\.([0-9]+)\Z")
LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")  # other signs that end lines elsewhere are part of a value
MARK = "\ufeff"  # the byte order mark that some files begin with
NODE = re.compile(r"[0-9]+(\.[0-9]+)?\Z")

Renumber = Callable[[int], int]  # from the old number of a word to the new one; 0 stays, gone words give 0


class EditError(TreewrightError):
    """An edit that this sentence cannot take."""


class Draft:
    """The lines of a sentence; ``text`` gives them back."""

    def __init__(self, text: str) -> None:
        self.mark = MARK if text.startswith(MARK) else ""
        self.lines = LINE.findall(text.removeprefix(MARK))
        first = next(iter(self.lines), "\n")
        self.line_end = "\r\n" if first.endswith("\r\n") else "\n"

    @property
    def text(self) -> str:
        """The sentence as it is now."""
        return self.mark + "".join(self.lines)

    # Looking at lines

    def rows(self) -> list[tuple[int, list[str]]]:
        """Return the place and the cells of every line of a token."""
        return [(place, _cells(line)) for place, line in enumerate(self.lines) if _is_row(line)]

    def words(self) -> list[tuple[int, list[str]]]:
        """Return the place and the cells of every word."""
        return [row for row in self.rows() if WORD.match(row[1][ID])]

    def row(self, token: str) -> tuple[int, list[str]]:
        """Return the place and the cells of a token by its ID, such as 3, 3-4 or 3.1."""
        for row in self.rows():
            if row[1][ID] == token:
                return row
        raise EditError(f"the sentence has no token {token}")

    def word(self, number: int) -> tuple[int, list[str]]:
        """Return the place and the cells of a word."""
        return self.row(str(number))

    def put(self, place: int, cells: list[str]) -> None:
        """Replace a line by new cells, if they differ."""
        if _cells(self.lines[place]) != cells:
            end = self.lines[place][len(self.lines[place].rstrip("\r\n")) :]
            self.lines[place] = "\t".join(cells) + end

    @property
    def comments(self) -> list[str]:
        """The comments, without line ends."""
        return [line.rstrip("\r\n") for line in self.lines if line.startswith("#")]

    # Edits of one line

    def set_cell(self, token: str, column: str, value: str) -> None:
        """Write a cell; an empty value is written as `_`."""
        if column not in EDITABLE:
            raise EditError(f"{column} cannot be set as text; the columns are {', '.join(EDITABLE)}")
        if column == "FORM" and not value.strip():
            raise EditError("a word needs a form")
        place, cells = self.row(token)
        cells[COLUMNS.index(column)] = _clean(value, column)
        self.put(place, cells)

    def attach(self, number: int, head: int | None, relation: str | None = None) -> None:
        """Give a word a head (0: the root, None: none), and a relation unless that stays."""
        _check_head(number, head, len(self.words()))
        place, cells = self.word(number)
        self.put(place, _attached(cells, head, relation))

    def set_tree(self, heads: list[int | None], relations: list[str]) -> None:
        """Give every word its head and relation."""
        words = self.words()
        if not len(words) == len(heads) == len(relations):
            raise EditError(f"the sentence has {len(words)} words: give as many heads and relations")
        for number, ((place, cells), head, relation) in enumerate(zip(words, heads, relations, strict=True), 1):
            _check_head(number, head, len(words))
            self.put(place, _attached(cells, head, relation))

    def fill_tags(self, tags: list[list[str]]) -> None:
        """Write LEMMA, UPOS, XPOS and FEATS of every word where they are empty."""
        words = self.words()
        if len(tags) != len(words) or any(len(own) != 4 for own in tags):
            raise EditError("tags are given for every word: lemma, upos, xpos, feats")
        for (place, cells), own in zip(words, tags, strict=True):
            names = COLUMNS[2:6]
            filled = [
                _clean(new, name) if old == "_" else old for old, new, name in zip(cells[2:6], own, names, strict=True)
            ]
            self.put(place, [*cells[:2], *filled, *cells[6:]])

    def set_comments(self, comments: list[str]) -> None:
        """Replace the comments; lines that stay the same stay as they are."""
        if any("\n" in comment or "\r" in comment for comment in comments):
            raise EditError("a comment is one line")
        old = {line.rstrip("\r\n"): line for line in self.lines if line.startswith("#")}
        new = [comment if comment.startswith("#") else f"# {comment}" for comment in comments]
        others = [line for line in self.lines if not line.startswith("#")]
        self.lines = [old.get(comment, comment + self.line_end) for comment in new] + others

    # Multiword tokens and empty nodes

    def join(self, first: int, last: int, form: str) -> None:
        """Put a multiword token over some words."""
        if not 1 <= first < last <= len(self.words()):
            raise EditError("a multiword token spans two words or more of the sentence")
        for _, cells in self.rows():
            if (given := RANGE.match(cells[ID])) and int(given[1]) <= last and first <= int(given[2]):
                raise EditError(f"the multiword token {cells[ID]} is in the way")
        self.lines.insert(self.word(first)[0], self._new_line(f"{first}-{last}", form))

    def remove_token(self, token: str) -> None:
        """Remove a multiword token, whose words stay, or an empty node, with the arcs from it."""
        place, _ = self.row(token)
        if WORD.match(token):
            raise EditError("words are deleted with `delete`, which numbers the others again")
        del self.lines[place]
        if EMPTY.match(token):
            self._renumber_nodes(lambda node: None if node == token else node)

    def add_empty(self, after: int, form: str) -> str:
        """Add an empty node after a word (0: at the beginning); return its ID."""
        words = self.words()
        if not 0 <= after <= len(words):
            raise EditError(f"the sentence has no word {after}")
        taken = [
            int(found[2]) for _, cells in self.rows() if (found := EMPTY.match(cells[ID])) and int(found[1]) == after
        ]
        node = f"{after}.{max(taken, default=0) + 1}"
        rows = self.rows()
        places = [place for place, cells in rows if _position(cells[ID]) <= (after, max(taken, default=0))]
        at = max(places) + 1 if places else rows[0][0]
        self.lines.insert(at, self._new_line(node, form))
        return node

    def _new_line(self, token: str, form: str, head: str = "_", misc: str = "_") -> str:
        cells = [token, _clean(form, "FORM"), *["_"] * 4, head, "_", "_", misc]
        return "\t".join(cells) + self.line_end

    # Words that come and go

    def split(self, number: int, forms: list[str]) -> None:
        """Replace a word by several; the first keeps its annotation, the others depend on it."""
        if len(forms) < 2 or not all(form.strip() for form in forms):
            raise EditError("a word is split into two forms or more")
        place, cells = self.word(number)
        more = len(forms) - 1
        self._renumber(lambda old: old + more if old > number else old)
        place, cells = self.word(number)
        cells[FORM] = _clean(forms[0], "FORM")
        misc, cells[MISC] = cells[MISC], "_"
        self.put(place, cells)
        self.lines[place + 1 : place + 1] = [
            self._new_line(str(number + i), form, str(number), misc if i == more else "_")
            for i, form in enumerate(forms[1:], 1)
        ]

    def merge(self, first: int, last: int) -> None:
        """Replace neighbouring words by one, which has the head of the one that was attached outside."""
        words = self.words()
        if not 1 <= first < last <= len(words):
            raise EditError("two neighbouring words or more are merged")
        rows = [cells for _, cells in words[first - 1 : last]]
        outside = next((cells for cells in rows if not first <= _number(cells[HEAD]) <= last), rows[0])
        place, cells = self.word(first)
        cells[2:9], cells[MISC] = outside[2:9], rows[-1][MISC]
        cells[FORM] = "".join(row[FORM] for row in rows)
        self.put(place, cells)
        inside = {str(number) for number in range(first, last + 1)}
        self._move_dependents(inside - {str(first)}, str(first))
        self._renumber_nodes(lambda node: str(first) if node in inside else node)
        place, cells = self.word(first)
        arcs = [arc for arc in cells[DEPS].split("|") if arc.partition(":")[0] != str(first)]
        self.put(place, [*cells[:DEPS], "|".join(arcs) or "_", *cells[DEPS + 1 :]])
        self._take_out(first + 1, last)

    def insert(self, after: int, form: str) -> None:
        """Add a word after another (0: at the beginning)."""
        words = self.words()
        if not 0 <= after <= len(words):
            raise EditError(f"the sentence has no word {after}")
        self._renumber(lambda old: old + 1 if old > after else old)
        rows = self.rows()
        places = [place for place, cells in rows if _position(cells[ID])[0] <= after and not RANGE.match(cells[ID])]
        at = max(places) + 1 if places else len(self.comments)
        self.lines.insert(at, self._new_line(str(after + 1), form))

    def delete(self, number: int) -> None:
        """Delete a word; what depends on it goes to its head, a multiword token over one word less stays."""
        if len(self.words()) < 2:
            raise EditError("a sentence needs a word")
        _, cells = self.word(number)
        self._move_dependents({str(number)}, cells[HEAD])
        self._take_out(number, number)

    def _move_dependents(self, heads: Set[str], head: str) -> None:
        """Attach the dependents of some words to another."""
        for place, cells in self.rows():
            if cells[HEAD] in heads:
                self.put(place, [*cells[:HEAD], head, *cells[HEAD + 1 :]])

    def _take_out(self, first: int, last: int) -> None:
        """Remove words with the multiword tokens that need them, and number the others again."""

        def new(old: int) -> int:
            return old if old < first else 0 if old <= last else old - (last + 1 - first)

        def goes(token: str) -> bool:
            if span := RANGE.match(token):
                return sum(map(bool, map(new, range(int(span[1]), int(span[2]) + 1)))) < 2
            return WORD.match(token) is not None and not new(int(token))

        gone = {place for place, cells in self.rows() if goes(cells[ID])}
        self.lines = [line for place, line in enumerate(self.lines) if place not in gone]
        self._renumber(new)

    def _renumber(self, new: Renumber) -> None:
        """Number the words again, wherever they are named; arcs from words that are gone go with them."""
        rows = self.rows()
        behind = Counter(int(found[1]) for _, cells in rows if (found := EMPTY.match(cells[ID])))
        landing = {0: (0, 0)}  # of every word: the last one up to it that stays, and the empty nodes between
        for word in range(1, max((_position(cells[ID])[0] for _, cells in rows), default=0) + 1):
            before, between = landing[word - 1]
            landing[word] = (new(word), 0) if new(word) else (before, between + behind[word - 1])

        def node(name: str) -> str | None:
            if found := EMPTY.match(name):
                word, others = landing.get(int(found[1]), (new(int(found[1])), 0))
                return f"{word}.{int(found[2]) + others}"
            number = new(int(name))
            return str(number) if number or name == "0" else None

        for place, cells in self.rows():
            changed = list(cells)
            if found := RANGE.match(cells[ID]):
                first, last = int(found[1]), int(found[2])
                kept = [number for number in (new(old) for old in range(first, last + 1)) if number]
                changed[ID] = f"{min(kept)}-{max(kept)}"
            else:
                changed[ID] = node(cells[ID]) or cells[ID]
            if WORD.match(cells[HEAD]):
                changed[HEAD] = node(cells[HEAD]) or "_"
            self.put(place, changed)
        self._renumber_nodes(node)

    def _renumber_nodes(self, node: Callable[[str], str | None]) -> None:
        """Rename the nodes that enhanced arcs come from; None drops the arc."""
        for place, cells in self.rows():
            if cells[DEPS] == "_":
                continue
            arcs = [arc.partition(":") for arc in cells[DEPS].split("|")]
            renamed = [(node(head) if NODE.match(head) else head, relation) for head, _, relation in arcs]
            text = "|".join(f"{head}:{relation}" for head, relation in renamed if head is not None)
            self.put(place, [*cells[:DEPS], text or "_", *cells[DEPS + 1 :]])


def sorted_deps(arcs: Sequence[tuple[str, str]]) -> str:
    """Return enhanced arcs as DEPS, ordered by head as UD wants it."""
    listed = list(arcs)
    for head, relation in listed:
        if not NODE.match(head) or not relation:
            raise EditError(f"an enhanced arc is a node and a relation, not {head}:{relation}")
    ordered = sorted(listed, key=lambda arc: (_position(arc[0]), arc[1]))
    return "|".join(f"{head}:{relation}" for head, relation in ordered) or "_"


def _check_head(number: int, head: int | None, n: int) -> None:
    if head is not None and not 0 <= head <= n:
        raise EditError(f"{head} is no word of the sentence: heads are 0 to {n}")
    if head == number:
        raise EditError("a word cannot be its own head")


def _attached(cells: list[str], head: int | None, relation: str | None) -> list[str]:
    """Return the cells of a word with another head; without any, the relation goes too."""
    kept = "_" if head is None else cells[DEPREL]
    label = kept if relation is None else _clean(relation, "DEPREL")
    return [*cells[:HEAD], "_" if head is None else str(head), label, *cells[DEPREL + 1 :]]


def _is_row(line: str) -> bool:
    return bool(line.strip()) and not line.startswith("#") and "\t" in line


def _cells(line: str) -> list[str]:
    cells = line.rstrip("\r\n").split("\t")
    return cells + ["_"] * (len(COLUMNS) - len(cells))


def _position(node: str) -> tuple[int, int]:
    """Return where a token stands: by the number of the word, then of the empty node after it."""
    first, _, second = node.split("-")[0].partition(".")
    return int(first), int(second or 0)


def _number(cell: str) -> int:
    return int(cell) if WORD.match(cell) else 0


def _clean(value: str, column: str) -> str:
    """Return a value as a cell holds it."""
    if any(sign in value for sign in "\t\n\r"):
        raise EditError(f"{column} holds no tabs and no line ends")
    value = value.strip()
    if " " in value and column not in ("FORM", "LEMMA", "MISC"):
        raise EditError(f"{column} holds no spaces")
    return value or "_"
