"""Pictures made by hypothesis, and a reader of terminal drawings that knows nothing of how they are made."""

from hypothesis import strategies as st

from treewright.display.picture import Arc, Picture, Word

LETTERS = st.sampled_from(["a", "of", "tree", "wright", "語", "木々", "naïve", "e\u0301te\u0301", "…", "x" * 11])


@st.composite
def pictures(draw, max_words=14, below=True):
    """Trees (projective or not, also partial ones), with arcs below at will; each label is there once."""
    n = draw(st.integers(1, max_words))
    words = [Word(draw(LETTERS), number=str(place)) for place in range(1, n + 1)]
    arcs = []
    for place in range(1, n + 1):
        head = draw(st.integers(0, n))
        if head != place:
            arcs.append(Arc(head, place, f"r{place}"))
    if below:
        pairs = draw(st.lists(st.tuples(st.integers(1, n), st.integers(1, n)), unique=True, max_size=6))
        arcs += [Arc(head, place, f"b{k}", below=True) for k, (head, place) in enumerate(pairs) if head != place]
    return Picture(words, arcs)


# Which ways lead out of a sign.
WAYS = {
    **dict(zip(" ╵╷│╴┘┐┤╶└┌├─┴┬┼", range(16))),  # noqa: B905
    "▼": 3,
    "▲": 3,
}
UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8


class Reading:
    """The arcs of a drawing without wide characters, found by following its lines."""

    def __init__(self, lines, numbers):
        self.arcs = set()
        self.numbers = numbers
        rows, row = [], []
        for line in [*lines, ""]:
            if line:
                row.append(line)
            elif row:
                rows.append(row)
                row = []
        first = 0
        for row in rows:
            first = self._read_row(row, first)

    def _read_row(self, lines, first):
        """Read the words of one row and the arcs that end there; return how many words there were so far."""
        width = max(map(len, lines))
        self.cells = [line.ljust(width) for line in lines]
        at = next(k for k, line in enumerate(lines) if any(word in line for word in self.numbers))
        self.words = []  # (first cell, after the last, place)
        position = 0
        for word in self.cells[at].split():
            start = self.cells[at].index(word, position)
            position = start + len(word)
            first += 1
            self.words.append((start, position, first))
        for k, line in enumerate(self.cells):
            for column, sign in enumerate(line):
                if sign in "▼▲":
                    self._climb(k, column, UP if sign == "▼" else DOWN)
        return first

    def _sign(self, row, column):
        if 0 <= row < len(self.cells) and 0 <= column < len(self.cells[row]):
            return self.cells[row][column]
        return " "

    def _word_at(self, column):
        """Return the word that a leg in a column belongs to: the one that it stands over, or the nearest."""
        return min(self.words, key=lambda word: max(word[0] - column, column - word[1] + 1, 0))[2]

    def _climb(self, row, column, way):
        dependent = self._word_at(column)
        step, back = (-1, DOWN) if way == UP else (1, UP)
        while True:
            row += step
            ways = WAYS.get(self._sign(row, column))
            if ways is None:  # a label: that of the root
                self.arcs.add((0, dependent, self._label(row, column), way == DOWN))
                return
            assert ways & back, f"a leg that comes from nowhere, at {row}, {column}"
            for side, move in ((LEFT, -1), (RIGHT, 1)):
                if ways & side and ways != 15:
                    self._run(row, column, move, dependent, way == DOWN)
            if not ways & way:
                return

    def _label(self, row, column):
        line = self.cells[row]
        start = column
        while start and line[start - 1].isalnum():
            start -= 1
        end = column
        while end < len(line) and line[end].isalnum():
            end += 1
        return line[start:end]

    def _run(self, row, column, move, dependent, below):
        """Follow an arc to its other end, where it does not go on."""
        label, onwards, text = "", RIGHT if move > 0 else LEFT, ""
        while True:
            column += move
            sign = self._sign(row, column)
            if sign in "▸◂" or not 0 <= column < len(self.cells[row]):
                number = self._number(row, column, move)
                self.arcs.add((number, dependent, label, below))
                return
            if sign in WAYS and sign != " ":
                if not WAYS[sign] & onwards:
                    break
                continue
            text = self._label(row, column)
            label = text
        self.arcs.add((self._word_at(column), dependent, label, below))

    def _number(self, row, column, move):
        line = self.cells[row]
        return int(line[column + 1 :].split()[0]) if move > 0 else int(line[:column].split()[-1])
