"""Number strings in the order of their first occurrence: mostly the relations of a treebank."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdlib cimport free

from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.memory cimport allocate_zeroed

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)


cdef class Interner:
    """Numbers byte strings in the order of their first occurrence, without a Python object per look-up."""

    def __cinit__(self):
        self.strings = []
        self.capacity = 1024
        self.keys = <uint64_t*>allocate_zeroed(self.capacity, sizeof(uint64_t))
        self.values = <int32_t*>allocate_zeroed(self.capacity, sizeof(int32_t))

    def __init__(self, strings=()):
        cdef bytes raw
        for string in strings:
            raw = string.encode("utf-8", "surrogateescape")
            self.intern(PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw))

    def __dealloc__(self):
        free(self.keys)
        free(self.values)

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
        cdef uint64_t key = tw_hash(text, length, 1) | 1
        cdef int slot = <int>(key >> 33) & (self.capacity - 1)
        while self.keys[slot] != 0:
            if self.keys[slot] == key:
                return self.values[slot]
            slot = (slot + 1) & (self.capacity - 1)
        return -1

    cdef int intern(self, const char* text, int length) except -1:
        cdef int number = self.find(text, length)
        cdef uint64_t key
        cdef int slot
        if number >= 0:
            return number
        if 2 * len(self.strings) >= self.capacity:
            self.grow()
        number = len(self.strings)
        self.strings.append(text[:length].decode("utf-8", "surrogateescape"))
        key = tw_hash(text, length, 1) | 1
        slot = <int>(key >> 33) & (self.capacity - 1)
        while self.keys[slot] != 0:
            slot = (slot + 1) & (self.capacity - 1)
        self.keys[slot] = key
        self.values[slot] = number
        return number

    cdef int grow(self) except -1:
        cdef uint64_t* old_keys = self.keys
        cdef int32_t* old_values = self.values
        cdef int old = self.capacity, i, slot
        cdef uint64_t* keys = <uint64_t*>allocate_zeroed(2 * old, sizeof(uint64_t))
        try:
            self.values = <int32_t*>allocate_zeroed(2 * old, sizeof(int32_t))
        except MemoryError:
            free(keys)
            raise
        self.keys, self.capacity = keys, 2 * old
        for i in range(old):
            if old_keys[i] != 0:
                slot = <int>(old_keys[i] >> 33) & (self.capacity - 1)
                while self.keys[slot] != 0:
                    slot = (slot + 1) & (self.capacity - 1)
                self.keys[slot] = old_keys[i]
                self.values[slot] = old_values[i]
        free(old_keys)
        free(old_values)
        return 0
