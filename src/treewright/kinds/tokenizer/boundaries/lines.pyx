"""Which ends of lines mean something.

A blank line ends a sentence. The end of a line may do so too (a sentence a line, titles, items of lists, chats), or be
there only because the next word had no room. Where each line is a sentence, as a rule, the whole text tells. Else the
ends of lines are judged one by one (`line_ends.pyx`), with weights learnt from text that was laid out in many ways.
"""
from libc.stdint cimport int8_t, int16_t

from treewright.errors import CombinationError
from treewright.steps.call import NEWLINES
from treewright.kinds.tokenizer.boundaries.characters cimport (
    CLOSE, COMMA, GOING_ON, IDEOGRAPH, KANA, LETTER, LINE_END, LOWER, MARK, NO_CAPITALS, NO_CHARACTER, NO_SPACES,
    NO_STOPS, QUOTE, SOFT, SPACE, STOP, UPPER, Characters, is_end,
)
from treewright.kinds.tokenizer.boundaries.line_ends cimport (
    DIALOGUE, DOTTED_NUMBER, HYPHEN, KEYED, MOST_FEATURES, N_FEATURES, TAGGED, Line, Lines, ends_sentence, is_hyphen,
    is_wide,
)

cdef extern from "line_weights.h" nogil:
    const int16_t tw_line_weights[][2]   # features of line_ends.pyx, each with its weight
    int TW_LINE_WEIGHTS, TW_LINE_BIAS

cdef enum:
    LEAST_SMALL = 10         # words of a text in which capitals are missed
    LEAST_UNPUNCTUATED = 30  # and full stops
    LONG_STRETCH = 25        # words without a full stop or an end, as lists and notes have few
    CAPITALS_IN = 50         # words among which ordinary text has a capital
    STOPS_IN = 200           # and a full stop
    SPACED_IN = 100          # ideographs among which text without full stops has a space at least
    SHARES = 4               # classes of the share of lines that the width explains

cdef double WRAPPED = 0.5    # share of long lines that the width explains, from which text may be wrapped
cdef double ENDED = 0.6      # share of lines that end like sentences, from which every line is taken for one

cdef int8_t weights[N_FEATURES]
for _k in range(TW_LINE_WEIGHTS):
    weights[tw_line_weights[_k][0]] = <int8_t>tw_line_weights[_k][1]


cdef class LineStyle:
    """What the ends of lines mean in a text."""

    def __init__(
        self, str newlines="paragraph", int width=0, int wide=2, *, int support=0, int share=0, bint each=True,
        bint guessed=False, bint capitals=True,
    ):
        if newlines not in NEWLINES[1:]:
            raise CombinationError(f"no meaning of newlines named {newlines!r}: choose from {', '.join(NEWLINES)}")
        self.newlines, self.width, self.wide, self.support, self.share = newlines, width, wide, support, share
        self.guessed, self.each, self.capitals = guessed, each, capitals

    def __repr__(self):
        return f"<LineStyle: {self.newlines}, width {self.width}{', guessed' if self.guessed else ''}>"

    def mark(self, Characters text not None, Lines before=None):
        """Note which ends of lines end sentences; ``before``: the last lines of the text that this one goes on.

        Return the lines, where the next stretch of text needs them.
        """
        cdef Lines lines
        if self.newlines != "sentence":
            self.join(text, self.newlines == "ignore")
            return None
        lines = Lines(text, self.wide, before)
        with nogil:
            self.judge(text, lines)
        return lines

    cdef void join(self, Characters text, bint ignore) noexcept nogil:
        """Let ends of lines be spaces, and blank lines too if they are to be ignored."""
        cdef Py_ssize_t at
        for at in range(text.n - 1):
            if text.kind[at] == SPACE and text.code[at] != SOFT and (ignore or text.code[at] == LINE_END):
                soften(text, at, False)
                if text.kind[at] == SPACE and at and is_hyphen(text, at - 1):
                    text.code[at] = GOING_ON
        leave_out(text)

    cdef void judge(self, Characters text, Lines lines) noexcept nogil:
        """Let ends of lines be spaces that end nothing by all that we see."""
        cdef int k
        cdef Line* line
        for k in range(lines.n):
            line = lines.line + k
            if line.end < 0:
                continue
            mark_of_line(text, line, line.lead == KEYED and (
                (k > 0 and not line.begins and lines.line[k - 1].lead == KEYED)
                or (not line.last and k + 1 < lines.n and lines.line[k + 1].lead == KEYED)
            ))
            if self.guessed and not line.last and not self.counts(text, lines, k):
                soften(text, line.end, self.wide == 1 and line.length == self.width)
                if line.tail == HYPHEN and text.kind[line.end] == SPACE:
                    text.code[line.end] = GOING_ON
        leave_out(text)

    cdef bint counts(self, Characters text, Lines lines, int number) noexcept nogil:
        """Say whether the end of a line ends a sentence."""
        cdef int out[MOST_FEATURES]
        cdef int i, score = TW_LINE_BIAS
        cdef Line* line = lines.line + number
        if line.tail == HYPHEN:
            return False
        if self.each:            # but for lines without a full stop before a small letter
            return not (self.capitals and text.kind[line.end + 1] == LOWER and not ends_sentence(text, line.end))
        for i in range(lines.features(number, self.width, self.support, self.share, out)):
            score += weights[out[i]]
        return score > 0


