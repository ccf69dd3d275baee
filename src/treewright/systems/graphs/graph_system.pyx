"""The contract of a system that builds graphs, and a window onto it for Python.

A system for graphs is a System whose moves give a word any number of heads. ``head`` and ``label`` of its
configuration hold the arc that a word got last; the configuration does not list the arcs, a parser does.

``costs`` says how much less can be right after a move: gold arcs that can no longer be built plus arcs built that are
not gold. Systems without a dynamic oracle have only ``static_kind``.
"""
from array import array
from itertools import accumulate

from libc.stdint cimport int32_t

from treewright.errors import CombinationError
from treewright.systems.configuration cimport NONE
from treewright.systems.gold cimport Gold, arc_to
from treewright.systems.system cimport MAX_KINDS, ParseView, make_move
from treewright.systems.system import leaf_flags


cdef class GraphSystem(System):
    """What all systems for graphs share."""

    cdef bint has_arc(self, const Configuration* c, int kind) noexcept nogil:
        """Is the arc of a labelled move there already, or barred? Where such a move is legal, it adds nothing."""
        return False

    cdef int gold_relation(self, const Configuration* c, const Gold* g, int kind) noexcept nogil:
        """Return the relation of the arc that a move adds if it is a gold arc, else NONE."""
        cdef int head, dependent, i
        self.arc(c, kind, &head, &dependent)
        i = arc_to(c, g, head, dependent)
        return g.labels[i] if i != NONE else NONE


cdef class GraphParse(ParseView):
    """A configuration and a gold graph for Python: for tests, proofs and teaching, not for speed.

    ``heads``: for every word, its gold heads (0 is the root). ``leaves``: words that may not govern others.
    """
    cdef int n
    cdef readonly list arcs              # so far, as pairs (head, dependent), the root as 0
    cdef tuple kept                      # the arrays of the gold graph
    cdef bytes leaf                      # by node, see Configuration

    def __init__(self, heads, GraphSystem system, leaves=()):
        ParseView.__init__(self, system, len(heads))
        self.n = len(heads)
        self.leaf = leaf_flags(self.n, leaves)
        self.workspace.c.leaf = <const unsigned char*><const char*>self.leaf if leaves else NULL
        self.follow(())
        self.set_gold(heads)

    def set_gold(self, heads):
        """Measure costs against another graph."""
        cdef const int32_t[::1] first_view, head_view, label_view
        if len(heads) != self.n:
            raise CombinationError(f"the graph has {len(heads)} words, the sentence {self.n}")
        if any(not 0 <= head <= self.n or head == word for word, of_word in enumerate(heads, 1) for head in of_word):
            raise CombinationError("a head out of range, or a word that is its own head")
        flat = array("i", [*(head for of_word in heads for head in of_word), 0])
        self.kept = array("i", [0, *accumulate(map(len, heads))]), flat, array("i", bytes(4 * len(flat)))
        first_view, head_view, label_view = self.kept
        self.gold.bind_graph(self.n, self.system.root_node(self.n), &first_view[0], &head_view[0], &label_view[0])
        return self

    def follow(self, path):
        """Make moves from the beginning."""
        self.system.start(&self.workspace.c, self.n)
        self.arcs = []
        for kind in path:
            self.apply(kind)
        return self

    @property
    def stack(self):
        """The stack, bottom first."""
        return [self.workspace.c.stack[i] for i in range(self.workspace.c.stack_size)]

    @property
    def front(self):
        """The front of the buffer."""
        return self.workspace.c.buffer

    @property
    def context(self):
        """Words set aside, or returned to the buffer; the nearest last."""
        return [self.workspace.c.context[i] for i in range(self.workspace.c.context_size)]

    def legal(self):
        """Return the names of the legal kinds of move."""
        cdef unsigned mask = self.system.legal(&self.workspace.c)
        return [name for kind, name in enumerate(self.system.kinds) if mask >> <int>kind & 1]

    def apply(self, str kind):
        """Make a move."""
        cdef int number, head, dependent
        if kind not in self.legal():
            raise CombinationError(f"{kind} is not legal here; legal moves: {', '.join(self.legal()) or 'none'}")
        number = self.system.kinds.index(kind)
        self.system.arc(&self.workspace.c, number, &head, &dependent)
        if dependent != NONE and not (<GraphSystem>self.system).has_arc(&self.workspace.c, number):
            self.arcs.append((head % (self.n + 1), dependent))
        make_move(self.system, &self.workspace.c, number, 0)
        return self

    def costs(self):
        """Return {legal kind: arcs that it loses}."""
        cdef int cost[MAX_KINDS]
        if "dynamic" not in self.system.oracles:
            raise CombinationError(f"{self.system.name} has no dynamic oracle")
        self.system.costs(&self.workspace.c, &self.gold.gold, cost)
        return {kind: cost[<int>self.system.kinds.index(kind)] for kind in self.legal()}

    def static(self):
        """Return the canonical move."""
        return self.system.kinds[self.system.static_kind(&self.workspace.c, &self.gold.gold)]
