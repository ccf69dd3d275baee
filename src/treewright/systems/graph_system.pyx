"""The contract of a system that builds graphs, and a window onto it for Python.

A system for graphs is a System whose moves give a word any number of heads. Its configuration keeps, besides what
trees have, the number of heads of every word (``previous``) and words that are set aside (``context``); ``head`` and
``label`` are those of the arc that a word got last. The arcs themselves are listed in the GraphWorkspace.

``graph_costs`` says how much less can be right after a move: gold arcs that can no longer be built, and arcs built
that are not gold, counted alike. Systems without a dynamic oracle have only ``static_move``.
"""
from libc.stdint cimport int32_t
from libc.stdlib cimport free
from libc.string cimport memset

from treewright.errors import CombinationError
from treewright.systems.configuration cimport NONE, Configuration, Workspace
from treewright.treebank.memory cimport grown


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
        """Make room for n words."""
        self.workspace.reserve(n)
        if n <= self.capacity:
            return 0
        n = n if n > self.capacity + self.capacity // 2 else self.capacity + self.capacity // 2
        self.gold.first_child = grown(self.gold.first_child, n + 4)
        self.capacity = n
        return 0

    cdef int add(self, int head, int dependent, int label) except -1 nogil:
        """List an arc."""
        cdef int room
        if self.n_arcs == self.arc_capacity:
            room = 256 + 2 * self.arc_capacity
            self.arc_head = grown(self.arc_head, room)
            self.arc_dependent = grown(self.arc_dependent, room)
            self.arc_label = grown(self.arc_label, room)
            self.arc_capacity = room
        self.arc_head[self.n_arcs], self.arc_dependent[self.n_arcs] = head, dependent
        self.arc_label[self.n_arcs] = label
        self.n_arcs += 1
        return 0

    cdef int set_gold(self, int n, int root, const int32_t* first_head, const int32_t* heads,
                      const int32_t* labels) except -1 nogil:
        """Lay out a gold graph; the arcs to word w are first_head[w - 1] .. first_head[w]."""
        cdef GoldGraph* g = &self.gold
        cdef int n_arcs = first_head[n] - first_head[0], word, node, i, total = 0, count
        if n_arcs > self.gold_capacity or g.children == NULL:
            self.gold_capacity = 2 * (n_arcs + 8)
            g.children = grown(g.children, self.gold_capacity)
        g.first_head, g.heads, g.labels = first_head, heads, labels
        memset(g.first_child, 0, (n + 3) * sizeof(int32_t))
        for i in range(first_head[0], first_head[n]):
            g.first_child[heads[i] if heads[i] else root] += 1
        for node in range(n + 2):
            count = g.first_child[node]
            g.first_child[node] = total
            total += count
        g.first_child[n + 2] = total
        for word in range(1, n + 1):
            for i in range(first_head[word - 1], first_head[word]):
                node = heads[i] if heads[i] else root
                g.children[g.first_child[node]] = word
                g.first_child[node] += 1
        for node in range(n + 1, 0, -1):
            g.first_child[node] = g.first_child[node - 1]
        g.first_child[0] = 0
        return 0


cdef class GraphSystem(System):
    """What all systems for graphs share; each says how it starts, what is legal, what a move does and costs."""

    cdef void begin(self, GraphWorkspace w, int n) noexcept nogil:
        """Set up the initial configuration; room for n words must be there."""
        w.n_arcs = 0
        self.start(&w.workspace.c, n)

    cdef bint has_arc(self, const Configuration* c, int kind) noexcept nogil:
        """Is the arc of a labelled move there already? Where such a move is legal, it adds nothing."""
        return False

    cdef int move(self, GraphWorkspace w, int kind, int label) except -1 nogil:
        """Make a legal move, and list the arc that it builds."""
        cdef Configuration* c = &w.workspace.c
        cdef int head, dependent
        if self.labelled >> kind & 1 and not self.has_arc(c, kind):
            self.arc(c, kind, &head, &dependent)
            w.add(head, dependent, label)
        self.apply(c, kind, label)
        return 0

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

    cdef unsigned free_kinds(self, const Configuration* c, const GoldGraph* g, unsigned legal) noexcept nogil:
        """The legal kinds that cost least, as bits, without those that only take longer."""
        cdef int cost[8]
        cdef int kind, least = 1 << 30
        cdef unsigned right = 0
        self.graph_costs(c, g, cost)
        for kind in range(self.n_kinds):
            if legal >> kind & 1 and cost[kind] < least:
                least = cost[kind]
        for kind in range(self.n_kinds):
            if legal >> kind & 1 and cost[kind] == least:
                right |= 1 << kind
        return self.economical(right)

    cdef int static_move(self, const Configuration* c, const GoldGraph* g) noexcept nogil:
        """The canonical right kind."""
        return NONE


class GraphParse:
    """A configuration in Python's hands, with a gold graph: for tests, proofs and teaching, not for speed.

    ``heads``: for every word, its gold heads (0 is the root).
    """

    def __init__(self, heads, GraphSystem system):
        self._window = _Window(heads, system)
        self.system = system

    def __getattr__(self, name):
        return getattr(self._window, name)

    def apply(self, str kind):
        """Make a move."""
        self._window.apply(kind)
        return self

    def follow(self, path):
        """Make moves from the beginning."""
        self._window.follow(path)
        return self

    def set_gold(self, heads):
        """Ask for costs against another graph."""
        self._window.set_gold(heads)
        return self


cdef class _Window:
    cdef GraphSystem system
    cdef GraphWorkspace w
    cdef int n
    cdef object first, heads, labels

    def __init__(self, heads, GraphSystem system):
        self.n = len(heads)
        self.system, self.w = system, GraphWorkspace()
        self.w.reserve(self.n)
        self.system.begin(self.w, self.n)
        self.set_gold(heads)

    def set_gold(self, heads):
        from array import array
        from itertools import accumulate
        cdef const int32_t[::1] first_view, head_view, label_view
        if len(heads) != self.n:
            raise CombinationError(f"a graph of {len(heads)} words for {self.n}")
        if any(not 0 <= head <= self.n or head == word for word, of_word in enumerate(heads, 1) for head in of_word):
            raise CombinationError("a head out of range, or a word that is its own head")
        self.first = array("i", [0, *accumulate(map(len, heads))])
        self.heads = array("i", [head for of_word in heads for head in of_word] + [0])
        self.labels = array("i", bytes(4 * len(self.heads)))
        first_view, head_view, label_view = self.first, self.heads, self.labels
        self.w.set_gold(self.n, self.w.workspace.c.root, &first_view[0], &head_view[0], &label_view[0])

    def follow(self, path):
        self.system.begin(self.w, self.n)
        for kind in path:
            self.apply(kind)

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
    def context(self):
        """Words set aside, or returned to the buffer; the nearest last."""
        return [self.w.workspace.c.context[i] for i in range(self.w.workspace.c.context_size)]

    @property
    def arcs(self):
        """The arcs so far as pairs (head, dependent), the root as 0."""
        cdef int root = self.n + 1
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
        if "dynamic" not in self.system.oracles:
            raise CombinationError(f"{self.system.name} has no dynamic oracle")
        self.system.graph_costs(&self.w.workspace.c, &self.w.gold, cost)
        return {kind: cost[<int>self.system.kinds.index(kind)] for kind in self.legal()}

    def static(self):
        return self.system.kinds[self.system.static_move(&self.w.workspace.c, &self.w.gold)]
