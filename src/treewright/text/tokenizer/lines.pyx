"""Which ends of lines mean something.

A blank line ends a sentence. The end of a line may do so too (a sentence a line, titles, verses, chats), or be there
only because the next word had no room (text wrapped at 80 columns). The text itself tells: in wrapped text, the first
word of a line would not have fitted at the end of the line before.
"""
from treewright.errors import CombinationError
from treewright.text.tokenizer.characters cimport (
    CLOSE, IDEOGRAPH, KANA, LINE_END, LOWER, NO_CAPITALS, NO_STOPS, QUOTE, SOFT, SPACE, STOP, UPPER, Characters,
)

NEWLINES = ("auto", "paragraph", "sentence", "ignore")

cdef enum:
    NARROWEST = 40           # columns: nobody wraps prose at fewer

cdef enum:
    LEAST_SMALL = 10         # words of a text in which capitals are missed
    LEAST_UNPUNCTUATED = 30  # and full stops
    CAPITALS_IN = 50         # words among which ordinary text has a capital
    STOPS_IN = 200           # and a full stop

cdef double WRAPPED = 0.75   # share of line ends that lack of room explains, in wrapped text
cdef double ENDED = 0.6      # share of lines that end like sentences, from which every line is taken for one
cdef double COVERED = 0.95   # share of lines that are no longer than the width


cdef inline bint is_wide(int kind) noexcept nogil:
    return kind == IDEOGRAPH or kind == KANA


cdef inline int columns_of(Characters text, Py_ssize_t at) noexcept nogil:
    """The columns that a character takes: an ideograph takes two, and so does the punctuation that goes with it."""
    return 2 if is_wide(text.kind[at]) or 0x3000 <= text.code[at] <= 0x303F or 0xFF00 <= text.code[at] <= 0xFF60 else 1


cdef int first_word(Characters text, Py_ssize_t at) noexcept nogil:
    """Return the columns of the word at the beginning of a line: of one character where there are no spaces."""
    cdef int columns = 0
    while at < text.n and text.kind[at] != SPACE and columns < 1000:
        columns += columns_of(text, at)
        at += 1
        if is_wide(text.kind[at - 1]) or is_wide(text.kind[at]):
            # A line never begins with a full stop or a bracket that closes: these go with the character before.
            return columns + 4
    return columns


cdef bint ends_sentence(Characters text, Py_ssize_t at) noexcept nogil:
    """Say whether the line before a place ends like a sentence."""
    while at > 0 and (text.kind[at - 1] == CLOSE or text.kind[at - 1] == QUOTE):
        at -= 1
    return at > 0 and text.kind[at - 1] == STOP


cdef class LineStyle:
    """What the ends of lines mean in a text."""

    def __init__(self, str newlines="paragraph", int width=0, bint guessed=False, bint capitals=True):
        if newlines not in NEWLINES[1:]:
            raise CombinationError(f"no meaning of newlines named {newlines!r}: choose from {', '.join(NEWLINES)}")
        self.newlines, self.width, self.guessed, self.capitals = newlines, width, guessed, capitals

    def __repr__(self):
        return f"<LineStyle: {self.newlines}, width {self.width}{', guessed' if self.guessed else ''}>"

    def mark(self, Characters text not None, int column=0):
        """Note which ends of lines end sentences; ``column``: where in its line the text begins."""
        with nogil:
            self.apply(text, column)

    cdef void apply(self, Characters text, int column) noexcept nogil:
        cdef Py_ssize_t at
        cdef bint sentence, ignore
        with gil:
            sentence, ignore = self.newlines == "sentence", self.newlines == "ignore"
        for at in range(text.n - 1):
            if text.kind[at] != SPACE:
                column += columns_of(text, at)
                continue
            if text.code[at] == SOFT:
                column += 1
                continue
            if ignore or (text.code[at] == LINE_END and not self.line_counts(text, at, column, sentence)):
                text.code[at] = SOFT
            column = 0

    cdef bint line_counts(self, Characters text, Py_ssize_t at, int column, bint sentence) noexcept nogil:
        """Say whether the end of a line ends a sentence."""
        if not sentence:
            return False
        if not self.guessed:
            return True
        if self.width and column + 1 + first_word(text, at + 1) > self.width:
            return False
        return not (self.capitals and text.kind[at + 1] == LOWER and not ends_sentence(text, at))


def column_after(Characters text not None, Py_ssize_t end, int column):
    """Return where in its line the character at ``end`` stands, if the text began at ``column``."""
    cdef Py_ssize_t at
    for at in range(end):
        if text.kind[at] != SPACE:
            column += columns_of(text, at)
        elif has_line_end(text, at):
            column = 0
        else:
            column += 1
    return column


cdef bint has_line_end(Characters text, Py_ssize_t at) noexcept nogil:
    """Say whether a run of spaces holds the end of a line, whatever it was taken for."""
    cdef int k
    for k in range(text.offset[at], text.offset[at + 1]):
        if text.data[k] == c'\n' or text.data[k] == c'\r':
            return True
    return False


def line_style(Characters text not None, str newlines="auto"):
    """Return what the ends of lines mean in a text: as asked, or with ``auto`` what the text itself tells."""
    cdef Py_ssize_t at
    cdef int column = 0, forced = 0, ended = 0, lower = 0, upper = 0
    if newlines != "auto":
        return LineStyle(newlines)
    lengths, breaks = [], []
    for at in range(text.n):
        if text.kind[at] != SPACE:
            column += columns_of(text, at)
            continue
        if text.code[at] == SOFT:
            column += 1
            continue
        if column:
            lengths.append(column)
        if text.code[at] == LINE_END and column and at + 1 < text.n:
            breaks.append(column + 1 + first_word(text, at + 1))
            ended += ends_sentence(text, at)
            lower += text.kind[at + 1] == LOWER
            upper += text.kind[at + 1] == UPPER
        column = 0
    if column:
        lengths.append(column)
    if not breaks:
        return LineStyle("sentence", 0, True, True)
    width = sorted(lengths)[min(len(lengths) - 1, int(COVERED * len(lengths)))]
    forced = sum(reached > width for reached in breaks)
    wrapped = width >= NARROWEST and forced >= WRAPPED * len(breaks) and ended < ENDED * len(breaks)
    return LineStyle("sentence", width if wrapped else 0, True, wrapped or lower < upper)


def lacking_marks(Characters text not None):
    """Return the marks of sentences that a text lacks, as bits: capitals, full stops. Short text is taken as it is."""
    cdef Py_ssize_t at
    cdef long words = 0, capitals = 0, stops = 0
    cdef int lacking = 0
    for at in range(text.n):
        if text.kind[at] == SPACE:
            words += 1
        elif text.kind[at] == UPPER:
            capitals += 1
        elif text.kind[at] == STOP:
            stops += text.kind[at + 1] in (SPACE, CLOSE, QUOTE) or text.code[at] > 0x2FFF
    if words >= LEAST_SMALL and CAPITALS_IN * capitals < words:
        lacking |= NO_CAPITALS
    if words >= LEAST_UNPUNCTUATED and STOPS_IN * stops < words:
        lacking |= NO_STOPS
    return lacking
