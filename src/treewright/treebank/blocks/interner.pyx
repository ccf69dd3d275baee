"""Number strings in the order of their first occurrence: mostly the relations of a treebank."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free

from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.key_numbers cimport add_number, make_room, number_of

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)


cdef class Interner:
    """Numbers byte strings in the order of their first occurrence, without a Python object per look-up."""

    def __cinit__(self):
        self.strings = []
        make_room(&self.numbers, 512)

    def __init__(self, strings=()):
        cdef bytes raw
        for string in strings:
            raw = string.encode("utf-8", "surrogateescape")
            self.intern(PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw))

    def __dealloc__(self):
        free(self.numbers.slots)

    def __len__(self):
        return len(self.strings)

    def number(self, str string):
        """Return the number of a string, or -1 if it is unknown."""
        cdef bytes raw = string.encode("utf-8", "surrogateescape")
        return self.find(PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw))

    def column(self, Block block, int column, int32_t[::1] out, bint add=True):
        """Write the number of every word's value in a column to ``out``; unknown values get -1 unless ``add``."""
        cdef int word
        for word in range(block.n_words):
            if add:
                out[word] = self.intern(block.field_start(word, column), block.field_length(word, column))
            else:
                out[word] = self.find(block.field_start(word, column), block.field_length(word, column))

    cdef int find(self, const char* text, int length) noexcept nogil:
        return number_of(&self.numbers, tw_hash(text, length, 1) | 1)

    cdef int intern(self, const char* text, int length) except -1:
        cdef int number = self.find(text, length)
        if number >= 0:
            return number
        number = len(self.strings)
        if 2 * number > self.numbers.mask:
            self.grow()
        self.strings.append(text[:length].decode("utf-8", "surrogateescape"))
        add_number(&self.numbers, tw_hash(text, length, 1) | 1, number)
        return number

    cdef int grow(self) except -1:
        """Move to a table that is twice as large."""
        cdef KeyNumbers larger = KeyNumbers(NULL, 0, 0)
        cdef int64_t slot
        make_room(&larger, self.numbers.mask + 1)
        for slot in range(self.numbers.mask + 1):
            if self.numbers.slots[slot].key != 0:
                add_number(&larger, self.numbers.slots[slot].key, self.numbers.slots[slot].number)
        free(self.numbers.slots)
        self.numbers = larger
        return 0
