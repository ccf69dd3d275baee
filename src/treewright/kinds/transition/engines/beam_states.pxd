"""States of a beam. See beam_states.pyx."""
from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.features.encoder cimport Encoded
from treewright.learners.learner cimport Moves
from treewright.systems.configuration cimport Configuration
from treewright.systems.system cimport System
from treewright.treebank.blocks.owned_memory cimport Owner

cdef enum:
    MAX_TOUCHED = 5


cdef struct Item:            # a state: the one before it, and the move between them
    int32_t parent           # item, NONE for the first
    int32_t kind, label_class
    int32_t depth            # moves so far
    int32_t slot             # the configuration that shows it, while it is in a beam
    int32_t low              # entries of the stack below this one are as they were before the move
    int32_t n_touched
    int32_t touched[5]       # nodes that the move may have changed
    int32_t loss             # gold arcs and relations lost so far; for training
    double score
    uint64_t signature       # the same for the same configuration


cdef struct BeamCandidate:   # a state that may be made: an item of the beam and a move, kind NONE for none
    double score
    uint64_t signature
    int32_t at               # position in the beam
    int32_t kind, label_class
    int32_t loss


cdef class Beam(Owner):
    """The states that are followed at present, best first."""
    cdef int width
    cdef int first_slot
    cdef int n
    cdef int32_t* items
    cdef BeamCandidate* candidates
    cdef int n_candidates
    cdef int32_t* children       # by position in the beam: candidates that go on from there
    cdef int32_t* free_slots
    cdef int32_t* taken          # by slot of the beam: does it show a parent of candidates?
    cdef int32_t* next_items
    cdef void clear_candidates(self) noexcept nogil
    cdef bint offer(self, double score, uint64_t signature, int at, int kind, int label_class, int loss) noexcept nogil


cdef class BeamStates(Owner):
    cdef System system
    cdef Moves moves
    cdef bint comparable         # are configurations known by their arcs and what was popped?
    cdef bint past_moves         # does the feature model look at past moves?
    cdef Item* items
    cdef int n_items, items_room
    cdef unsigned popping        # bit k: kind k takes a word off the stack and adds no arc
    cdef int n_slots
    cdef list workspaces         # the memory of each slot
    cdef Configuration** slots
    cdef int32_t* shown          # by slot: the item whose configuration it holds, NONE
    cdef int capacity            # words that the slots have room for
    cdef int reserve(self, int n) except -1 nogil
    cdef int begin(self, int n, Encoded e, int64_t row) except -1 nogil
    cdef int start_beam(self, Beam beam, int item, int slot) noexcept nogil
    cdef uint64_t signature_after(self, const Item* item, int kind, int label_class) noexcept nogil
    cdef int advance(self, Beam beam) except -1 nogil
    cdef int new_item(self) except -1 nogil
    cdef void copy_whole(self, int slot, int source) noexcept nogil
    cdef void show(self, int item, int slot, int n, int32_t* kinds, int32_t* classes) noexcept nogil
    cdef int history(self, int item, int32_t* kinds, int32_t* classes) noexcept nogil
