"""The contract of a transition system, and a window onto it for Python.

A system knows configurations and moves, but no features or scores. Moves come in a few *kinds* (SHIFT, LEFT, …); the
kinds that add an arc also carry a relation. For each kind a system says

- when it is legal (``legal``), which arc it would add (``arc``), what it does (``apply``);
- what it costs against a gold tree (``costs``): how many gold arcs that could still be built cannot be built after
  it. The relation counts separately: where the new arc is a gold arc, a wrong relation costs one more
  (``gold_relation`` gives the right one).

The oracles are three views of this. *Dynamic*: all moves of cost zero, in every configuration. *Non-deterministic*
(``correct``): the same, guaranteed only where the gold tree can still be reached. *Static* (``static_kind``): one
canonical move among them, guaranteed only on its own path.

Only the arcs that moves add count. ``GreedyParser.finish`` attaches words without a head to the root word
afterwards; an oracle never relies on that.

Most systems make their moves where stack and buffer meet. In easy-first any two neighbours in the list λ can be
linked: a move is a kind *at a place*, and ``focus`` selects the place. Systems that build graphs
(graph_system.pyx) keep the same contract with a gold graph.
"""
from array import array

from cpython cimport array as arrays
from libc.stdint cimport int32_t

from treewright.errors import CombinationError
from treewright.systems.configuration cimport NONE, RETURNED, clear, is_barred, push

ORACLES = ("static", "nondeterministic", "dynamic")
#: oracles that say what a move costs in any configuration: exactly, or as far as they see (swap_hybrid.pyx)
WITH_COSTS = frozenset(("dynamic", "static-dynamic"))
cdef tuple NO_PLACES = (None,)


cdef class System:
    """One transition system; subclasses define the moves."""

    def __init__(self, str name, tuple kinds, str root, bint single_root, labelled=("LEFT", "RIGHT"), oracles=ORACLES):
        self.name, self.kinds, self.root, self.oracles = name, kinds, root, oracles
        self.n_kinds = len(kinds)
        self.labelled = sum(1 << kind for kind, kind_name in enumerate(kinds) if kind_name in labelled)
        self.single_root = single_root
        self.root_is_last = root == "last"
        self.projective = True

    cdef int root_node(self, int n) noexcept nogil:
        return n + 1 if self.root_is_last else 0

    cdef void start(self, Configuration* c, int n) noexcept nogil:
        """Set up the initial configuration for n words: ROOT on the stack, or last in the buffer."""
        clear(c, n, self.root_node(n))
        c.buffer_end = n + 2 if self.root_is_last else n + 1
        if not self.root_is_last:
            push(c, 0)

    cdef bint terminal(self, const Configuration* c) noexcept nogil:
        """Is the parse complete? Here: the buffer is empty, and ROOT is alone on the stack."""
        return c.buffer > c.n and c.stack_size == 1

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        """Return the legal kinds as bits; before the end there is always one."""
        return 0

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        """Give the arc that a move of this kind would add; NONE, NONE where it adds none.

        A ROOT that comes last gives no arc before it is the front of the buffer: parsers rely on it.
        """
        head[0] = dependent[0] = NONE

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        """Make a legal move."""

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        """Return the canonical right kind of move, if canonical moves can build the gold tree (derivation.pyx)."""
        return NONE

    cdef int correct(self, const Configuration* c, const Gold* g) except -1 nogil:
        """Return the kinds that keep the gold tree reachable, as bits; it must be reachable now."""
        cdef int cost[MAX_KINDS]
        cdef int kind, mask = 0
        cdef unsigned legal = self.legal(c)
        self.costs(c, g, cost)
        for kind in range(self.n_kinds):
            if legal >> kind & 1 and cost[kind] == 0:
                mask |= 1 << kind
        return mask

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        """Give, for every legal kind, the number of gold arcs that it loses, assuming the right relation."""
        return 0

    cdef unsigned economical(self, const Configuration* c, const Gold* g, unsigned kinds) noexcept nogil:
        """Return those of the right moves, as bits, that training should teach: without those that only take longer."""
        return kinds

    cdef bint in_reach(self, const Configuration* c, int head, int dependent) noexcept nogil:
        """Can an arc between words still be added, looked at by itself? Rules ask (rules/live_gold.pyx).

        True is safe: what cannot be added is then taken for lost a second time where a rule forbids it.
        """
        return c.head[dependent] == NONE

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        """Arrange stack and buffer as if head -> dependent were the next arc; return its kind of move."""
        return NONE

    cdef int gold_relation(self, const Configuration* c, const Gold* g, int kind) noexcept nogil:
        """Return the relation of the arc that a move adds if it is a gold arc, else NONE."""
        cdef int head, dependent
        self.arc(c, kind, &head, &dependent)
        if dependent != NONE and g.head[dependent] == head:
            return g.label[dependent]
        return NONE

    @property
    def addresses(self):
        """The names of the feature language for the places where features may begin."""
        return ("stack", "input")

    @property
    def labelled_kinds(self):
        """The names of the kinds that carry a relation."""
        return tuple(name for kind, name in enumerate(self.kinds) if self.labelled >> kind & 1)

    def settings(self):
        """Return what a model file must keep to recreate this system."""
        return {"name": self.name, "root": self.root, "single_root": bool(self.single_root)}

    def __repr__(self):
        return f"<{self.name}, root {self.root}{', single root' if self.single_root else ''}>"


