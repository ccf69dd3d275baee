"""Beam search. See beam.pyx."""
from libc.stdint cimport int32_t, int64_t

from treewright.kinds.transition.engines.beam_scores cimport BeamScores
from treewright.kinds.transition.engines.beam_states cimport Beam, BeamStates
from treewright.kinds.transition.engines.chooser cimport Chooser
from treewright.kinds.transition.engines.greedy cimport GreedyParser
from treewright.kinds.transition.engines.walk cimport Encoded, Output, Scratch, Sentence
from treewright.systems.kept_arcs cimport KeptArcs


cdef class BeamParser(GreedyParser)


cdef class BeamScratch(Scratch):
    cdef BeamStates states
    cdef Beam beam
    cdef BeamScores scores
    cdef object maker            # the parser that it is for
    cdef int32_t* found          # final trees, best first: heads, then relations of each
    cdef int64_t found_room
    cdef double* tree_scores
    cdef double* weights
    cdef int n_trees
    cdef int attach(self, BeamParser parser) except -1


cdef class BeamParser(GreedyParser):
    cdef readonly int width
    cdef public double temperature       # of the softmax over final states, in the scores' own unit
    cdef public double margin            # states further behind the best one are dropped; in the scores' own unit
    cdef public double outside           # probability of trees outside the beam
    cdef int search(self, Encoded e, int64_t row, int n, BeamScratch s) except -1 nogil
    cdef int write_trees(self, Encoded e, int64_t row, int n, BeamScratch s, int most) except -1 nogil


cdef bint expand(Chooser parser, BeamStates states, Beam beam, BeamScores scores, Encoded e, int64_t row,
                 double margin, KeptArcs kept) except -1 nogil
