"""Online training, one round at a time. See online.pyx."""
from treewright.learners.learner cimport Choice, OnlineLearner
from treewright.kinds.transition.engines.chooser cimport Chooser
from treewright.systems.system cimport MAX_KINDS, Configuration, Gold
from treewright.systems.weighted_gold cimport WeightedGold
from treewright.kinds.transition.learning.rounds cimport Rounds

cdef enum CostSensitivity:
    PLAIN
    SCALE
    MARGIN


cdef enum Aggressiveness:    # passive-aggressive updates: against the model's move, or the one that violates most
    NOT_AGGRESSIVE
    PREDICTION
    MAX_LOSS


cdef enum ZeroCost:          # which right move to take when the model's is wrong
    BEST
    RANDOM_KIND
    RANDOM_MOVE


cdef class OnlineTrainer(Rounds):
    cdef readonly Chooser parser         # for the ranges of classes; scores with the learner itself
    cdef readonly OnlineLearner learner
    cdef WeightedGold weighted           # the gold tree with weights of arcs, or None: all weigh one
    cdef int cost_sensitivity, aggressive, zero_cost
    cdef float longest_step              # of passive-aggressive updates
    cdef int cost[MAX_KINDS]             # by kind: arcs lost beyond what is lost already; at least 1 if not right
    cdef unsigned with_weight            # bit k: keys have a weight for this kind of move
    cdef bint split, dynamic
    cdef const Gold* target(self) noexcept nogil
    cdef bint may(self, const Configuration* c, int kind, int label_class, bint gold_labels) except -1 nogil
    cdef int foresee(self, const Configuration* c, int kind, int label) except -1 nogil
    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil
    cdef int right_kinds(self, const Configuration* c, const Gold* g, unsigned legal) except -1 nogil
    cdef int gold_class(self, const Configuration* c, const Gold* g, int kind) noexcept nogil
    cdef int best(self, const Configuration* c, const Gold* g, unsigned allowed, bint gold_labels, bint ruled,
                  Choice* out) except -1 nogil
    cdef int within_rules(self, const Configuration* c, const Gold* g, unsigned legal, Choice* out) except -1 nogil
