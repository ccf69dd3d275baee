"""Lines of a text, and what tells whether the end of one means anything. See line_ends.pyx."""
from libc.stdint cimport uint8_t

from treewright.kinds.tokenizer.boundaries.characters cimport IDEOGRAPH, KANA, Characters

cdef enum:
    MOST_FEATURES = 40       # of the end of a line
    N_FEATURES = 31 * 1024
    BEHIND = 2               # lines before a line that its end looks at
    AHEAD = 2                # and lines after it


cdef enum Lead:              # how a line begins
    SMALL_LETTER
    CAPITAL_LETTER
    NUMBER
    OTHER_LETTER
    BULLET
    ITEM_NUMBER
    DIALOGUE
    DASHED
    QUOTED_CAPITAL
    QUOTED
    OTHER_SIGN
    TAGGED                   # "[09:14] ", "<anna> ", "[x] "
    KEYED                    # "Subject: ", "Anna: "
    DOTTED_NUMBER            # "2.1 "

cdef enum Tail:              # how it ends
    SMALL_WORD
    SHORT_WORD
    CAPITAL_WORD
    OTHER_WORD
    DIGITS
    FULL_STOP
    OTHER_STOP
    STOP_CLOSED
    A_COMMA
    COLON
    SEMICOLON
    HYPHEN
    LONG_DASH
    CLOSED
    OTHER_TAIL


cdef struct Line:            # from its first character to its last one; spaces in front are its indent
    Py_ssize_t first, end    # its first character; the run of spaces after it, where the text goes on
    int from_byte, to_byte   # where it begins in the text, and ends; before the text: -1
    int length, indent, word             # columns of the line up to its end, of its indent, of its first word
    int words, gaps, capitals, letters, small, signs, titles, short_words
    int lead, depth, tail, item          # how it begins; its marks of quotation; how it ends; what it is an item of
    int shape                # of its first word, 0 if that is made of letters
    bint begins, last        # a blank line stands before it, or follows it
    bint under_way           # it began before the text


cdef inline bint is_wide(Characters text, Py_ssize_t at) noexcept nogil:
    """Whether a character is an ideograph, or punctuation that goes with these."""
    return (text.kind[at] == IDEOGRAPH or text.kind[at] == KANA or 0x3001 <= text.code[at] <= 0x303F
            or 0xFF00 <= text.code[at] <= 0xFF60)


cdef inline int columns_of(Characters text, Py_ssize_t at, int wide) noexcept nogil:
    """The columns that a character takes; ``wide``: those of an ideograph."""
    return wide if is_wide(text, at) else 1


cdef bint is_hyphen(Characters text, Py_ssize_t at) noexcept nogil
cdef bint ends_sentence(Characters text, Py_ssize_t at) noexcept nogil


cdef class Lines:
    """The lines of a stretch of text, after the last ones of what came before."""
    cdef readonly int n
    cdef readonly int wide               # columns of an ideograph
    cdef int capacity
    cdef Line* line
    cdef Line opened         # the first line as far as it was read before
    cdef Py_ssize_t take(self, Characters text, Py_ssize_t at, Lines before) noexcept nogil
    cdef Py_ssize_t add(self, Characters text, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t close(self, Characters text, Py_ssize_t at, int number) noexcept nogil
    cdef void reopen(self, Characters text, Py_ssize_t end, Lines whole, Line* line) noexcept nogil
    cdef int features(self, int number, int width, int support, int share, int* out) noexcept nogil
