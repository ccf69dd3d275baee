"""The best tree of a second-order model by bounds alone, and which arcs and parts cannot be in it.

Every arc gets the best part of each kind it could have: first a bound from the model, later exact scores where the
current tree depends on them. The best tree of these values (Chu-Liu-Edmonds) bounds all trees from above; its true
score bounds the best tree from below. When both meet, the tree is optimal without any linear programme. Until then:

- An arc is dropped for good if its reduced score shows that every tree with it is worse than the best found so far.
- An arc of the tree with a mere bound for a part gets exact scores, best bounds first.
- An arc that prefers another part than the tree gives it puts a price on what that part needs (part_family.pyx).

This solves the dual of the linear programme (programme.py) over the arborescence polytope. Where it does not meet the
primal, the remaining arcs and parts go to the linear programme, or to branch and bound (``branch``).

Projective trees are searched for in the same way, with Eisner's algorithm instead of Chu-Liu-Edmonds. What remains goes
to the dynamic programme over g-spans (span_chart.pyx), which always finds the optimum.
"""
from array import array

from libc.string cimport memcpy

from treewright.kinds.exact.parts.part_scores cimport PartScores
from treewright.kinds.exact.search.spanning cimport NEVER

cdef double CLOSE = 1e-7         # bounds that differ by no more than this have met
cdef double INFINITE = 1e30

cdef enum:
    MOST_BRANCHES = 20000        # of one sentence
    MOST_ITERATIONS = 1000000000  # no limit in practice: branches end before
    DEEPEST = 2000               # branches within branches: they need room on the stack
    MOST_PASSES = 30             # of the dynamic programme, before all parts are scored
    LARGEST_CHART = 20000000     # spans of each kind: 720 MB


