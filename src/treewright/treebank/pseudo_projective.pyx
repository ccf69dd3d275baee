"""Trees made projective and back (Nivre & Nilsson 2005, "Pseudo-Projective Dependency Parsing").

A projective parser learns from trees whose non-projective arcs were lifted, the shortest first, to the
head of their head until none was left. Labels remember the lift (lifted_labels.py), and after parsing it
is undone by a search from the lifted word's head downwards.

Words are numbered from 1; ``heads[d - 1]`` is the head of word d, 0 the root.
"""
from array import array

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc

from treewright.treebank.block cimport Interner
from treewright.treebank.projectivity cimport (
    NO_MEMORY,
    NOT_A_TREE,
    TreeWorkspace,
    check_offsets,
    count_nonprojective_arcs,
    link_children,
    require_tree,
    spans_descendants,
)

from treewright.errors import TreewrightError
from treewright.treebank.lifted_labels import SCHEMES, LiftedLabel, decode, encode, is_plain

cdef enum:
    # Steps of search allowed per word of a sentence, so that undoing stays linear: never reached by a
    # sentence of up to 300 words, nor by a longer one unless very much of it is lifted.
    STEPS_PER_WORD = 1024


cdef int check_scheme(str scheme) except -1:
    if scheme not in SCHEMES:
        raise TreewrightError(
            f"there is no pseudo-projective scheme {scheme!r}. Choose one of {', '.join(SCHEMES)}"
        )
    return 0


# Lifting

def projectivize(int32_t[::1] heads, int32_t[::1] labels, const int32_t[::1] sentence_word,
                 Interner relations, str scheme):
    """Make every tree projective, in place, and return the number of words that were lifted.

    ``labels`` must hold relations as they stand in a treebank: a relation that happens to contain a sign
    of the notation is escaped. Encoded labels are added to ``relations``. If a sentence is not a tree,
    nothing is changed and TreewrightError is raised.
    """
    cdef int sentence, start, n, status
    cdef long lifted = 0, word
    cdef int64_t* heap
    cdef TreeWorkspace workspace = TreeWorkspace()
    cdef const int32_t[::1] original = array("i", heads)
    cdef char[::1] on_path = bytearray(max(1, heads.shape[0]))
    check_scheme(scheme)
    check_offsets(sentence_word, min(heads.shape[0], labels.shape[0]))
    for sentence in range(<int>sentence_word.shape[0] - 1):
        start = sentence_word[sentence]
        n = sentence_word[sentence + 1] - start
        if n == 0:
            continue
        status = count_nonprojective_arcs(&heads[start], n, workspace)
        if status > 0:
            heap = <int64_t*>malloc(n * sizeof(int64_t))
            if heap == NULL:
                status = NO_MEMORY
            else:
                with nogil:
                    lift_arcs(&heads[start], n, workspace, heap, &on_path[start])
                free(heap)
        if status < 0:
            heads[:] = original
            require_tree(status, sentence)
    for word in range(sentence_word[0], sentence_word[sentence_word.shape[0] - 1]):
        lifted += heads[word] != original[word]
    if scheme != "baseline":
        mark_labels(heads, original, labels, sentence_word, on_path, relations, scheme)
    return lifted


cdef void lift_arcs(int32_t* heads, int n, TreeWorkspace w, int64_t* heap, char* on_path) noexcept nogil:
    """Lift the shortest non-projective arc (of several, the leftmost) until there is none.

    Taking word d from its head h changes the descendants of h and of no other word. So an arc that is not
    projective stays so until it is lifted itself, and only other arcs out of h can join it.
    """
    cdef int size = 0, word, head, above
    for word in range(1, n + 1):
        if not spans_descendants(heads[word - 1], word, w):
            size = push(heap, size, heads[word - 1], word)
    while size:
        word = <int>(heap[0] & 0x7FFFFFFF)
        size = pop(heap, size)
        head = heads[word - 1]
        above = heads[head - 1]
        on_path[head - 1] = True
        size = narrow_run(heads, head, word, w, heap, size)
        move_child(w, word, head, above, 0)
        heads[word - 1] = above
        if not spans_descendants(above, word, w):
            size = push(heap, size, above, word)


