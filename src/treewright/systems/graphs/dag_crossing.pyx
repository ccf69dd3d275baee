"""Arc-eager for graphs whose arcs may cross: dag-arc-eager with one more move, PASS.

PASS sets the top of the stack aside, so that the front of the buffer can be linked to words further down; SHIFT puts
all that was set aside back onto the stack, in its old order, and moves on. For trees, Choi & McCallum (2013) joined
the lists of Covington to arc-eager in this way. Time is linear as long as little is passed over, and at worst
quadratic. Any graph can be built: nothing needs to be lifted.

The costs are those of dag-arc-eager, and exact for all graphs: an arc can be built as long as one of its words is on
the stack or set aside for the other, the other in the buffer, whatever else is built. A word that was passed over can
no longer be linked to the front.
"""
from treewright.systems.configuration cimport NONE, Configuration, restore_context, set_aside, top
from treewright.systems.gold cimport Gold, arc_to, head_at, head_behind
from treewright.systems.graphs.dag_arc_eager cimport LEFT, PASSED, REDUCE, RIGHT, SHIFT, DagArcEager
from treewright.systems.system cimport MAX_KINDS, System

cdef enum:
    PASS = 4


cdef class DagCrossing(DagArcEager):
    """SHIFT, LEFT, RIGHT, REDUCE, PASS over graphs."""

    def __init__(self):
        System.__init__(self, "dag-crossing", ("SHIFT", "LEFT", "RIGHT", "REDUCE", "PASS"), "last", False)
        self.stays = 1 << LEFT | 1 << RIGHT

    @property
    def addresses(self):
        """The names of the feature language for the places where features may begin."""
        return ("stack", "input", "context")

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef unsigned mask = DagArcEager.legal(self, c)
        if c.stack_size > 1 and c.buffer <= c.n:
            mask |= 1 << PASS
        return mask

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        if kind == PASS:
            c.on_stack[set_aside(c)] = PASSED
            return
        if kind == SHIFT:
            restore_context(c)
        DagArcEager.apply(self, c, kind, label)

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        cdef int s = top(c, 0), b = c.buffer, i
        cdef bint other = False
        DagArcEager.costs(self, c, g, cost)
        cost[PASS] = 0
        if s == NONE or b > c.n:
            return 0
        if c.head[s] != b and arc_to(c, g, b, s) != NONE:
            cost[PASS] += 1
            if c.head[s] == NONE and not head_behind(c, g, s, b + 1):
                cost[PASS] += 1            # an orphan more
        if c.head[b] != s and arc_to(c, g, s, b) != NONE:
            cost[PASS] += 1
            for i in range(g.first_head[b - 1], g.first_head[b]):
                other = other or (head_at(c, g, i) != s and c.on_stack[head_at(c, g, i)] == 1)
            if c.head[b] == NONE and not other and not head_behind(c, g, b, b + 1):
                cost[PASS] += 1
        return 0

    cdef unsigned economical(self, const Configuration* c, const Gold* g, unsigned kinds) noexcept nogil:
        """Pass nothing over once the front or the top needs nothing more."""
        return kinds & ~(<unsigned>1 << PASS) if kinds & (1 << SHIFT | 1 << REDUCE) else kinds

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        """As in dag-arc-eager; PASS where an arc further down is waiting, and nothing else loses nothing."""
        cdef int cost[MAX_KINDS]
        cdef int kind = DagArcEager.static_kind(self, c, g)
        if kind == SHIFT and c.stack_size > 1:
            self.costs(c, g, cost)
            if cost[SHIFT] > 0 and cost[PASS] == 0:
                return PASS
        return kind
