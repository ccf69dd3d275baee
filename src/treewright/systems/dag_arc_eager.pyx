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
from libc.stdint cimport int32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from treewright.errors import CombinationError
from treewright.systems.configuration cimport NONE, Configuration, Workspace, add_arc, clear, count_move, pop, push, top

cdef enum:
    HEADS_COUNTED = -2       # as the focus of a configuration: its context counts the heads of every word


cdef class GraphWorkspace:
    def __cinit__(self):
        self.workspace = Workspace()
        self.reserve(64)
        self.gold_capacity = 0

    def __dealloc__(self):
        free(self.arc_head)
        free(self.arc_dependent)
        free(self.arc_label)
        free(self.gold.first_child)
        free(self.gold.children)

    cdef int reserve(self, int n) except -1 nogil:
        """Make room for n words. Two words face each other at most 2n times, and get two arcs at most."""
        cdef size_t size
        self.workspace.reserve(n)
        if n <= self.capacity:
            return 0
        n = n if n > self.capacity + self.capacity // 2 else self.capacity + self.capacity // 2
        size = 4 * <size_t>(n + 4) * sizeof(int32_t)
        self.arc_head = <int32_t*>realloc(self.arc_head, size)
        self.arc_dependent = <int32_t*>realloc(self.arc_dependent, size)
        self.arc_label = <int32_t*>realloc(self.arc_label, size)
        self.gold.first_child = <int32_t*>realloc(self.gold.first_child, size)
        if self.arc_head == NULL or self.arc_dependent == NULL or self.arc_label == NULL or self.gold.first_child == NULL:
            with gil:
                raise MemoryError
        self.capacity = n
        return 0

    cdef int set_gold(self, int n, const int32_t* first_head, const int32_t* heads, const int32_t* labels) except -1 nogil:
        """Lay out a gold graph; the arcs to word w are first_head[w - 1] .. first_head[w]."""
        cdef GoldGraph* g = &self.gold
        cdef int n_arcs = first_head[n] - first_head[0], word, node, i, total = 0, count
        if n_arcs > self.gold_capacity or g.children == NULL:
            g.children = <int32_t*>realloc(g.children, 2 * <size_t>(n_arcs + 8) * sizeof(int32_t))
            if g.children == NULL:
                with gil:
                    raise MemoryError
            self.gold_capacity = 2 * (n_arcs + 8)
        g.first_head, g.heads, g.labels = first_head, heads, labels
        memset(g.first_child, 0, (n + 3) * sizeof(int32_t))
        for i in range(first_head[0], first_head[n]):
            g.first_child[heads[i] if heads[i] else n + 1] += 1
        for node in range(n + 2):
            count = g.first_child[node]
            g.first_child[node] = total
            total += count
        g.first_child[n + 2] = total
        for word in range(1, n + 1):
            for i in range(first_head[word - 1], first_head[word]):
                node = heads[i] if heads[i] else n + 1
                g.children[g.first_child[node]] = word
                g.first_child[node] += 1
        for node in range(n + 1, 0, -1):
            g.first_child[node] = g.first_child[node - 1]
        g.first_child[0] = 0
        return 0


cdef inline bint left_built(const Configuration* c, int s, int b) noexcept nogil:
    """Is there an arc from the front to the top?"""
    return c.head[s] == b


cdef inline bint right_built(const Configuration* c, int s, int b) noexcept nogil:
    return c.head[b] == s


cdef inline int head_at(const Configuration* c, const GoldGraph* g, int i) noexcept nogil:
    return g.heads[i] if g.heads[i] else c.n + 1


cdef inline int arc_to(const Configuration* c, const GoldGraph* g, int head, int word) noexcept nogil:
    """The place of a gold arc, or NONE."""
    cdef int i
    if word < 1 or word > c.n:
        return NONE
    for i in range(g.first_head[word - 1], g.first_head[word]):
        if head_at(c, g, i) == head:
            return i
    return NONE


cdef inline bint head_behind(const Configuration* c, const GoldGraph* g, int word, int first, int but) noexcept nogil:
    """Has a word a gold head at or behind a place, another than ``but``?"""
    cdef int i, head
    for i in range(g.first_head[word - 1], g.first_head[word]):
        head = head_at(c, g, i)
        if head >= first and head != but and head != word:
            return True
    return False


cdef inline bint head_on_stack(const Configuration* c, const GoldGraph* g, int word, int but) noexcept nogil:
    cdef int i, head
    for i in range(g.first_head[word - 1], g.first_head[word]):
        head = head_at(c, g, i)
        if head != but and c.on_stack[head]:
            return True
    return False


