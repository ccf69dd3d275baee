"""Make trees projective (Nivre & Nilsson 2005, "Pseudo-Projective Dependency Parsing").

To train a projective parser, the shortest non-projective arc is lifted to the head of its head until none is left.
Labels record the lift (lifted_labels.py); deprojectivizer.pyx undoes it after parsing.

Words are numbered from 1; ``heads[d - 1]`` is the head of word d, 0 the root.
"""
from array import array

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free

from treewright.treebank.blocks.interner cimport Interner
from treewright.treebank.blocks.memory cimport allocate
from treewright.treebank.lifting.projectivity cimport (
    TreeWorkspace,
    check_offsets,
    count_nonprojective_arcs,
    move_child,
    require_tree,
    spans_descendants,
)

from treewright.treebank.lifting.lifted_labels import LiftedLabel, encode, is_plain, require_scheme


def projectivize(int32_t[::1] heads, int32_t[::1] labels, const int32_t[::1] sentence_word,
                 Interner relations, str scheme):
    """Make every tree projective, in place; return the number of lifted words.

    ``labels`` must hold relations as the treebank has them: a relation that contains a sign of the notation is escaped.
    Encoded labels are added to ``relations``. If a sentence is not a tree, nothing changes and TreewrightError is
    raised.
    """
    cdef int sentence, start, n, status
    cdef long lifted = 0, word
    cdef int64_t* heap
    cdef TreeWorkspace workspace = TreeWorkspace()
    cdef const int32_t[::1] original = array("i", bytes(heads))
    cdef char[::1] on_path = bytearray(max(1, heads.shape[0]))
    require_scheme(scheme)
    check_offsets(sentence_word, min(heads.shape[0], labels.shape[0]))
    for sentence in range(<int>sentence_word.shape[0] - 1):
        start = sentence_word[sentence]
        n = sentence_word[sentence + 1] - start
        if n == 0:
            continue
        status = count_nonprojective_arcs(&heads[start], n, workspace)
        if status > 0:
            heap = <int64_t*>allocate(n, sizeof(int64_t))
            with nogil:
                lift_arcs(&heads[start], n, workspace, heap, &on_path[start])
            free(heap)
        elif status < 0:
            heads[:] = original
            require_tree(status, sentence)
    for word in range(sentence_word[0], sentence_word[sentence_word.shape[0] - 1]):
        lifted += heads[word] != original[word]
    if scheme != "baseline":
        mark_labels(heads, original, labels, sentence_word, on_path, relations, scheme)
    return lifted


cdef void lift_arcs(int32_t* heads, int n, TreeWorkspace w, int64_t* heap, char* on_path) noexcept nogil:
    """Lift the shortest non-projective arc (the leftmost of several) until none is left.

    Moving word d away from its head h changes the descendants of h and of no other word. A non-projective arc therefore
    stays non-projective until it is lifted, and only other arcs out of h can become non-projective.
    """
    cdef int32_t* size = w.leave       # words in the subtree; the walk's numbers are no longer needed
    cdef int32_t* stamp = w.enter
    cdef int waiting = 0, mark = 0, word, head, above
    for word in range(n + 1):
        size[word] = w.leave[word] - w.enter[word] + 1
        stamp[word] = 0
    for word in range(1, n + 1):
        if not spans_descendants(heads[word - 1], word, w):
            waiting = push(heap, waiting, heads[word - 1], word)
    while waiting:
        word = <int>(heap[0] & 0x7FFFFFFF)
        waiting = pop(heap, waiting)
        head = heads[word - 1]
        above = heads[head - 1]
        on_path[head - 1] = True
        mark += 2
        waiting = narrow_run(heads, head, word, w, size[word], stamp, mark, heap, waiting)
        size[head] -= size[word]
        move_child(w, word, head, above, 0)
        heads[word - 1] = above
        if not spans_descendants(above, word, w):
            waiting = push(heap, waiting, above, word)


