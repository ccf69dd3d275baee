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
"""
from treewright.systems.configuration cimport NONE, Configuration, add_arc, clear, count_move, pop, push, top
from treewright.systems.graph_system cimport GoldGraph, GraphSystem, arc_to, head_at, head_behind, start_graph


cdef inline bint left_built(const Configuration* c, int s, int b) noexcept nogil:
    """Is there an arc from the front to the top?"""
    return c.head[s] == b


cdef inline bint right_built(const Configuration* c, int s, int b) noexcept nogil:
    return c.head[b] == s


cdef inline bint head_on_stack(const Configuration* c, const GoldGraph* g, int word, int but) noexcept nogil:
    """Has a word of the buffer another gold head on the stack? Words that were passed over are there for later ones."""
    cdef int i, head, furthest = 1 if word == c.buffer else PASSED
    for i in range(g.first_head[word - 1], g.first_head[word]):
        head = head_at(c, g, i)
        if head != but and 1 <= c.on_stack[head] <= furthest:
            return True
    return False


cdef class DagArcEager(GraphSystem):
    """SHIFT, LEFT, RIGHT, REDUCE over graphs."""

    def __init__(self):
        self.name = "dag-arc-eager"
        self.kinds = ("SHIFT", "LEFT", "RIGHT", "REDUCE")
        self.n_kinds = 4
        self.labelled = 1 << LEFT | 1 << RIGHT
        self.root = "last"
        self.single_root = False
        self.stays = 1 << LEFT | 1 << RIGHT
        self.oracles = ("static", "nondeterministic", "dynamic")

    cdef bint _root_last(self) noexcept nogil:
        return True

    cdef void start(self, Configuration* c, int n) noexcept nogil:
        clear(c, n, n + 1)
        start_graph(c, n)
        c.buffer, c.buffer_end = 1, n + 2

    cdef bint terminal(self, const Configuration* c) noexcept nogil:
        return c.buffer == c.n + 1 and c.stack_size == 0

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef int s = top(c, 0), b = c.buffer
        cdef unsigned mask = 0
        if b <= c.n:
            mask = 1 << SHIFT
        if s == NONE:
            return mask
        if not left_built(c, s, b):
            mask |= 1 << LEFT
        if b <= c.n and not right_built(c, s, b):
            mask |= 1 << RIGHT
        if c.head[s] != NONE:
            mask |= 1 << REDUCE
        return mask

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        head[0] = dependent[0] = NONE
        if kind == LEFT:
            head[0], dependent[0] = c.buffer, top(c, 0)
        elif kind == RIGHT:
            head[0], dependent[0] = top(c, 0), c.buffer

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        cdef int head, dependent
        count_move(c, kind)
        if kind == SHIFT:
            push(c, c.buffer)
            c.buffer += 1
        elif kind == REDUCE:
            pop(c)
        else:
            self.arc(c, kind, &head, &dependent)
            add_arc(c, head, dependent, label)
            c.previous[dependent] += 1

    cdef void graph_costs(self, const Configuration* c, const GoldGraph* g, int* cost) noexcept nogil:
        """Give, for every legal kind, how many arcs fewer can be right after it, the relation taken as right."""
        cdef int s = top(c, 0), b = c.buffer, i, other
        cost[SHIFT] = cost[LEFT] = cost[RIGHT] = cost[REDUCE] = 0
        if b <= c.n:
            cost[SHIFT] = self_shift_cost(c, g, s, b)
        if s == NONE:
            return
        if arc_to(c, g, b, s) == NONE:
            cost[LEFT] = 0 if c.head[s] == NONE and not head_behind(c, g, s, b) else 1
        if b <= c.n and arc_to(c, g, s, b) == NONE:
            other = c.head[b] == NONE and not head_behind(c, g, b, b) and not head_on_stack(c, g, b, NONE)
            cost[RIGHT] = 0 if other else 1
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

    cdef int static_move(self, const Configuration* c, const GoldGraph* g) noexcept nogil:
        """The canonical right kind: arcs first (LEFT before RIGHT), then REDUCE as soon as it loses nothing."""
        cdef int cost[8]
        cdef int s = top(c, 0), b = c.buffer
        cdef unsigned legal = self.legal(c)
        self.graph_costs(c, g, cost)
        if legal >> LEFT & 1 and arc_to(c, g, b, s) != NONE:
            return LEFT
        if legal >> RIGHT & 1 and arc_to(c, g, s, b) != NONE:
            return RIGHT
        if legal >> REDUCE & 1 and (cost[REDUCE] == 0 or not legal >> SHIFT & 1):
            return REDUCE
        if legal >> LEFT & 1 and cost[LEFT] == 0:
            return LEFT
        return SHIFT if legal >> SHIFT & 1 else LEFT


cdef int self_shift_cost(const Configuration* c, const GoldGraph* g, int s, int b) noexcept nogil:
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
