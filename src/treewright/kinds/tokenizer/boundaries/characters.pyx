"""Text as characters with their classes, for the features of the tokeniser.

A run of spaces of any kind is one character, so what decides about tokens and sentences cannot be misled by their kind
or number. The run's code says whether it holds the end of a line or of a paragraph (`lines.pyx` then decides which
line ends mean something). Classes come from Unicode, so punctuation never seen in training is still punctuation.

Characters are those of the text in normal form: a letter and its accent are one, however they were written. For what is
written to the output, each knows its place in the user's text.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memset

from treewright.features.folding cimport TABLE, lower_of, make_tables
from treewright.treebank.blocks.memory cimport allocate, allocate_zeroed
from treewright.treebank.blocks.normal_form cimport is_normal, is_plain

cdef extern from "unicode_kinds.h" nogil:
    const uint32_t tw_kind_ranges[]      # how many characters, times 32, plus their class
    int TW_KIND_RANGES

cdef enum:
    N_CODES = 0x110000
    BY_TURNS = 31            # of a run in the table: UPPER, LOWER, UPPER and so on

cdef uint8_t* kinds_by_code = NULL


cdef int fill_kinds() except -1:
    """Spread the ranges over a table with a byte per character."""
    global kinds_by_code
    cdef int k, kind, n = TW_KIND_RANGES
    cdef uint32_t first = 0, place, length
    kinds_by_code = <uint8_t*>allocate(N_CODES, 1)
    for k in range(n):
        kind, length = tw_kind_ranges[k] & 31, tw_kind_ranges[k] >> 5
        memset(kinds_by_code + first, UPPER if kind == BY_TURNS else kind, length)
        if kind == BY_TURNS:
            for place in range(first + 1, first + length, 2):
                kinds_by_code[place] = LOWER
        first += length
    return 0


make_tables()
fill_kinds()


cdef int kind_of(int code) noexcept nogil:
    """Return the class of a character."""
    return kinds_by_code[code] if code < N_CODES else OTHER


def kind_number(str character not None):
    """Return the number of a character's class."""
    return kind_of(ord(character))


cdef class Characters:
    def __cinit__(self, bytes text not None):
        cdef const char* own = text
        cdef Py_ssize_t size = PyBytes_GET_SIZE(text)
        self.written = self.text = text
        if not is_plain(own, own + size) and not is_normal(own, own + size):
            from treewright.treebank.blocks.normal_text import rewritten

            self.text, self.changes = rewritten(text)
            size = PyBytes_GET_SIZE(self.text)
        self.own, self.data = own, PyBytes_AS_STRING(self.text)
        self.offset = <int32_t*>allocate(size + 1, sizeof(int32_t))
        self.place = <int32_t*>allocate(size + 1, sizeof(int32_t))
        self.code_room = <int32_t*>allocate(size + 2 * BORDER, sizeof(int32_t))
        self.kind_room = <uint8_t*>allocate(size + 2 * BORDER, 1)
        self.span = <uint8_t*>allocate_zeroed(size + 1, 1)
        if self.changes is not None and len(self.changes):
            self.start = <int32_t*>allocate(size + 1, sizeof(int32_t))
            self.stop = <int32_t*>allocate(size + 1, sizeof(int32_t))

    def __init__(self, bytes text not None):
        """Take valid UTF-8 of less than 2 GB."""
        cdef int k
        cdef const int[::1] changes = self.changes
        cdef Py_ssize_t size = PyBytes_GET_SIZE(self.text)
        if max(size, len(text)) >= 1 << 31:
            raise ValueError("the text is too long")
        self.code = self.code_room + BORDER
        self.kind = self.kind_room + BORDER
        with nogil:
            decode(self, <const uint8_t*>self.data, size)
            if self.start != NULL:
                find_written(self, changes)
        for k in range(1, BORDER + 1):
            self.code[-k], self.kind[-k] = 0, NO_CHARACTER
            # Text ends like a line, whether spaces follow or not.
            self.code[self.n + k - 1], self.kind[self.n + k - 1] = LINE_END, SPACE

    def __dealloc__(self):
        free(self.offset)
        free(self.place)
        free(self.start)
        free(self.stop)
        free(self.code_room)
        free(self.kind_room)
        free(self.span)
        free(self.matches)

    def __len__(self):
        return self.n

    def byte_offset(self, Py_ssize_t at):
        """Return where a character begins in the text as written, in bytes."""
        if not 0 <= at <= self.n:
            raise IndexError("the place is outside the text")
        return start_written(self, at)

    def text_offset(self, Py_ssize_t at):
        """Return where a character begins in the text in normal form, in bytes."""
        if not 0 <= at <= self.n:
            raise IndexError("the place is outside the text")
        return self.offset[at]

    def text_place(self, Py_ssize_t at):
        """Return where a character begins in the text as written, in characters."""
        if not 0 <= at <= self.n:
            raise IndexError("the place is outside the text")
        return self.place[at]

    def space_kinds(self):
        """Return the places of the runs of spaces as written, each with the character that says what it means."""
        return [(self.place[at], chr(self.code[at])) for at in range(self.n) if self.kind[at] == SPACE]


