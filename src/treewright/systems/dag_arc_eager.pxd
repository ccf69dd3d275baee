"""Arc-eager for graphs. See dag_arc_eager.pyx."""
from libc.stdint cimport int32_t

from treewright.systems.configuration cimport Configuration, Workspace
from treewright.systems.system cimport System

cdef enum:
    SHIFT = 0
    LEFT = 1
    RIGHT = 2
    REDUCE = 3


cdef struct GoldGraph:
    const int32_t* first_head    # [n + 1]: heads of word w are heads[first_head[w - 1] .. first_head[w]]
    const int32_t* heads         # as in the treebank: 0 is the root
    const int32_t* labels
    int32_t* first_child         # [n + 3] by node, the root at n + 1
    int32_t* children            # ascending
    int offset                   # of first_head: graphs of several sentences stand in one array


cdef class GraphWorkspace:
    """Memory for one parse at a time: a configuration, the arcs in the order they were built, a gold graph."""
    cdef Workspace workspace
    cdef GoldGraph gold
    cdef int n_arcs
    cdef int32_t* arc_head       # the root is n + 1
    cdef int32_t* arc_dependent
    cdef int32_t* arc_label
    cdef int capacity, gold_capacity
    cdef int reserve(self, int n) except -1 nogil
    cdef int set_gold(self, int n, const int32_t* first_head, const int32_t* heads, const int32_t* labels) except -1 nogil


cdef class DagArcEager(System):
    cdef void begin(self, GraphWorkspace w, int n) noexcept nogil
    cdef void move(self, GraphWorkspace w, int kind, int label) noexcept nogil
    cdef void graph_costs(self, const Configuration* c, const GoldGraph* g, int* cost) noexcept nogil
    cdef int static_move(self, const Configuration* c, const GoldGraph* g) noexcept nogil
    cdef int gold_label(self, const Configuration* c, const GoldGraph* g, int kind) noexcept nogil