cdef class TreeSearch:
    """Scratch space for the search; one per thread."""

    def __init__(self, PartScores grandparents=None, PartScores siblings=None, bint projective=False):
        if grandparents is None and siblings is None:
            raise ValueError("a search needs parts: grandparents, siblings or both")
        if (grandparents is not None and grandparents.siblings) or (siblings is not None and not siblings.siblings):
            raise ValueError("grandparents come first, siblings second")
        self.source = grandparents if grandparents is not None else siblings
        self.grandparents, self.siblings = PartFamily(grandparents), PartFamily(siblings)
        self.spanning, self.projective = SpanningScratch(), projective
        self.spans = SpanChart(self.grandparents, self.siblings)

    @property
    def families(self):
        """The kinds of parts of the model."""
        return [family for family in (self.grandparents, self.siblings) if family.there]

    @property
    def scored(self):
        """How many parts were scored."""
        return self.grandparents.scored + self.siblings.scored

    @property
    def added(self):
        """How many prices there are."""
        return self.grandparents.added + self.siblings.added

    cdef int reserve(self, int n) except -1 nogil:
        cdef int64_t arcs = <int64_t>(n + 1) * (n + 1)
        if n > self.capacity:
            self.values = <double*>self.resized(self.values, arcs, sizeof(double))
            self.alive = <unsigned char*>self.resized(self.alive, arcs, 1)
            self.heads = <int32_t*>self.resized(self.heads, 2 * (n + 1), sizeof(int32_t))
            self.best_heads = self.heads + n + 1
            self.capacity = n
        return 0

    cdef double tree_score(self, const int32_t* heads) except? -1 nogil:
        """The true score of a tree."""
        cdef int c
        cdef double total = 0
        for c in range(1, self.width):
            total += self.first_order[heads[c] * self.width + c]
        return total + self.parts_score(heads)

    cdef double parts_score(self, const int32_t* heads) except? -1 nogil:
        """What the parts of a tree add to its score."""
        return self.grandparents.tree_score(heads) + self.siblings.tree_score(heads)

    cdef int start(self, const double* scores, bint single_root) except -1 nogil:
        """Go to the sentence that the sources of parts are at."""
        cdef int p, c
        self.n = self.source.length()
        self.width = self.n + 1
        self.reserve(self.n)
        self.grandparents.start()
        self.siblings.start()
        self.first_order, self.single_root = scores, single_root
        self.iterations = self.branches = 0
        self.certified = False
        self.lower, self.upper = -INFINITE, INFINITE
        for p in range(self.width):
            for c in range(self.width):
                self.alive[p * self.width + c] = c > 0 and p != c
        # The best first-order tree: a first bound from below.
        tree_of(self, scores)
        improve(self)
        return 0

    cdef inline int add_part(self, PartFamily family, int p, int c, bint first) except -1 nogil:
        """Add what an arc's part of a kind is worth to its value; an arc without a possible part is in no tree."""
        cdef int64_t arc = p * self.width + c
        if family.has_parts(p):
            family.bound(p, c, self.alive, first)
            self.values[arc] = NEVER if family.most[arc] < -INFINITE / 2 else self.values[arc] + family.most[arc]
        if family.there:
            self.values[arc] += family.paid[arc]
        return 0

    cdef bint settle_tree(self) except -1 nogil:
        """Score parts until each arc of the tree knows its best ones; return whether any part was scored."""
        cdef long before = self.grandparents.scored + self.siblings.scored
        self.grandparents.settle_tree(self.heads, self.alive)
        self.siblings.settle_tree(self.heads, self.alive)
        return self.grandparents.scored + self.siblings.scored > before

    cdef int run(self, int rounds) except -1 nogil:
        """Tighten both bounds for some rounds; sets ``certified`` when they meet."""
        cdef int stalled = 0, round_ = 0
        cdef double upper, best_upper = self.upper
        self.pace = 1
        while round_ < rounds:
            fill_values(self)
            upper = tree_of(self, self.values)
            if self.projective:
                self.spanning.reduce_projective(self.values, self.n, self.single_root, upper)
            self.iterations += 1
            if upper < NEVER / 2:        # the remaining arcs form no tree: the best tree found is optimal
                self.upper = self.lower
                self.certified = True
                return 0
            self.upper = upper + self.siblings.prepaid()
            improve(self)
            if prune(self) == self.n or self.upper - self.lower <= CLOSE:
                self.upper = self.lower
                self.certified = True
                return 0
            if self.settle_tree():
                continue
            round_ += 1
            stalled += 1
            if best_upper > self.upper + CLOSE:
                best_upper = self.upper
                stalled = 0
            if stalled == 5:
                self.pace *= 0.6
                stalled = 0
            if not disagree(self):
                # Every arc has the parts it prefers: the tree's value is its score, up to unused prices.
                break
        self.upper = best_upper if best_upper < self.upper else self.upper
        if self.upper - self.lower <= CLOSE:
            self.certified = True
        return 0

    cdef double best(self, const double* scores, bint single_root, int rounds, int32_t* heads) except? -1 nogil:
        """The best tree found within some rounds, certified or not."""
        self.start(scores, single_root)
        self.run(rounds)
        memcpy(heads, self.best_heads, self.width * sizeof(int32_t))
        return self.lower

    def prepare(self, const double[:, ::1] scores, bint single_root=False):
        """Go to a sentence with these scores of arcs, head by child."""
        cdef PartFamily family
        lengths = {scores.shape[0] - 1, scores.shape[1] - 1}
        for family in self.families:
            lengths.add(family.source.length())
        if len(lengths) > 1:
            raise ValueError("the scores of arcs and of parts are for sentences of different lengths")
        self.score_owner = scores
        self.start(&scores[0, 0], single_root)

    def tighten(self, int rounds):
        """Tighten both bounds; return whether they met."""
        with nogil:
            self.run(rounds)
        return self.certified

    def solve(self, int rounds=30, long most_iterations=MOST_ITERATIONS):
        """Find the optimum by branch and bound, or of projective trees by the dynamic programme; return whether it was.

        Scores of a trained model need few branches. Others may need more than there is time for: then the best tree so
        far stays, without a certificate. ``most_iterations`` lets it give up sooner.
        """
        cdef double upper = self.upper
        if self.projective:
            return self.dynamic()
        self.gave_up = False
        self.branches = 0
        self.most_iterations = min(MOST_ITERATIONS, self.iterations + most_iterations)
        with nogil:
            branch(self, rounds, 0)
        self.certified = not self.gave_up
        self.upper = upper if self.gave_up else self.lower
        return not self.gave_up

    def dynamic(self, bint all_parts=False):
        """Find the best projective tree by the dynamic programme; return whether there was room for its chart."""
        cdef int64_t arc, arcs = 1
        for arc in range(self.width * self.width):
            arcs += self.alive[arc]
        if not self.projective or arcs * self.width > LARGEST_CHART:
            return False
        with nogil:
            chart(self, all_parts)
        return True

    def tree(self):
        """Return the heads of the best tree so far; the root's is -1."""
        cdef int c
        return array("i", [-1, *(self.best_heads[c] for c in range(1, self.width))])


