"""The state of a parse: stack, buffer, arcs so far. See configuration.pyx."""
from libc.stdint cimport int32_t, uint64_t

cdef enum:
    NONE = -1


cdef struct Configuration:
    int n                    # words are 1 .. n
    int root                 # the node that stands for the root: 0 (before the words) or n + 1 (behind them)
    int stack_size
    int32_t* stack           # stack[stack_size - 1] is the top
    int buffer               # first node of the buffer
    int buffer_end           # one past its last node: n + 1, or n + 2 where the root stands last
    int context_size         # Covington: the words passed over on the way from the buffer to the stack (λ₂)
    int32_t* context         # context[context_size - 1] is next to the top of the stack
    int focus                # easy-first: the left word of the pair that is looked at
    int32_t* previous        # easy-first: the list λ, linked both ways; NONE at its ends
    int32_t* next
    int roots                # words attached to the root so far
    int moves                # moves made so far
    int last_kind[2]         # the previous two moves
    # By node, 0 .. n + 1; NONE where there is none.
    int32_t* head
    int32_t* label           # relation to the head
    int32_t* leftmost        # outermost dependent on the left, on the right
    int32_t* rightmost
    int32_t* left_sibling    # next dependent of the same head, same side
    int32_t* right_sibling
    int32_t* left_count      # number of dependents on the left, on the right
    int32_t* right_count
    int32_t* on_stack        # 1 while on the stack, or in the list
    uint64_t* left_labels    # set of relations of the dependents, as bits
    uint64_t* right_labels


cdef struct Gold:
    int32_t* head            # by node, the root renumbered as in the configuration
    int32_t* label
    int32_t* first_child     # [n + 3] offsets into children
    int32_t* children        # by head, ascending
    int root                 # the word that hangs on the root (the first, if several do), or NONE


cdef class Workspace:
    """Memory for one parse at a time, grown when a longer sentence comes; one per thread."""
    cdef Configuration c
    cdef Gold gold
    cdef void* memory
    cdef int capacity
    cdef int reserve(self, int n) except -1 nogil
    cdef void set_gold(self, int n, int root, const int32_t* heads, const int32_t* labels) noexcept nogil


cdef void clear(Configuration* c, int n, int root) noexcept nogil
cdef void add_arc(Configuration* c, int head, int dependent, int label) noexcept nogil


cdef inline void push(Configuration* c, int node) noexcept nogil:
    c.stack[c.stack_size] = node
    c.stack_size += 1
    c.on_stack[node] = 1


cdef inline int pop(Configuration* c) noexcept nogil:
    c.stack_size -= 1
    c.on_stack[c.stack[c.stack_size]] = 0
    return c.stack[c.stack_size]


cdef inline void count_move(Configuration* c, int kind) noexcept nogil:
    """Remember that a move of this kind is made."""
    c.moves += 1
    c.last_kind[1] = c.last_kind[0]
    c.last_kind[0] = kind


cdef inline int top(const Configuration* c, int depth) noexcept nogil:
    """stack[depth], counted from the top, or NONE."""
    return c.stack[c.stack_size - 1 - depth] if depth < c.stack_size else NONE


cdef inline int unattached(const Configuration* c, int depth) noexcept nogil:
    """context[depth], counted from the stack: of the words passed over, those without a head; or NONE."""
    cdef int i
    for i in range(c.context_size - 1, -1, -1):
        if c.head[c.context[i]] == NONE:
            if depth == 0:
                return c.context[i]
            depth -= 1
    return NONE


cdef inline int in_list(const Configuration* c, int offset) noexcept nogil:
    """list[offset]: so many places right (or left) of the focus in the list λ; or NONE."""
    cdef int node = c.focus
    while offset > 0 and node != NONE:
        node = c.next[node]
        offset -= 1
    while offset < 0 and node != NONE:
        node = c.previous[node]
        offset += 1
    return node


cdef inline int front(const Configuration* c) noexcept nogil:
    return c.buffer if c.buffer < c.buffer_end else NONE


cdef inline bint in_buffer(const Configuration* c, int node) noexcept nogil:
    return c.buffer <= node < c.buffer_end


cdef inline int dependents_from(const Gold* g, int head, int first) noexcept nogil:
    """Number of gold dependents of head at or behind a node."""
    cdef int low = g.first_child[head], end = g.first_child[head + 1], high = end, middle
    while low < high:
        middle = (low + high) >> 1
        if g.children[middle] < first:
            low = middle + 1
        else:
            high = middle
    return end - low
