"""Gold trees whose arcs differ in weight. See weighted_gold.pyx."""
from libc.stdint cimport int32_t

from treewright.systems.configuration cimport Configuration
from treewright.systems.gold cimport Gold, GoldStandard
from treewright.systems.system cimport System


cdef class WeightedGold:
    cdef int32_t[::1] weights            # by relation
    cdef int32_t[::1] heads              # of the arcs that are at least as heavy as this level
    cdef int32_t[::1] labels
    cdef int least, gain                 # the weight of the level, and how much more it is than that of the level below
    cdef GoldStandard gold               # the arcs of this level
    cdef WeightedGold heavier            # the next level, or None
    cdef int bind(self, const Gold* tree, int n, int root) except -1 nogil
    cdef int add_costs(self, System system, const Configuration* c, int* cost) except -1 nogil
    cdef int costs(self, System system, const Configuration* c, int* cost) except -1 nogil
