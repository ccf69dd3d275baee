"""A feature model as a flat program. See extractor.pyx."""
from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.features.encoder cimport Encoded, Encoder
from treewright.systems.configuration cimport Configuration

cdef enum:
    MAX_NODES = 64
    MAX_SCALARS = 256
    MAX_TEMPLATES = 512
    MAX_FEATURES = 4096      # per configuration, products of single FEATS included
    N_GROUPS = 3             # labels only, moves and labels, moves only
    LABELS_ONLY = 0
    BOTH = 1
    MOVES_ONLY = 2


cdef struct Node:
    int op, argument, parent


cdef enum ScalarOp:
    VALUE                    # an attribute of a word
    LABEL                    # its relation so far
    DISTANCE
    LEFT_VALENCY
    RIGHT_VALENCY
    LEFT_LABELS
    RIGHT_LABELS
    PAST_MOVE


cdef struct Scalar:
    int op, argument, first, second


cdef struct Joined:
    uint64_t seed
    int32_t n_scalars, n_lists
    int32_t scalars[4]       # positions among the scalars
    int32_t lists[2]         # nodes whose single FEATS are joined in


cdef struct Group:
    int first[5]             # templates of one, two, three scalars, then of four or with lists: where each begins
    int count                # templates in all
    int fixed                # features that every configuration gives


cdef class Extractor:
    cdef readonly Encoder encoder
    cdef readonly object model
    cdef readonly tuple relations
    cdef tuple numbers                   # where addresses, attributes and functions stand, for inspection.pyx
    cdef list alone                      # an extractor for each template, made by inspection.pyx when asked for
    cdef int n_nodes, n_scalars, n_static
    cdef Node nodes[64]
    cdef Scalar scalars[256]
    cdef Joined templates[512]
    cdef Group groups[3]
    cdef uint64_t* label_hashes          # [n_labels + 1], by label + 1
    cdef int n_labels
    cdef void locate(self, const Configuration* c, int32_t* nodes) noexcept nogil
    cdef void evaluate(self, const Configuration* c, const int32_t* nodes, Encoded e, int64_t row,
                       uint64_t* values) noexcept nogil
    cdef int join(self, int group, const int32_t* nodes, const uint64_t* values, Encoded e, int64_t row,
                  uint64_t* out, int room) noexcept nogil
    cdef int extract(self, const Configuration* c, Encoded e, int64_t row, uint64_t* out, int* counts) noexcept nogil


cdef int measure(const Configuration* c, const Scalar* scalar, const int32_t* nodes) noexcept nogil
