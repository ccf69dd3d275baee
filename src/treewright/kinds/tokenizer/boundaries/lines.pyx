"""Which ends of lines mean something.

A blank line ends a sentence. The end of a line may do so too (a sentence a line, titles, verses, chats), or be there
only because the next word had no room (text wrapped at 80 columns). The text itself tells: in wrapped text, the first
word of a line would not have fitted at the end of the line before.
"""
from treewright.errors import CombinationError
from treewright.steps.parse_options import NEWLINES
from treewright.kinds.tokenizer.boundaries.characters cimport (
    CLOSE, COMMA, IDEOGRAPH, KANA, LETTER, LINE_END, LOWER, MARK, NO_CAPITALS, NO_CHARACTER, NO_SPACES, NO_STOPS, QUOTE,
    SOFT, SPACE, STOP, UPPER, Characters, end_of,
)

cdef enum:
    NARROWEST = 40           # columns: nobody wraps prose at fewer

cdef enum:
    LEAST_SMALL = 10         # words of a text in which capitals are missed
    LEAST_UNPUNCTUATED = 30  # and full stops
    CAPITALS_IN = 50         # words among which ordinary text has a capital
    STOPS_IN = 200           # and a full stop
    SPACED_IN = 100          # ideographs among which text without full stops has a space at least

cdef double WRAPPED = 0.75   # share of line ends that lack of room explains, in wrapped text
cdef double ENDED = 0.6      # share of lines that end like sentences, from which every line is taken for one
cdef double COVERED = 0.95   # share of lines that are no longer than the width


cdef inline bint is_wide(Characters text, Py_ssize_t at) noexcept nogil:
    """Whether a character is an ideograph, or punctuation that goes with these."""
    return (text.kind[at] == IDEOGRAPH or text.kind[at] == KANA or 0x3001 <= text.code[at] <= 0x303F
            or 0xFF00 <= text.code[at] <= 0xFF60)


cdef inline int columns_of(Characters text, Py_ssize_t at, int wide) noexcept nogil:
    """The columns that a character takes; ``wide``: those of an ideograph."""
    return wide if is_wide(text, at) else 1


cdef int first_word(Characters text, Py_ssize_t at, int wide) noexcept nogil:
    """Return the columns of the word at the beginning of a line: of one character where there are no spaces."""
    cdef int columns = 0
    while at < text.n and text.kind[at] != SPACE and columns < 1000:
        columns += columns_of(text, at, wide)
        at += 1
        if is_wide(text, at - 1) or is_wide(text, at):
            # A line never begins with a full stop or a bracket that closes: these go with the character before.
            return columns + 2 * wide
    return columns


cdef bint ends_sentence(Characters text, Py_ssize_t at) noexcept nogil:
    """Say whether the line before a place ends like a sentence."""
    while at > 0 and (text.kind[at - 1] == CLOSE or text.kind[at - 1] == QUOTE):
        at -= 1
    return at > 0 and text.kind[at - 1] == STOP


cdef class LineStyle:
    """What the ends of lines mean in a text."""

    def __init__(self, str newlines="paragraph", int width=0, int wide=2, bint guessed=False, bint capitals=True):
        if newlines not in NEWLINES[1:]:
            raise CombinationError(f"no meaning of newlines named {newlines!r}: choose from {', '.join(NEWLINES)}")
        self.newlines, self.width, self.wide, self.guessed, self.capitals = newlines, width, wide, guessed, capitals

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
                column += columns_of(text, at, self.wide)
                continue
            if text.code[at] == SOFT:
                column += 1
                continue
            if ignore or (text.code[at] == LINE_END and not self.line_counts(text, at, column, sentence)):
                text.code[at] = SOFT
                if at and (is_wide(text, at - 1) or is_wide(text, at + 1) or self.cuts(text, at, column)):
                    text.kind[at], text.joined = NO_CHARACTER, True
            column = 0
        if text.joined:
            leave_out(text)

    cdef bint cuts(self, Characters text, Py_ssize_t at, int column) noexcept nogil:
        """Say whether a line may end within a word: in text of ideographs that is cut after so many characters."""
        cdef int length = text.offset[at + 1] - text.offset[at]
        if not (self.guessed and self.wide == 1 and self.width and column == self.width):
            return False
        return length == 1 or (length == 2 and text.data[text.offset[at]] == c'\r')

    cdef bint line_counts(self, Characters text, Py_ssize_t at, int column, bint sentence) noexcept nogil:
        """Say whether the end of a line ends a sentence."""
        if not sentence:
            return False
        if not self.guessed:
            return True
        if self.width and column + 1 + first_word(text, at + 1, self.wide) > self.width:
            return False
        return not (self.capitals and text.kind[at + 1] == LOWER and not ends_sentence(text, at))


