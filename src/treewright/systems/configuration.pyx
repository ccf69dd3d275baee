"""The state of a parse, shared by every transition system.

A configuration is a plain C structure: systems, oracles and the feature extractor read it without the GIL and
without knowing each other. Nodes are numbers: the words 1 .. n, and the root, which is 0 where it stands before the
words and n + 1 where it stands behind them. Comparing numbers therefore compares positions.

*Rules* say which arcs may not be, see rules/table.pyx; like leaves, they belong to whoever starts a parse.

*Leaves* are words that may not govern others, see leaf_tags.pyx. ``leaf`` marks them; it belongs to whoever starts a
parse, and stays where it is until the next one.
"""
from libc.stdlib cimport free
from libc.string cimport memset

from treewright.treebank.blocks.memory cimport resize

cdef enum:
    N_ARRAYS = 17            # of four bytes a node, and one before them for NONE
    N_SETS = 4               # of eight bytes a node


cdef class Workspace:
    def __cinit__(self):
        self.reserve(64)

    def __dealloc__(self):
        free(self.memory)

    cdef int reserve(self, int n) except -1 nogil:
        """Make room for n words. Memory grows by at least half, so that long-running services settle."""
        cdef size_t size
        cdef Configuration* c = &self.c
        cdef int32_t* ints
        if n <= self.capacity:
            return 0
        n = max(n, self.capacity + self.capacity // 2)
        size = <size_t>(n + 4)
        self.memory = resize(self.memory, size, N_ARRAYS * sizeof(int32_t) + N_SETS * sizeof(uint64_t))
        self.capacity = n
        # Every array begins behind an element for NONE, so that features need not ask whether a word is there.
        c.left_labels = <uint64_t*>self.memory + 1
        c.right_labels = c.left_labels + size
        c.head_labels = c.right_labels + size
        c.marks = c.head_labels + size
        c.left_labels[NONE] = c.right_labels[NONE] = c.head_labels[NONE] = c.marks[NONE] = 0
        ints = <int32_t*>(c.marks + size - 1) + 1
        c.stack, c.context, c.previous, c.next = ints, ints + size, ints + 2 * size, ints + 3 * size
        c.head, c.label, c.head_count = ints + 4 * size, ints + 5 * size, ints + 6 * size
        c.leftmost, c.rightmost = ints + 7 * size, ints + 8 * size
        c.left_sibling, c.right_sibling = ints + 9 * size, ints + 10 * size
        c.head[NONE] = c.label[NONE] = c.leftmost[NONE] = c.rightmost[NONE] = NONE
        c.left_sibling[NONE] = c.right_sibling[NONE] = NONE
        c.left_count, c.right_count = ints + 11 * size, ints + 12 * size
        c.left_count[NONE] = c.right_count[NONE] = NO_COUNT
        c.on_stack = ints + 13 * size
        c.on_stack[NONE] = 0             # oracles ask for the head of a word that they know none of
        self.confidence = <float*>(ints + 14 * size)
        c.earlier_heads = ints + 15 * size
        return 0


cdef void clear(Configuration* c, int n, int root) noexcept nogil:
    """Begin a parse of n words: no arcs, an empty stack, an empty buffer."""
    cdef size_t size = (n + 2) * sizeof(int32_t)
    c.n = n
    c.root = root
    c.stack_size = 0
    c.buffer = c.buffer_end = 1
    c.roots = 0
    c.context_size = 0
    c.context_use = PASSED_OVER
    c.focus = NONE
    c.moves = 0
    c.last_kind[0] = c.last_kind[1] = NONE
    memset(c.head, 0xff, size)
    memset(c.label, 0xff, size)
    memset(c.head_count, 0, size)
    memset(c.earlier_heads, 0xff, 2 * size)
    memset(c.leftmost, 0xff, size)
    memset(c.rightmost, 0xff, size)
    memset(c.left_sibling, 0xff, size)
    memset(c.right_sibling, 0xff, size)
    memset(c.left_count, 0, size)
    memset(c.right_count, 0, size)
    memset(c.on_stack, 0, size)
    memset(c.left_labels, 0, (n + 2) * sizeof(uint64_t))
    memset(c.right_labels, 0, (n + 2) * sizeof(uint64_t))
    memset(c.head_labels, 0, (n + 2) * sizeof(uint64_t))
    if c.rules != NULL:
        memset(c.marks, 0, (n + 2) * sizeof(uint64_t))


cdef inline void put_outside(int32_t* outermost, int32_t* outwards, int32_t* inwards, int dependent) noexcept nogil:
    """Make a word the outermost dependent of its side; ``outwards`` and ``inwards``: the siblings of all words."""
    if outermost[0] != NONE:
        outwards[outermost[0]] = dependent
        inwards[dependent] = outermost[0]
    outermost[0] = dependent


cdef inline uint64_t note_head(Configuration* c, int head, int dependent, int label) noexcept nogil:
    """Let a dependent know its head; return the bit of the relation."""
    cdef uint64_t bit = (<uint64_t>1) << (label & 63) if label >= 0 else 0
    if c.head_count[dependent]:
        c.earlier_heads[2 * dependent + 1] = c.earlier_heads[2 * dependent]
        c.earlier_heads[2 * dependent] = c.head[dependent]
    c.head[dependent] = head
    c.label[dependent] = label
    c.head_count[dependent] += 1
    c.head_labels[dependent] |= bit
    if c.rules != NULL and label >= 0:
        c.marks[head] |= c.rules.of[label].mark
    if head == c.root:
        c.roots += 1
    return bit


cdef void add_arc(Configuration* c, int head, int dependent, int label) noexcept nogil:
    """Add head -> dependent. Nearly every system adds the dependents of one side from the inside outwards."""
    cdef uint64_t bit = note_head(c, head, dependent, label)
    if dependent < head:
        c.left_count[head] += 1
        c.left_labels[head] |= bit
        put_outside(&c.leftmost[head], c.left_sibling, c.right_sibling, dependent)
    else:
        c.right_count[head] += 1
        c.right_labels[head] |= bit
        put_outside(&c.rightmost[head], c.right_sibling, c.left_sibling, dependent)


cdef inline void put_in_place(int32_t* outermost, int32_t* outwards, int32_t* inwards, int head,
                              int dependent) noexcept nogil:
    """Put a word among the dependents of its side, by its distance from the head."""
    cdef int inner = outermost[0], outer = NONE
    while inner != NONE and abs(inner - head) > abs(dependent - head):
        outer, inner = inner, inwards[inner]
    inwards[dependent], outwards[dependent] = inner, outer
    if inner != NONE:
        outwards[inner] = dependent
    if outer != NONE:
        inwards[outer] = dependent
    else:
        outermost[0] = dependent


cdef void add_arc_inside(Configuration* c, int head, int dependent, int label) noexcept nogil:
    """Add head -> dependent, in systems where a dependent may come after one that is further away."""
    cdef uint64_t bit = note_head(c, head, dependent, label)
    if dependent < head:
        c.left_count[head] += 1
        c.left_labels[head] |= bit
        put_in_place(&c.leftmost[head], c.left_sibling, c.right_sibling, head, dependent)
    else:
        c.right_count[head] += 1
        c.right_labels[head] |= bit
        put_in_place(&c.rightmost[head], c.right_sibling, c.left_sibling, head, dependent)


cdef void remove_right_arc(Configuration* c, int dependent) noexcept nogil:
    """Take a word from its head, whose outermost dependent on the right it is, and which is not ROOT."""
    cdef int head = c.head[dependent], other = c.left_sibling[dependent]
    c.rightmost[head] = other
    c.right_count[head] -= 1
    c.left_sibling[dependent] = c.head[dependent] = c.label[dependent] = NONE
    c.head_count[dependent] = 0
    c.head_labels[dependent] = c.right_labels[head] = 0
    if other != NONE:
        c.right_sibling[other] = NONE
    while other != NONE:
        c.right_labels[head] |= (<uint64_t>1) << (c.label[other] & 63) if c.label[other] >= 0 else 0
        other = c.left_sibling[other]
    if c.rules != NULL:
        c.marks[head] = 0
        mark_dependents(c, head, c.leftmost[head], c.right_sibling)
        mark_dependents(c, head, c.rightmost[head], c.left_sibling)


cdef inline void mark_dependents(Configuration* c, int head, int outermost, const int32_t* inwards) noexcept nogil:
    """Note what the rules know of the dependents of one side."""
    while outermost != NONE:
        if c.label[outermost] >= 0:
            c.marks[head] |= c.rules.of[c.label[outermost]].mark
        outermost = inwards[outermost]