cdef int narrow_run(const int32_t* heads, int head, int word, TreeWorkspace w, int size, int32_t* stamp,
                    int mark, int64_t* heap, int waiting) noexcept nogil:
    """Remove the subtree of ``word`` from the run of ``head``; queue the arcs that become non-projective.

    Scans the subtree or the run, whichever is smaller: in a long sentence one of them usually is small.
    """
    cdef int left = w.left[head], right = w.right[head], node
    if left == right:
        return waiting
    if size <= right - left:
        node = word
        while True:
            if node < head:
                left = max(left, node + 1)
            else:
                right = min(right, node - 1)
            if w.first[node]:
                node = w.first[node]
                continue
            while node != word and not w.next[node]:
                node = heads[node - 1]
            if node == word:
                break
            node = w.next[node]
    else:
        right = head
        while right < w.right[head] and not is_below(right + 1, word, head, heads, stamp, mark):
            right = w.right[right + 1]
        left = head
        while left > w.left[head] and not is_below(left - 1, word, head, heads, stamp, mark + 1):
            left = w.left[left - 1]
    for node in range(w.left[head], left):
        if heads[node - 1] == head:
            waiting = push(heap, waiting, head, node)
    for node in range(right + 1, w.right[head] + 1):
        if heads[node - 1] == head:
            waiting = push(heap, waiting, head, node)
    w.left[head], w.right[head] = left, right
    return waiting


cdef inline bint is_below(int node, int word, int head, const int32_t* heads, int32_t* stamp,
                          int mark) noexcept nogil:
    """Return whether a descendant of ``head`` is below its child ``word``.

    Stamps the nodes on the way up, so no path is followed twice. After a true result, do not reuse the mark.
    """
    while node != word and node != head and stamp[node] != mark:
        stamp[node] = mark
        node = heads[node - 1]
    return node == word


cdef inline int push(int64_t* heap, int size, int head, int word) noexcept nogil:
    """Add an arc to the heap, ordered by length, then by dependent; return the new size."""
    cdef int64_t key = (<int64_t>abs(head - word) << 32) | word
    cdef int place = size
    while place and heap[(place - 1) >> 1] > key:
        heap[place] = heap[(place - 1) >> 1]
        place = (place - 1) >> 1
    heap[place] = key
    return size + 1


cdef inline int pop(int64_t* heap, int size) noexcept nogil:
    """Remove the first arc of the heap; return the new size."""
    cdef int64_t key = heap[size - 1]
    cdef int place = 0, child = 1
    size -= 1
    while child < size:
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= key:
            break
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = key
    return size


cdef int mark_labels(const int32_t[::1] heads, const int32_t[::1] original, int32_t[::1] labels,
                     const int32_t[::1] sentence_word, const char[::1] on_path, Interner relations,
                     str scheme) except -1:
    """Encode the labels of lifted words, of arcs on a path, and of relations that need an escape."""
    cdef int sentence, word, start, label
    cdef bint lifted, marked, path = scheme != "head", name_head = scheme != "path"
    cdef const int32_t[::1] plain_labels = array("i", bytes(labels))
    cdef list texts = list(relations.strings)
    cdef list must_escape = [not is_plain(text) for text in texts]
    cdef bint any_escape = any(must_escape)
    cdef int n_texts = len(texts)
    cdef dict numbers = {}
    for word in range(sentence_word[0], sentence_word[sentence_word.shape[0] - 1]):
        if not 0 <= plain_labels[word] < n_texts:
            raise ValueError(f"the label of word {word} is not in the relations")
    for sentence in range(<int>sentence_word.shape[0] - 1):
        start = sentence_word[sentence]
        for word in range(start, sentence_word[sentence + 1]):
            label = plain_labels[word]
            lifted = heads[word] != original[word]
            marked = path and on_path[word]
            if not lifted and not marked and not (any_escape and must_escape[label]):
                continue
            head = None
            if lifted and name_head:
                head = texts[plain_labels[start + original[word] - 1]]
            key = LiftedLabel(texts[label], lifted, head, marked)
            if key not in numbers:
                numbers[key] = intern_text(relations, encode(key))
            labels[word] = numbers[key]
    return 0


cdef int intern_text(Interner relations, str text) except -1:
    cdef bytes raw = text.encode("utf-8", "surrogateescape")
    return relations.intern(PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw))
