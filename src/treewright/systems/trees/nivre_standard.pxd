from treewright.systems.trees.arc_standard cimport ArcStandard
from treewright.systems.system cimport Configuration, Gold


cdef class NivreStandard(ArcStandard):
    cdef ArcStandard stacked             # arc-standard of the same kind, whose costs are ours
