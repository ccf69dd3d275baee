"""The characters that a tokeniser knows. See alphabet.pyx."""
from libc.stdint cimport uint8_t

from treewright.learners.text_keys cimport KeyNumbers
from treewright.kinds.tokenizer.boundaries.characters cimport Characters


cdef class Alphabet:
    cdef readonly str known
    cdef uint8_t* bits                   # a bit per character
    cdef KeyNumbers similar              # what unknown characters are read as
    cdef uint8_t kinds[32]               # what classes are read as
    cdef unsigned int kinds_known        # the classes of these characters, as bits
    cdef bint has_kinds(self, int place) noexcept nogil
    cdef void apply(self, Characters text) noexcept nogil
