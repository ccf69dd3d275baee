"""Costs where some gold arcs matter more than others: weighted Hamming loss (Goldberg & Nivre 2013, footnote 8).

In an arc-decomposable system, a move costs the sum of what it costs for each gold arc. So arcs are put into levels by
weight. The cost of a move is, summed over the levels, how many arcs at least as heavy as the level it loses, times how
much heavier that level is than the one below. Each level is a gold tree that is known in part, for which the costs of
every system are right: no system needs to know of weights.
"""
from array import array

from treewright.errors import CombinationError
from treewright.systems.configuration cimport NONE
from treewright.systems.system cimport MAX_KINDS, Parse

#: systems in which the costs of arcs add up
ADDITIVE = ("arc-eager", "arc-hybrid", "covington-projective", "easy-first")
MOST = 1000                  # the heaviest arc


cdef class WeightedGold:
    """A gold tree with a weight for every relation, as levels. ``weights``: by number of the relation, from 0 on."""

    def __init__(self, weights, int below=0):
        if any(not 0 <= weight <= MOST for weight in weights):
            raise CombinationError(f"the weights of arcs are whole numbers from 0 to {MOST}")
        levels = sorted({weight for weight in weights if weight > below})
        self.weights = array("i", [*weights, 0])
        self.heads, self.labels = array("i", [0]), array("i", [0])
        self.gold = GoldStandard()
        self.least = levels[0] if levels else below + 1
        self.gain = self.least - below
        self.heavier = WeightedGold(weights, self.least) if len(levels) > 1 else None

    cdef int bind(self, const Gold* tree, int n, int root) except -1 nogil:
        """Take the tree of a sentence."""
        cdef int word, label
        if self.heads.shape[0] <= n:
            with gil:
                self.heads, self.labels = array("i", bytes(8 * n + 64)), array("i", bytes(8 * n + 64))
        for word in range(1, n + 1):
            label = tree.label[word]
            self.heads[word - 1], self.labels[word - 1] = NONE, label
            if 0 <= label < self.weights.shape[0] - 1 and self.weights[label] >= self.least:
                self.heads[word - 1] = 0 if tree.head[word] == root else tree.head[word]
        self.gold.bind_tree(n, root, &self.heads[0], &self.labels[0])
        return self.heavier.bind(tree, n, root) if self.heavier is not None else 0

    cdef int add_costs(self, System system, const Configuration* c, int* cost) except -1 nogil:
        """Add what the moves cost at this level and above."""
        cdef int here[MAX_KINDS]
        cdef int kind
        system.costs(c, &self.gold.gold, here)
        for kind in range(system.n_kinds):
            cost[kind] += self.gain * here[kind]
        return self.heavier.add_costs(system, c, cost) if self.heavier is not None else 0

    cdef int costs(self, System system, const Configuration* c, int* cost) except -1 nogil:
        """Give the weight of the gold arcs that each kind of move loses."""
        cdef int kind
        for kind in range(system.n_kinds):
            cost[kind] = 0
        return self.add_costs(system, c, cost)

    def costs_in(self, Parse parse):
        """Return {legal move: weight of the gold arcs that it loses}; for tests."""
        cdef int cost[MAX_KINDS]
        cdef Configuration* c = &parse.workspace.c
        self.bind(&parse.gold.gold, c.n, c.root)
        found = {}
        for place in parse._places():
            named = parse._named(parse._look_at(place), place)
            self.costs(parse.system, c, cost)
            found.update({name: cost[<int>kind] for kind, name in named.items()})
        return found