cdef void mark_of_line(Characters text, const Line* line, bint among_keys) noexcept nogil:
    """Let no sentence end after what a line begins with: marks of quotation, of an item, a speaker or a time.

    Nor after a key beside a line that has one too, and nowhere in a line without letters.
    """
    cdef Py_ssize_t at = line.first
    cdef int last
    if line.first < 0:
        return
    for _ in range(line.depth):
        at += 1
        go_on(text, at)
        at += text.kind[at] == SPACE and text.code[at] == GOING_ON
    if line.item == 1 or line.lead == DIALOGUE or line.lead == DOTTED_NUMBER:
        while text.kind[at] != SPACE:
            at += 1
        go_on(text, at)
    elif line.lead == TAGGED or among_keys:
        last = c':' if line.lead == KEYED else c']' if text.code[at] == c'[' else c'>'
        while text.code[at] != last or text.kind[at] == SPACE:
            go_on(text, at)
            at += 1
        go_on(text, at + 1)
    if line.letters == 0:
        for at in range(line.first, line.end):
            go_on(text, at)


cdef inline void go_on(Characters text, Py_ssize_t at) noexcept nogil:
    """Let no sentence end at spaces within a line."""
    if text.kind[at] == SPACE and text.code[at] == SOFT:
        text.code[at] = GOING_ON


cdef void soften(Characters text, Py_ssize_t at, bint within) noexcept nogil:
    """Let the end of a line be a space, or nothing beside ideographs, or ``within`` a word of such text."""
    cdef int length = text.offset[at + 1] - text.offset[at]
    text.code[at] = SOFT
    # Text of ideographs may be cut after so many characters, also within a number.
    within = within and (length == 1 or (length == 2 and text.data[text.offset[at]] == c'\r'))
    if at and (is_wide(text, at - 1) or is_wide(text, at + 1) or within):
        text.kind[at], text.joined = NO_CHARACTER, True


cdef void leave_out(Characters text) noexcept nogil:
    """Leave out the ends of lines beside ideographs: nothing stands between these but the edge of the page."""
    cdef Py_ssize_t at, n = 0
    if not text.joined:
        return
    for at in range(text.n):
        if text.kind[at] != NO_CHARACTER:
            text.kind[n], text.code[n] = text.kind[at], text.code[at]
            move(text, at, n)
            n += 1
    move(text, text.n, n)
    for at in range(n, text.n):
        text.kind[at], text.code[at] = SPACE, LINE_END
    text.n = n


cdef inline void move(Characters text, Py_ssize_t at, Py_ssize_t to) noexcept nogil:
    text.offset[to], text.place[to] = text.offset[at], text.place[at]
    if text.start != NULL:
        text.start[to], text.stop[to] = text.start[at], text.stop[at]


def line_style(Characters text not None, str newlines="auto"):
    """Return what the ends of lines mean in a text: as asked, or with ``auto`` what the text itself tells."""
    cdef double share
    cdef int wide
    if newlines != "auto":
        return LineStyle(newlines)
    best = (0, 0)
    for wide in (2, 1):
        found = Lines(text, wide).style()
        if found[:2] > best or wide == 2:
            best = found[:2]
            support, _, width, long_lines, lines, stops, small, large = found
            chosen = wide
    share = support / max(1, long_lines)
    return LineStyle(
        "sentence", width if share >= WRAPPED else 0, chosen, support=support, share=min(SHARES, int(5 * share)),
        each=lines == 0 or (share < WRAPPED and stops >= ENDED * lines), guessed=True, capitals=small < large,
    )


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
    """Return the marks of sentences that a text lacks, as bits: capitals, full stops. Short text is taken as it is.

    The ends of lines that mean something are known: a list of short items lacks no full stops.
    """
    cdef Py_ssize_t at
    cdef long since = 0, stretches = 0
    cdef long words = 0, capitals = 0, stops = 0, wide = 0
    cdef int lacking = 0
    cdef bint wide_text
    for at in range(text.n):
        if text.kind[at] == SPACE:
            words += 1
            since += 1
            if is_end(text.code[at]):
                stretches += since if since >= LONG_STRETCH else 0
                since = 0
        elif text.kind[at] == IDEOGRAPH or text.kind[at] == KANA:
            wide += 1
        elif text.code[at] > 0x2FFF and text.kind[at] == COMMA:
            stops += 1           # text with these has full stops too, if it is long enough
        elif text.kind[at] == UPPER:
            capitals += 1
        elif text.kind[at] == STOP:
            if is_full_stop(text, at):
                stops += 1
                stretches += since if since >= LONG_STRETCH else 0
                since = 0
    stretches += since if since >= LONG_STRETCH else 0
    wide_text = wide > 2 * words
    if wide_text:                # without spaces: two characters are about a word
        lacking = NO_SPACES if SPACED_IN * words < wide else 0
        words = wide // 2
    elif words >= LEAST_SMALL and CAPITALS_IN * capitals < words:
        lacking |= NO_CAPITALS
    if words >= LEAST_UNPUNCTUATED and STOPS_IN * stops < words and (wide_text or 2 * stretches >= words):
        return lacking | NO_STOPS
    return lacking & ~NO_SPACES if wide_text else lacking
