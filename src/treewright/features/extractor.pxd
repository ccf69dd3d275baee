from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from treewright.features.addresses cimport MAX_NODES, Node, Path
from treewright.features.encoder cimport Encoded, Encoder
from treewright.systems.configuration cimport Configuration
from treewright.treebank.blocks.owned_memory cimport Owner

cdef enum:
    MAX_SCALARS = 256
    MAX_TEMPLATES = 512
    MAX_FEATURES = 4096      # per configuration, products of single FEATS included
    N_GROUPS = 3             # labels only, moves and labels, moves only
    LABELS_ONLY = 0
    BOTH = 1
    MOVES_ONLY = 2


cdef enum ScalarOp:          # OPERATIONS of extractor.pyx has their names
    VALUE                    # an attribute of a word
    LABEL                    # its relation so far
    DISTANCE
    LEFT_VALENCY
    RIGHT_VALENCY
    LEFT_LABELS
    RIGHT_LABELS
    PAST_MOVE
    VALENCY
    HEADS
    EXISTS
    LINKED
    HEAD_LABELS


cdef enum:                   # runs of scalars that are not attributes of words, as in RUNS of program.py
    LABELS_RUN
    LEFT_VALENCY_RUN
    RIGHT_VALENCY_RUN
    DISTANCE_RUN
    LEFT_LABELS_RUN
    RIGHT_LABELS_RUN
    OTHER_RUN
    N_RUNS


cdef struct Scalar:
    int op, argument, first, second
    int n_classes            # of a number that is put into classes of the model's own; 0 for the usual ones
    int32_t classes[12]      # where each begins


cdef extern from "join.h" nogil:
    ctypedef struct tw_template:
        uint64_t seed
        uint8_t value[4]         # positions among the scalars
        uint8_t n_values
        uint8_t n_lists
        uint8_t list[2]          # nodes whose single FEATS are joined in

    ctypedef struct tw_attribute:
        uint8_t node, attribute

    ctypedef struct tw_place:    # where the keys will be looked up, see join.h
        const char* lines
        uint64_t n_lines


cdef extern from "looking.h" nogil:
    ctypedef struct tw_sentence:     # in numbers, see looking.h
        const uint64_t* words
        const int64_t* item_start
        const uint64_t* items
        const uint64_t* relations
        const uint64_t* numbers
        const uint64_t* distances

    ctypedef int (*tw_keys)(const Configuration* c, const tw_sentence* s, const tw_place* place, int labels,
                            uint64_t* out, int room, int* counts) noexcept nogil


cdef struct Group:
    int32_t first[6]         # where the templates of each shape begin, and the end; see program.py
    int count                # templates in all


cdef struct Seen:            # what a configuration shows: words by address, values by feature function
    int32_t nodes[MAX_NODES]
    uint64_t values[MAX_SCALARS]


cdef class Extractor(Owner):
    cdef readonly Encoder encoder
    cdef object _model                   # as data; None while nobody has asked for it
    cdef tuple _text                     # the same as text, with its name
    cdef readonly tuple relations
    cdef readonly tuple leaf_tags        # of words that may not govern others
    cdef readonly object clusters        # of words: WordClusters or None
    cdef object _program                 # see program.py; None while nobody has asked for it
    cdef readonly uint64_t program_hash  # of all that decides which keys a configuration has
    cdef list alone                      # an extractor for each template, made by inspection.pyx when needed
    cdef int n_nodes, n_scalars, n_static
    cdef int runs[N_RUNS + 1]            # where the other scalars of each run begin
    cdef Node nodes[256]
    cdef Path path                       # how nodes are found
    cdef Scalar scalars[256]
    cdef tw_attribute static_scalars[256]    # the first n_static of them, packed
    cdef tw_template templates[512]
    cdef Group groups[3]
    cdef tw_keys bundled                 # the program as C, or NULL
    cdef uint64_t* label_hashes          # [n_labels + 1], by label + 1
    cdef int n_labels
    cdef tw_sentence see(self, Encoded e, int64_t row) noexcept nogil
    cdef void locate(self, const Configuration* c, int32_t* nodes) noexcept nogil
    cdef void evaluate(self, const Configuration* c, const int32_t* nodes, Encoded e, int64_t row,
                       uint64_t* values) noexcept nogil
    cdef void look(self, const Configuration* c, Encoded e, int64_t row, Seen* seen) noexcept nogil
    cdef int look_and_join(self, const Configuration* c, Encoded e, int64_t row, const tw_place* place, bint labels,
                           Seen* seen, uint64_t* out, int room, int* counts) noexcept nogil
    cdef int keys_of(self, int group, const Seen* seen, Encoded e, int64_t row, const tw_place* place,
                     uint64_t* out, int room) noexcept nogil
    cdef int extract(self, const Configuration* c, Encoded e, int64_t row, uint64_t* out, int* counts) noexcept nogil
