"""Projective trees: which arcs are projective, in linear time.

An arc is projective if every word between its ends is a descendant of its head; a tree is, if all its
arcs are. The artificial root stands at position 0.

Words are numbered from 1; ``heads[d - 1]`` is the head of word d, 0 the root.
"""
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc

from treewright.errors import TreewrightError

cdef enum:
    ARRAYS = 8


cdef class TreeWorkspace:
    def __dealloc__(self):
        free(self.memory)

    cdef int reserve(self, int n) noexcept nogil:
        """Make room for a sentence of n words; 0 or NO_MEMORY."""
        cdef size_t size
        cdef int32_t* memory
        if n < self.capacity:
            return 0
        size = max(2 * self.capacity, n + 1, 256)
        memory = <int32_t*>malloc(ARRAYS * size * sizeof(int32_t))
        if memory == NULL:
            return NO_MEMORY
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


cdef int link_children(const int32_t* heads, int n, TreeWorkspace w) noexcept nogil:
    """Chain the children of every word from left to right; 0, NOT_A_TREE for a head out of range."""
    cdef int word, head
    if w.reserve(n) < 0:
        return NO_MEMORY
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
    """Number the words so that descent is a comparison of numbers; 0, NOT_A_TREE if there is a cycle."""
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


cdef int count_nonprojective_arcs(const int32_t* heads, int n, TreeWorkspace w) noexcept nogil:
    """Count the non-projective arcs of a sentence, in linear time; or NOT_A_TREE, NO_MEMORY.

    Leaves in the workspace the unbroken run of descendants around every word: an arc is projective if
    and only if its dependent lies in the run of its head. A run takes in whole runs found before it, and
    each run is taken in at most once, hence the linear time.
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
    """Whether every arc of one sentence is projective."""
    cdef int32_t nothing = 0
    cdef const int32_t* first = &heads[0] if heads.shape[0] else &nothing
    return require_tree(count_nonprojective_arcs(first, <int>heads.shape[0], TreeWorkspace()), 0) == 0


def count_nonprojective(const int32_t[::1] heads, const int32_t[::1] sentence_word):
    """Return how many sentences, and how many arcs, are not projective."""
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
    if count == NO_MEMORY:
        raise MemoryError
    if count == NOT_A_TREE:
        raise TreewrightError(
            f"sentence {sentence + 1} is not a tree: a head is out of range or there is a cycle."
            " Validate the treebank first"
        )
    return count


cdef int check_offsets(const int32_t[::1] sentence_word, Py_ssize_t n_words) except -1:
    """Refuse offsets that would lead outside the arrays."""
    cdef Py_ssize_t i
    if sentence_word.shape[0] == 0 or sentence_word[0] < 0:
        raise ValueError("sentence_word must hold the offset of every sentence and the end of the last")
    for i in range(1, sentence_word.shape[0]):
        if sentence_word[i] < sentence_word[i - 1]:
            raise ValueError("sentence_word must not decrease")
    if sentence_word[sentence_word.shape[0] - 1] > n_words:
        raise ValueError("sentence_word leads beyond the last word")
    return 0