cdef int narrow_run(const int32_t* heads, int head, int word, TreeWorkspace w, int64_t* heap,
                    int size) noexcept nogil:
    """Take the subtree of ``word`` out of the run of ``head``; queue the arcs that this breaks."""
    cdef int left = w.left[head], right = w.right[head], node = word
    if left == right:
        return size
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
    for node in range(w.left[head], left):
        if heads[node - 1] == head:
            size = push(heap, size, head, node)
    for node in range(right + 1, w.right[head] + 1):
        if heads[node - 1] == head:
            size = push(heap, size, head, node)
    w.left[head], w.right[head] = left, right
    return size


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
    """Give lifted words, arcs on a path, and relations that need an escape their encoded labels."""
    cdef int sentence, word, start, label
    cdef bint lifted, marked, path = scheme != "head", name_head = scheme != "path"
    cdef const int32_t[::1] plain_labels = array("i", labels)
    cdef list texts = list(relations.strings)
    cdef list must_escape = [not is_plain(text) for text in texts]
    cdef bint any_escape = any(must_escape)
    cdef int n_texts = len(texts)
    cdef dict numbers = {}
    for word in range(sentence_word[0], sentence_word[sentence_word.shape[0] - 1]):
        if not 0 <= plain_labels[word] < n_texts:
            raise ValueError(f"word {word} has a label outside the relations")
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


# Undoing

