"""Find the projective arcs of a tree in linear time.

An arc is projective if every word between its ends is a descendant of its head. A tree is projective if all its arcs
are. The artificial root is at position 0.

Words are numbered from 1; ``heads[d - 1]`` is the head of word d, 0 the root.
"""
from libc.stdlib cimport free

from treewright.treebank.blocks.memory cimport allocate

from treewright.errors import TreewrightError

cdef enum:
    ARRAYS = 8


cdef class TreeWorkspace:
    def __dealloc__(self):
        free(self.memory)

    cdef int reserve(self, int n) except -1 nogil:
        """Make room for a sentence of n words."""
        cdef size_t size
        cdef int32_t* memory
        if n < self.capacity:
            return 0
        size = max(2 * self.capacity, n + 1, 256)
        memory = <int32_t*>allocate(ARRAYS * size, sizeof(int32_t))
        free(self.memory)
        self.memory = memory
        self.capacity = <int>size
        self.first = memory
        self.next = memory + size
        self.previous = memory + 2 * size
        self.enter = memory + 3 * size
        self.leave = memory + 4 * size
        self.left = memory + 5 * size
        self.right = memory + 6 * size
        self.queue = memory + 7 * size
        return 0


cdef int link_children(const int32_t* heads, int n, TreeWorkspace w) except -2 nogil:
    """Link the children of every word from left to right. Return 0, or NOT_A_TREE if a head is out of range."""
    cdef int word, head
    w.reserve(n)
    for word in range(n + 1):
        w.first[word] = 0
    w.next[0] = w.previous[0] = 0
    for word in range(n, 0, -1):
        head = heads[word - 1]
        if not 0 <= head <= n:
            return NOT_A_TREE
        w.next[word] = w.first[head]
        w.previous[word] = 0
        if w.first[head]:
            w.previous[w.first[head]] = word
        w.first[head] = word
    return 0


cdef int walk_depth_first(const int32_t* heads, int n, TreeWorkspace w) noexcept nogil:
    """Number the words so that comparing numbers tests for descendants. Return 0, or NOT_A_TREE if there is a cycle."""
    cdef int node = 0, clock = 0
    w.enter[0] = 0
    while True:
        if w.first[node]:
            node = w.first[node]
        else:
            w.leave[node] = clock
            while node and not w.next[node]:
                node = heads[node - 1]
                w.leave[node] = clock
            if node == 0:
                break
            node = w.next[node]
        clock += 1
        w.enter[node] = clock
    return 0 if clock == n else NOT_A_TREE


cdef inline bint descends(int word, int ancestor, TreeWorkspace w) noexcept nogil:
    return w.enter[ancestor] <= w.enter[word] <= w.leave[ancestor]


cdef int count_nonprojective_arcs(const int32_t* heads, int n, TreeWorkspace w) except -2 nogil:
    """Return the number of non-projective arcs of a sentence, or NOT_A_TREE.

    The workspace then holds the contiguous run of descendants around every word: an arc is projective if and only if
    its dependent lies in the run of its head. A run absorbs whole runs found earlier, and each run is absorbed at most
    once, so the time is linear.
    """
    cdef int word, end, count = 0
    cdef int status = link_children(heads, n, w)
    if status == 0:
        status = walk_depth_first(heads, n, w)
    if status < 0:
        return status
    for word in range(n, 0, -1):
        end = word
        while end < n and descends(end + 1, word, w):
            end = w.right[end + 1]
        w.right[word] = end
    for word in range(1, n + 1):
        end = word
        while end > 1 and descends(end - 1, word, w):
            end = w.left[end - 1]
        w.left[word] = end
    for word in range(1, n + 1):
        if not spans_descendants(heads[word - 1], word, w):
            count += 1
    return count


def is_projective(const int32_t[::1] heads):
    """Return whether every arc of a sentence is projective."""
    cdef int32_t nothing = 0
    cdef const int32_t* first = &heads[0] if heads.shape[0] else &nothing
    return require_tree(count_nonprojective_arcs(first, <int>heads.shape[0], TreeWorkspace()), 0) == 0


def count_nonprojective(const int32_t[::1] heads, const int32_t[::1] sentence_word):
    """Return the number of non-projective sentences and of non-projective arcs."""
    cdef int sentence, start, count, sentences = 0
    cdef long arcs = 0
    cdef TreeWorkspace workspace = TreeWorkspace()
    check_offsets(sentence_word, heads.shape[0])
    for sentence in range(<int>sentence_word.shape[0] - 1):
        start = sentence_word[sentence]
        if start == sentence_word[sentence + 1]:
            continue
        count = count_nonprojective_arcs(&heads[start], sentence_word[sentence + 1] - start, workspace)
        arcs += require_tree(count, sentence)
        sentences += count > 0
    return sentences, arcs


cdef int require_tree(int count, int sentence) except -1:
    if count == NOT_A_TREE:
        raise TreewrightError(
            f"sentence {sentence + 1} is not a tree: a head is out of range, or the heads form a cycle."
            " Validate the treebank first"
        )
    return count


cdef int check_offsets(const int32_t[::1] sentence_word, Py_ssize_t n_words) except -1:
    """Reject offsets that point outside the arrays."""
    cdef Py_ssize_t i
    if sentence_word.shape[0] == 0 or sentence_word[0] < 0:
        raise ValueError("sentence_word must hold the offset of every sentence and the end of the last")
    for i in range(1, sentence_word.shape[0]):
        if sentence_word[i] < sentence_word[i - 1]:
            raise ValueError("sentence_word must not decrease")
    if sentence_word[sentence_word.shape[0] - 1] > n_words:
        raise ValueError("sentence_word points past the last word")
    return 0
