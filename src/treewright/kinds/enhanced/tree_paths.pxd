"""Ways through a tree from a word to its possible heads in a graph. See tree_paths.pyx."""
from libc.stdint cimport int32_t, uint64_t

from treewright.treebank.blocks.key_numbers cimport KeyNumbers
from treewright.treebank.blocks.owned_memory cimport Owner

cdef enum:
    LONGEST_PATH = 3         # steps along arcs of the tree
    NO_ARC = -1              # among the choices at the end of a path


cdef struct Candidate:       # a possible head of a word
    int head, passed         # the head; the word that the path passes first, or else the next one above
    int32_t path             # where it ends in the trie


cdef struct Tree:            # of one sentence: nodes are the words, from 1, and the root, 0
    int n
    const int32_t* heads                 # by word - 1; below 0: none
    const int32_t* labels
    int32_t* first_child                 # by node: its children are children[first .. first of the next]
    int32_t* children
    uint64_t* below                      # by node: relations of its children, as bits
    int32_t* marker                      # by node: its first child with a relation of a kind, or the root


cdef inline uint64_t bit_of(int32_t relation) noexcept nogil:
    """Return the bit of a relation; where there are many, some share one."""
    return 1ULL << (relation & 63)


cdef class TreeView(Owner):
    cdef Tree tree
    cdef int room
    cdef int look_at(self, const int32_t* heads, const int32_t* labels, int n, uint64_t markers) except -1 nogil


cdef class TreePaths(Owner):
    cdef readonly int n_relations        # of trees
    cdef readonly int n_nodes
    cdef readonly list ends              # nodes of the paths, in their order
    cdef KeyNumbers behind               # node, relation and direction → the node behind it
    cdef int32_t* first                  # by node: choices of the path that ends there are first .. first of the next
    cdef int32_t* choices                # relations of the graph, or NO_ARC
    cdef uint64_t* down                  # by node: relations by which paths go on downwards, as bits
    cdef uint64_t* code                  # by node: what stands for the path in features
    cdef int32_t add(self, int32_t node, int32_t relation, bint upwards) except -1
    cdef int32_t step(self, int32_t node, int32_t relation, bint upwards) noexcept nogil
    cdef int candidates(self, const Tree* tree, int word, Candidate* out, int most) noexcept nogil
    cdef int descend(
        self, const Tree* tree, int node, int came, int passed, int32_t path, Candidate* out, int n, int most
    ) noexcept nogil
