"""Online training of easy-first (Goldberg & Nivre 2013, Algorithms 2 and 3).

The model's move is the best one anywhere in the list. If it is wrong, the weights move towards the best of the right
moves, wherever that is, and away from the wrong one. Then the same configuration is tried again until the model is
right, or, with exploration, the wrong move is made.
"""
from libc.stdint cimport int64_t

from treewright.learners.learner cimport Choice
from treewright.kinds.transition.engines.easy_first cimport EasyFirstParser, ListScratch, leave_list
from treewright.kinds.transition.engines.walk cimport Configuration, Encoded, Scratch
from treewright.systems.configuration cimport NONE
from treewright.systems.gold cimport Gold
from treewright.systems.system cimport MAX_KINDS, cheapest
from treewright.kinds.transition.learning.online cimport OnlineTrainer

cdef enum:
    MOST_TRIES = 20          # updates in one configuration before the right move is made in any case


cdef class EasyFirstTrainer(OnlineTrainer):
    """Trains an easy-first parser, round by round."""
    cdef bint outdated       # have the weights changed since the places were judged?

    cdef int begin(self, Configuration* c, Encoded e, int64_t row, Scratch s) except -1 nogil:
        OnlineTrainer.begin(self, c, e, row, s)
        self.outdated = False
        return self.parser.begin(c, e, row, s)

    cdef int decide(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                    int* label) except -1 nogil:
        return self.decide_place(c, e, row, <ListScratch>s, label)

    cdef int decide_place(self, Configuration* c, Encoded e, int64_t row, ListScratch s, int* label) except -1 nogil:
        """Learn until the model's move is right, or it is made although it is wrong, or the right one is made."""
        cdef const Gold* g = self.target()
        cdef Choice predicted, oracle
        cdef int place, right_place, tries = 0
        while True:
            place = c.focus
            self.decisions += 1
            self.learner.advance()
            if self.is_right(c, g, s.kind[place], s.label[place]):
                break
            self.mistakes += 1
            tries += 1
            right_place = self.best_right(c, g, e, row, s, &oracle)
            predicted.kind = s.kind[place]
            predicted.label_class = self.moves.class_of(predicted.kind, s.label[place])
            self.correct(c, e, row, s, right_place, &oracle, place, &predicted)
            self.outdated = True
            c.focus = place
            if self.follows():
                break
            if tries == MOST_TRIES:
                c.focus = right_place
                label[0] = self.moves.label[oracle.label_class]
                self.foresee(c, oracle.kind, label[0])
                return oracle.kind
            (<EasyFirstParser>self.parser).judge_all(c, e, row, s)
            self.outdated = False
        label[0] = s.label[c.focus]
        self.foresee(c, s.kind[c.focus], label[0])
        return s.kind[c.focus]

    cdef int moved(self, Configuration* c, Encoded e, int64_t row, Scratch s, int kind) except -1 nogil:
        if not self.outdated:
            return self.parser.moved(c, e, row, s, kind)
        leave_list(c, <ListScratch>s)
        (<EasyFirstParser>self.parser).judge_all(c, e, row, <ListScratch>s)
        self.outdated = False
        return 0

    cdef bint is_right(self, Configuration* c, const Gold* g, int kind, int label) except -1 nogil:
        """Does the move in focus lose no more than any other, its relation included?"""
        cdef int cost[MAX_KINDS]
        cdef int relation
        self.costs(c, g, cost)
        if cost[kind] > 0 and cost[kind] > self.least_cost(c, g):
            return False
        relation = self.system.gold_relation(c, g, kind)
        if relation != NONE:
            return relation == label
        return self.may(c, kind, self.moves.class_of(kind, label), True)

    cdef int least_cost(self, Configuration* c, const Gold* g) except -1 nogil:
        """Return what must be lost: nothing, unless the gold tree is not projective or has too many roots."""
        cdef int cost[MAX_KINDS]
        cdef int focus = c.focus, node = c.root, here, least = 1 << 30
        cdef unsigned legal
        while node != NONE and least > 0:
            c.focus = node
            legal = self.system.legal(c)
            if legal:
                self.costs(c, g, cost)
                cheapest(self.system.n_kinds, legal, cost, &here)
                least = min(least, here)
            node = c.next[node]
        c.focus = focus
        return least

    cdef int best_right(self, Configuration* c, const Gold* g, Encoded e, int64_t row, ListScratch s,
                        Choice* oracle) except -1 nogil:
        """Find the right move with the highest score; return its place. Gold arcs have their gold relation."""
        cdef int cost[MAX_KINDS]
        cdef int node = c.root, place = NONE, least = self.least_cost(c, g), here
        cdef unsigned legal, right
        cdef Choice found
        oracle.kind = NONE
        while node != NONE:
            c.focus = node
            legal = self.system.legal(c)
            right = 0
            if legal:
                self.costs(c, g, cost)
                right = cheapest(self.system.n_kinds, legal, cost, &here)
            if right and here == least:
                self.parser.score(c, e, row, s)
                self.best(c, g, right, True, True, &found)
                if place == NONE or found.score > oracle.score:
                    place = node
                    oracle[0] = found
            node = c.next[node]
        return place

    cdef int correct(self, Configuration* c, Encoded e, int64_t row, ListScratch s, int right_place, Choice* oracle,
                     int place, Choice* predicted) except -1 nogil:
        """Move one step towards the right move, with the features of its place, and one away from the wrong one."""
        cdef Choice nothing
        nothing.kind = nothing.label_class = NONE
        c.focus = right_place
        self.extractor.extract(c, e, row, s.keys, s.counts)
        if right_place == place:
            return self.learner.update(s.keys, s.counts, oracle, predicted, 1)
        self.learner.update(s.keys, s.counts, oracle, &nothing, 1)
        c.focus = place
        self.extractor.extract(c, e, row, s.keys, s.counts)
        return self.learner.update(s.keys, s.counts, &nothing, predicted, 1)
