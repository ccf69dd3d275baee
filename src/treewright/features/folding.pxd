"""Lower case and shape of text. See folding.pyx. `make_tables` must have been called before anything else."""
from libc.stdint cimport int32_t, uint8_t

cdef enum:
    TABLE = 0x3000                   # the tables hold the characters below
    LONGEST = 256                    # bytes of a value that is lower-cased or shaped; the rest is left out
    SCRATCH = 4 * LONGEST            # room for what becomes of them: no character grows to more than three bytes

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
    """Return the place of the character behind the one at a place."""
    if at < length:
        at += 1
        while at < length and (<uint8_t>text[at] & 0xC0) == 0x80:
            at += 1
    return at
