"""The weights of an exact parser during training. See learnt_weights.pyx."""
from treewright.exact.learnt_triples cimport LearntTriples
from treewright.exact.parts cimport PartProgram
from treewright.exact.scorer cimport PartScorer
from treewright.exact.weights cimport Gradient


cdef class LearntWeights:
    """Features by key, their weights, and the steps on these."""
    cdef PartProgram program
    cdef readonly object relation_settings
    cdef float initial
    cdef int width                       # of a row of weights, one per relation: a multiple of eight
    cdef readonly object arc_keys, relation_keys
    cdef object arc_tags, relation_tags, arc_slots
    cdef object numbers                  # by slot of a relation's feature: its row
    cdef PartScorer base                 # the model to start from, or None
    cdef object base_relations           # by relation of this model: its number here
    cdef readonly LearntTriples grandparents, siblings
    cdef PartScorer scorer              # with the weights as they are now
    cdef Gradient arcs, relations
