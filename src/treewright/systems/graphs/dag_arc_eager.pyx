"""Arc-eager for graphs (Sagae & Tsujii 2008; Tokgöz & Eryiğit 2015, 3.2 and 3.3), with exact costs.

LEFT and RIGHT link the top of the stack and the front of the buffer and leave both where they are; REDUCE takes a
word from the stack that has at least one head; SHIFT moves on. The root stands behind the words. At the end every
word has left the stack: every word has got a head. No arc is built twice: while two words face each other, the last
head of each tells what has been built between them, and once one of them has moved they never face each other again.

What a move costs is how much less can be right after it: gold arcs that can no longer be built, plus arcs built that
are not in the gold graph. An *orphan* is a word without a head whose gold heads are all out of reach. It must get a
wrong head before it can leave the stack, so every orphan costs one arc, and the wrong arc that gives it a head costs
nothing more. Tokgöz & Eryiğit look at arcs one by one (their costs of REDUCE and SHIFT do not see that a word
becomes an orphan, and the arc that frees one is costly by their rule, which then leaves no free move at all).

The costs are exact for gold graphs without crossing arcs, the arcs of the root (from behind the words) included.

Leaves (leaf_tags.pyx) give no arcs. Where the front is one, the top may leave without a head, which costs as much as a
wrong one; ROOT takes such words afterwards.
"""
from treewright.systems.configuration cimport (
    NONE, SET_ASIDE, Configuration, add_arc, arc_between, face, is_leaf, pop, shift, top,
)
from treewright.systems.gold cimport Gold, arc_to, dependents_from, head_at, head_behind
from treewright.systems.system cimport MAX_KINDS, System


cdef inline bint left_built(const Configuration* c, int s, int b) noexcept nogil:
    """Is there an arc from the front to the top?"""
    return c.head[s] == b


cdef inline bint right_built(const Configuration* c, int s, int b) noexcept nogil:
    return c.head[b] == s


cdef inline bint head_on_stack(const Configuration* c, const Gold* g, int word, int but) noexcept nogil:
    """Has a word of the buffer another gold head on the stack? Words set aside count for all but the front."""
    cdef int i, head, furthest = 1 if word == c.buffer else PASSED
    for i in range(g.first_head[word - 1], g.first_head[word]):
        head = head_at(c, g, i)
        if head != but and 1 <= c.on_stack[head] <= furthest:
            return True
    return False


cdef class DagArcEager(GraphSystem):
    """SHIFT, LEFT, RIGHT, REDUCE over graphs."""

    def __init__(self):
        System.__init__(self, "dag-arc-eager", ("SHIFT", "LEFT", "RIGHT", "REDUCE"), "last", False)
        self.stays = 1 << LEFT | 1 << RIGHT

    cdef void start(self, Configuration* c, int n) noexcept nogil:
        System.start(self, c, n)
        c.context_use = SET_ASIDE

    cdef bint terminal(self, const Configuration* c) noexcept nogil:
        return c.buffer == c.n + 1 and c.stack_size == 0

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef int s = top(c, 0), b = c.buffer
        cdef unsigned mask = 0
        if b <= c.n:
            mask = 1 << SHIFT
        if s == NONE:
            return mask
        if not left_built(c, s, b) and not is_leaf(c, b):
            mask |= 1 << LEFT
        if b <= c.n and not right_built(c, s, b) and not is_leaf(c, s):
            mask |= 1 << RIGHT
        if c.head[s] != NONE or is_leaf(c, b):
            mask |= 1 << REDUCE
        return mask

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        arc_between(top(c, 0), c.buffer, kind == LEFT, kind == RIGHT, head, dependent)

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        cdef int head, dependent
        if kind == SHIFT:
            shift(c)
        elif kind == REDUCE:
            pop(c)
        else:
            self.arc(c, kind, &head, &dependent)
            add_arc(c, head, dependent, label)

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        return RIGHT if face(c, head, dependent) else LEFT

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        """Give, for every legal kind, how many fewer arcs can be right after it, assuming the right relation."""
        cdef int s = top(c, 0), b = c.buffer, i, other
        cost[SHIFT] = cost[LEFT] = cost[RIGHT] = cost[REDUCE] = 0
        if b <= c.n:
            cost[SHIFT] = shift_cost(c, g, s, b)
        if s == NONE:
            return 0
        if arc_to(c, g, b, s) == NONE:
            cost[LEFT] = 0 if c.head[s] == NONE and not head_behind(c, g, s, b) else 1
        if b <= c.n and arc_to(c, g, s, b) == NONE:
            other = c.head[b] == NONE and not head_behind(c, g, b, b) and not head_on_stack(c, g, b, NONE)
            cost[RIGHT] = 0 if other else 1
        if c.head[s] == NONE and head_behind(c, g, s, b):
            cost[REDUCE] += 1              # an orphan more
        for i in range(g.first_head[s - 1], g.first_head[s]):
            other = head_at(c, g, i)
            cost[REDUCE] += other >= b and not (other == b and left_built(c, s, b))
        for i in range(g.first_child[s], g.first_child[s + 1]):
            other = g.children[i]
            if other < b or (other == b and right_built(c, s, b)):
                continue
            cost[REDUCE] += 1
            if c.head[other] == NONE and not head_behind(c, g, other, b) and not head_on_stack(c, g, other, s):
                cost[REDUCE] += 1          # an orphan more
        return 0

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        """Return the canonical right kind: arcs first (LEFT before RIGHT), then REDUCE as soon as it loses nothing."""
        cdef int cost[MAX_KINDS]
        cdef int s = top(c, 0), b = c.buffer
        cdef unsigned legal = self.legal(c)
        self.costs(c, g, cost)
        if legal >> LEFT & 1 and arc_to(c, g, b, s) != NONE:
            return LEFT
        if legal >> RIGHT & 1 and arc_to(c, g, s, b) != NONE:
            return RIGHT
        if legal >> REDUCE & 1 and (cost[REDUCE] == 0 or not legal >> SHIFT & 1):
            return REDUCE
        if legal >> LEFT & 1 and cost[LEFT] == 0:
            return LEFT
        return SHIFT if legal >> SHIFT & 1 else LEFT


