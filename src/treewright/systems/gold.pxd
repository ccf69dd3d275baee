"""Gold trees and graphs in the form that oracles read. See gold.pyx."""
from libc.stdint cimport int32_t

from treewright.systems.configuration cimport NONE, Configuration


cdef struct Gold:
    # of trees, by node; the root is numbered as in the configuration
    int32_t* head
    int32_t* label
    int root                     # the word attached to the root (the first, if there are several), or NONE
    int32_t* order               # place in the projective order: every head between its dependents as they stand
    int32_t* component           # the word that governs the projective part of the tree that the word is in
    int32_t* plane               # 0 or 1: where arcs cross, that of the arc to the word, if two planes are enough
    # of graphs: heads of word w are heads[first_head[w - 1] .. first_head[w]], 0 is the root
    const int32_t* first_head
    const int32_t* heads
    const int32_t* labels
    # of both, by node
    int32_t* first_child         # [n + 3] offsets into children
    int32_t* children            # by head, ascending


cdef class GoldStandard:
    cdef Gold gold
    cdef int32_t* memory
    cdef int capacity, arc_capacity
    cdef int reserve(self, int n, int n_arcs) except -1 nogil
    cdef int bind_tree(self, int n, int root, const int32_t* heads, const int32_t* labels) except -1 nogil
    cdef int bind_graph(self, int n, int root, const int32_t* first_head, const int32_t* heads,
                        const int32_t* labels) except -1 nogil


cdef void find_order(Gold* g, int n, int root, int32_t* cursor) noexcept nogil
cdef void find_components(Gold* g, int n, int root, int32_t* stack, int32_t* waiting) noexcept nogil
cdef void find_planes(Gold* g, int n, int root, int32_t* agenda) noexcept nogil


cdef inline int dependents_from(const Gold* g, int head, int first) noexcept nogil:
    """Return the number of gold dependents of a head at or behind a node."""
    cdef int low = g.first_child[head], end = g.first_child[head + 1], high = end, middle
    while low < high:
        middle = (low + high) >> 1
        if g.children[middle] < first:
            low = middle + 1
        else:
            high = middle
    return end - low


cdef inline bint headless(const Configuration* c, int node) noexcept nogil:
    """Is the node on the stack, without a head so far?"""
    return c.on_stack[node] == 1 and c.head[node] == NONE


cdef inline int waiting_dependents(const Configuration* c, const Gold* g, int b) noexcept nogil:
    """Return how many gold dependents of the front of the buffer wait on the stack, without a head so far."""
    cdef int k, waiting = 0
    for k in range(g.first_child[b], g.first_child[b + 1]):
        if g.children[k] > b:
            break
        waiting += <int>headless(c, g.children[k])
    return waiting


cdef inline int head_at(const Configuration* c, const Gold* g, int i) noexcept nogil:
    """Return the head of an arc of a gold graph, the root numbered as in the configuration."""
    return g.heads[i] if g.heads[i] else c.root


cdef inline int arc_to(const Configuration* c, const Gold* g, int head, int word) noexcept nogil:
    """Return the position of an arc in the gold graph, or NONE."""
    cdef int i
    if word < 1 or word > c.n:
        return NONE
    for i in range(g.first_head[word - 1], g.first_head[word]):
        if head_at(c, g, i) == head:
            return i
    return NONE


cdef inline bint head_behind(const Configuration* c, const Gold* g, int word, int first) noexcept nogil:
    """Return whether a word has a head at or behind a node in the gold graph."""
    cdef int i
    for i in range(g.first_head[word - 1], g.first_head[word]):
        if head_at(c, g, i) >= first:
            return True
    return False