cdef class DagArcEager(System):
    """SHIFT, LEFT, RIGHT, REDUCE over graphs; ``context`` counts the heads of every word."""

    def __init__(self):
        self.name = "dag-arc-eager"
        self.kinds = ("SHIFT", "LEFT", "RIGHT", "REDUCE")
        self.n_kinds = 4
        self.labelled = 1 << LEFT | 1 << RIGHT
        self.root = "last"
        self.single_root = False
        self.oracles = ("static", "nondeterministic", "dynamic")

    cdef bint _root_last(self) noexcept nogil:
        return True

    cdef void begin(self, GraphWorkspace w, int n) noexcept nogil:
        """Set up the initial configuration; room for n words must be there."""
        w.n_arcs = 0
        self.start(&w.workspace.c, n)

    cdef void start(self, Configuration* c, int n) noexcept nogil:
        clear(c, n, n + 1)
        c.buffer, c.buffer_end = 1, n + 2
        c.focus = HEADS_COUNTED
        memset(c.context, 0, (n + 2) * sizeof(int32_t))

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
            c.context[dependent] += 1

    cdef void move(self, GraphWorkspace w, int kind, int label) noexcept nogil:
        """Make a legal move, and remember the arc that it builds."""
        cdef Configuration* c = &w.workspace.c
        cdef int head, dependent
        if self.labelled >> kind & 1:
            self.arc(c, kind, &head, &dependent)
            w.arc_head[w.n_arcs], w.arc_dependent[w.n_arcs] = head, dependent
            w.arc_label[w.n_arcs] = label
            w.n_arcs += 1
        self.apply(c, kind, label)

    cdef int gold_label(self, const Configuration* c, const GoldGraph* g, int kind) noexcept nogil:
        """The relation of the arc that a move builds if it is a gold arc, else NONE."""
        cdef int head, dependent, i
        self.arc(c, kind, &head, &dependent)
        if dependent == NONE:
            return NONE
        i = arc_to(c, g, head, dependent)
        return g.labels[i] if i != NONE else NONE

    cdef void graph_costs(self, const Configuration* c, const GoldGraph* g, int* cost) noexcept nogil:
        """Give, for every legal kind, how many arcs fewer can be right after it, the relation taken as right."""
        cdef int s = top(c, 0), b = c.buffer, i, other
        cost[SHIFT] = cost[LEFT] = cost[RIGHT] = cost[REDUCE] = 0
        if b <= c.n:
            cost[SHIFT] = self_shift_cost(c, g, s, b)
        if s == NONE:
            return
        if arc_to(c, g, b, s) == NONE:
            cost[LEFT] = 0 if c.head[s] == NONE and not head_behind(c, g, s, b, NONE) else 1
        if b <= c.n and arc_to(c, g, s, b) == NONE:
            other = c.head[b] == NONE and not head_behind(c, g, b, b, NONE) and not head_on_stack(c, g, b, NONE)
            cost[RIGHT] = 0 if other else 1
        for i in range(g.first_head[s - 1], g.first_head[s]):
            other = head_at(c, g, i)
            cost[REDUCE] += other >= b and not (other == b and left_built(c, s, b))
        for i in range(g.first_child[s], g.first_child[s + 1]):
            other = g.children[i]
            if other < b or (other == b and right_built(c, s, b)):
                continue
            cost[REDUCE] += 1
            if c.head[other] == NONE and not head_behind(c, g, other, b, NONE) and not head_on_stack(c, g, other, s):
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
        if other <= c.n and c.on_stack[other] and not (other == s and right_built(c, s, b)):
            cost += 1
            loses_head = True
    if loses_head and c.head[b] == NONE and not head_behind(c, g, b, b + 1, NONE):
        cost += 1                          # the word becomes an orphan
    for i in range(g.first_child[b], g.first_child[b + 1]):
        other = g.children[i]
        if c.on_stack[other] and not (other == s and left_built(c, s, b)):
            cost += 1
            if c.head[other] == NONE and not head_behind(c, g, other, b + 1, NONE):
                cost += 1
    return cost


class GraphParse:
    """A configuration in Python's hands, with a gold graph: for tests and teaching, not for speed.

    ``heads``: for every word, its gold heads (0 is the root).
    """

    def __init__(self, heads):
        self._window = _Window(heads)

    def __getattr__(self, name):
        return getattr(self._window, name)


cdef class _Window:
    cdef DagArcEager system
    cdef GraphWorkspace w
    cdef object first, heads, labels

    def __init__(self, heads):
        from array import array
        from itertools import accumulate
        cdef int n = len(heads)
        cdef const int32_t[::1] first_view, head_view, label_view
        if any(not 0 <= head <= n or head == word for word, of_word in enumerate(heads, 1) for head in of_word):
            raise CombinationError("a head out of range, or a word that is its own head")
        self.system, self.w = DagArcEager(), GraphWorkspace()
        self.first = array("i", [0, *accumulate(map(len, heads))])
        self.heads = array("i", [head for of_word in heads for head in of_word] + [0])
        self.labels = array("i", bytes(4 * len(self.heads)))
        self.w.reserve(n)
        self.system.begin(self.w, n)
        first_view, head_view, label_view = self.first, self.heads, self.labels
        self.w.set_gold(n, &first_view[0], &head_view[0], &label_view[0])

    @property
    def terminal(self):
        return bool(self.system.terminal(&self.w.workspace.c))

    @property
    def stack(self):
        return [self.w.workspace.c.stack[i] for i in range(self.w.workspace.c.stack_size)]

    @property
    def front(self):
        return self.w.workspace.c.buffer

    @property
    def arcs(self):
        """The arcs so far as pairs (head, dependent), the root as 0."""
        cdef int root = self.w.workspace.c.n + 1
        return [(self.w.arc_head[i] % root, self.w.arc_dependent[i]) for i in range(self.w.n_arcs)]

    def legal(self):
        cdef unsigned mask = self.system.legal(&self.w.workspace.c)
        return [name for kind, name in enumerate(self.system.kinds) if mask >> <int>kind & 1]

    def apply(self, str kind):
        if kind not in self.legal():
            raise CombinationError(f"{kind} is not legal here; legal are: {', '.join(self.legal()) or 'none'}")
        self.system.move(self.w, self.system.kinds.index(kind), 0)

    def costs(self):
        """Return {legal kind: arcs lost by it}."""
        cdef int cost[8]
        self.system.graph_costs(&self.w.workspace.c, &self.w.gold, cost)
        return {kind: cost[<int>self.system.kinds.index(kind)] for kind in self.legal()}

    def static(self):
        return self.system.kinds[self.system.static_move(&self.w.workspace.c, &self.w.gold)]
