from libc.stdint cimport int32_t

from treewright.treebank.graphs.sentence_arcs cimport SentenceArcs


cdef class GraphRestorer:
    cdef readonly list names         # of relations as written, by number
    cdef int n_relations
    cdef bint changes                # whether any relation is joined, lifted or reversed
    cdef object memory
    cdef int32_t[::1] first_part     # [n_relations + 1]: first part that a relation was joined from
    cdef int32_t[::1] part_name      # the name of each part
    cdef int32_t[::1] part_path      # the relation that a lift recorded, or -1
    cdef int32_t[::1] part_reversed
    cdef int32_t[::1] first_name     # of a relation: its first part before any lift
    cdef int32_t[::1] seen           # scratch memory: a mark for each node, and a queue
    cdef int32_t[::1] queue
    cdef int mark
    cdef int restore(self, SentenceArcs arcs, SentenceArcs out) except -1
    cdef int lowered(self, SentenceArcs arcs, int head, int word, int wanted) except -1
