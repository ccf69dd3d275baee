"""The state of a parse: stack, buffer, arcs so far. See configuration.pyx."""
from libc.stdint cimport int32_t, uint64_t

cdef enum:
    NONE = -1
    NO_COUNT = -1            # what stands for NONE where dependents are counted


cdef enum ContextUse:        # what the words of the context are
    PASSED_OVER              # Covington: skipped between buffer and stack; features see those without a head
    SET_ASIDE                # taken from the stack for a while; features see all of them
    RETURNED                 # returned to the buffer, in front of its words, the last one first


cdef extern from "configuration.h" nogil:
    ctypedef struct RulesOfRelation "tw_rule":           # the header says what each is
        uint64_t mark
        uint64_t apart
        uint64_t below
        uint64_t shape

    ctypedef struct Rules "tw_rules":
        int n_labels
        const RulesOfRelation* of
        const unsigned char* tagged

    ctypedef struct Configuration "tw_configuration":    # the header says what each is
        int n, root
        int stack_size
        int32_t* stack
        int buffer, buffer_end
        int context_size
        int32_t* context
        int context_use
        int focus
        int32_t* previous
        int32_t* next
        int roots
        const unsigned char* leaf
        const Rules* rules
        const unsigned char* tag
        float tag_price
        int moves
        int last_kind[2]
        int32_t* head
        int32_t* label
        int32_t* head_count
        int32_t* earlier_heads
        int32_t* leftmost
        int32_t* rightmost
        int32_t* left_sibling
        int32_t* right_sibling
        int32_t* left_count
        int32_t* right_count
        int32_t* on_stack
        uint64_t* left_labels
        uint64_t* right_labels
        uint64_t* head_labels
        uint64_t* marks


cdef class Workspace:
    """Memory for one parse at a time, which grows for longer sentences; one per thread."""
    cdef Configuration c
    cdef float* confidence       # by node: of the arc to it, where a parser measures that
    cdef void* memory
    cdef int capacity
    cdef int reserve(self, int n) except -1 nogil


cdef void clear(Configuration* c, int n, int root) noexcept nogil
cdef void add_arc(Configuration* c, int head, int dependent, int label) noexcept nogil
cdef void add_arc_inside(Configuration* c, int head, int dependent, int label) noexcept nogil


cdef inline bint is_leaf(const Configuration* c, int node) noexcept nogil:
    """May the node not govern others?"""
    return c.leaf != NULL and c.leaf[node] == 1


cdef inline void push(Configuration* c, int node) noexcept nogil:
    c.stack[c.stack_size] = node
    c.stack_size += 1
    c.on_stack[node] = 1


cdef inline int pop(Configuration* c) noexcept nogil:
    c.stack_size -= 1
    c.on_stack[c.stack[c.stack_size]] = 0
    return c.stack[c.stack_size]


cdef inline void shift(Configuration* c) noexcept nogil:
    """(σ, b|β) ⇒ (σ|b, β)"""
    push(c, c.buffer)
    c.buffer += 1


cdef inline int set_aside(Configuration* c) noexcept nogil:
    """Move the top of the stack to the context; return it."""
    cdef int node = pop(c)
    c.context[c.context_size] = node
    c.context_size += 1
    return node


cdef inline void restore_context(Configuration* c) noexcept nogil:
    """Put the words of the context back onto the stack, in their old order."""
    while c.context_size:
        c.context_size -= 1
        push(c, c.context[c.context_size])


cdef inline int top(const Configuration* c, int depth) noexcept nogil:
    """Return stack[depth], counted from the top, or NONE."""
    return c.stack[c.stack_size - 1 - depth] if depth < c.stack_size else NONE


cdef inline int unattached(const Configuration* c, int depth) noexcept nogil:
    """Return context[depth], counted from the stack and over words without a head only; or NONE."""
    cdef int i
    for i in range(c.context_size - 1, -1, -1):
        if c.head[c.context[i]] == NONE:
            if depth == 0:
                return c.context[i]
            depth -= 1
    return NONE


cdef inline int in_list(const Configuration* c, int offset) noexcept nogil:
    """Return list[offset], so many places right (or left) of the focus in the list λ; or NONE."""
    cdef int node = c.focus
    while offset > 0 and node != NONE:
        node = c.next[node]
        offset -= 1
    while offset < 0 and node != NONE:
        node = c.previous[node]
        offset += 1
    return node


cdef inline bint is_barred(const Configuration* c, int head, int dependent, bint single_root) noexcept nogil:
    """Would an arc come from a leaf, or from ROOT to a leaf as the only root?"""
    return is_leaf(c, head) or (single_root and head == c.root and is_leaf(c, dependent))


cdef inline void link(Configuration* c, int head, int dependent, int label, bint single_root) noexcept nogil:
    """Add an arc, unless leaves bar it."""
    if not is_barred(c, head, dependent, single_root):
        add_arc(c, head, dependent, label)


cdef inline void arc_between(int left, int right, bint to_left, bint to_right, int* head,
                             int* dependent) noexcept nogil:
    """Give right → left or left → right, whichever is asked for; else NONE, NONE."""
    head[0] = dependent[0] = NONE
    if to_left:
        head[0], dependent[0] = right, left
    elif to_right:
        head[0], dependent[0] = left, right


cdef inline int front(const Configuration* c) noexcept nogil:
    return c.buffer if c.buffer < c.buffer_end else NONE


cdef inline bint in_buffer(const Configuration* c, int node) noexcept nogil:
    return c.buffer <= node < c.buffer_end


cdef inline bint face(Configuration* c, int head, int dependent) noexcept nogil:
    """Arrange two words as the only one on the stack and the front of the buffer; return whether the head is first."""
    c.stack_size = c.context_size = 0
    push(c, head if head < dependent else dependent)
    c.buffer = dependent if head < dependent else head
    return head < dependent
