"""The arcs of a graph, found along the paths of a tree. See finding.pyx."""
from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.features.encoder cimport Encoded, Encoder
from treewright.features.extractor cimport tw_place
from treewright.kinds.enhanced.tree_paths cimport Candidate, TreePaths, TreeView
from treewright.learners.learner cimport Scorer
from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.owned_memory cimport Owner
from treewright.treebank.graphs.sentence_arcs cimport SentenceArcs

cdef enum:
    MOST_CANDIDATES = 256                # of a word
    MOST_KEYS = 48                       # of a candidate


cdef struct WordValues:      # a row of the encoder
    uint64_t form, lemma, upos, feats, case, prontype


cdef struct Values:          # what features look at, as their list names it
    WordValues d, h, m
    uint64_t path, distance, side, alike
    uint64_t relation_d, relation_h, relation_m, relations_d, relations_h, wanted_h, marker_d, marker_h
    uint64_t first_h, first_m, pronoun_h, pronoun_m, gap_d, gap_m


cdef class ArcFinder(Owner):
    cdef readonly TreePaths paths
    cdef Encoder encoder
    cdef Scorer scorer                   # None while examples are gathered
    cdef tw_place place                  # where its weights are
    cdef uint64_t wanted, markers, gaps  # relations of trees, as bits
    cdef Encoded words
    cdef TreeView view
    cdef SentenceArcs arcs
    cdef float* scores                   # by relation of graphs
    cdef int32_t* waiting                # nodes whose dependents are to be looked at
    cdef int32_t* level                  # nodes in the order of the tree, the root first
    cdef unsigned char* reached          # by node: does the root reach it?
    cdef int room
    cdef int begin(self, Block block, int sentence, const int32_t* heads, const int32_t* labels) except -1 nogil
    cdef int keys_of(self, int word, const Candidate* candidate, uint64_t* out) noexcept nogil
    cdef int32_t chosen(self, int word, const Candidate* candidate) noexcept nogil
    cdef int32_t best_choice(self, Scorer scorer, const uint64_t* keys, const int* counts, int32_t path) noexcept nogil
    cdef int find_in_sentence(self, const int32_t* copies, bint connected) except -1 nogil
    cdef int connect(self, const int32_t* copies) except -1 nogil
    cdef int reach(self, int node) noexcept nogil


cdef int check_trees(Block block, const int32_t[::1] heads, const int32_t[::1] labels, Py_ssize_t n_labels) except -1
