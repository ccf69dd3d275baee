"""Rules as tables, asked whenever an arc is to be added. See table.pyx."""
from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.systems.configuration cimport NONE, Configuration, Rules, RulesOfRelation
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
    cdef list usual                      # by relation: the tag, as bytes, of its words whose guessed tag breaks a rule
    cdef Rules table
    cdef int tag_of(self, Block block, int word) noexcept nogil
    cdef int number_of(self, const char* text, int length) noexcept nogil
    cdef int restored(self, const int32_t* old, int32_t* heads, const int32_t* labels, int n,
                      TreeWorkspace w) except -1 nogil
    cdef bint is_barred(self, const int32_t* heads, const int32_t* labels, int word, TreeWorkspace w,
                        int64_t* budget) noexcept nogil


cdef inline bint keeps(const Configuration* c, int head, int dependent, int label) noexcept nogil:
    """Would an arc break no rule, given those that there are? Arcs from the root are free. Most arcs are tried."""
    cdef const Rules* r = c.rules
    cdef const RulesOfRelation* of
    cdef uint64_t broken
    if r == NULL or head == c.root or label < 0:
        return True
    of = &r.of[label]
    broken = of.shape & <uint64_t>(NEVER_LEFT if dependent < head else NEVER_RIGHT)
    broken |= (c.marks[head] & of.apart) | (c.marks[dependent] & of.below)
    if c.label[head] >= 0 and c.head[head] != c.root:
        broken |= of.mark & r.of[c.label[head]].below
    return broken == 0 and r.tagged[c.tag[dependent] * r.n_labels + label] == 0


cdef inline bint is_tag_barred(const Configuration* c, int dependent, int label) noexcept nogil:
    """Does a rule say that a word with this tag has not this relation?"""
    return c.rules.tagged[c.tag[dependent] * c.rules.n_labels + label] == 1


cdef inline int breaks(const Configuration* c, int head, int dependent, int label) noexcept nogil:
    """How many kinds of rules would an arc break?"""
    cdef const Rules* r = c.rules
    cdef const RulesOfRelation* of
    cdef int broken
    if keeps(c, head, dependent, label):
        return 0
    of = &r.of[label]
    broken = of.shape & <uint64_t>(NEVER_LEFT if dependent < head else NEVER_RIGHT) != 0
    broken += (c.marks[head] & of.apart != 0) + (c.marks[dependent] & of.below != 0)
    if c.label[head] >= 0 and c.head[head] != c.root:
        broken += of.mark & r.of[c.label[head]].below != 0
    return broken + r.tagged[c.tag[dependent] * r.n_labels + label]
