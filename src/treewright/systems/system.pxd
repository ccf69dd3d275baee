"""The contract of a transition system. See system.pyx."""
from treewright.systems.configuration cimport Configuration, Workspace
from treewright.systems.gold cimport Gold, GoldStandard

cdef enum:
    MAX_KINDS = 8


cdef class System:
    cdef readonly str name
    cdef readonly tuple kinds            # names of the kinds of move, numbered from 0
    cdef readonly str root               # "first" or "last"
    cdef readonly bint single_root
    cdef readonly tuple oracles          # of "static", "nondeterministic", "dynamic"
    cdef readonly bint projective        # only projective trees can be built
    cdef readonly int planes             # only trees whose arcs need no more planes; 0: any tree, or projective ones
    cdef readonly bint remembers         # what is legal depends on more than stack, buffer, context and arcs
    cdef readonly bint has_places        # a move is made at any of several places; c.focus is the current one
    cdef bint root_is_last
    cdef int n_kinds
    cdef unsigned labelled               # bit k: moves of kind k carry a relation

    cdef int root_node(self, int n) noexcept nogil
    cdef void start(self, Configuration* c, int n) noexcept nogil
    cdef bint terminal(self, const Configuration* c) noexcept nogil
    cdef unsigned legal(self, const Configuration* c) noexcept nogil
    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil
    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil
    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil
    cdef int correct(self, const Configuration* c, const Gold* g) except -1 nogil
    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil
    cdef unsigned economical(self, const Configuration* c, const Gold* g, unsigned kinds) noexcept nogil
    cdef bint in_reach(self, const Configuration* c, int head, int dependent) noexcept nogil
    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil
    cdef int gold_relation(self, const Configuration* c, const Gold* g, int kind) noexcept nogil


cdef extern from "compiler.h" nogil:
    int lowest "tw_lowest"(unsigned kinds)       # of a set of kinds that is not empty


cdef inline void make_move(System system, Configuration* c, int kind, int label) noexcept nogil:
    """Make a move, and remember its kind."""
    c.moves += 1
    c.last_kind[1] = c.last_kind[0]
    c.last_kind[0] = kind
    system.apply(c, kind, label)


cdef inline unsigned cheapest(int n_kinds, unsigned legal, const int* cost, int* least) noexcept nogil:
    """Return the legal kinds that cost least, as bits; ``least`` gets their cost."""
    cdef int kind
    cdef unsigned found = 0
    least[0] = 1 << 30
    for kind in range(n_kinds):
        if legal >> kind & 1:
            least[0] = min(least[0], cost[kind])
    for kind in range(n_kinds):
        if legal >> kind & 1 and cost[kind] == least[0]:
            found |= 1 << kind
    return found


cdef class ParseView:
    cdef readonly System system
    cdef Workspace workspace
    cdef GoldStandard gold


cdef class Parse(ParseView):
    cdef readonly list history           # moves made: (kind, relation)
    cdef bint has_gold
    cdef bytes leaf                      # by node, see Configuration
    cdef unsigned _look_at(self, place) except? 0
    cdef int _kind(self, str move) except -1
    cdef dict _named(self, unsigned mask, place)
