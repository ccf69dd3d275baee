from treewright.systems.graphs.graph_system cimport GraphSystem

cdef enum:
    SHIFT = 0
    LEFT = 1
    RIGHT = 2
    REDUCE = 3
    PASSED = 2               # value of on_stack for words that are set aside, see dag_crossing.pyx


cdef class DagArcEager(GraphSystem):
    pass
