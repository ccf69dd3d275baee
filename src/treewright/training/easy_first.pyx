"""Online training of easy-first (Goldberg & Nivre 2013, Algorithms 2 and 3).

The model's move is the best one anywhere in the list. If it is wrong, the weights move towards the best of the right
moves, wherever that is, and away from the wrong one; then the same configuration is tried again until the model
is right, or, with exploration, the wrong move is made.
"""
from libc.stdint cimport int64_t, uint64_t

from treewright.learners.learner cimport Choice
from treewright.parsing.easy_first cimport EasyFirstParser, ListScratch
from treewright.parsing.greedy cimport Scratch
from treewright.systems.configuration cimport NONE, Configuration, Gold
from treewright.training.online cimport OnlineTrainer

cdef enum:
    MOST_TRIES = 20          # updates in one configuration before the right move is made in any case


cdef class EasyFirstTrainer(OnlineTrainer):
    """Trains an easy-first parser, round by round."""

    cdef int learn_sentence(self, int sentence, int n) except -1 nogil:
        return self.learn_list(<ListScratch>self.scratch, <EasyFirstParser>self.parser, sentence, n)

    cdef int learn_list(self, ListScratch s, EasyFirstParser parser, int sentence, int n) except -1 nogil:
        cdef int64_t word = self.corpus.word_start[sentence], row = self.corpus.row_start[sentence]
        cdef Configuration* c
        cdef Gold* g
        cdef Choice predicted, oracle
        cdef int place, right_place, tries = 0
        s.workspace.reserve(n)
        s.prepare(n)
        c, g = &s.workspace.c, &s.workspace.gold
        self.system.start(c, n)
        s.workspace.set_gold(n, c.root, &self.corpus.heads[word], &self.corpus.labels[word])
        parser.judge_all(c, self.corpus.encoded, row, s)
        while not self.system.terminal(c):
            place = s.winner[1]
            c.focus = place
            self.decisions += 1
            self.learner.advance()
            if self.is_right(c, g, s.kind[place], s.label[place]):
                tries = 0
                self.system.apply(c, s.kind[place], s.label[place])
                parser.judge_around(c, self.corpus.encoded, row, s)
                continue
            self.mistakes += 1
            tries += 1
            right_place = self.best_right(c, g, row, s, &oracle)
            predicted.kind = s.kind[place]
            predicted.label_class = self.moves.class_of(predicted.kind, s.label[place])
            self.correct(c, row, s, right_place, &oracle, place, &predicted)
            if self.follows():
                c.focus = place
                tries = 0
                self.system.apply(c, predicted.kind, s.label[place])
                clear_place(c, s)
            elif tries == MOST_TRIES:
                c.focus = right_place
                tries = 0
                self.system.apply(c, oracle.kind, self.moves.label[oracle.label_class])
                clear_place(c, s)
            # The weights have changed: everything is judged again.
            parser.judge_all(c, self.corpus.encoded, row, s)
        return 0

    cdef bint is_right(self, Configuration* c, const Gold* g, int kind, int label) noexcept nogil:
        """Does the move in focus lose no more than any other, its relation included?"""
        cdef int cost[8]
        cdef int relation
        self.system.costs(c, g, cost)
        if cost[kind] > 0 and cost[kind] > self.least_cost(c, g):
            return False
        relation = self.system.gold_relation(c, g, kind)
        return relation == NONE or relation == label

    cdef int least_cost(self, Configuration* c, const Gold* g) noexcept nogil:
        """What must be lost: nothing, unless the gold tree is not projective, or has more roots than it may."""
        cdef int cost[8]
        cdef int focus = c.focus, node = c.root, kind, least = c.n + 1
        cdef unsigned legal
        while node != NONE and least > 0:
            c.focus = node
            legal = self.system.legal(c)
            if legal:
                self.system.costs(c, g, cost)
                for kind in range(self.system.n_kinds):
                    if legal >> kind & 1 and cost[kind] < least:
                        least = cost[kind]
            node = c.next[node]
        c.focus = focus
        return least

    cdef int best_right(self, Configuration* c, const Gold* g, int64_t row, ListScratch s, Choice* oracle) noexcept nogil:
        """Find the right move that the model likes best; return its place. Gold arcs have their gold relation."""
        cdef int cost[8]
        cdef int counts[3]
        cdef int node = c.root, kind, place = NONE, least = self.least_cost(c, g)
        cdef unsigned legal, right
        cdef Choice found
        oracle.kind = NONE
        while node != NONE:
            c.focus = node
            legal = self.system.legal(c)
            right = 0
            if legal:
                self.system.costs(c, g, cost)
                for kind in range(self.system.n_kinds):
                    if legal >> kind & 1 and cost[kind] == least:
                        right |= 1 << kind
            if right:
                self.extractor.extract(c, self.corpus.encoded, row, s.keys, counts)
                self.learner.score(s.keys, counts, s.kind_scores, s.class_scores)
                self.best(c, g, right, True, &found)
                if place == NONE or found.score > oracle.score:
                    place = node
                    oracle[0] = found
            node = c.next[node]
        return place

    cdef int correct(self, Configuration* c, int64_t row, ListScratch s, int right_place, Choice* oracle, int place,
                     Choice* predicted) except -1 nogil:
        """One step towards the right move, with the features of its place, and one away from the wrong one."""
        cdef int counts[3]
        cdef Choice nothing
        nothing.kind = nothing.label_class = NONE
        if right_place == place:
            c.focus = place
            self.extractor.extract(c, self.corpus.encoded, row, s.keys, counts)
            return self.learner.update(s.keys, counts, oracle, predicted, 1)
        c.focus = right_place
        self.extractor.extract(c, self.corpus.encoded, row, s.keys, counts)
        self.learner.update(s.keys, counts, oracle, &nothing, 1)
        c.focus = place
        self.extractor.extract(c, self.corpus.encoded, row, s.keys, counts)
        return self.learner.update(s.keys, counts, &nothing, predicted, 1)


cdef void clear_place(Configuration* c, ListScratch s) noexcept nogil:
    """The place of the word that was attached last is no more."""
    cdef int from_head = c.focus
    s.score[c.leftmost[from_head] if c.last_kind[0] == 0 else c.rightmost[from_head]] = -1e30
