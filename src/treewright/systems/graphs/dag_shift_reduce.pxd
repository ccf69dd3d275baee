from treewright.systems.graphs.graph_system cimport GraphSystem


cdef class DagShiftReduce(GraphSystem):
    pass
