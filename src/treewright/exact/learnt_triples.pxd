"""The weights of parts of three words during training. See learnt_triples.pyx."""
from treewright.exact.scorer cimport TripleWeights
from treewright.exact.weights cimport Gradient


cdef class LearntTriples:
    cdef float initial
    cdef readonly object keys
    cdef object tags, slots
    cdef dict bounded                    # by key of a feature: the keys of the bounds it contributes to
    cdef TripleWeights base              # of the model to start from, or None
    cdef TripleWeights scorer            # with the weights as they are now
    cdef Gradient gradient
