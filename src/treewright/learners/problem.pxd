from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.learners.feature_index cimport FeatureIndex
from treewright.treebank.blocks.owned_memory cimport Owner


cdef class Problem(Owner):
    cdef readonly FeatureIndex index
    cdef readonly int n_decisions        # a learner has to tell apart decisions 0 .. n_decisions - 1
    cdef readonly int64_t n_instances
    cdef readonly int64_t n_values
    cdef int64_t values_room, instances_room
    cdef int32_t* values                 # numbers of features, instance by instance, in the order of the templates
    cdef int64_t* starts                 # [n_instances + 1]
    cdef int32_t* targets                # the decision of an instance
    cdef int add(self, const uint64_t* keys, int n, int decision) except -1 nogil
    cdef int make_room(self, int n) except -1 nogil
    cdef bytes text(self, int64_t first, int64_t end, char separator, bint sparse)
