"""The best tree of a second-order model by bounds alone, and which arcs and parts cannot be in it.

Every arc gets the best grandparent it could have: first a bound from the model, later exact scores where the current
tree depends on them. The best tree of these values (Chu-Liu-Edmonds) bounds all trees from above; its true score bounds
the best tree from below. When both meet, the tree is optimal without any linear programme. Until then:

- An arc is dropped for good if its reduced score shows that every tree with it is worse than the best found so far.
- An arc of the tree with a mere bound for its grandparent gets exact scores, best bounds first.
- An arc that prefers another grandparent than the tree gives it puts a price on that part (a Lagrange multiplier of
  GPArc, z(g,p,c) <= z(g,p)), which is credited to the arc (g, p).

This solves the dual of the linear programme with OneGP and GPArc over the arborescence polytope. Where it does not meet
the primal, the remaining arcs and parts go to the linear programme, or to branch and bound (``branch``).
"""
from array import array

from libc.math cimport isnan
from libc.stdlib cimport free
from libc.string cimport memcpy

from treewright.exact.part_scores cimport PartScores
from treewright.exact.spanning cimport NEVER
from treewright.treebank.memory cimport allocate, resize

cdef double CLOSE = 1e-7         # bounds that differ by no more than this have met
cdef double INFINITE = 1e30

cdef enum:
    MOST_BRANCHES = 20000        # of one sentence
    DEEPEST = 2000               # branches within branches: they need room on the stack


