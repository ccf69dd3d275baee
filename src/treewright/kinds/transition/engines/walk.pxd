"""The walk from the first configuration of a sentence to the last. See walk.pyx."""
from libc.stdint cimport int16_t, int32_t, int64_t, uint64_t

from treewright.features.encoder cimport Encoded
from treewright.features.extractor cimport Extractor
from treewright.learners.learner cimport Moves, arc_classes
from treewright.learners.table cimport tw_rows
from treewright.kinds.transition.engines.arc_scores cimport ArcScores
from treewright.systems.configuration cimport NONE
from treewright.systems.kept_arcs cimport KeptArcs
from treewright.systems.system cimport Configuration, System, Workspace
from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.owned_memory cimport Owner
from treewright.treebank.lifting.projectivity cimport TreeWorkspace


cdef class Scratch(Owner):
    """The memory of one thread."""
    cdef Workspace workspace
    cdef TreeWorkspace trees
    cdef Encoded encoded
    cdef uint64_t* keys              # of the features that were extracted last …
    cdef int counts[3]               # … for labels, for both, for moves
    cdef tw_rows* rows
    cdef float* kind_scores
    cdef float* class_scores         # room for MAX_CLASSES
    cdef int16_t* class_sums
    cdef float best_score            # of the move that was chosen last
    cdef float* margins              # by how much that move is better than each other one, where that is measured
    cdef int64_t margins_room
    cdef KeptArcs kept               # arcs that are given, or None
    cdef ArcScores arcs              # what relations each arc could have had, where rules hold
    cdef object network_input        # what a network sees, or None: see kinds/network_moves/walking.pyx
    cdef int reserve_margins(self, int64_t n) except -1 nogil


cdef struct Sentence:
    int number               # in the block or corpus
    int n                    # words
    int64_t first            # position of the first word in the block or corpus
    int64_t row              # of node NONE among the encoded words


cdef struct Output:          # where the trees of a block or corpus go, word by word
    int32_t* heads
    int32_t* labels
    float* confidences       # NULL: not measured


cdef class Walker:
    cdef readonly System system
    cdef readonly Extractor extractor
    cdef readonly Moves moves
    cdef int walk(self, Encoded e, int64_t row, int n, Scratch s) except -1 nogil
    cdef int begin(self, Configuration* c, Encoded e, int64_t row, Scratch s) except -1 nogil
    cdef int decide(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                    int* label) except -1 nogil
    cdef int moved(self, Configuration* c, Encoded e, int64_t row, Scratch s, int kind) except -1 nogil
    cdef int take(self, Encoded e, const Sentence* sentence, Scratch s, const Output* out) except -1 nogil
    cdef int take_sentences(self, Block block, int start, int end, Scratch s, const Output* out) except -1


cdef inline void class_range(Walker walker, const Configuration* c, int kind, int* first, int* end) noexcept nogil:
    """Give the classes that a legal move of a kind may take: an arc from the root has its own relations."""
    cdef int head = NONE, dependent
    # a ROOT that comes last takes part in no arc before it is the front of the buffer
    if c.buffer >= c.root:
        walker.system.arc(c, kind, &head, &dependent)
    arc_classes(walker.moves, kind, head == c.root, first, end)
