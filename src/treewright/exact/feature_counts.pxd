"""Counts of the features of gold trees. See feature_counts.pyx."""
from libc.stdint cimport int32_t

from treewright.exact.parts cimport PartScratch
from treewright.exact.triples cimport TripleKeys
from treewright.exact.weights cimport KeySet


cdef class TripleCounts:
    cdef TripleKeys parts
    cdef KeySet keys
    cdef dict bounded
    cdef int add(self, int third, int head, int child) except -1


cdef class FeatureCounts:
    cdef PartScratch parts
    cdef KeySet arcs, relations
    cdef TripleCounts grandparents, siblings
    cdef int add_arc(self, int head, int child) except -1 nogil
    cdef int add_tree(self, const int32_t* heads, const unsigned char* likely) except -1
