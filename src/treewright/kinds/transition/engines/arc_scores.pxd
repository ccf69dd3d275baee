"""What relations each arc could have had. See arc_scores.pyx."""
from libc.stdint cimport int16_t, int32_t

from treewright.systems.configuration cimport Configuration
from treewright.systems.kept_arcs cimport KeptArcs
from treewright.treebank.blocks.owned_memory cimport Owner


cdef struct Relabelling:     # another relation for a word that has a head
    int word
    int label
    float loss               # how much worse it scores


cdef class ArcScores(Owner):
    cdef float* scores       # [node * width + number of a relation among those of its move]
    cdef const int32_t** labels  # by node: these relations
    cdef int32_t* n_labels   # by node: how many; 0 where no move was noted
    cdef int width, room
    cdef int enter(self, int n, int width) except -1 nogil
    cdef void note_floats(self, int word, const int32_t* labels, const float* scores, int n) noexcept nogil
    cdef void note_sums(self, int word, const int32_t* labels, const int16_t* sums, int n) noexcept nogil
    cdef bint way_out(self, const Configuration* c, KeptArcs kept, int head, int dependent, int label,
                      Relabelling* out) noexcept nogil


cdef void relabel(Configuration* c, int word, int label) noexcept nogil
