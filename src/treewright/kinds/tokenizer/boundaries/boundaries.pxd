"""Where tokens and sentences end. See boundaries.pyx."""
from libc.stdint cimport int32_t, uint8_t, uint64_t

from treewright.features.extractor cimport tw_place
from treewright.features.word_clusters cimport WordClusters
from treewright.learners.learner cimport Scorer
from treewright.learners.table cimport LinearTable
from treewright.kinds.tokenizer.boundaries.alphabet cimport Alphabet
from treewright.kinds.tokenizer.boundaries.boundary_keys cimport N_GAPS, Boundary, Reading
from treewright.kinds.tokenizer.boundaries.characters cimport N_SPANS, Characters
from treewright.kinds.tokenizer.boundaries.lexicon cimport WordLexicon

cdef enum:
    INSIDE
    TOKEN_END
    SENTENCE_END
    N_LABELS

cdef enum:
    CLASSIFY = 255           # in `usual` and `spans`: the model decides
    WIDTH = 32               # classes of characters, with room for more
    CELLS = N_GAPS * WIDTH * WIDTH
    FEATURES = 5             # the number of this set of features, in model files


cdef class BoundaryModel:
    cdef readonly Scorer scorer
    cdef readonly bint spaces_inside     # may tokens contain spaces?
    cdef readonly int longest            # words of a sentence, at most
    cdef readonly int marks              # marks of sentences that texts may lack: NO_CAPITALS, NO_STOPS
    cdef float eager[N_GAPS]             # added to the score of a sentence's end
    cdef readonly Alphabet alphabet
    cdef readonly WordLexicon lexicon
    cdef readonly WordClusters clusters  # None without any
    cdef uint8_t usual[CELLS]            # label by gap and kinds of the characters around it
    cdef uint8_t spans[N_SPANS]          # label by what holds two characters together
    cdef LinearTable table               # the scorer, where it is one
    cdef tw_place place
    cdef int ready(self, Characters text) except -1 nogil
    cdef int label_all(self, Characters text, uint8_t[::1] out, bint whole_lines) except -1 nogil
    cdef bint is_too_long(self, const Reading* reading, Py_ssize_t at) noexcept nogil
    cdef void begin(self, Reading* reading, Py_ssize_t at) noexcept nogil
    cdef void read(self, Characters text, Reading* reading, Py_ssize_t at) noexcept nogil
    cdef void next_boundary(self, Characters text, Py_ssize_t at, Boundary* out) noexcept nogil
    cdef int usual_label(self, Characters text, const Boundary* boundary) noexcept nogil
    cdef void passed(self, Characters text, Reading* reading, const Boundary* boundary, int label) noexcept nogil
    cdef int keys_at(
        self, Characters text, const Reading* reading, const Boundary* boundary, uint64_t* out
    ) noexcept nogil
    cdef bint lacks_marks(self, Characters text, const Boundary* boundary) noexcept nogil
    cdef int unmarked_keys_at(
        self, Characters text, const Reading* reading, const Boundary* boundary, uint64_t* out
    ) noexcept nogil
    cdef void score(self, const uint64_t* keys, int n, float* scores) noexcept nogil
    cdef int choose(self, const float* scores, int gap) noexcept nogil


cdef int unseen(int place) noexcept


cdef inline int cell(Characters text, const Boundary* b) noexcept nogil:
    """Place of a pair of characters in `usual`."""
    return (b.gap * WIDTH + text.kind[b.at]) * WIDTH + text.kind[b.next_at]
