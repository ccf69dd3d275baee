"""Number relations and features as the official scores compare them. See labels.pyx."""
from libc.stdint cimport int32_t

from treewright.treebank.interner cimport Interner


cdef enum:
    CONTENT = 1
    FUNCTION = 2


cdef class Labels:
    cdef Interner relations              # relations without subtype
    cdef Interner raw_features           # FEATS as written
    cdef dict canonical                  # universal features, sorted -> number
    cdef signed char* kind               # [relation]: CONTENT, FUNCTION or 0
    cdef int32_t* canonical_number       # [raw features]: number in `canonical`
    cdef int kind_room, canonical_room

    cdef int relation(self, const char* text, int length) except -1
    cdef int features(self, const char* text, int length) except -1
