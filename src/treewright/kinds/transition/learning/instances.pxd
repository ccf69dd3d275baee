"""From trees to instances. See instances.pyx."""
from treewright.learners.problem cimport Problem
from treewright.kinds.transition.engines.chooser cimport Chooser
from treewright.kinds.transition.engines.walk cimport Configuration, Scratch, Walker
from treewright.systems.gold cimport Gold, GoldStandard
from treewright.systems.system cimport MAX_KINDS, Parse
from treewright.kinds.transition.learning.corpus cimport EncodedSentences


cdef class InstanceCollector(Walker):
    cdef Chooser parser
    cdef EncodedSentences corpus
    cdef Problem problem
    cdef Scratch scratch
    cdef GoldStandard gold
    cdef Parse view
    cdef object name
    cdef bint dynamic, own_moves
    cdef int decision_of_kind[MAX_KINDS]
    cdef int n_plain, sentence
    cdef readonly long decisions, mistakes
    cdef int follow(self, int first, int end) except -1
    cdef int tell(self, int n_keys) except -1
    cdef int oracle(self, const Configuration* c, const Gold* g, unsigned legal, int* label_class) except -1 nogil
    cdef int relation_of(self, const Configuration* c, const Gold* g, int kind) noexcept nogil
