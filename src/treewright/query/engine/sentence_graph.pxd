from libc.stdint cimport int32_t, uint64_t


cdef class SentenceGraph:
    cdef int n_nodes, n_arcs, n_slots, n_arc_slots
    cdef int node_room, arc_room
    cdef uint64_t* mask                  # of a node: the tests that it passes; 0 is the anchor
    cdef double* value                   # [node * n_slots]
    cdef int32_t* parent                 # in the tree; -1: none
    cdef int32_t* source                 # of an arc
    cdef int32_t* target
    cdef uint64_t* arc_mask
    cdef double* arc_value               # [arc * n_arc_slots]
    cdef int32_t* first_out              # [n_nodes + 1]: arcs from node v are leaving[first_out[v] .. first_out[v + 1]]
    cdef int32_t* leaving                # by target, ascending
    cdef int32_t* first_in
    cdef int32_t* arriving               # by source, ascending
    cdef int32_t* waiting                # scratch: nodes or arcs
    cdef int32_t* mark                   # scratch: of a node

    cdef int _scratch(self) except -1 nogil
    cdef int _place(self, int32_t* first, int node) noexcept nogil
    cdef void _offsets(self, int32_t* first, const int32_t* end) noexcept nogil
    cdef int begin(self, int n_nodes) except -1 nogil
    cdef int add(self, int source, int target, uint64_t mask) except -1 nogil
    cdef int index(self) except -1 nogil
    cdef bint has(self, int source, int target, uint64_t wanted) noexcept nogil
    cdef bint reaches(self, int source, int target, long* steps) noexcept nogil
    cdef int depth(self, int node) noexcept nogil
    cdef bint is_cyclic(self) noexcept nogil
    cdef bint is_forest(self) noexcept nogil
    cdef bint is_tree(self) noexcept nogil
    cdef bint is_projective(self) noexcept nogil
