"""Text as characters with their classes. See characters.pyx."""
from libc.stdint cimport int32_t, uint8_t, uint64_t

cdef enum:
    SPACE
    LOWER
    UPPER
    DIGIT
    LETTER                   # without case
    IDEOGRAPH
    KANA
    STOP                     # may end a sentence: . ! ? …
    COMMA                    # , ; :
    OPEN                     # brackets and quotes that open
    CLOSE
    QUOTE                    # " '
    DASH
    OTHER
    N_KINDS
    NO_CHARACTER = N_KINDS   # before and after the text

cdef enum:
    BORDER = 8               # empty characters around the text, so that features need no checks at its ends


cdef class Characters:
    """A text, character by character, with BORDER empty characters before and after."""
    cdef readonly bytes text
    cdef readonly Py_ssize_t n
    cdef public Py_ssize_t used          # how many characters the reader has used
    cdef const char* data    # of the text
    cdef int32_t* code       # [n], in lower case where there is one
    cdef int32_t* offset     # [n + 1], in bytes
    cdef uint8_t* kind       # [n]
    cdef int32_t* code_room
    cdef uint8_t* kind_room


cdef int kind_of(int code) noexcept nogil
