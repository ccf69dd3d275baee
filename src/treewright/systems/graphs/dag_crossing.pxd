from treewright.systems.graphs.dag_arc_eager cimport DagArcEager


cdef class DagCrossing(DagArcEager):
    pass
