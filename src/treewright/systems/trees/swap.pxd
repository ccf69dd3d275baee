"""What systems with SWAP share: a buffer that takes words back. See swap.pyx."""
from treewright.systems.configuration cimport (
    NONE, Configuration, add_arc_inside, is_barred, pop, push, set_aside, shift,
)
from treewright.systems.gold cimport Gold
from treewright.systems.system cimport System

cdef enum:
    SWAP = 3
    BACK = 2                 # value of on_stack for words returned to the buffer


cdef inline bint has_next(const Configuration* c) noexcept nogil:
    """Is there a word in the buffer?"""
    return c.context_size > 0 or c.buffer < c.buffer_end


cdef inline int next_word(const Configuration* c) noexcept nogil:
    """Return the front b of the buffer, maybe a word that came back, or NONE."""
    if c.context_size > 0:
        return c.context[c.context_size - 1]
    return c.buffer if c.buffer < c.buffer_end else NONE


cdef inline void shift_next(Configuration* c) noexcept nogil:
    """(σ, b|β) ⇒ (σ|b, β)"""
    if c.context_size > 0:
        c.context_size -= 1
        push(c, c.context[c.context_size])
    else:
        shift(c)


cdef inline void hand_back(Configuration* c) noexcept nogil:
    """(σ|s, β) ⇒ (σ, s|β)"""
    c.on_stack[set_aside(c)] = BACK


cdef inline void join(Configuration* c, int head, int dependent, int label, bint single_root) noexcept nogil:
    """Add an arc, unless leaves bar it; dependents come in any order."""
    if not is_barred(c, head, dependent, single_root):
        add_arc_inside(c, head, dependent, label)


cdef inline bint complete(const Configuration* c, const Gold* g, int node) noexcept nogil:
    """Has a word as many dependents as in the gold tree? On the canonical path these are the gold ones."""
    return c.left_count[node] + c.right_count[node] == g.first_child[node + 1] - g.first_child[node]