cdef void decode(Characters out, const uint8_t* text, Py_ssize_t size) noexcept nogil:
    """Write lower-cased characters, their places and classes; a run of spaces is one of them."""
    cdef Py_ssize_t at = 0, n = 0, place = 0
    cdef int code, length, k, kind, lines = 0, last = 0
    cdef uint8_t lead
    while at < size:
        lead = text[at]
        if lead < 0x80:
            code, length = lead, 1
        else:
            length = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
            code = lead & (0x3F >> (length - 1))
            for k in range(1, length):
                code = code << 6 | (text[at + k] & 0x3F if at + k < size else 0)
        kind = kinds_by_code[code] if code < N_CODES else OTHER
        if code == 0:
            kind = SPACE
        if kind != SPACE or n == 0 or out.kind[n - 1] != SPACE:
            out.offset[n], out.place[n], out.kind[n] = <int32_t>at, <int32_t>place, kind
            out.code[n] = lower_of[code] if code < TABLE else code
            n += 1
            lines = last = 0
        if kind == SPACE:
            lines += line_ends(code, last)
            last = code
            out.code[n - 1] = BLANK_LINE_END if lines > 1 else LINE_END if lines else SOFT
        at += length
        place += 1
    if n and out.kind[n - 1] == SPACE and out.code[n - 1] == SOFT:
        out.code[n - 1] = LINE_END
    out.offset[n], out.place[n] = <int32_t>size, <int32_t>place
    out.n, out.size = n, place


cdef inline int line_ends(int code, int last) noexcept nogil:
    """How many ends of lines a space stands for: two is a blank line. CR LF is one."""
    if code == c'\n':
        return last != c'\r'
    return 1 if code in (c'\r', 0x0B, 0x0C, 0x85, 0x2028) else 2 if code == 0x2029 else 0


cdef struct Walk:            # from one difference between the text and what was written to the next
    int change
    int text_before, own_before          # where the one before ends
    int text_from, text_to, own_from, own_to


cdef void find_written(Characters text, const int[::1] changes) noexcept nogil:
    """Find where each character begins and ends as written. ``changes``: see ``rewritten`` in normal_text.py."""
    cdef Py_ssize_t at
    cdef int counted = 0, place = 0
    cdef Walk walk
    memset(&walk, 0, sizeof(Walk))
    go_on(&walk, changes)
    for at in range(text.n + 1):
        text.start[at] = as_written(text, &walk, changes, text.offset[at])
        while counted < text.start[at]:
            place += (text.own[counted] & 0xC0) != 0x80
            counted += 1
        text.place[at] = place
        if at < text.n:
            text.stop[at] = as_written(text, &walk, changes, end_of(text, at))
    text.size = place


cdef void go_on(Walk* walk, const int[::1] changes) noexcept nogil:
    """Go to the next difference."""
    cdef int place = 3 * walk.change
    walk.text_from, walk.own_from = walk.text_before + changes[place], walk.own_before + changes[place]
    walk.text_to, walk.own_to = walk.text_from + changes[place + 2], walk.own_from + changes[place + 1]


cdef int as_written(Characters text, Walk* walk, const int[::1] changes, int offset) noexcept nogil:
    """Return where a character of the text begins as written; characters that were not written stand at their end."""
    cdef int own, k
    while offset >= walk.text_to and 3 * walk.change < changes.shape[0]:
        walk.text_before, walk.own_before = walk.text_to, walk.own_to
        walk.change += 1
        if 3 * walk.change < changes.shape[0]:
            go_on(walk, changes)
    if offset <= walk.text_from or 3 * walk.change == changes.shape[0]:
        return walk.own_before + offset - walk.text_before
    own, k = walk.own_from, walk.text_from
    while k < offset and own < walk.own_to:
        own += length_of(text.own[own])
        k += length_of(text.data[k])
    return own
