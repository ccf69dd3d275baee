"""The best projective tree of a second-order model. See span_chart.pyx."""
from libc.stdint cimport int32_t, int64_t

from treewright.kinds.exact.parts.part_family cimport PartFamily


cdef class SpanChart:
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
    cdef bint has_grandparents, has_siblings
    cdef int number_arcs(self, const unsigned char* alive) except -1 nogil
    cdef double best(self, int n, const double* scores, const unsigned char* alive, bint single_root,
                     int32_t* heads) except? -1 nogil
    cdef double known_or_cap(self, PartFamily family, int third, int h, int c) except? -1 nogil
    cdef int fill(self) except -1 nogil
    cdef void fill_between(self, int h, int s, int m) noexcept nogil
    cdef int fill_open(self, int64_t arc, int m) except -1 nogil
    cdef void fill_closed(self, int64_t arc, int e) noexcept nogil
    cdef double first_child(self, int64_t arc, int m) except? -1 nogil
    cdef void trace_closed(self, int64_t arc, int e, int32_t* heads) noexcept nogil
    cdef void trace_open(self, int64_t arc, int m, int32_t* heads) noexcept nogil
