"""Can the canonical moves of a system build a gold tree or graph?

Not every system builds every tree. On a path that leaves the gold standard, the static oracle has no right move, and
whatever it names would be learnt as right. So training by the static oracle asks first.
"""
from treewright.systems.configuration cimport NONE
from treewright.systems.gold cimport arc_to
from treewright.systems.graphs.graph_system cimport GraphSystem
from treewright.systems.system cimport make_move


cdef bint derives(System system, Configuration* c, const Gold* g) noexcept nogil:
    """Make the canonical moves of a parse that has just begun; return whether they build the gold standard.

    Words of trees may be left to the root: they are attached to it after the last move.
    """
    cdef int kind, head, dependent, word, n_built = 0
    cdef bint is_graph = g.first_head != NULL
    while not system.terminal(c):
        kind = system.static_kind(c, g)
        if kind < 0 or system.legal(c) >> kind & 1 == 0:
            return False
        system.arc(c, kind, &head, &dependent)
        if dependent != NONE and not (is_graph and (<GraphSystem>system).has_arc(c, kind)):
            if (arc_to(c, g, head, dependent) == NONE) if is_graph else (g.head[dependent] != head):
                return False
            n_built += 1
        make_move(system, c, kind, 0)
    if is_graph:
        return n_built == g.first_head[c.n] - g.first_head[0]
    for word in range(1, c.n + 1):
        if c.head[word] == NONE and g.head[word] != c.root:
            return False
    return True
