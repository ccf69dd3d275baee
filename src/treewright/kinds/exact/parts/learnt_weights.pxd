from libc.stdint cimport int32_t

from treewright.kinds.exact.parts.parts cimport PartProgram, PartScratch
from treewright.kinds.exact.parts.scorer cimport PartScorer, TripleWeights
from treewright.kinds.exact.parts.triples cimport TripleKeys
from treewright.kinds.exact.parts.weights cimport Gradient, KeySet


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


cdef class LearntTriples:
    cdef readonly object keys
    cdef object tags, slots
    cdef dict bounded                    # by key of a feature: the keys of the bounds it contributes to
    cdef TripleWeights base              # of the model to start from, or None
    cdef TripleWeights scorer            # with the weights as they are now
    cdef Gradient gradient


cdef class LearntWeights:
    """Features by key, their weights, and the steps on these."""
    cdef PartProgram program
    cdef readonly object relation_settings
    cdef int width                       # of a row of weights, one per relation: a multiple of eight
    cdef readonly object arc_keys, relation_keys
    cdef object arc_tags, relation_tags, arc_slots
    cdef object numbers                  # by slot of a relation's feature: its row
    cdef PartScorer base                 # the model to start from, or None
    cdef object base_relations           # by relation of this model: its number here
    cdef readonly LearntTriples grandparents, siblings
    cdef PartScorer scorer              # with the weights as they are now
    cdef Gradient arcs, relations