cdef double tree_of(TreeSearch self, const double* values) except? -1 nogil:
    """Find the best tree by values of arcs alone."""
    return self.spanning.best(values, self.n, self.single_root, self.projective, self.heads)


cdef int improve(TreeSearch self) except -1 nogil:
    """Keep the current tree if it is the best so far."""
    cdef double score = self.tree_score(self.heads)
    if score > self.lower:
        self.lower = score
        memcpy(self.best_heads, self.heads, self.width * sizeof(int32_t))
    return 0


cdef int fill_values(TreeSearch self) except -1 nogil:
    """Give every arc its value for the next tree."""
    cdef int p, c
    cdef int64_t arc
    cdef bint first = self.iterations == 0
    for c in range(1, self.width):
        for p in range(self.width):
            arc = p * self.width + c
            self.values[arc] = NEVER
            if not self.alive[arc]:
                continue
            self.values[arc] = self.first_order[arc]
            self.add_part(self.grandparents, p, c, first)
            self.add_part(self.siblings, p, c, first)
    return 0


cdef int64_t prune(TreeSearch self) noexcept nogil:
    """Drop arcs that are in no tree as good as the best so far; return how many remain."""
    cdef int64_t arc, left = 0
    for arc in range(self.width * self.width):
        if self.alive[arc]:
            if self.upper + self.spanning.reduced[arc] < self.lower - CLOSE:
                self.alive[arc] = 0
            else:
                left += 1
    return left


cdef int disagree(TreeSearch self) except -1 nogil:
    """Price what arcs of the tree prefer to their own parts; return whether there is anything."""
    cdef double step, total = self.grandparents.disagreement(self.heads) + self.siblings.disagreement(self.heads)
    if total == 0:
        return 0
    step = self.pace * (self.upper - self.lower) / total
    self.grandparents.pay(self.heads, step)
    self.siblings.pay(self.heads, step)
    return 1


cdef int branch(TreeSearch self, int rounds, int depth) except -1 nogil:
    """Branch and bound: fix one word's head at a time, until every case is worse than the best tree."""
    cdef int c, h, word = 0, count, fewest = 1 << 30, chosen
    cdef int64_t arcs = self.width * self.width
    cdef unsigned char* alive
    self.branches += 1
    if self.branches > MOST_BRANCHES or self.iterations > self.most_iterations or depth > DEEPEST:
        self.gave_up = True
        return 0
    self.upper = INFINITE
    self.certified = False
    self.run(rounds)
    if self.certified:
        return 0
    for c in range(1, self.width):
        count = 0
        for h in range(self.width):
            count += self.alive[h * self.width + c]
        if 1 < count < fewest:
            fewest, word = count, c
    if word == 0:
        self.certified = True
        return 0
    chosen = self.heads[word]
    alive = <unsigned char*>self.new_block(arcs, 1)
    memcpy(alive, self.alive, arcs)
    for h in range(self.width):              # this head and no other
        if h != chosen:
            self.alive[h * self.width + word] = 0
    branch(self, rounds, depth + 1)
    memcpy(self.alive, alive, arcs)
    self.alive[chosen * self.width + word] = 0           # any head but this one
    self.release(alive)
    branch(self, rounds, depth + 1)
    self.certified = True
    self.upper = self.lower
    return 0


cdef int chart(TreeSearch self, bint all_parts) except -1 nogil:
    """Find the best projective tree of the arcs that were not dropped: column generation in a dynamic programme.

    Every pass scores the parts of the best tree that had a mere bound. ``all_parts``: score all of them first.
    """
    cdef long before
    cdef double value
    cdef int passes = 0
    while True:
        if all_parts or passes == MOST_PASSES:
            self.grandparents.score_all(self.alive)
            self.siblings.score_all(self.alive)
        value = self.spans.best(self.n, self.first_order, self.alive, self.single_root, self.heads)
        self.iterations += 1
        passes += 1
        if value < NEVER / 2:        # the remaining arcs form no projective tree
            break
        before = self.grandparents.scored + self.siblings.scored
        improve(self)
        if self.grandparents.scored + self.siblings.scored == before or value - self.lower <= CLOSE:
            break
    self.upper = self.lower
    self.certified = True
    return 0
