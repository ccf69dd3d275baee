"""Online training, one round at a time. See online.pyx."""
from treewright.features.extractor cimport Extractor
from treewright.learners.learner cimport Choice, Moves, OnlineLearner
from treewright.parsing.greedy cimport GreedyParser, Scratch
from treewright.systems.configuration cimport Configuration, Gold
from treewright.systems.system cimport System
from treewright.training.corpus cimport Corpus
from treewright.training.rounds cimport Rounds

cdef enum Policy:
    STATIC
    AMBIGUITY
    EXPLORE

cdef enum CostSensitivity:
    PLAIN
    SCALE
    MARGIN


cdef class OnlineTrainer(Rounds):
    cdef System system
    cdef Extractor extractor
    cdef Moves moves
    cdef OnlineLearner learner
    cdef GreedyParser parser             # for the ranges of classes; scores with the learner itself
    cdef Corpus corpus
    cdef Scratch scratch
    cdef int policy, k, cost_sensitivity
    cdef int cost[8]                     # by kind: arcs lost beyond what is lost already; at least 1 if not right
    cdef double p
    cdef bint split, dynamic, follow_above, random_zero_cost
    cdef int learn_moves(self, Scratch s, int sentence, int n) except -1 nogil
    cdef unsigned right_kinds(self, const Configuration* c, const Gold* g, unsigned legal) noexcept nogil
    cdef bint follows(self) noexcept nogil
    cdef void random_right(self, const Configuration* c, const Gold* g, unsigned right, Choice* out) noexcept nogil
    cdef void weigh_kinds(self, const Configuration* c, const Gold* g, unsigned legal, unsigned right) noexcept nogil
    cdef int gold_class(self, const Configuration* c, const Gold* g, int kind) noexcept nogil
    cdef void costly(self, const Configuration* c, const Gold* g, unsigned legal, Choice* out) noexcept nogil
    cdef void best(self, const Configuration* c, const Gold* g, unsigned allowed, bint gold_labels, Choice* out) noexcept nogil
    cdef int decide(self, const Configuration* c, const Gold* g, unsigned legal, unsigned right, int* counts,
                    Choice* predicted, Choice* oracle) except -1 nogil
    cdef int decide_split(self, const Configuration* c, const Gold* g, unsigned legal, unsigned right, int* counts,
                          Choice* predicted, Choice* oracle) except -1 nogil
    cdef int learn_relation(self, const Configuration* c, int kind, int relation, int* counts) except -1 nogil
