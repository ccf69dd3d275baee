"""Rules as tables, asked whenever an arc is to be added. See table.pyx."""
from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.systems.configuration cimport NONE, Configuration, Rules
from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.owned_memory cimport Owner
from treewright.treebank.lifting.projectivity cimport TreeWorkspace

cdef enum Shape:             # bits of a relation
    NEVER_LEFT = 1
    NEVER_RIGHT = 2
    PROJECTIVE = 4


cdef class RuleTable(Owner):
    cdef readonly tuple rules
    cdef readonly tuple tags             # those that rules name; the others share the number 0
    cdef readonly tuple relations
    cdef list texts                      # the tags as bytes
    cdef const char** tag_text
    cdef int* tag_length
    cdef int n_tags
    cdef Rules table
    cdef int tag_of(self, Block block, int word) noexcept nogil
    cdef int number_of(self, const char* text, int length) noexcept nogil
    cdef int restored(self, const int32_t* old, int32_t* heads, const int32_t* labels, int n,
                      TreeWorkspace w) except -1 nogil
    cdef bint is_barred(self, const int32_t* heads, const int32_t* labels, int word, TreeWorkspace w,
                        int64_t* budget) noexcept nogil


cdef inline int breaks(const Configuration* c, int head, int dependent, int label) noexcept nogil:
    """How many rules would an arc break, given those that there are? Arcs from the root are free."""
    cdef const Rules* r = c.rules
    cdef int broken
    if r == NULL or head == c.root or label < 0:
        return 0
    broken = r.tagged[c.tag[dependent] * r.n_labels + label] == 1
    broken += r.shape[label] & (NEVER_LEFT if dependent < head else NEVER_RIGHT) != 0
    broken += c.marks[head] & r.apart[label] != 0
    broken += c.marks[dependent] & r.below[label] != 0
    if c.label[head] >= 0 and c.head[head] != c.root:
        broken += r.mark[label] & r.below[c.label[head]] != 0
    return broken
