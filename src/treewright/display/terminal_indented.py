"""Draw a tree with one word per line: dependents are indented below their heads, in sentence order."""

from __future__ import annotations

from treewright.display.cells import cell_width, cut, isolated, printable
from treewright.display.picture import MISSED, WRONG_HEAD, WRONG_LABEL, Arc, Picture
from treewright.display.relation_colours import COLOURS, colour_of
from treewright.treebank.checks.checks import find_cycles

DIM = "2"
BRANCHES = {False: ("├─ ", "└─ ", "│  ", "   "), True: ("|- ", "`- ", "|  ", "   ")}
DEEPEST = 40  # indented levels; deeper words show their depth as a number


def draw_indented(picture: Picture, width: int = 80, ascii_only: bool = False, coloured: bool = False) -> list[str]:
    """Return the lines of a drawing.

    Arcs below the words, which a tree cannot show, are written after the word: ``also conj of 5``. Words on a cycle or
    without a head follow at the end; the first word of a cycle is treated as if it had no head.
    """
    tree = _IndentedTree(picture)
    rows = [(prefix, place) for prefix, place in tree.walk(BRANCHES[ascii_only])]
    longest = max(8, width // 2)
    forms = [cut(printable(word.text), longest, "~" if ascii_only else "…") for word in picture.words]
    column = max((len(prefix) + cell_width(forms[place - 1]) for prefix, place in rows), default=0) + 2
    labels = max((cell_width(arc.shown_label) for arc in tree.arc_to if arc is not None), default=0) + 2
    lines = []
    for prefix, place in rows:
        form = forms[place - 1]
        padding = " " * (column - len(prefix) - cell_width(form))
        notes = _Line(coloured)
        notes.add(prefix, DIM)
        notes.add(form if ascii_only else isolated(form), DIM if picture.words[place - 1].is_empty else "")
        notes.add(padding)
        _add_relation(notes, picture, tree, place, labels, ascii_only)
        lines.append(notes.text())
    return lines


class _Line:
    """A line of pieces, with or without colours."""

    def __init__(self, coloured: bool) -> None:
        self._coloured = coloured
        self._pieces: list[str] = []

    def add(self, text: str, colour: str = "") -> None:
        self._pieces.append(f"\x1b[{colour}m{text}\x1b[0m" if colour and text.strip() and self._coloured else text)

    def text(self) -> str:
        return "".join(self._pieces).rstrip()


def _add_relation(line: _Line, picture: Picture, tree: _IndentedTree, place: int, width: int, ascii_only: bool) -> None:
    arc = tree.arc_to[place]
    label = printable(arc.shown_label) if arc is not None else ""
    mark = arc.mark if arc is not None else ""
    if ascii_only:
        label = label.replace("→", "->")
    line.add(label, colour_of(label, mark).ansi if label else "")
    tag = printable(picture.words[place - 1].tag)
    notes = [tag] if tag else []
    if mark == WRONG_HEAD:
        notes.append("wrong head")
    elif mark == WRONG_LABEL:
        notes.append("wrong relation")
    if tree.is_on_cycle[place] and arc is not None:
        notes.append(f"head {picture.words[arc.head - 1].number} closes a cycle")
    if notes or tree.further[place]:
        line.add(" " * max(1, width - cell_width(label)))
        line.add("  ".join(notes), COLOURS["wrong"].ansi if arc is not None and arc.is_wrong else DIM)
    for other in tree.further[place]:
        head = f"of {picture.words[other.head - 1].number} {printable(picture.words[other.head - 1].text)}"
        word = "should be" if other.mark == MISSED else "also"
        relation = f"{printable(other.label)} {head}" if other.head else printable(other.label) or "root"
        line.add(f"  {word} {relation}", COLOURS["missed"].ansi if other.mark == MISSED else DIM)


class _IndentedTree:
    """The arcs above the words as a tree, even if they do not form one."""

    def __init__(self, picture: Picture) -> None:
        n = len(picture.words)
        self.arc_to: list[Arc | None] = [None] * (n + 1)
        self.further: list[list[Arc]] = [[] for _ in range(n + 1)]
        self.is_on_cycle = [False] * (n + 1)
        self._children: list[list[int]] = [[] for _ in range(n + 1)]
        for arc in picture.arcs:
            if arc.below or self.arc_to[arc.dependent] is not None:
                self.further[arc.dependent].append(arc)
            else:
                self.arc_to[arc.dependent] = arc
        for place in range(1, n + 1):
            if self._head(place):
                self._children[self._head(place)].append(place)
        self._tops = [place for place in range(1, n + 1) if not self._head(place)]
        rings = [[place] for place in range(1, n + 1) if self._head(place) == place]
        for first, *_ in find_cycles([self._head(place) for place in range(1, n + 1)]) + rings:  # where each is cut
            self._children[self._head(first)].remove(first)
            self.is_on_cycle[first] = True
            self._tops.append(first)

    def _head(self, place: int) -> int:
        arc = self.arc_to[place]
        return arc.head if arc is not None else 0

    def walk(self, branches: tuple[str, str, str, str]) -> list[tuple[str, int]]:
        """Return every word with the text before it, in drawing order; not recursive."""
        tee, elbow, bar, blank = branches
        rows: list[tuple[str, int]] = []
        stack = [("", "", 0, place) for place in reversed(self._tops)]
        while stack:
            prefix, inner, depth, place = stack.pop()
            rows.append((prefix, place))
            children = self._children[place]
            for k in range(len(children) - 1, -1, -1):
                last = k == len(children) - 1
                if depth + 1 > DEEPEST:
                    stack.append((f"({depth + 1}) ", "", depth + 1, children[k]))
                else:
                    below = inner + (blank if last else bar)
                    stack.append((inner + (elbow if last else tee), below, depth + 1, children[k]))
        return rows
