"""Online training, one round at a time. See online.pyx."""
from treewright.learners.learner cimport Choice, OnlineLearner
from treewright.parsing.chooser cimport Chooser
from treewright.systems.system cimport MAX_KINDS, Configuration, Gold
from treewright.training.rounds cimport Rounds

cdef enum CostSensitivity:
    PLAIN
    SCALE
    MARGIN


cdef class OnlineTrainer(Rounds):
    cdef readonly Chooser parser         # for the ranges of classes; scores with the learner itself
    cdef readonly OnlineLearner learner
    cdef int cost_sensitivity
    cdef int cost[MAX_KINDS]             # by kind: arcs lost beyond what is lost already; at least 1 if not right
    cdef bint split, dynamic, random_zero_cost
    cdef int right_kinds(self, const Configuration* c, const Gold* g, unsigned legal) except -1 nogil
    cdef void random_right(self, const Configuration* c, const Gold* g, unsigned right, Choice* out) noexcept nogil
    cdef int weigh_kinds(self, const Configuration* c, const Gold* g, unsigned legal, unsigned right) except -1 nogil
    cdef int gold_class(self, const Configuration* c, const Gold* g, int kind) noexcept nogil
    cdef void costly(self, const Configuration* c, const Gold* g, unsigned legal, Choice* out) noexcept nogil
    cdef void best(self, const Configuration* c, const Gold* g, unsigned allowed, bint gold_labels,
                   Choice* out) noexcept nogil
    cdef int learn_move(self, const Configuration* c, const Gold* g, unsigned legal, unsigned right, Choice* predicted,
                        Choice* oracle) except -1 nogil
    cdef int learn_steps(self, const Configuration* c, const Gold* g, unsigned legal, unsigned right, Choice* predicted,
                         Choice* oracle) except -1 nogil
    cdef int learn_relation(self, const Configuration* c, int kind, int relation) except -1 nogil
