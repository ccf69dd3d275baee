"""Where tokens and sentences end. See boundaries.pyx."""
from libc.stdint cimport int32_t, uint8_t, uint64_t

from treewright.features.extractor cimport tw_place
from treewright.learners.learner cimport Scorer
from treewright.learners.table cimport LinearTable
from treewright.text.tokenizer.characters cimport Characters

cdef enum:
    INSIDE
    TOKEN_END
    SENTENCE_END
    N_LABELS

cdef enum:                   # the gap between a character and the next one that is no space
    NONE
    SPACES
    BLANK_LINE
    N_GAPS

cdef enum:
    MOST_KEYS = 64
    CLASSIFY = 255           # in `usual`: the model decides


cdef struct Reading:                     # the state of reading from left to right
    Py_ssize_t token, word, sentence     # where the token, the stretch without spaces and the sentence begin
    uint64_t token_hash, word_hash       # of token and word up to the current character
    uint64_t last_word                   # hash of the word before
    int words                            # in the sentence so far
    int open                             # brackets that are not closed yet


cdef class BoundaryModel:
    cdef readonly Scorer scorer
    cdef uint8_t usual[3 * 256]          # label by gap and kinds of the characters around it
    cdef readonly bint spaces_inside     # may tokens contain spaces?
    cdef LinearTable table               # the scorer, where it is one
    cdef tw_place place
    cdef void begin(self, Reading* reading, Py_ssize_t at) noexcept nogil
    cdef void read(self, Characters text, Reading* reading, Py_ssize_t at) noexcept nogil
    cdef void passed(self, Characters text, Reading* reading, Py_ssize_t at, Py_ssize_t next_at, int gap,
                     int label) noexcept nogil
    cdef int keys_at(self, Characters text, const Reading* reading, Py_ssize_t at, Py_ssize_t next_at, int gap,
                     uint64_t* out) noexcept nogil
    cdef void score(self, const uint64_t* keys, int n, float* scores) noexcept nogil
    cdef int choose(self, const float* scores, int gap) noexcept nogil


cdef Py_ssize_t next_character(Characters text, Py_ssize_t at, bint lines_end, int* gap) noexcept nogil


cdef inline int cell(Characters text, Py_ssize_t at, Py_ssize_t next_at, int gap) noexcept nogil:
    """Place of a pair of characters in `usual`."""
    return (gap * 16 + text.kind[at]) * 16 + text.kind[next_at]
