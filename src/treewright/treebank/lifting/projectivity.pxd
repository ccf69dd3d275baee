from libc.stdint cimport int32_t


cdef enum:
    NOT_A_TREE = -1


cdef class TreeWorkspace:
    """Scratch memory for one thread. It grows with the longest sentence and is reused."""
    cdef int capacity
    cdef int32_t* memory
    cdef int32_t* first              # first child, 0 if none
    cdef int32_t* next               # next sibling, 0 if none
    cdef int32_t* previous           # previous sibling, 0 if none
    cdef int32_t* enter              # number in a depth-first walk from the root
    cdef int32_t* leave              # highest such number among the descendants
    cdef int32_t* left               # left end of the contiguous run of descendants around a word
    cdef int32_t* right              # right end of that run
    cdef int32_t* queue
    cdef int reserve(self, int n) except -1 nogil


cdef int link_children(const int32_t* heads, int n, TreeWorkspace w) except -2 nogil
cdef int count_nonprojective_arcs(const int32_t* heads, int n, TreeWorkspace w) except -2 nogil
cdef int require_tree(int count, int sentence) except -1
cdef int check_offsets(const int32_t[::1] sentence_word, Py_ssize_t n_words) except -1

cdef inline bint spans_descendants(int head, int word, TreeWorkspace w) noexcept nogil:
    """Return whether the arc head → word is projective; requires the runs of count_nonprojective_arcs."""
    return head == 0 or w.left[head] <= word <= w.right[head]


cdef inline void make_adjacent(TreeWorkspace w, int parent, int left, int right) noexcept nogil:
    """Make two children of a word adjacent; a ``left`` of 0 is the start of the list, a ``right`` of 0 its end."""
    if left:
        w.next[left] = right
    else:
        w.first[parent] = right
    if right:
        w.previous[right] = left


cdef inline void move_child(TreeWorkspace w, int word, int old, int new, int after) noexcept nogil:
    """Move a word from one list of children to another, after the child ``after`` (0: to the front)."""
    cdef int following
    make_adjacent(w, old, w.previous[word], w.next[word])
    following = w.next[after] if after else w.first[new]
    w.previous[word], w.next[word] = after, following
    make_adjacent(w, new, after, word)
    make_adjacent(w, new, word, following)