cdef int shift_cost(const Configuration* c, const Gold* g, int s, int b) noexcept nogil:
    """SHIFT loses what is still to be built between the front and the stack."""
    cdef int i, other, cost = 0
    cdef bint loses_head = False
    for i in range(g.first_head[b - 1], g.first_head[b]):
        other = head_at(c, g, i)
        if other <= c.n and c.on_stack[other] == 1 and not (other == s and right_built(c, s, b)):
            cost += 1
            loses_head = True
    if loses_head and c.head[b] == NONE and not head_behind(c, g, b, b + 1):
        cost += 1                          # the word becomes an orphan
    for i in range(g.first_child[b], g.first_child[b + 1]):
        other = g.children[i]
        if c.on_stack[other] == 1 and not (other == s and left_built(c, s, b)):
            cost += 1
            if c.head[other] == NONE and not head_behind(c, g, other, b + 1):
                cost += 1
    return cost


cdef class GoldArcsDagArcEager(DagArcEager):
    """Arc-eager for graphs with the rules of Tokgöz & Eryiğit 2015 as they must be meant: a move is free or costs one.

    An arc is free if it is gold, REDUCE and SHIFT if they lose no gold arc. A word whose gold heads are out of reach
    then has no free move: it needs a wrong head to leave the stack. Arcs that are built already are not lost.
    """

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        cdef int s = top(c, 0), b = c.buffer
        cost[SHIFT] = <int>(b <= c.n and self.shift_loses(c, g, s, b))
        cost[LEFT] = cost[RIGHT] = cost[REDUCE] = 0
        if s == NONE:
            return 0
        cost[LEFT] = <int>(arc_to(c, g, b, s) == NONE)
        cost[RIGHT] = <int>(b <= c.n and arc_to(c, g, s, b) == NONE)
        cost[REDUCE] = <int>self.reduce_loses(c, g, s, b)
        return 0

    cdef bint shift_loses(self, const Configuration* c, const Gold* g, int s, int b) noexcept nogil:
        """Has b a head or dependent on the stack that it has not got yet?"""
        cdef int i, other
        for i in range(g.first_head[b - 1], g.first_head[b]):
            other = head_at(c, g, i)
            if other <= c.n and c.on_stack[other] == 1 and not (other == s and right_built(c, s, b)):
                return True
        for i in range(g.first_child[b], g.first_child[b + 1]):
            other = g.children[i]
            if c.on_stack[other] == 1 and not (other == s and left_built(c, s, b)):
                return True
        return False

    cdef bint reduce_loses(self, const Configuration* c, const Gold* g, int s, int b) noexcept nogil:
        """Has s a head or dependent in the buffer that it has not got yet?"""
        cdef int i, other
        for i in range(g.first_head[s - 1], g.first_head[s]):
            other = head_at(c, g, i)
            if other >= b and not (other == b and left_built(c, s, b)):
                return True
        for i in range(g.first_child[s], g.first_child[s + 1]):
            other = g.children[i]
            if other >= b and not (other == b and right_built(c, s, b)):
                return True
        return False


cdef class PrintedDagArcEager(DagArcEager):
    """Arc-eager for graphs with the rules of Tokgöz & Eryiğit 2015, section 3.3, as they are printed.

    LEFT is costly if there is a right arc between s and b, or s is attached with a left arc already; RIGHT likewise:
    the gold graph has no say. REDUCE is costly if s has gold heads or dependents in β, SHIFT if b has any in σ. A
    configuration is (σ|s, b|β, A), so that β is without b, and σ without s; and what is built already counts, too.
    """

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        cdef int s = top(c, 0), b = c.buffer, i
        cost[SHIFT] = cost[LEFT] = cost[RIGHT] = cost[REDUCE] = 0
        if b <= c.n:
            # SHIFT: arcs (k, b) and (b, k) with k in σ.
            for i in range(g.first_head[b - 1], g.first_head[b]):
                if head_at(c, g, i) <= c.n and below_top(c, head_at(c, g, i), s):
                    cost[SHIFT] = 1
            for i in range(g.first_child[b], g.first_child[b + 1]):
                if below_top(c, g.children[i], s):
                    cost[SHIFT] = 1
        if s == NONE:
            return 0
        # A word gets its heads on the left, by RIGHT, before those on the right.
        cost[LEFT] = <int>(right_built(c, s, b) or c.head[s] > s)
        cost[RIGHT] = <int>(b <= c.n and (left_built(c, s, b) or c.head[b] != NONE))
        # REDUCE: arcs (k, s) and (s, k) with k in β.
        cost[REDUCE] = <int>(head_behind(c, g, s, b + 1) or dependents_from(g, s, b + 1) > 0)
        return 0


cdef inline bint below_top(const Configuration* c, int node, int s) noexcept nogil:
    """Is the node on the stack, and not its top?"""
    return node != s and c.on_stack[node] == 1
