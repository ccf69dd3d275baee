from libc.stdint cimport int32_t, int64_t

from treewright.kinds.exact.parts.part_family cimport PartFamily
from treewright.treebank.blocks.owned_memory cimport Owner


cdef class SpanChart(Owner):
    cdef int n
    cdef int64_t width, n_arcs           # arcs in use, and one more: the root's own, which has no head
    cdef int64_t capacity, arc_capacity
    cdef int32_t* number                 # by arc: its number, -1 if it was dropped
    cdef int32_t* from_                  # by number; one block with ``to``
    cdef int32_t* to
    cdef double* closed                  # by arc (g, h) and last word: spans of h on one side; one block of three
    cdef double* open_                   # by arc (g, h) and child: the same up to the child
    cdef double* between                 # by arc (h, s) and next child: what lies between two children of h
    cdef int32_t* closed_child           # where these came from; one block of three
    cdef int32_t* open_sibling
    cdef int32_t* between_split
    cdef const double* scores
    cdef PartFamily grandparents, siblings
    cdef double best(self, int n, const double* scores, const unsigned char* alive, bint single_root,
                     int32_t* heads) except? -1 nogil
    cdef int fill(self) except -1 nogil