cdef class TreeSearch(PartBounds):
    """Scratch space for the search; one per thread."""

    def __init__(self, PartScores source):
        PartBounds.__init__(self, source)
        self.spanning = SpanningScratch()

    def __dealloc__(self):
        free(self.paid)
        free(self.chosen)
        free(self.alive)
        free(self.priced)
        free(self.heads)

    cdef int reserve(self, int n) except -1 nogil:
        cdef int64_t arcs = <int64_t>(n + 1) * (n + 1)
        if n <= self.capacity:
            return 0
        self.paid = <double*>resize(self.paid, 3 * arcs, sizeof(double))
        self.values, self.most = self.paid + arcs, self.paid + 2 * arcs
        self.chosen = <int32_t*>resize(self.chosen, arcs, sizeof(int32_t))
        self.alive = <unsigned char*>resize(self.alive, arcs, 1)
        self.heads = <int32_t*>resize(self.heads, 2 * (n + 1), sizeof(int32_t))
        self.best_heads = self.heads + n + 1
        return PartBounds.reserve(self, n)

    cdef double tree_score(self, const int32_t* heads) except? -1 nogil:
        """The true score of a tree."""
        cdef int c
        cdef double total = 0
        for c in range(1, self.width):
            total += self.first_order[heads[c] * self.width + c]
            if heads[c] > 0:
                total += self.part(heads[heads[c]], heads[c], c)
        return total

    cdef int start(self, const double* scores, bint single_root) except -1 nogil:
        """Go to the sentence that the source of parts is at."""
        cdef int p, c
        cdef int64_t arc
        self.take_up()
        self.first_order, self.single_root = scores, single_root
        self.n_priced = 0
        self.added = self.iterations = self.branches = 0
        self.certified = False
        self.lower, self.upper = -INFINITE, INFINITE
        for p in range(self.width):
            for c in range(self.width):
                arc = p * self.width + c
                self.alive[arc] = c > 0 and p != c
                self.paid[arc] = 0
                self.most[arc] = self.above[arc]
                self.chosen[arc] = -1
        # The best first-order tree: a first bound from below.
        self.spanning.best_tree(scores, self.n, single_root, self.heads)
        self.improve()
        return 0

    cdef int improve(self) except -1 nogil:
        """Keep the current tree if it is the best so far."""
        cdef double score = self.tree_score(self.heads)
        if score > self.lower:
            self.lower = score
            memcpy(self.best_heads, self.heads, self.width * sizeof(int32_t))
        return 0

    cdef int settle(self, int p, int c) except -1 nogil:
        """Find the best grandparent of an arc, scoring parts only while their bound is the highest."""
        cdef int g, best
        cdef int64_t arc = p * self.width + c, at = self.parts_of(arc)
        cdef double value, best_value
        while True:
            best, best_value = -1, -2 * INFINITE
            for g in range(self.width):
                if g == c or not self.alive[g * self.width + p]:
                    continue
                value = self.pool[at + g]
                if isnan(value):
                    value = self.caps[at + g]
                value -= self.multipliers[at + g]
                if value > best_value or best < 0:
                    best, best_value = g, value
            if best < 0 or not isnan(self.pool[at + best]):
                break
            self.part(best, p, c)
            at = self.place[arc]
        self.chosen[arc] = best
        self.most[arc] = best_value if best >= 0 else NEVER
        return 0

    cdef double fill_values(self) noexcept nogil:
        """Give every arc its value for the next tree."""
        cdef int p, c, g
        cdef int64_t arc, at
        cdef double value, best, bound
        for c in range(1, self.width):
            for p in range(self.width):
                arc = p * self.width + c
                if not self.alive[arc]:
                    self.values[arc] = NEVER
                    continue
                if p > 0 and (self.place[arc] >= 0 or self.iterations == 0):
                    # Scores, prices and dropped arcs may have lowered the bound.
                    at = self.place[arc]
                    best = -INFINITE
                    self.chosen[arc] = -1
                    for g in range(self.width):
                        if g == c or not self.alive[g * self.width + p]:
                            continue
                        if at >= 0 and not isnan(self.pool[at + g]):
                            value = self.pool[at + g] - self.multipliers[at + g]
                            bound = INFINITE
                        else:
                            value = self.caps[at + g] - self.multipliers[at + g] if at >= 0 else self.cap(g, p, c)
                            bound = 0
                        if value > best:
                            best = value
                            self.chosen[arc] = g if bound != 0 else -1
                    self.most[arc] = best
                if p > 0 and self.most[arc] < -INFINITE / 2:
                    self.values[arc] = NEVER
                    continue
                self.values[arc] = self.first_order[arc] + self.paid[arc] + (self.most[arc] if p > 0 else 0)
        return 0

    cdef int64_t prune(self) noexcept nogil:
        """Drop arcs that are in no tree as good as the best so far; return how many remain."""
        cdef int64_t arc, left = 0
        for arc in range(self.width * self.width):
            if self.alive[arc]:
                if self.upper + self.spanning.reduced[arc] < self.lower - CLOSE:
                    self.alive[arc] = 0
                else:
                    left += 1
        return left

    cdef bint wasted(self, int64_t i) noexcept nogil:
        """Is a part priced, and its upper arc in the tree, though the tree lacks the part?"""
        cdef int64_t at = self.priced[3 * i], arc = self.priced[3 * i + 1], c = self.priced[3 * i + 2]
        cdef int64_t g = arc // self.width, p = arc % self.width
        return self.multipliers[at] > 0 and self.heads[p] == g and not (
            self.heads[c] == p and self.chosen[p * self.width + c] == g)

    cdef int add_price(self, int64_t at, int g, int p, int c) except -1 nogil:
        """List a part as priced, unless it is listed already."""
        cdef int64_t i, capacity = 256 + 2 * self.priced_capacity
        for i in range(self.n_priced):
            if self.priced[3 * i] == at:
                return 0
        if self.n_priced == self.priced_capacity:
            self.priced = <int64_t*>resize(self.priced, 3 * capacity, sizeof(int64_t))
            self.priced_capacity = capacity
        i = 3 * self.n_priced
        self.priced[i], self.priced[i + 1], self.priced[i + 2] = at, g * self.width + p, c
        self.n_priced += 1
        self.added += 1
        return 0

    cdef int disagree(self) except -1 nogil:
        """Price the parts that arcs of the tree prefer to their own; return whether there are any."""
        cdef int c, p, g, violated = 0
        cdef int64_t i, at
        cdef double step, lower
        for c in range(1, self.width):
            p = self.heads[c]
            if p > 0 and self.chosen[p * self.width + c] != self.heads[p]:
                violated += 1
        for i in range(self.n_priced):
            violated += self.wasted(i)
        if violated == 0:
            return 0
        step = self.pace * (self.upper - self.lower) / violated
        # Prices that were not needed come down.
        for i in range(self.n_priced):
            if self.wasted(i):
                at = self.priced[3 * i]
                lower = min(step, self.multipliers[at])
                self.paid[self.priced[3 * i + 1]] -= lower
                self.multipliers[at] -= lower
        for c in range(1, self.width):
            p = self.heads[c]
            if p == 0 or self.chosen[p * self.width + c] == self.heads[p]:
                continue
            g = self.chosen[p * self.width + c]
            at = self.place[p * self.width + c] + g
            if self.multipliers[at] == 0:
                self.add_price(at, g, p, c)
            self.multipliers[at] += step
            self.paid[g * self.width + p] += step
        return 1

    cdef int run(self, int rounds) except -1 nogil:
        """Tighten both bounds for some rounds; sets ``certified`` when they meet."""
        cdef int c, p, open_arcs, round_ = 0
        cdef int64_t arc, scored
        cdef double upper, best_upper = self.upper
        cdef int stalled = 0
        self.pace = 1
        while round_ < rounds:
            self.fill_values()
            upper = self.spanning.best_tree(self.values, self.n, self.single_root, self.heads)
            self.iterations += 1
            if upper < NEVER / 2:        # the remaining arcs form no tree: the best tree found is optimal
                self.upper = self.lower
                self.certified = True
                return 0
            self.upper = upper
            self.improve()
            if self.prune() == self.n or self.upper - self.lower <= CLOSE:
                self.upper = self.lower
                self.certified = True
                return 0
            open_arcs = 0
            scored = self.scored
            for c in range(1, self.width):
                p = self.heads[c]
                arc = p * self.width + c
                if p > 0 and self.chosen[arc] < 0:
                    self.settle(p, c)
                    open_arcs += 1
            if open_arcs and self.scored > scored:   # nothing new was scored: another tree will not come of it
                continue
            round_ += 1
            stalled += 1
            if best_upper > self.upper + CLOSE:
                best_upper = self.upper
                stalled = 0
            if stalled == 5:
                self.pace *= 0.6
                stalled = 0
            if not self.disagree():
                # Every arc has the grandparent it prefers: the tree's value is its score, up to unused prices.
                break
        self.upper = best_upper if best_upper < self.upper else self.upper
        if self.upper - self.lower <= CLOSE:
            self.certified = True
        return 0

    cdef int branch(self, int rounds, int depth) except -1 nogil:
        """Branch and bound: fix one word's head at a time, until every case is worse than the best tree."""
        cdef int c, h, word = 0, count, fewest = 1 << 30, chosen
        cdef int64_t arcs = self.width * self.width
        cdef unsigned char* alive
        self.branches += 1
        if self.branches > MOST_BRANCHES or depth > DEEPEST:
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
        alive = <unsigned char*>allocate(arcs, 1)
        memcpy(alive, self.alive, arcs)
        for h in range(self.width):              # this head and no other
            if h != chosen:
                self.alive[h * self.width + word] = 0
        self.branch(rounds, depth + 1)
        memcpy(self.alive, alive, arcs)
        self.alive[chosen * self.width + word] = 0           # any head but this one
        free(alive)
        self.branch(rounds, depth + 1)
        self.certified = True
        self.upper = self.lower
        return 0

    cdef double best(self, const double* scores, bint single_root, int rounds, int32_t* heads) except? -1 nogil:
        """The best tree found within some rounds, certified or not."""
        self.start(scores, single_root)
        self.run(rounds)
        memcpy(heads, self.best_heads, self.width * sizeof(int32_t))
        return self.lower

    def prepare(self, const double[:, ::1] scores, bint single_root=False):
        """Go to a sentence with these scores of arcs, head by child."""
        if scores.shape[0] != self.source.n + 1 or scores.shape[1] != self.source.n + 1:
            raise ValueError("the scores of arcs and of parts are for sentences of different lengths")
        self.score_owner = scores
        self.start(&scores[0, 0], single_root)

    def tighten(self, int rounds):
        """Tighten both bounds; return whether they met."""
        with nogil:
            self.run(rounds)
        return self.certified

    def solve(self, int rounds=30):
        """Find the optimum by branch and bound; return whether it was found.

        Scores of a trained model need few branches. Others may need more than there is time for: then the best tree so
        far stays, without a certificate.
        """
        cdef double upper = self.upper
        self.gave_up = False
        self.branches = 0
        with nogil:
            self.branch(rounds, 0)
        self.certified = not self.gave_up
        self.upper = upper if self.gave_up else self.lower
        return not self.gave_up

    def tree(self):
        """Return the heads of the best tree so far; the root's is -1."""
        cdef int c
        return array("i", [-1, *(self.best_heads[c] for c in range(1, self.width))])
