"""How multiword tokens are split. See multiwords.pyx."""
from libc.stdint cimport int32_t, uint64_t

from treewright.learners.text_keys cimport KeyNumbers
from treewright.kinds.tokenizer.boundaries.characters cimport Characters
from treewright.kinds.tokenizer.multiwords.multiword_guesses cimport Neighbours, SplitGuesser

cdef struct Piece:           # a word: a part of the token, then text; offsets in characters, negative ones from the end
    int32_t start, end
    const char* text[3]      # for tokens in lower case, with a capital, in capitals
    int32_t length[3]


cdef class MultiwordTable:
    cdef readonly dict settings
    cdef list kept                       # the bytes that pieces point to
    cdef Piece* pieces
    cdef int32_t* first                  # [n_splits + 1]: the pieces of a split
    cdef int n_splits, longest
    cdef KeyNumbers split_of             # by the hash of a form, an ending or a beginning
    cdef KeyNumbers weight_of            # by the hash of a form and a feature of its context, plus WEIGHT_ZERO
    cdef bint has_contexts
    cdef readonly SplitGuesser guesser   # of forms that are not known; None in models of earlier versions
    cdef int find(self, Characters text, Py_ssize_t start, Py_ssize_t end, const Neighbours* beside) noexcept nogil
    cdef bint splits_here(self, uint64_t form, Characters text, const Neighbours* beside) noexcept nogil
    cdef long weight(self, uint64_t key) noexcept nogil
