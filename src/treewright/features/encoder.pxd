from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.features.word_clusters cimport WordClusters
from treewright.features.word_types cimport WordTypes
from treewright.systems.configuration cimport Configuration
from treewright.systems.leaf_tags cimport LeafTags
from treewright.systems.rules.table cimport RuleTable
from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.owned_memory cimport Owner


cdef struct Column:
    int role                 # which column, see encoder.pyx
    bint lower
    int mapping              # 0 none, 1 suffix, 2 prefix, 3 shape, 4 cluster
    int size


cdef class Encoder(Owner):
    cdef readonly list attributes        # (column, argument, mappings), for model files and messages
    cdef readonly bint has_items
    cdef readonly LeafTags leaf_tags
    cdef readonly RuleTable rules        # which arcs may not be; None: all may
    cdef readonly WordClusters clusters  # None without any
    cdef int n_attributes
    cdef Column* columns
    cdef list names                      # bytes of FEATS names, by attribute
    cdef const char** name_text
    cdef int* name_length
    cdef int bind(self, Block block, Encoded out) except -1
    cdef int encode(self, int sentence, bint root_last, Encoded out) except -1 nogil


cdef class Encoded(Owner):
    """Attribute hashes of sentences one after the other; node k of a sentence is row start + k + 1."""
    cdef int n_attributes
    cdef uint64_t* values                # [rows * n_attributes]
    cdef int64_t n_rows, capacity
    cdef unsigned char* leaf             # by row: 1 for words that may not govern others
    cdef bint has_leaves
    cdef RuleTable rules                 # or None
    cdef unsigned char* tag              # by row: its tag, as the rules number it
    cdef float tag_price                 # of a relation that its tag bars; 0: tags are not looked at
    cdef bint has_items
    cdef int64_t* item_start             # [rows + 1]: single FEATS of a row, in items
    cdef uint64_t* items
    cdef int64_t items_capacity
    cdef int32_t* column_index           # by attribute, in the layout last bound; -1 where it has none
    cdef int first_column, last_column   # they enclose all columns that the attributes read; -1: there are none
    cdef WordTypes types                 # words seen before
    cdef Block block                     # the one last bound, in normal form
    cdef object layout
    cdef void clear(self) noexcept nogil
    cdef int reserve(self, int64_t rows) except -1 nogil
    cdef const unsigned char* leaves_at(self, int64_t row) noexcept nogil
    cdef void equip(self, Configuration* c, int64_t row) noexcept nogil
