"""The contract of a system for graphs. See graph_system.pyx."""
from libc.stdint cimport int32_t

from treewright.systems.configuration cimport NONE, Configuration, Workspace
from treewright.systems.system cimport System

cdef enum:
    # As the focus of a configuration, which easy-first alone uses otherwise: ``previous`` counts the heads of every word.
    GRAPH = -2               # … and ``context`` holds words that were passed over
    RETURNED = -3            # … and ``context`` holds words that went back to the buffer, its front last


cdef struct GoldGraph:
    const int32_t* first_head    # [n + 1]: heads of word w are heads[first_head[w - 1] .. first_head[w]]
    const int32_t* heads         # as in the treebank: 0 is the root
    const int32_t* labels
    int32_t* first_child         # [n + 3] by node, the root where the system has it
    int32_t* children            # ascending


cdef class GraphWorkspace:
    """Memory for one parse at a time: a configuration, the arcs in the order they were built, a gold graph."""
    cdef Workspace workspace
    cdef GoldGraph gold
    cdef int n_arcs
    cdef int32_t* arc_head       # the root is 0 or n + 1, as in the configuration
    cdef int32_t* arc_dependent
    cdef int32_t* arc_label
    cdef int capacity, arc_capacity, gold_capacity
    cdef int reserve(self, int n) except -1 nogil
    cdef int add(self, int head, int dependent, int label) except -1 nogil
    cdef int set_gold(self, int n, int root, const int32_t* first_head, const int32_t* heads,
                      const int32_t* labels) except -1 nogil


cdef class GraphSystem(System):
    cdef unsigned stays              # bit k: moves of kind k leave stack and buffer as they are
    cdef void begin(self, GraphWorkspace w, int n) noexcept nogil
    cdef int move(self, GraphWorkspace w, int kind, int label) except -1 nogil
    cdef bint has_arc(self, const Configuration* c, int kind) noexcept nogil
    cdef void graph_costs(self, const Configuration* c, const GoldGraph* g, int* cost) noexcept nogil
    cdef unsigned free_kinds(self, const Configuration* c, const GoldGraph* g, unsigned legal) noexcept nogil
    cdef int static_move(self, const Configuration* c, const GoldGraph* g) noexcept nogil
    cdef int gold_label(self, const Configuration* c, const GoldGraph* g, int kind) noexcept nogil


cdef inline int head_at(const Configuration* c, const GoldGraph* g, int i) noexcept nogil:
    return g.heads[i] if g.heads[i] else c.root


cdef inline int arc_to(const Configuration* c, const GoldGraph* g, int head, int word) noexcept nogil:
    """The place of a gold arc, or NONE."""
    cdef int i
    if word < 1 or word > c.n:
        return NONE
    for i in range(g.first_head[word - 1], g.first_head[word]):
        if head_at(c, g, i) == head:
            return i
    return NONE


cdef inline bint head_behind(const Configuration* c, const GoldGraph* g, int word, int first) noexcept nogil:
    """Has a word a gold head at or behind a place?"""
    cdef int i
    for i in range(g.first_head[word - 1], g.first_head[word]):
        if head_at(c, g, i) >= first:
            return True
    return False


cdef inline void start_graph(Configuration* c, int n) noexcept nogil:
    """Words have no heads yet."""
    cdef int node
    c.focus = GRAPH
    for node in range(n + 2):
        c.previous[node] = 0