cdef void leave_out(Characters text) noexcept nogil:
    """Leave out the ends of lines beside ideographs: nothing stands between these but the edge of the page."""
    cdef Py_ssize_t at, n = 0
    for at in range(text.n):
        if text.kind[at] != NO_CHARACTER:
            text.kind[n], text.code[n] = text.kind[at], text.code[at]
            text.offset[n], text.place[n] = text.offset[at], text.place[at]
            n += 1
    text.offset[n], text.place[n] = text.offset[text.n], text.place[text.n]
    for at in range(n, text.n):
        text.kind[at], text.code[at] = SPACE, LINE_END
    text.n = n


def column_after(Characters text not None, Py_ssize_t end, int column, int wide):
    """Return where in its line the character at ``end`` stands, if the text began at ``column``."""
    cdef Py_ssize_t at
    cdef int start
    for at in range(end):
        if text.kind[at] != SPACE:
            column += columns_of(text, at, wide)
            start = end_of(text, at)
        else:
            column += 1
            start = text.offset[at]
        if has_line_end(text, start, text.offset[at + 1]):
            column = 0
    return column


cdef bint has_line_end(Characters text, int start, int end) noexcept nogil:
    """Say whether bytes hold the end of a line, whatever it was taken for."""
    cdef int k
    for k in range(start, end):
        if text.data[k] == c'\n' or text.data[k] == c'\r':
            return True
    return False


def line_style(Characters text not None, str newlines="auto"):
    """Return what the ends of lines mean in a text: as asked, or with ``auto`` what the text itself tells."""
    if newlines != "auto":
        return LineStyle(newlines)
    found = [Lines(text, wide) for wide in (2, 1)]
    if not found[0].breaks:
        return LineStyle("sentence", guessed=True)
    best = max(found, key=lambda lines: (lines.forced, lines.full))
    wrapped = best.width >= NARROWEST and best.forced >= WRAPPED and best.ended < ENDED
    return LineStyle("sentence", best.width if wrapped else 0, best.wide, True, wrapped or best.lower < best.upper)


class Lines:
    """The lines of a text: how wide they are, and how they begin and end."""

    def __init__(self, Characters text not None, int wide):
        """``wide``: the columns that an ideograph takes. Some programs count columns, others characters."""
        cdef Py_ssize_t at
        cdef int column = 0
        self.wide, self.breaks, self.lower, self.upper = wide, 0, 0, 0
        lengths, reached = [], []
        ended = 0
        for at in range(text.n):
            if text.kind[at] != SPACE or text.code[at] == SOFT:
                column += columns_of(text, at, wide)
                continue
            if column:
                lengths.append(column)
            if text.code[at] == LINE_END and column and at + 1 < text.n:
                reached.append(column + 1 + first_word(text, at + 1, wide))
                ended += ends_sentence(text, at)
                self.lower += text.kind[at + 1] == LOWER
                self.upper += text.kind[at + 1] == UPPER
            column = 0
        if column:
            lengths.append(column)
        self.breaks = len(reached)
        self.width = sorted(lengths)[min(len(lengths) - 1, int(COVERED * len(lengths)))] if lengths else 0
        self.forced = sum(1 for columns in reached if columns > self.width) / max(1, self.breaks)
        self.full = sum(1 for length in lengths if length == self.width) / max(1, self.breaks)
        self.ended = ended / max(1, self.breaks)


cdef bint is_full_stop(Characters text, Py_ssize_t at) noexcept nogil:
    """Say whether a stop ends a sentence at first sight. After a number or a few letters it may be part of the word."""
    cdef int k
    if text.code[at] > 0x2FFF:
        return True
    if text.kind[at + 1] not in (SPACE, CLOSE, QUOTE):
        return False
    for k in range(1, 4 if text.code[at] == c'.' else 1):
        if text.kind[at - k] not in (LOWER, UPPER, LETTER, MARK):
            return False
    return True


def lacking_marks(Characters text not None):
    """Return the marks of sentences that a text lacks, as bits: capitals, full stops. Short text is taken as it is."""
    cdef Py_ssize_t at
    cdef long words = 0, capitals = 0, stops = 0, wide = 0
    cdef int lacking = 0
    cdef bint wide_text
    for at in range(text.n):
        if text.kind[at] == SPACE:
            words += 1
        elif text.kind[at] == IDEOGRAPH or text.kind[at] == KANA:
            wide += 1
        elif text.code[at] > 0x2FFF and text.kind[at] == COMMA:
            stops += 1           # text with these has full stops too, if it is long enough
        elif text.kind[at] == UPPER:
            capitals += 1
        elif text.kind[at] == STOP:
            stops += is_full_stop(text, at)
    wide_text = wide > 2 * words
    if wide_text:                # without spaces: two characters are about a word
        lacking = NO_SPACES if SPACED_IN * words < wide else 0
        words = wide // 2
    elif words >= LEAST_SMALL and CAPITALS_IN * capitals < words:
        lacking |= NO_CAPITALS
    if words >= LEAST_UNPUNCTUATED and STOPS_IN * stops < words:
        return lacking | NO_STOPS
    return lacking & ~NO_SPACES if wide_text else lacking
