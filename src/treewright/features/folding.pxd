"""Lower case and shape of text. See folding.pyx. Call `make_tables` before anything else."""
from libc.stdint cimport int32_t, uint8_t

cdef enum:
    TABLE = 0x3000                   # the tables hold the characters below this one
    LONGEST = 256                    # bytes of a value that are lower-cased or shaped; the rest is cut off
    SCRATCH = 4 * LONGEST            # room for the result: no character grows to more than three bytes

cdef uint8_t* char_class             # 0 other, 1 lower or caseless letter, 2 upper, 3 digit
cdef int32_t* lower_of
cdef int make_tables() except -1
cdef int fold(const char* text, int length, char* out, bint shape) noexcept nogil


cdef inline int back(const char* text, int at) noexcept nogil:
    """Return the place of the character before a place in UTF-8 text."""
    if at > 0:
        at -= 1
        while at > 0 and (<uint8_t>text[at] & 0xC0) == 0x80:
            at -= 1
    return at


cdef inline int forth(const char* text, int at, int length) noexcept nogil:
    """Return the place of the character after the one at a place."""
    if at < length:
        at += 1
        while at < length and (<uint8_t>text[at] & 0xC0) == 0x80:
            at += 1
    return at


cdef inline int put_character(char* out, int code) noexcept nogil:
    """Write a character below U+10000 as UTF-8; return how many bytes it takes."""
    if code < 0x80:
        out[0] = <char>code
        return 1
    if code < 0x800:
        out[0] = <char>(0xC0 | code >> 6)
        out[1] = <char>(0x80 | code & 0x3F)
        return 2
    out[0] = <char>(0xE0 | code >> 12)
    out[1] = <char>(0x80 | code >> 6 & 0x3F)
    out[2] = <char>(0x80 | code & 0x3F)
    return 3
