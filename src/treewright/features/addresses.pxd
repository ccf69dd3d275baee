from libc.stdint cimport int32_t

from treewright.systems.configuration cimport Configuration

cdef enum:
    MAX_NODES = 256


cdef struct Node:            # an address: what it begins with, or its last step and the node before
    int op, argument, parent


cdef struct Step:            # how a node is found, in the order in which that is done
    int op, argument, parent, node
    size_t first, second     # of a step along arcs: which arrays of a Configuration say where it leads


cdef struct Path:
    Step steps[MAX_NODES]    # nodes of the stack, nodes of the buffer, other nodes
    int n, n_stack, n_input


cdef int order_steps(Path* path, const Node* nodes, int n) except -1
cdef void follow(const Path* path, const Configuration* c, int32_t* nodes) noexcept nogil
