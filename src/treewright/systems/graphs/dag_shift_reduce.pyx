"""Shift-reduce parsing of graphs (Sagae & Tsujii 2008; Tokgöz & Eryiğit 2015, 3.1), with a static oracle.

Arcs are built between the two topmost words of the stack, t on top of u. LEFT-REDUCE (t → u) and RIGHT-REDUCE (u → t)
take the dependent from the stack; LEFT-ATTACH and RIGHT-ATTACH build the same arcs for words that need more of them.
LEFT-ATTACH changes nothing else; RIGHT-ATTACH puts t back to the front of the buffer, so that u can leave and t meet
what is below it. The root lies at the bottom of the stack; the parse ends when it is alone and the buffer empty.

No arc is attached twice, or the parse might never end. A word whose last arc to its neighbour is there already can
still be reduced: that adds nothing. So some move is always legal, and every word has got a head at the end.

Leaves (leaf_tags.pyx) give no arcs. Where t and u both are leaves and there is nothing to SHIFT, RIGHT-REDUCE takes t
from the stack without an arc, and ROOT takes t afterwards.

Not every graph without crossing arcs can be built: a word must leave the stack by an arc from its neighbour. If its
heads have all left before, it cannot.
"""
from treewright.systems.configuration cimport (
    NONE, RETURNED, Configuration, add_arc, face, is_leaf, pop, push, set_aside, shift, top,
)
from treewright.systems.gold cimport Gold, arc_to, head_at
from treewright.systems.graphs.graph_system cimport GraphSystem
from treewright.systems.system cimport System

cdef enum:
    SHIFT = 0
    LEFT_REDUCE = 1
    RIGHT_REDUCE = 2
    LEFT_ATTACH = 3
    RIGHT_ATTACH = 4
    BACK = 2                 # value of on_stack for words returned to the buffer


cdef inline bint built(const Configuration* c, int head, int dependent) noexcept nogil:
    """Is there an arc between two words that are still there?

    Words take dependents from the inside outwards, and nothing comes between neighbours while both are there: an arc
    between them is its head's outermost on that side.
    """
    return c.leftmost[head] == dependent if dependent < head else c.rightmost[head] == dependent


cdef inline bint waiting(const Configuration* c, const Gold* g, int head, int dependent) noexcept nogil:
    """Is this a gold arc that is still to be built?"""
    return arc_to(c, g, head, dependent) != NONE and not built(c, head, dependent)


cdef inline bint there(const Configuration* c, int node) noexcept nogil:
    return c.on_stack[node] != 0 or node >= c.buffer


cdef class DagShiftReduce(GraphSystem):
    """SHIFT, LEFT-REDUCE, RIGHT-REDUCE, LEFT-ATTACH, RIGHT-ATTACH over graphs."""

    def __init__(self):
        cdef tuple kinds = ("SHIFT", "LEFT-REDUCE", "RIGHT-REDUCE", "LEFT-ATTACH", "RIGHT-ATTACH")
        System.__init__(self, "dag-shift-reduce", kinds, "first", False, kinds[1:], ("static",))
        self.stays = 1 << LEFT_ATTACH

    cdef void start(self, Configuration* c, int n) noexcept nogil:
        System.start(self, c, n)
        c.context_use = RETURNED

    cdef bint terminal(self, const Configuration* c) noexcept nogil:
        return c.stack_size == 1 and c.context_size == 0 and c.buffer == c.buffer_end

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef int t = top(c, 0), u = top(c, 1)
        cdef unsigned mask = 0
        if c.context_size > 0 or c.buffer < c.buffer_end:
            mask = 1 << SHIFT
        if u == NONE:
            return mask
        if not is_leaf(c, u):
            mask |= 1 << RIGHT_REDUCE
            if not built(c, u, t):
                mask |= 1 << RIGHT_ATTACH
        elif mask == 0 and is_leaf(c, t):
            mask |= 1 << RIGHT_REDUCE
        if u != c.root and not is_leaf(c, t):
            mask |= 1 << LEFT_REDUCE
            if not built(c, t, u):
                mask |= 1 << LEFT_ATTACH
        return mask

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        head[0] = dependent[0] = NONE
        if kind == LEFT_REDUCE or kind == LEFT_ATTACH:
            head[0], dependent[0] = top(c, 0), top(c, 1)
        elif kind != SHIFT:
            head[0], dependent[0] = top(c, 1), top(c, 0)

    cdef bint has_arc(self, const Configuration* c, int kind) noexcept nogil:
        cdef int head, dependent
        self.arc(c, kind, &head, &dependent)
        return dependent != NONE and (is_leaf(c, head) or built(c, head, dependent))

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        cdef int head, dependent
        if kind == SHIFT:
            if c.context_size > 0:
                c.context_size -= 1
                push(c, c.context[c.context_size])
            else:
                shift(c)
            return
        self.arc(c, kind, &head, &dependent)
        if not built(c, head, dependent) and not is_leaf(c, head):
            add_arc(c, head, dependent, label)
        if kind == LEFT_REDUCE:
            pop(c)
            pop(c)
            push(c, head)
        elif kind == RIGHT_REDUCE:
            pop(c)
        elif kind == RIGHT_ATTACH:
            c.on_stack[set_aside(c)] = BACK

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        cdef bint head_first = face(c, head, dependent)
        shift(c)
        return RIGHT_REDUCE if head_first else LEFT_REDUCE

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        """Arcs as soon as the pair is there; REDUCE a dependent that needs no more, ATTACH one that needs a head."""
        cdef int t = top(c, 0), u = top(c, 1)
        cdef bint left, right
        if u == NONE:
            return SHIFT
        left = u != c.root and waiting(c, g, t, u)
        right = waiting(c, g, u, t)
        if left and right and needs(c, g, t, u, False) and not needs(c, g, u, t, False):
            return RIGHT_ATTACH            # u is to leave, by the other arc
        if left:
            return LEFT_REDUCE if not right and not needs(c, g, u, t, False) else LEFT_ATTACH
        if right and not needs(c, g, t, u, False):
            return RIGHT_REDUCE
        if right and needs(c, g, t, u, True):
            return RIGHT_ATTACH
        if not right and u != c.root and built(c, t, u) and not needs(c, g, u, t, False):
            return LEFT_REDUCE
        if not right and built(c, u, t) and not needs(c, g, t, u, False):
            return RIGHT_REDUCE
        return SHIFT if c.context_size > 0 or c.buffer < c.buffer_end else RIGHT_REDUCE


cdef bint needs(const Configuration* c, const Gold* g, int node, int but, bint soon) noexcept nogil:
    """Has a word gold arcs to build with words that are there, another than ``but``?

    ``soon``: what must not be waited with. Those are arcs with words on the left; of those on the right, the furthest,
    if it is from a head that is not a dependent as well: that head will take the word from the stack.
    """
    cdef int i, other, furthest = 0
    cdef bint is_head = False
    if node != c.root:
        for i in range(g.first_head[node - 1], g.first_head[node]):
            other = head_at(c, g, i)
            if other != but and there(c, other) and not built(c, other, node):
                if not soon or other < node:
                    return True
                if other > furthest:
                    furthest, is_head = other, True
    for i in range(g.first_child[node], g.first_child[node + 1]):
        other = g.children[i]
        if other != but and there(c, other) and not built(c, node, other):
            if not soon or other < node:
                return True
            if other >= furthest:
                furthest, is_head = other, False
    return is_head
