from treewright.systems.graph_system cimport GraphSystem

cdef enum:
    SHIFT = 0
    LEFT = 1
    RIGHT = 2
    REDUCE = 3
    PASSED = 2               # as on_stack: set aside for a while, see dag_crossing.pyx


cdef class DagArcEager(GraphSystem):
    pass