cdef class Deprojectivizer:
    """Undoes the lifting in parsed trees and takes the encoding off their labels.

    Built once per model from its relations; read-only afterwards, so that threads can share it. After
    ``undo`` labels are positions in ``decoded_relations``, which starts with the relations of the model
    and goes on with those that occur in it encoded only.
    """

    def __init__(self, relations, str scheme):
        cdef int label
        cdef dict numbers
        check_scheme(scheme)
        self.scheme = scheme
        self.follow_path = scheme in ("path", "head+path")
        self.know_head = scheme in ("head", "head+path")
        self.decoded_relations = list(relations)
        self.n_relations = len(self.decoded_relations)
        self._allocate()
        numbers = {text: number for number, text in enumerate(self.decoded_relations)}
        for label in range(self.n_relations):
            text = self.decoded_relations[label]
            meaning = decode(text, scheme)
            self.base[label] = self._number(meaning.base, numbers)
            self.head_relation[label] = -1 if meaning.head is None else self._number(meaning.head, numbers)
            self.lifted[label] = meaning.lifted
            self.on_path[label] = meaning.on_path
            self.n_encoded += meaning.base != text

    def _allocate(self):
        if self.base != NULL:
            raise TypeError("a Deprojectivizer is built once")
        self.base = <int32_t*>calloc(self.n_relations + 1, sizeof(int32_t))
        self.head_relation = <int32_t*>calloc(self.n_relations + 1, sizeof(int32_t))
        self.lifted = <char*>calloc(self.n_relations + 1, 1)
        self.on_path = <char*>calloc(self.n_relations + 1, 1)
        if self.base == NULL or self.head_relation == NULL or self.lifted == NULL or self.on_path == NULL:
            raise MemoryError

    def _number(self, str text, dict numbers):
        if text not in numbers:
            numbers[text] = len(self.decoded_relations)
            self.decoded_relations.append(text)
        return numbers[text]

    def __dealloc__(self):
        free(self.base)
        free(self.head_relation)
        free(self.lifted)
        free(self.on_path)

    def meaning(self, int label):
        """Return base relation, relation of the head (-1: none) and path mark of a label."""
        if not 0 <= label < self.n_relations:
            raise IndexError(label)
        return self.base[label], self.head_relation[label], bool(self.on_path[label])

    def undo_all(self, int32_t[::1] heads, int32_t[::1] labels, const int32_t[::1] sentence_word):
        """Undo the lifting in many sentences, in place, and return how many words moved."""
        cdef int sentence, start, n, status
        cdef long moved = 0
        cdef TreeWorkspace workspace = TreeWorkspace()
        check_offsets(sentence_word, min(heads.shape[0], labels.shape[0]))
        for sentence in range(<int>sentence_word.shape[0] - 1):
            start = sentence_word[sentence]
            n = sentence_word[sentence + 1] - start
            if n == 0:
                continue
            with nogil:
                status = self.undo(&heads[start], &labels[start], n, workspace)
            if status == NO_MEMORY:
                raise MemoryError
            moved += status
        return moved

    cdef int undo(self, int32_t* heads, int32_t* labels, int n, TreeWorkspace w) noexcept nogil:
        """Move the lifted words of a sentence back and give all words their base labels.

        Returns how many words moved, or NO_MEMORY. Labels are restored in any case; a sentence that is
        not a tree keeps its heads. A lifted word moves to a descendant of its head that is not its own
        descendant: no cycle can arise, and no new root.
        """
        cdef int word, moved = 0
        cdef bint encoded = False, lifted = False
        if self.n_encoded == 0:
            return 0
        for word in range(n):
            if 0 <= labels[word] < self.n_relations and self.base[labels[word]] != labels[word]:
                encoded = True
                lifted |= self.lifted[labels[word]]
        if not encoded:
            return 0
        if lifted:
            moved = self._reattach(heads, labels, n, w)
        for word in range(n):
            if 0 <= labels[word] < self.n_relations:
                labels[word] = self.base[labels[word]]
        return moved

    cdef int _reattach(self, int32_t* heads, const int32_t* labels, int n, TreeWorkspace w) noexcept nogil:
        """Treat the lifted words top-down and from left to right, as they stand in the projective tree."""
        cdef int32_t* order
        cdef int word, child, place, target, after, end = 1, moved = 0
        cdef int64_t budget = <int64_t>STEPS_PER_WORD * n
        cdef int status = link_children(heads, n, w)
        if status < 0:
            return 0 if status == NOT_A_TREE else status
        order = w.enter
        order[0] = 0
        place = 0
        while place < end:
            child = w.first[order[place]]
            while child:
                order[end] = child
                end += 1
                child = w.next[child]
            place += 1
        if end != n + 1:
            return 0
        for place in range(1, n + 1):
            word = order[place]
            if not 0 <= labels[word - 1] < self.n_relations or not self.lifted[labels[word - 1]]:
                continue
            if budget < 0:
                break
            target = self._target(heads[word - 1], word, labels, w, &budget)
            if target == 0:
                continue
            after = 0
            child = w.first[target]
            while child and child < word:
                after = child
                child = w.next[child]
                budget -= 1
            move_child(w, word, heads[word - 1], target, after)
            heads[word - 1] = target
            moved += 1
        return moved

    cdef int _target(self, int start, int word, const int32_t* labels, TreeWorkspace w,
                     int64_t* budget) noexcept nogil:
        """Find the head that the scheme points to, or 0; head+path falls back on head, as in the paper."""
        cdef int wanted = self.head_relation[labels[word - 1]]
        cdef int target = self._search(start, word, wanted, self.follow_path, labels, w, budget)
        if target == 0 and self.follow_path and self.know_head:
            target = self._search(start, word, wanted, False, labels, w, budget)
        return target

    cdef int _search(self, int start, int word, int wanted, bint follow_path, const int32_t* labels,
                     TreeWorkspace w, int64_t* budget) noexcept nogil:
        """Search breadth-first from ``start``, not into ``word``, for the relation ``wanted``.

        With ``follow_path`` only over marked arcs; without a wanted relation, for the end of a path.
        """
        cdef int front = 0, end = 0, node = start, child, label
        while True:
            child = w.first[node]
            while child:
                budget[0] -= 1
                label = labels[child - 1]
                if child != word and (not follow_path or self._marked(label)):
                    if wanted < 0:
                        if self._ends_path(child, word, labels, w, budget):
                            return child
                    elif (self.base[label] if 0 <= label < self.n_relations else label) == wanted:
                        return child
                    w.queue[end] = child
                    end += 1
                child = w.next[child]
            if front == end or budget[0] < 0:
                return 0
            node = w.queue[front]
            front += 1

    cdef bint _ends_path(self, int node, int word, const int32_t* labels, TreeWorkspace w,
                         int64_t* budget) noexcept nogil:
        cdef int child = w.first[node]
        while child:
            budget[0] -= 1
            if child != word and self._marked(labels[child - 1]):
                return False
            child = w.next[child]
        return True

    cdef bint _marked(self, int label) noexcept nogil:
        return 0 <= label < self.n_relations and self.on_path[label]
