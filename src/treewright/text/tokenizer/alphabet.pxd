"""The characters that a tokeniser knows. See alphabet.pyx."""
from libc.stdint cimport uint8_t

from treewright.text.key_numbers cimport KeyNumbers
from treewright.text.tokenizer.characters cimport Characters


cdef class Alphabet:
    cdef readonly str known
    cdef uint8_t* bits                   # a bit per character
    cdef KeyNumbers similar              # what unknown characters are read as
    cdef void apply(self, Characters text) noexcept nogil
