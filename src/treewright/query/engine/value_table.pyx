"""What the tests of a pattern say of every value of a column, asked once for each value."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport uint64_t
from libc.stdlib cimport free

from treewright.treebank.blocks.key_numbers cimport add_number, make_room, number_of
from treewright.treebank.blocks.memory cimport resize

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)

cdef enum:
    MOST = 1 << 20                       # entries, after which the table begins anew: memory stays flat


cdef class ValueTable:
    """Bits and numbers of values, by their bytes.

    ``evaluate`` gets the bytes of a value, None for a missing one, or False for a value that no test names; it returns
    the bits of the tests that the value passes, and the numbers that are compared. ``constants``: the values that tests
    name, if they all name values; else a value is evaluated when it comes.
    """

    def __init__(self, evaluate, int n_slots, constants=None):
        self.evaluate = evaluate
        self.n_slots = n_slots
        self.is_closed = constants is not None
        self._begin()
        for value in constants or ():
            self._add(PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value), key_of(value, PyBytes_GET_SIZE(value)))

    def __dealloc__(self):
        free(self.numbers.slots)
        free(self.masks)
        free(self.values)

    def _begin(self):
        self.n = 0
        make_room(&self.numbers, 256)
        self._append(self.evaluate(None))
        self._append(self.evaluate(False))

    cdef int entry(self, const char* text, int length) except -1 nogil:
        """Return the entry of a value."""
        cdef uint64_t key = key_of(text, length)
        cdef int number = number_of(&self.numbers, key)
        if number >= 0:
            return number
        if self.is_closed:
            return OTHER
        with gil:
            return self._add(text, length, key)

    cdef int _add(self, const char* text, int length, uint64_t key) except -1:
        cdef KeyNumbers larger = KeyNumbers(NULL, 0, 0)
        cdef long slot
        if self.n >= MOST and not self.is_closed:
            self._begin()
        if 2 * self.n > self.numbers.mask:
            make_room(&larger, self.numbers.mask + 1)
            for slot in range(self.numbers.mask + 1):
                if self.numbers.slots[slot].key != 0:
                    add_number(&larger, self.numbers.slots[slot].key, self.numbers.slots[slot].number)
            free(self.numbers.slots)
            self.numbers = larger
        number = self._append(self.evaluate(PyBytes_FromStringAndSize(text, length)))
        add_number(&self.numbers, key, number)
        return number

    cdef int _append(self, object evaluated) except -1:
        cdef int slot
        if self.n == self.room:
            self.room = 64 + 2 * self.room
            self.masks = <uint64_t*>resize(self.masks, self.room, sizeof(uint64_t))
            self.values = <double*>resize(self.values, self.room * self.n_slots, sizeof(double))
        mask, values = evaluated
        self.masks[self.n] = mask
        for slot in range(self.n_slots):
            self.values[self.n * self.n_slots + slot] = values[slot]
        self.n += 1
        return self.n - 1


cdef inline uint64_t key_of(const char* text, int length) noexcept nogil:
    return tw_hash(text, length, 1) | 1
