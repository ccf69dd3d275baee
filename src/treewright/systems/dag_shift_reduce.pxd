from treewright.systems.graph_system cimport GraphSystem


cdef class DagShiftReduce(GraphSystem):
    pass
