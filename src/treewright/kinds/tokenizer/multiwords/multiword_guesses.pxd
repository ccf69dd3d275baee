"""Splits of tokens that training has not seen. See multiword_guesses.pyx."""
from libc.stdint cimport int32_t, uint64_t

from treewright.learners.text_keys cimport KeyNumbers
from treewright.kinds.tokenizer.boundaries.boundaries cimport BoundaryModel
from treewright.kinds.tokenizer.boundaries.characters cimport Characters

cdef enum:
    LONGEST_AFFIX = 8        # characters of a beginning or an ending that rules look at
    SPLIT_KEYS = 24          # features of a candidate, at most
    MOST_CANDIDATES = 64     # of a token; further ones are not looked at

cdef enum:                   # what a token may be, as labels of the tokeniser's weights
    WHOLE
    SPLIT


cdef struct Neighbours:      # the tokens before and after a token; those that are missing are empty
    Py_ssize_t before_start, before_end, after_start, after_end


cdef struct Candidate:       # a way to split a token
    int32_t split            # its number
    int32_t reach            # characters of the ending or beginning that make the other words
    bint backwards           # an ending?
    uint64_t rule            # the code of the ending or beginning, and of what becomes of it


cdef class SplitGuesser:
    cdef readonly BoundaryModel model
    cdef Candidate* candidates
    cdef int32_t* first                  # [n_lists + 1]: the candidates of an affix
    cdef KeyNumbers list_of              # by the hash of an ending or a beginning
    cdef int guess(self, Characters text, Py_ssize_t start, Py_ssize_t end, const Neighbours* beside) noexcept nogil
    cdef int candidates_of(
        self, Characters text, Py_ssize_t start, Py_ssize_t end, const Candidate** out
    ) noexcept nogil
    cdef int take(self, uint64_t key, const Candidate** out, int n) noexcept nogil
    cdef int keys_of(
        self, Characters text, Py_ssize_t start, Py_ssize_t end, const Neighbours* beside, const Candidate* candidate,
        uint64_t* out
    ) noexcept nogil
