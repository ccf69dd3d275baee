from libc.stdint cimport int32_t

from treewright.treebank.blocks.block cimport Block
from treewright.treebank.graphs.sentence_arcs cimport SentenceArcs


cdef class RelationFillers:
    cdef readonly list names
    cdef dict numbers, cases
    cdef dict fitting                # text → may it be part of a relation?
    cdef int32_t[::1] is_conjunct    # by relation
    cdef int32_t[::1] is_fixed
    cdef Block block
    cdef int first_word
    cdef SentenceArcs arcs           # indexed
    cdef bytes of_dependent(self, int word, int relation, bint last)
    cdef int dependent_by(self, int word, int relation, bint last) noexcept
    cdef bytes text_of(self, int word)
    cdef bint fits(self, bytes text) except -1
    cdef bytes case_of(self, int word, bytes marker)
