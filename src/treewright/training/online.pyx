"""Online training (Goldberg & Nivre 2013, Algorithms 2 and 3), one round at a time.

In every configuration: the best legal move by the current weights, and the best of those that the oracle calls
right. If they differ in worth, the weights move towards the second and away from the first. Which move is made
next is the policy's choice:

- ``static``: the canonical oracle's move;
- ``ambiguity``: the model's own move if it is right, else the right one that it likes best;
- ``explore``: from round k + 1 on, the model's own move even where it is wrong, if chance says so: if
  RAND() < p (Goldberg & Nivre 2013), or if RAND() > p (Goldberg & Nivre 2012; the same with 1 - p for p).

Where the model's move is wrong and not followed, the next is the right one that it likes best, or, as in 2012, any of
the right kinds at random. A mistake that loses several arcs can count for more than one that loses one
(``cost_sensitive``): the step of the update is the number of arcs (``scale``), or a costly move must be beaten by so
many points (``margin``: the update is against the move with the greatest sum of score and cost).
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from treewright.features.extractor cimport Extractor
from treewright.learners.learner cimport Choice, Moves, OnlineLearner, forced_kind, legal_classes
from treewright.parsing.greedy cimport GreedyParser, Scratch
from treewright.systems.configuration cimport NONE, Configuration, Gold
from treewright.systems.system cimport System, cheapest
from treewright.training.corpus cimport Corpus
from treewright.training.rounds cimport Rounds

POLICIES = {"static": STATIC, "ambiguity": AMBIGUITY, "explore": EXPLORE}

COST_SENSITIVITIES = {None: PLAIN, "scale": SCALE, "margin": MARGIN}


cdef class OnlineTrainer(Rounds):
    """Trains one learner on one corpus, round by round."""
    def __init__(self, GreedyParser parser, OnlineLearner learner, Corpus corpus, str policy, int k, double p,
                 uint64_t seed, str exploration="2013", str zero_cost="best", cost_sensitive=None):
        self.parser, self.learner, self.corpus = parser, learner, corpus
        self.system, self.extractor, self.moves = parser.system, parser.extractor, parser.moves
        self.split = parser.split
        self.scratch = parser.new_scratch()
        self.policy, self.k, self.p = POLICIES[policy], k, p
        self.follow_above = exploration == "2012"
        self.random_zero_cost = zero_cost == "random"
        self.cost_sensitivity = COST_SENSITIVITIES[cost_sensitive]
        self.dynamic = "dynamic" in self.system.oracles
        self.prepare(corpus, seed)

    cdef int learn_sentence(self, int sentence, int n) except -1 nogil:
        return self.learn_moves(self.scratch, sentence, n)

    cdef int learn_moves(self, Scratch s, int sentence, int n) except -1 nogil:
        cdef Configuration* c
        cdef Gold* g
        cdef int counts[3]
        cdef int first, end
        cdef unsigned legal, right
        cdef int64_t word = self.corpus.word_start[sentence], row = self.corpus.row_start[sentence]
        cdef Choice predicted, oracle
        s.workspace.reserve(n)
        c, g = &s.workspace.c, &s.workspace.gold
        self.system.start(c, n)
        s.workspace.set_gold(n, c.root, &self.corpus.heads[word], &self.corpus.labels[word])
        while not self.system.terminal(c):
            legal = self.system.legal(c)
            predicted.kind = forced_kind(self.moves, legal)
            if predicted.kind != NONE:
                self.system.apply(c, predicted.kind, NONE)
                continue
            right = self.right_kinds(c, g, legal)
            if self.cost_sensitivity != PLAIN:
                self.weigh_kinds(c, g, legal, right)
            self.extractor.extract(c, self.corpus.encoded, row, s.keys, counts)
            legal_classes(self.moves, legal, &first, &end)
            self.learner.score_range(s.keys, counts, first, end, s.kind_scores, s.class_scores)
            self.decisions += 1
            if self.split:
                self.decide_split(c, g, legal, right, counts, &predicted, &oracle)
            else:
                self.decide(c, g, legal, right, counts, &predicted, &oracle)
            self.learner.advance()
            if oracle.kind != predicted.kind or oracle.label_class != predicted.label_class:
                if not self.follows():
                    predicted = oracle
                    if self.random_zero_cost:
                        self.random_right(c, g, right, &predicted)
            self.system.apply(
                c, predicted.kind, self.moves.label[predicted.label_class] if predicted.label_class >= 0 else NONE
            )
        return 0

    cdef unsigned right_kinds(self, const Configuration* c, const Gold* g, unsigned legal) noexcept nogil:
        """The kinds that the policy's oracle calls right, as bits; all legal ones where it knows of none.

        An oracle knows of none only where the gold tree is not one that the system can build.
        """
        cdef int cost[8]
        cdef int least
        cdef unsigned right
        if self.policy == STATIC:
            right = legal & <unsigned>1 << self.system.static_kind(c, g)
            return right if right else legal
        if not self.dynamic:
            right = self.system.correct(c, g)
            return right if right else legal
        self.system.costs(c, g, cost)
        return self.system.economical(cheapest(self.system.n_kinds, legal, cost, &least))

    cdef bint follows(self) noexcept nogil:
        """Does the policy make the model's move now, though it is wrong?"""
        cdef double drawn
        if self.policy != EXPLORE or self.round <= self.k:
            return False
        drawn = self.uniform()
        return drawn > self.p if self.follow_above else drawn < self.p

    cdef void random_right(self, const Configuration* c, const Gold* g, unsigned right, Choice* out) noexcept nogil:
        """Any of the right kinds of move, with the gold relation if its arc is gold, else the one that scores best."""
        cdef int kind, chosen = out.kind, n = 0
        for kind in range(self.moves.n_kinds):
            if right >> kind & 1:
                # The n-th replaces the choice so far with probability 1/n: each is as likely in the end.
                n += 1
                if self.random() % <uint64_t>n == 0:
                    chosen = kind
        if chosen != out.kind:
            self.best(c, g, 1 << chosen, True, out)

    cdef void weigh_kinds(self, const Configuration* c, const Gold* g, unsigned legal, unsigned right) noexcept nogil:
        """Fill ``cost``. A kind that is not right costs one at least, also where the policy alone calls it wrong."""
        cdef int kind, least
        if self.dynamic:
            self.system.costs(c, g, self.cost)
        else:
            for kind in range(self.moves.n_kinds):
                self.cost[kind] = 0
        cheapest(self.moves.n_kinds, legal, self.cost, &least)
        for kind in range(self.moves.n_kinds):
            self.cost[kind] = 0 if right >> kind & 1 else max(1, self.cost[kind] - least)

    cdef int gold_class(self, const Configuration* c, const Gold* g, int kind) noexcept nogil:
        """The class of the gold relation of a move whose arc is gold, or NONE."""
        cdef int relation = self.system.gold_relation(c, g, kind) if self.moves.labelled >> kind & 1 else NONE
        return self.moves.class_of(kind, relation) if relation != NONE else NONE

    cdef void costly(self, const Configuration* c, const Gold* g, unsigned legal, Choice* out) noexcept nogil:
        """The legal move with the greatest sum of score and cost, a wrong relation of a gold arc costing one more."""
        cdef int kind, first, end, i, right_class
        cdef float score, sum
        out.kind = NONE
        for kind in range(self.moves.n_kinds):
            if legal >> kind & 1 == 0:
                continue
            score = s_kind(self.scratch, kind) + self.cost[kind]
            if self.moves.labelled >> kind & 1 == 0:
                if out.kind == NONE or score > out.score:
                    out.kind, out.label_class, out.score = kind, NONE, score
                continue
            right_class = self.gold_class(c, g, kind)
            self.parser.class_range(c, kind, &first, &end)
            for i in range(first, end):
                sum = score + self.scratch.class_scores[i] + <int>(right_class >= 0 and i != right_class)
                if out.kind == NONE or sum > out.score:
                    out.kind, out.label_class, out.score = kind, i, sum

    cdef void best(self, const Configuration* c, const Gold* g, unsigned allowed, bint gold_labels, Choice* out) noexcept nogil:
        """The highest-scoring move of the allowed kinds; where a gold arc is added, with its gold relation only."""
        cdef int kind, first, end, i, relation
        cdef float score
        out.kind = NONE
        for kind in range(self.moves.n_kinds):
            if allowed >> kind & 1 == 0:
                continue
            score = s_kind(self.scratch, kind)
            if self.moves.labelled >> kind & 1 == 0:
                if out.kind == NONE or score > out.score:
                    out.kind, out.label_class, out.score = kind, NONE, score
                continue
            self.parser.class_range(c, kind, &first, &end)
            if gold_labels:
                relation = self.system.gold_relation(c, g, kind)
                if relation != NONE:
                    i = self.moves.class_of(kind, relation)
                    if i >= 0:
                        first, end = i, i + 1
            for i in range(first, end):
                if out.kind == NONE or score + self.scratch.class_scores[i] > out.score:
                    out.kind, out.label_class, out.score = kind, i, score + self.scratch.class_scores[i]

    cdef int decide(self, const Configuration* c, const Gold* g, unsigned legal, unsigned right, int* counts,
                    Choice* predicted, Choice* oracle) except -1 nogil:
        """Kind and relation together: one mistake, one update."""
        cdef Choice rival
        cdef bint mistaken
        cdef int right_class, step = 1
        self.best(c, g, legal, False, predicted)
        self.best(c, g, right, True, oracle)
        mistaken = oracle.kind != predicted.kind or oracle.label_class != predicted.label_class
        self.mistakes += mistaken
        rival = predicted[0]
        if self.cost_sensitivity == MARGIN:
            self.costly(c, g, legal, &rival)
            if rival.score <= oracle.score:
                return 0
        elif not mistaken:
            return 0
        elif self.cost_sensitivity == SCALE:
            right_class = self.gold_class(c, g, rival.kind)
            step = max(1, self.cost[rival.kind] + <int>(right_class >= 0 and right_class != rival.label_class))
        if rival.kind == oracle.kind and rival.label_class == oracle.label_class:
            return 0
        return self.learner.update(self.scratch.keys, counts, oracle, &rival, step)

    cdef int decide_split(self, const Configuration* c, const Gold* g, unsigned legal, unsigned right, int* counts,
                          Choice* predicted, Choice* oracle) except -1 nogil:
        """First the kind, then the relation of a right arc; each learns by itself."""
        cdef int kind, relation, step = 1
        cdef Choice rival
        predicted.kind = oracle.kind = NONE
        for kind in range(self.moves.n_kinds):
            if legal >> kind & 1 and (predicted.kind == NONE or s_kind(self.scratch, kind) > s_kind(self.scratch, predicted.kind)):
                predicted.kind = kind
            if right >> kind & 1 and (oracle.kind == NONE or s_kind(self.scratch, kind) > s_kind(self.scratch, oracle.kind)):
                oracle.kind = kind
        self.mistakes += oracle.kind != predicted.kind
        rival = predicted[0]
        if self.cost_sensitivity == SCALE:
            step = max(1, self.cost[predicted.kind])
        elif self.cost_sensitivity == MARGIN:
            rival.kind = oracle.kind
            for kind in range(self.moves.n_kinds):
                if legal >> kind & 1 and (s_kind(self.scratch, kind) + self.cost[kind]
                                          > s_kind(self.scratch, rival.kind) + self.cost[rival.kind]):
                    rival.kind = kind
        if oracle.kind != rival.kind:
            oracle.label_class = rival.label_class = NONE
            self.learner.update(self.scratch.keys, counts, oracle, &rival, step)
        kind = predicted.kind
        self.best(c, g, 1 << kind, False, predicted)
        self.best(c, g, 1 << oracle.kind, True, oracle)
        relation = self.system.gold_relation(c, g, kind) if self.moves.labelled >> kind & 1 else NONE
        if relation == NONE:
            kind = oracle.kind
            relation = self.system.gold_relation(c, g, kind) if self.moves.labelled >> kind & 1 else NONE
            if relation == NONE:
                return 0
        return self.learn_relation(c, kind, relation, counts)

    cdef int learn_relation(self, const Configuration* c, int kind, int relation, int* counts) except -1 nogil:
        """Correct the choice of a relation for a gold arc, the kind being given."""
        cdef int first, end, i
        cdef int labels_only[3]
        cdef Choice gold, best
        gold.kind = best.kind = kind
        gold.label_class = self.moves.class_of(kind, relation)
        self.parser.class_range(c, kind, &first, &end)
        best.label_class = first
        for i in range(first, end):
            if self.scratch.class_scores[i] > self.scratch.class_scores[best.label_class]:
                best.label_class = i
        if gold.label_class < 0 or best.label_class == gold.label_class:
            return 0
        # All keys but those for moves alone, all of them as keys for labels alone.
        labels_only[0], labels_only[1], labels_only[2] = counts[0] + counts[1], 0, 0
        return self.learner.update(self.scratch.keys, labels_only, &gold, &best, 1)


cdef inline float s_kind(Scratch s, int kind) noexcept nogil:
    return s.kind_scores[kind]


def accuracy(GreedyParser parser, Corpus corpus, Scratch scratch=None):
    """Parse a corpus and return (right heads, right heads and relations, words)."""
    from array import array
    cdef Scratch s = scratch if scratch is not None else parser.new_scratch()
    cdef int32_t[::1] heads = array("i", bytes(4 * (corpus.longest + 1)))
    cdef int32_t[::1] labels = array("i", bytes(4 * (corpus.longest + 1)))
    cdef int sentence, i, n
    cdef int64_t word
    cdef long right_heads = 0, right = 0
    with nogil:
        for sentence in range(corpus.n_sentences):
            word = corpus.word_start[sentence]
            n = <int>(corpus.word_start[sentence + 1] - word)
            if n == 0:
                continue
            parser.parse(corpus.encoded, corpus.row_start[sentence], n, s, &heads[0], &labels[0])
            for i in range(n):
                if heads[i] == corpus.heads[word + i]:
                    right_heads += 1
                    if labels[i] == corpus.labels[word + i]:
                        right += 1
    return right_heads, right, corpus.n_words
