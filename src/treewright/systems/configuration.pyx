"""The state of a parse, shared by every transition system.

A configuration is a plain C structure so that systems, oracles and the feature extractor can read it
without the GIL and without knowing each other. Nodes are numbers: the words 1 .. n, and the root, which is
0 where it stands before the words and n + 1 where it stands behind them, so that comparing numbers
compares places.
"""
from libc.stdlib cimport free, realloc
from libc.string cimport memset

cdef int N_INT_ARRAYS = 14 + 4       # of Configuration and Gold, each of n + 3 numbers
cdef int N_SET_ARRAYS = 2


cdef class Workspace:
    def __cinit__(self):
        self.memory = NULL
        self.capacity = 0
        self.reserve(64)

    def __dealloc__(self):
        free(self.memory)

    cdef int reserve(self, int n) except -1 nogil:
        """Make room for n words. Grows by half at least, so that long-running services settle."""
        cdef size_t size
        cdef void* memory
        cdef int32_t* ints
        if n <= self.capacity:
            return 0
        n = n if n > self.capacity + self.capacity // 2 else self.capacity + self.capacity // 2
        size = <size_t>(n + 4)
        memory = realloc(self.memory, size * (N_INT_ARRAYS * sizeof(int32_t) + N_SET_ARRAYS * sizeof(uint64_t)))
        if memory == NULL:
            with gil:
                raise MemoryError
        self.memory = memory
        self.capacity = n
        self.c.left_labels = <uint64_t*>memory
        self.c.right_labels = self.c.left_labels + size
        ints = <int32_t*>(self.c.right_labels + size)
        self.c.stack = ints
        self.c.head = ints + size
        self.c.label = ints + 2 * size
        self.c.leftmost = ints + 3 * size
        self.c.rightmost = ints + 4 * size
        self.c.left_sibling = ints + 5 * size
        self.c.right_sibling = ints + 6 * size
        self.c.left_count = ints + 7 * size
        self.c.right_count = ints + 8 * size
        self.c.on_stack = ints + 9 * size
        self.gold.head = ints + 10 * size
        self.gold.label = ints + 11 * size
        self.gold.first_child = ints + 12 * size
        self.gold.children = ints + 13 * size
        self.c.context = ints + 14 * size
        self.c.previous = ints + 15 * size
        self.c.next = ints + 16 * size
        return 0

    cdef void set_gold(self, int n, int root, const int32_t* heads, const int32_t* labels) noexcept nogil:
        """Lay out a gold tree: heads[i] is the head of word i + 1, 0 for the root."""
        cdef Gold* g = &self.gold
        cdef int word, head, total = 0, count
        memset(g.first_child, 0, (n + 3) * sizeof(int32_t))
        g.root = NONE
        g.head[0] = g.head[n + 1] = NONE
        for word in range(1, n + 1):
            head = heads[word - 1]
            if head == 0:
                head = root
                if g.root == NONE:
                    g.root = word
            g.head[word] = head
            g.label[word] = labels[word - 1]
            g.first_child[head] += 1
        for head in range(n + 2):
            count = g.first_child[head]
            g.first_child[head] = total
            total += count
        g.first_child[n + 2] = total
        for word in range(1, n + 1):
            head = g.head[word]
            g.children[g.first_child[head]] = word
            g.first_child[head] += 1
        for head in range(n + 1, 0, -1):
            g.first_child[head] = g.first_child[head - 1]
        g.first_child[0] = 0


cdef void clear(Configuration* c, int n, int root) noexcept nogil:
    """Begin a parse of n words: no arcs, an empty stack, an empty buffer."""
    cdef size_t bytes = (n + 2) * sizeof(int32_t)
    c.n = n
    c.root = root
    c.stack_size = 0
    c.buffer = c.buffer_end = 1
    c.roots = 0
    c.context_size = 0
    c.focus = NONE
    c.moves = 0
    c.last_kind[0] = c.last_kind[1] = NONE
    memset(c.head, 0xff, bytes)
    memset(c.label, 0xff, bytes)
    memset(c.leftmost, 0xff, bytes)
    memset(c.rightmost, 0xff, bytes)
    memset(c.left_sibling, 0xff, bytes)
    memset(c.right_sibling, 0xff, bytes)
    memset(c.left_count, 0, bytes)
    memset(c.right_count, 0, bytes)
    memset(c.on_stack, 0, bytes)
    memset(c.left_labels, 0, (n + 2) * sizeof(uint64_t))
    memset(c.right_labels, 0, (n + 2) * sizeof(uint64_t))


cdef void add_arc(Configuration* c, int head, int dependent, int label) noexcept nogil:
    """Add head -> dependent. Every system adds the dependents of one side from the inside outwards."""
    cdef uint64_t bit = (<uint64_t>1) << (label & 63) if label >= 0 else 0
    c.head[dependent] = head
    c.label[dependent] = label
    if head == c.root:
        c.roots += 1
    if dependent < head:
        if c.leftmost[head] != NONE:
            c.left_sibling[c.leftmost[head]] = dependent
            c.right_sibling[dependent] = c.leftmost[head]
        c.leftmost[head] = dependent
        c.left_count[head] += 1
        c.left_labels[head] |= bit
    else:
        if c.rightmost[head] != NONE:
            c.right_sibling[c.rightmost[head]] = dependent
            c.left_sibling[dependent] = c.rightmost[head]
        c.rightmost[head] = dependent
        c.right_count[head] += 1
        c.right_labels[head] |= bit
