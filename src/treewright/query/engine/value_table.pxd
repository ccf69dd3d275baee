from libc.stdint cimport int32_t, uint64_t

from treewright.treebank.blocks.key_numbers cimport KeyNumbers


cdef class ValueTable:
    cdef KeyNumbers numbers
    cdef uint64_t* masks                 # of an entry: a bit for every test that its value passes
    cdef double* values                  # [entry * n_slots]: what is compared of its value, NaN where there is nothing
    cdef int n, room, n_slots
    cdef bint is_closed                  # values that are not in the table are all alike: entry OTHER
    cdef object evaluate
    cdef bytes prefix

    cdef int entry(self, const char* text, int length) except -1 nogil
    cdef int _add(self, const char* text, int length, uint64_t key) except -1
    cdef int _append(self, object evaluated) except -1


cdef enum:
    ABSENT = 0                           # the entry of a missing value
    OTHER = 1                            # that of a value that no test names
