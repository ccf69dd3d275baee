"""Find the ends of sentences in a stream of bytes that arrives in pieces, and check that they are text.

A reader returns whole sentences, but its pieces end anywhere: inside a line, inside a line end, inside a sentence of a
million words. The Cutter looks at every byte once, whatever the size of the pieces, so a long sentence costs no more
per word than a short one.

For the Cutter, a blank line ends a sentence only when a non-blank line follows. Extra blank lines therefore always
belong to the next sentence, and those at the end of the file to the last one, for every size of pieces.
"""
from libc.string cimport memchr

cdef extern from "lines.h" nogil:
    bint tw_is_text(const char* text, size_t size, int has_avx2)
    const char* tw_skip_lines(const char* p, const char* end, long* lines, int has_avx2)
    int tw_has_avx2()

cdef extern from "memory.h" nogil:
    void tw_keep_freed(size_t size)

# Blocks of a few megabytes come and go: their texts, the places of words, their trees.
tw_keep_freed(16 << 20)


cdef class Cutter:
    """Follows the lines of a stream; ``cut`` is the offset up to which all sentences are complete."""

    cdef readonly long long cut          # offset in the stream
    cdef readonly long cut_line          # number of the line that starts there, from 1
    cdef readonly long padded_line       # first blank line with spaces or tabs; 0 if none
    cdef long long offset, candidate
    cdef long line, candidate_line
    cdef bint blank, padded, carriage_return, open, ended

    def __init__(self, long long offset=0):
        """Start at ``offset``: the length of what the caller holds back, such as a byte order mark."""
        self.offset = offset
        self.line = 1
        self.cut_line = 1
        self.blank = True

    def feed(self, const unsigned char[::1] piece not None):
        """Process the next bytes of the stream."""
        cdef Py_ssize_t length = piece.shape[0]
        if length:
            with nogil:
                self._feed(<const char*>&piece[0], length)
            self.offset += length

    cdef void _feed(self, const char* start, Py_ssize_t length) noexcept nogil:
        cdef const char* p = start
        cdef const char* end = start + length
        cdef int has_avx2 = tw_has_avx2()
        while p < end:
            if self.blank:
                if p[0] == c'\n':
                    p += 1
                    self._end_blank_line(self.offset + (p - start))
                    continue
                if not self.carriage_return and (p[0] == c' ' or p[0] == c'\t'):
                    self.padded = True
                    p += 1
                    continue
                if not self.carriage_return and p[0] == c'\r':
                    self.carriage_return = True
                    p += 1
                    continue
                self.blank = False
                self.open = True
                if self.ended:
                    self.ended = False
                    self.cut = self.candidate
                    self.cut_line = self.candidate_line
            p = tw_skip_lines(p, end, &self.line, has_avx2)
            p = <const char*>memchr(p, c'\n', end - p)
            if p == NULL:
                return
            p += 1
            self._next_line()

    cdef void _end_blank_line(self, long long after) noexcept nogil:
        if self.padded and self.padded_line == 0:
            self.padded_line = self.line
        if self.open and not self.ended:
            self.ended = True
            self.candidate = after
            self.candidate_line = self.line + 1
        self._next_line()

    cdef inline void _next_line(self) noexcept nogil:
        self.line += 1
        self.blank = True
        self.padded = False
        self.carriage_return = False


def is_text(const unsigned char[::1] data not None):
    """Return whether data is UTF-8 without NUL; much faster than decoding it."""
    cdef bint found = True
    if data.shape[0]:
        with nogil:
            found = tw_is_text(<const char*>&data[0], data.shape[0], tw_has_avx2())
    return found