def leaf_flags(int n_words, leaves):
    """Return a byte for every node, 1 for leaves."""
    flags = bytearray(n_words + 2)
    for word in leaves:
        if not 1 <= word <= n_words:
            raise ValueError("a leaf out of range")
        flags[word] = 1
    return bytes(flags)


cdef class ParseView:
    """A configuration and a gold standard, seen from Python: what trees and graphs share."""

    def __init__(self, System system, int n_words):
        if n_words < 0:
            raise ValueError("a sentence cannot have a negative number of words")
        self.system, self.workspace, self.gold = system, Workspace(), GoldStandard()
        self.workspace.reserve(n_words)
        system.start(&self.workspace.c, n_words)

    @property
    def n_words(self):
        """How many words the sentence has."""
        return self.workspace.c.n

    @property
    def terminal(self):
        """Is the parse complete?"""
        return bool(self.system.terminal(&self.workspace.c))


cdef class Parse(ParseView):
    """A configuration for Python: for tests, tracing and teaching, not for speed.

    ``moves`` are pairs (kind, relation number); the relation is None for kinds that carry none. ``leaves`` are the
    numbers of the words that may not govern others.
    """
    def __init__(self, System system, int n_words, heads=None, labels=None, leaves=()):
        ParseView.__init__(self, system, n_words)
        self.history = []
        self.has_gold = False
        self.leaf = leaf_flags(n_words, leaves)
        self.workspace.c.leaf = <const unsigned char*><const char*>self.leaf if leaves else NULL
        system.start(&self.workspace.c, n_words)
        if heads is not None:
            self.set_gold(heads, labels)

    def set_gold(self, heads, labels=None):
        """Measure against this tree from now on: one head per word (0: the root, -1: unknown), relations by number."""
        cdef int word, n = self.workspace.c.n
        # Exhaustive search does this for every tree and configuration: no views, no generators.
        cdef arrays.array given = array("i", heads)
        cdef arrays.array relations = array("i", bytes(4 * n) if labels is None else labels)
        if len(given) != n or len(relations) != n:
            raise ValueError("one head and one relation per word")
        for word in range(n):
            if not NONE <= given.data.as_ints[word] <= n:
                raise ValueError("a head out of range")
        self.gold.bind_tree(
            n, self.system.root_node(n), <const int32_t*>given.data.as_ints, <const int32_t*>relations.data.as_ints
        )
        self.has_gold = True
        return self

    def share_gold(self, Parse other):
        """Measure against the tree of another parse of as many words, and of the same system, from now on."""
        if other.workspace.c.n != self.workspace.c.n or other.system is not self.system:
            raise ValueError("parses of one system and of as many words share a tree")
        self.gold, self.has_gold = other.gold, other.has_gold
        return self

    @property
    def leaves(self):
        """The numbers of the words that may not govern others."""
        return tuple(word for word, flag in enumerate(self.leaf) if flag)

    @property
    def stack(self):
        """The stack, bottom first; the root is 0."""
        cdef Configuration* c = &self.workspace.c
        return [self._name(c.stack[i]) for i in range(c.stack_size)]

    @property
    def buffer(self):
        """The buffer, front first; the root is 0."""
        cdef Configuration* c = &self.workspace.c
        return [self._name(i) for i in range(c.buffer, c.buffer_end)]

    @property
    def context(self):
        """Words between stack and buffer, the nearest to the stack first: passed over, or returned to the input."""
        cdef Configuration* c = &self.workspace.c
        return [c.context[i] for i in range(c.context_size - 1, -1, -1)]

    @property
    def remembered(self):
        """What else tells configurations apart: what is legal, and which words of the stack came back to it."""
        cdef Configuration* c = &self.workspace.c
        if not self.system.remembers:
            return ()
        came_back = [c.on_stack[c.stack[i]] for i in range(c.stack_size)] if c.context_use == RETURNED else []
        return (self.system.legal(c), *came_back)

    def _name(self, int node):
        return 0 if node == self.workspace.c.root else node

    @property
    def arcs(self):
        """The arcs so far: {word: (head, relation)}."""
        cdef Configuration* c = &self.workspace.c
        return {
            word: (self._name(c.head[word]), c.label[word])
            for word in range(1, c.n + 1) if c.head[word] != NONE
        }

    @property
    def pending(self):
        """Easy-first: the list λ; the root is 0."""
        cdef Configuration* c = &self.workspace.c
        found, node = [], c.root if self.system.has_places else NONE
        while node != NONE:
            found.append(self._name(node))
            node = c.next[<int>node]
        return found

    def legal(self):
        """Return the names of the legal kinds; with places, of the moves: LEFT_3 starts at the third word of λ."""
        found = []
        for place in self._places():
            found += self._named(self._look_at(place), place).values()
        return found

    cdef dict _named(self, unsigned mask, place):
        """Return {kind: name of the move} for the kinds of a mask at a place."""
        cdef tuple names = self.system.kinds
        cdef dict found = {}
        cdef int kind
        for kind in range(self.system.n_kinds):
            if mask >> kind & 1:
                found[kind] = names[kind] if place is None else f"{names[kind]}_{place + 2 - kind}"
        return found

    def _places(self):
        """Return where moves can be made: None stands for the one place that most systems have."""
        return range(len(self.pending) - 1) if self.system.has_places else NO_PLACES

    cdef unsigned _look_at(self, place) except? 0:
        """Set the focus to a place of the list; return what is legal there."""
        if place is not None:
            self.workspace.c.focus = self.pending[place] or self.workspace.c.root
        return self.system.legal(&self.workspace.c)

    cdef int _kind(self, str move) except -1:
        """Return the kind of a legal move, and set the focus to its place."""
        if move not in self.legal():
            raise CombinationError(f"{move} is not legal here; legal moves: {', '.join(self.legal()) or 'none'}")
        if not self.system.has_places:
            return self.system.kinds.index(move)
        name, number = move.split("_")
        kind = self.system.kinds.index(name)
        self._look_at(int(number) - 2 + kind)
        return kind

    def apply(self, str kind, label=None):
        """Make a move."""
        make_move(self.system, &self.workspace.c, self._kind(kind), -1 if label is None else label)
        self.history.append((kind, label))
        return self

    def arc(self, str kind):
        """Return (head, dependent) of the arc that a legal move would add, unless ``bars`` says so; or None."""
        cdef int head, dependent
        self.system.arc(&self.workspace.c, self._kind(kind), &head, &dependent)
        return None if dependent == NONE else (self._name(head), dependent)

    def bars(self, str kind):
        """Does a legal move add no arc because its head is a leaf?"""
        cdef int head, dependent
        self.system.arc(&self.workspace.c, self._kind(kind), &head, &dependent)
        if dependent == NONE:
            return False
        return bool(is_barred(&self.workspace.c, head, dependent, self.system.single_root))

    def costs(self):
        """Return {legal kind: gold arcs that it loses}, assuming the right relation."""
        cdef int cost[MAX_KINDS]
        self._need("static-dynamic" if "static-dynamic" in self.system.oracles else "dynamic")
        cdef dict named, found = {}
        for place in self._places():
            named = self._named(self._look_at(place), place)
            self.system.costs(&self.workspace.c, &self.gold.gold, cost)
            for kind, name in named.items():
                found[name] = cost[<int>kind]
        return found

    def correct(self):
        """Return the kinds that keep the gold tree reachable; guaranteed only where it is."""
        self._need("nondeterministic")
        found = []
        for place in self._places():
            self._look_at(place)
            found += self._named(self.system.correct(&self.workspace.c, &self.gold.gold), place).values()
        return found

    def static(self):
        """Return the canonical move (kind, relation), guaranteed only on the canonical path; it must be legal."""
        self._need("static")
        if self.terminal:
            raise CombinationError("the parse is complete and has no next move")
        cdef int kind = self.system.static_kind(&self.workspace.c, &self.gold.gold)
        if kind < 0 or self.system.legal(&self.workspace.c) >> kind & 1 == 0:
            raise CombinationError("the static oracle has no right move here: its moves cannot build the gold tree")
        cdef int relation = self.system.gold_relation(&self.workspace.c, &self.gold.gold, kind)
        return self.system.kinds[kind], None if relation == NONE else relation

    def gold_relation(self, str kind):
        """Return the relation that makes a legal move's arc a gold arc, or None for other arcs."""
        self._need("nondeterministic")
        cdef int relation = self.system.gold_relation(&self.workspace.c, &self.gold.gold, self._kind(kind))
        return None if relation == NONE else relation

    def carries_relation(self, str kind):
        """Does a move of this name carry a relation?"""
        return kind.split("_")[0] in self.system.labelled_kinds

    def _need(self, str oracle):
        if not self.has_gold:
            raise CombinationError("an oracle needs a gold tree: pass the heads to Parse")
        if oracle not in self.system.oracles:
            raise CombinationError(
                f"{self.system.name} has no {oracle} oracle; choose from {', '.join(self.system.oracles)}"
            )
