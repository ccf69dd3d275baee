"""Words as the tagger sees them. See words.pyx."""
from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.text.tagger.lexicon cimport Lexicon
from treewright.treebank.block cimport Block

cdef enum:
    PREFIXES = 4
    SUFFIXES = 5
    PADDING = 2              # empty rows before and after each sentence, so that neighbours need no checks


cdef struct WordCodes:
    uint64_t form, lower, shape, ambiguity
    uint64_t prefix[4]       # of 1 to PREFIXES characters, in lower case
    uint64_t suffix[5]
    int32_t entry            # in the lexicon; -1: unknown
    int32_t length           # characters


cdef class EncodedWords:
    """Rows of sentences one after the other, each with PADDING rows around it."""
    cdef WordCodes* rows
    cdef int64_t n_rows, capacity
    cdef int reserve(self, int64_t rows) except -1 nogil
    cdef int add_sentence(self, Block block, int sentence, int column, Lexicon lexicon) except -1 nogil


cdef int encode_word(const char* text, int length, WordCodes* out) noexcept nogil
cdef uint64_t form_code(const char* text, int length) noexcept nogil
