"""Projective trees. See projectivity.pyx."""
from libc.stdint cimport int32_t


cdef enum:
    NOT_A_TREE = -1
    NO_MEMORY = -2


cdef class TreeWorkspace:
    """Scratch space for one thread; grows to the longest sentence it has met and is then reused."""
    cdef int capacity
    cdef int32_t* memory
    cdef int32_t* first              # first child, 0 if none
    cdef int32_t* next               # next sibling to the right, 0 if none
    cdef int32_t* previous           # next sibling to the left, 0 if none
    cdef int32_t* enter              # number in a depth-first walk from the root
    cdef int32_t* leave              # highest such number among the descendants
    cdef int32_t* left               # left end of the unbroken run of descendants around a word
    cdef int32_t* right              # right end of it
    cdef int32_t* queue
    cdef int reserve(self, int n) noexcept nogil


cdef int link_children(const int32_t* heads, int n, TreeWorkspace w) noexcept nogil
cdef int count_nonprojective_arcs(const int32_t* heads, int n, TreeWorkspace w) noexcept nogil
cdef int require_tree(int count, int sentence) except -1
cdef int check_offsets(const int32_t[::1] sentence_word, Py_ssize_t n_words) except -1

cdef inline bint spans_descendants(int head, int word, TreeWorkspace w) noexcept nogil:
    """Whether the arc head → word is projective; needs the runs of count_nonprojective_arcs."""
    return head == 0 or w.left[head] <= word <= w.right[head]


cdef inline void move_child(TreeWorkspace w, int word, int old, int new, int after) noexcept nogil:
    """Move a word from one list of children to another, behind the child ``after`` (0: to the front)."""
    cdef int previous = w.previous[word], following = w.next[word]
    if previous:
        w.next[previous] = following
    else:
        w.first[old] = following
    if following:
        w.previous[following] = previous
    following = w.next[after] if after else w.first[new]
    w.previous[word], w.next[word] = after, following
    if after:
        w.next[after] = word
    else:
        w.first[new] = word
    if following:
        w.previous[following] = word
